"""Declares the table service's metrics; labels are closed sets."""

from __future__ import annotations

from typing import Final

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram

from jasshaus.api.common.v1 import reasons_pb2

OTHER: Final = "other"
_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
_MOVES: Final = ("push", "contract", "announce", "weis", "card", "claim", "leave", "come_back")
_REASONS: Final = frozenset(
    name.removeprefix("ERROR_REASON_") for name in reasons_pb2.ErrorReason.DESCRIPTOR.values_by_name
) | {OTHER}
_SCRIPTS: Final = (
    "load",
    "commit",
    "look",
    "defer",
    "fence",
    "attend",
    "presence",
    "announce",
    "lease",
    "retry",
    "witness",
    "sweeper",
)
_FINDINGS: Final = ("unknown", "in_order", "repaired", "unmatched")
SWEEP_CAUSES: Final = ("server", "timeline", "position", "redis", "wallet", OTHER)
_DETACHED: Final = ("end", "replaced", "slow", "drain")


class TableMetrics:
    """The table service's metrics."""

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        self.moves = Counter(
            "jasshaus_table_moves_total",
            "Committed actions of players, by kind.",
            ["kind"],
            registry=registry,
        )
        self.refusals = Counter(
            "jasshaus_table_refusals_total", "Refused actions of players.", ["reason"], registry=registry
        )
        self.conflicts = Counter(
            "jasshaus_table_conflicts_total", "Commits that lost a race.", registry=registry
        )
        self.timeouts = Counter(
            "jasshaus_table_timeouts_total", "Decisions taken by a stand-in.", registry=registry
        )
        self.created = Counter("jasshaus_table_created_total", "Tables created.", registry=registry)
        self.idle_aborts = Counter(
            "jasshaus_table_idle_aborts_total", "Tables aborted for lack of progress.", registry=registry
        )
        self.clock_failures = Counter(
            "jasshaus_table_clock_failures_total", "Timers that could not be handled.", registry=registry
        )
        self.watchers = Gauge("jasshaus_table_watchers", "Open streams.", registry=registry)
        self.watchers_ended = Counter(
            "jasshaus_table_watchers_ended_total", "Streams ended, by why.", ["why"], registry=registry
        )
        self.outbox_depth = Gauge(
            "jasshaus_table_outbox_depth", "Results this process is delivering.", registry=registry
        )
        self.outbox_age = Gauge(
            "jasshaus_table_outbox_age_seconds",
            "Age of the oldest result this process is delivering.",
            registry=registry,
        )
        self.settle_failures = Counter(
            "jasshaus_table_settle_failures_total", "Deliveries that must be retried.", registry=registry
        )
        self.settle_refusals = Counter(
            "jasshaus_table_settle_refusals_total",
            "Results the wallet refused permanently: needs attention.",
            registry=registry,
        )
        self.settle_seconds = Histogram(
            "jasshaus_table_settle_seconds",
            "Time from taking a result out of the outbox to the closed table.",
            registry=registry,
            buckets=_BUCKETS,
        )
        self.store_seconds = Histogram(
            "jasshaus_table_store_seconds",
            "Round trips to Redis, by script.",
            ["script"],
            registry=registry,
            buckets=_BUCKETS,
        )
        self.reconciled = Counter(
            "jasshaus_table_reconciled_total",
            "Tables and results compared with their pots and games, by finding.",
            ["finding"],
            registry=registry,
        )
        self.sweeps = Counter(
            "jasshaus_table_sweeps_total",
            "Completed sweeps over all tables, by cause.",
            ["cause"],
            registry=registry,
        )
        self.sweep_seconds = Gauge(
            "jasshaus_table_sweep_running_seconds",
            "How long this process's current sweep has been running; 0 if there is none.",
            registry=registry,
        )
        self.sweep_waiting = Gauge(
            "jasshaus_table_sweep_waiting",
            "Tables that the sweep could not compare yet because wallet or matchmaking do not answer.",
            registry=registry,
        )
        self.rows_lost = Gauge(
            "jasshaus_table_rows_lost",
            "Results without a game that this process could not restore, as of its last check.",
            registry=registry,
        )
        self.rows_restored = Counter(
            "jasshaus_table_rows_restored_total",
            "Lost game rows rewritten from the match's result.",
            registry=registry,
        )
        for finding in _FINDINGS:
            self.reconciled.labels(finding)
        for cause in SWEEP_CAUSES:
            self.sweeps.labels(cause)
        for kind in _MOVES:
            self.moves.labels(kind)
        for reason in _REASONS:
            self.refusals.labels(reason)
        for script in _SCRIPTS:
            self.store_seconds.labels(script)
        for why in _DETACHED:
            self.watchers_ended.labels(why)

    def refused(self, reason: str) -> None:
        """Count a refusal."""
        self.refusals.labels(reason if reason in _REASONS else OTHER).inc()
