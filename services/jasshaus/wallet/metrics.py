"""Declares the wallet's metrics. The platform declares those of RPCs."""

from __future__ import annotations

from typing import Final

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge

CONFLICT: Final = "conflict"
CONNECTION: Final = "connection"
#: Recorded here, carried out by the table service.
ACTS_ELSEWHERE: Final = ("abort_table", "reconcile_table")
_ACTS: Final = (
    "deposit",
    "withdraw",
    "correct",
    "set_fee_schedule",
    "refund_pot",
    "settle_pot",
    "end_recovery",
    *ACTS_ELSEWHERE,
)


class WalletMetrics:
    """Metrics for operators. Alert on `imbalance` above zero, settlement conflicts, and table mismatches."""

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        self.retries = Counter(
            "jasshaus_wallet_store_retries_total",
            "Retried operations, by cause: lost a race in the database, or lost the connection.",
            ["cause"],
            registry=registry,
        )
        for cause in (CONFLICT, CONNECTION):
            self.retries.labels(cause)
        self.settlement_conflicts = Counter(
            "jasshaus_wallet_settlement_conflicts_total",
            "Settlements refused because the pot already has a different result.",
            registry=registry,
        )
        self.table_mismatches = Counter(
            "jasshaus_wallet_table_mismatches_total",
            "Locks, settlements and refunds refused because the pot belongs to another table or other seats.",
            registry=registry,
        )
        self.alarms = {
            "SETTLEMENT_CONFLICT": self.settlement_conflicts,
            "TABLE_MISMATCH": self.table_mismatches,
        }
        self.reconciled = Counter(
            "jasshaus_wallet_reconciled_total",
            "Pots repaired from their table's state, by resulting pot state.",
            ["state"],
            registry=registry,
        )
        for state in ("locked", "settled", "refunded"):
            self.reconciled.labels(state)
        self.recovering = Gauge(
            "jasshaus_wallet_recovering",
            "1 while a ledger found at an earlier time is being compared with the tables.",
            registry=registry,
        )
        self.waits_for_tables = Gauge(
            "jasshaus_wallet_waits_for_tables",
            "1 from a start of PostgreSQL until a table service has reported the position it last saw.",
            registry=registry,
        )
        self.recoveries = Gauge(
            "jasshaus_wallet_recoveries",
            "Number of recoveries in the ledger's whole life.",
            registry=registry,
        )
        self.repaired_pots = Gauge(
            "jasshaus_wallet_recovery_repaired_pots",
            "Pots repaired in all recoveries.",
            registry=registry,
        )
        self.unmatched_tables = Gauge(
            "jasshaus_wallet_recovery_unmatched_tables",
            "Tables found without a pot of their own in all recoveries.",
            registry=registry,
        )
        self.open_since_restore = Gauge(
            "jasshaus_wallet_open_since_restore",
            "Pots from before the latest recovery that are still open or locked.",
            registry=registry,
        )
        self.imbalance = Gauge(
            "jasshaus_wallet_imbalance_minor_units",
            "Distance of the sum of all accounts from zero, absolute and over all currencies.",
            registry=registry,
        )
        self.imbalance_checked = Gauge(
            "jasshaus_wallet_imbalance_checked_timestamp_seconds",
            "When the imbalance was last computed (Unix time).",
            registry=registry,
        )
        self.pending_roll_up = Gauge(
            "jasshaus_wallet_pending_roll_up",
            "House and cashier entries waiting for the roll-up.",
            registry=registry,
        )
        self.stale_pots = Gauge(
            "jasshaus_wallet_stale_pots",
            "Pots still open or locked a day after they were opened.",
            registry=registry,
        )
        self.operator_acts = Counter(
            "jasshaus_wallet_operator_acts_total",
            "Operator acts carried out or answered again, by kind.",
            ["kind"],
            registry=registry,
        )
        for kind in _ACTS:
            self.operator_acts.labels(kind)
        self.removed_pots = Counter(
            "jasshaus_wallet_removed_pots_total",
            "Pots removed because no money ever went through them; their ids stay reserved.",
            registry=registry,
        )
        self.rolled_up = Counter(
            "jasshaus_wallet_rolled_up_total",
            "House and cashier entries rolled up by this process.",
            registry=registry,
        )
