"""Declares matchmaking's metrics; labels are closed sets and exist from the start."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge
from redis.exceptions import RedisError

from jasshaus.platform.errors import Fault

LIVE: Final = ("OPENING", "OPEN", "STARTING", "PLAYING")
JOINS: Final = ("seated", "refused", "unavailable", "failed")
RETIRED: Final = ("game", "seats")
STEPS: Final = ("open_pot", "hold", "confirm", "release", "lock", "create_table", "refund", "forget")
ACTIONS: Final = (
    "attended", "failed", "evicted", "closed", "restarted", "rewritten", "restored",
    "table_missing", "table_lost", "recorded", "refunded", "conflict", "swept",
    "lobby_compared", "followed", "rebuilt", "settled_again", "stray_refunded",
)  # fmt: skip
STUCK: Final = ("NO_GAME", "GAME_OVER", "NO_TABLE", "REFUSED", "UNANSWERED", "OTHER_END")


class LobbyMetrics:
    """Metrics of the saga, the reconciler and the feed."""

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        self.games = Gauge(
            "jasshaus_lobby_games", "Games that are not over, by status.", ["status"], registry=registry
        )
        self.joins = Counter(
            "jasshaus_lobby_joins_total", "Joins by outcome.", ["outcome"], registry=registry
        )
        self.failures = Counter(
            "jasshaus_lobby_step_failures_total",
            "Saga steps that got no answer and are resumed later.",
            ["step"],
            registry=registry,
        )
        self.actions = Counter(
            "jasshaus_lobby_reconciler_total", "Reconciler actions.", ["action"], registry=registry
        )
        self.stuck = Gauge(
            "jasshaus_lobby_stuck_pots",
            "Pots whose stakes no game or table moves, or that ended differently from their games, by why.",
            ["reason"],
            registry=registry,
        )
        self.limited = Counter(
            "jasshaus_lobby_limited_total",
            "Games not opened or joined because the player's budget was used up.",
            registry=registry,
        )
        self.retired = Counter(
            "jasshaus_lobby_retired_total",
            "Games and seat records deleted after their retention period.",
            ["what"],
            registry=registry,
        )
        self.reads = Counter(
            "jasshaus_lobby_reads_total",
            "Full reads of a tenant's open games.",
            registry=registry,
        )
        self.watchers = Gauge("jasshaus_lobby_watchers", "Open lobby streams.", registry=registry)
        for what in RETIRED:
            self.retired.labels(what)
        for status in LIVE:
            self.games.labels(status)
        for outcome in JOINS:
            self.joins.labels(outcome)
        for step in STEPS:
            self.failures.labels(step)
        for reason in STUCK:
            self.stuck.labels(reason)
        for action in ACTIONS:
            self.actions.labels(action)

    @contextmanager
    def failures_of(self, step: str) -> Iterator[None]:
        """Count a step that gets no answer."""
        try:
            yield
        except (Fault, RedisError):
            self.failures.labels(step).inc()
            raise
