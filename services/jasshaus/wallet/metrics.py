"""Owns the wallet's metrics, all declared here. Those of the RPCs are the platform's."""

from __future__ import annotations

from typing import Final

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge

CONFLICT: Final = "conflict"
CONNECTION: Final = "connection"


class WalletMetrics:
    """What an operator watches: `imbalance` above zero and any settlement conflict are alarms."""

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        self.retries = Counter(
            "jasshaus_wallet_store_retries_total",
            "Operations done again, by cause: lost a race in the database, or lost the connection.",
            ["cause"],
            registry=registry,
        )
        for cause in (CONFLICT, CONNECTION):
            self.retries.labels(cause)
        self.settlement_conflicts = Counter(
            "jasshaus_wallet_settlement_conflicts_total",
            "Settlements refused because the pot was settled with another result.",
            registry=registry,
        )
        self.imbalance = Gauge(
            "jasshaus_wallet_imbalance_minor_units",
            "How far all accounts are from adding to zero, absolute and over all currencies.",
            registry=registry,
        )
        self.imbalance_checked = Gauge(
            "jasshaus_wallet_imbalance_checked_timestamp_seconds",
            "When the imbalance was last computed (Unix time).",
            registry=registry,
        )
        self.pending_roll_up = Gauge(
            "jasshaus_wallet_pending_roll_up",
            "House and cashier entries not yet counted into their accounts.",
            registry=registry,
        )
        self.stale_pots = Gauge(
            "jasshaus_wallet_stale_pots",
            "Pots that are not over a day after they were opened.",
            registry=registry,
        )
        self.rolled_up = Counter(
            "jasshaus_wallet_rolled_up_total",
            "House and cashier entries counted into their accounts by this process.",
            registry=registry,
        )
