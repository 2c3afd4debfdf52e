"""Wires and runs the wallet process: `python -m jasshaus.wallet`."""

from __future__ import annotations

from jasshaus.platform.migrations import require_schema
from jasshaus.platform.postgres import require_sessions
from jasshaus.platform.server import launch, serve
from jasshaus.wallet.bookkeeping import Bookkeeping
from jasshaus.wallet.config import WalletConfig
from jasshaus.wallet.ledger import Ledger
from jasshaus.wallet.metrics import WalletMetrics
from jasshaus.wallet.servicer import SERVICES, register
from jasshaus.wallet.store import Store
from jasshaus.wallet.wire import to_fault


async def start(config: WalletConfig) -> None:
    """Serve until told to stop."""
    metrics = WalletMetrics()
    async with (
        Store(config.postgres_dsn, metrics, connections=config.postgres_connections) as store,
    ):
        ledger = Ledger(store, metrics)
        books = Bookkeeping(ledger, metrics)
        await serve(
            "wallet",
            config,
            lambda server: register(server, ledger),
            services=SERVICES,
            background=[
                books.keep_standing,
                books.keep_rolling_up,
                books.keep_watching,
                books.keep_removing,
            ],
            preparations={
                "schema": lambda: require_schema(config.postgres_dsn, "jasshaus.wallet"),
                "sessions": lambda: require_sessions(config.postgres_dsn),
                "fee schedule": lambda: ledger.ensure_fee_schedule(
                    config.fee_bps, config.fee_min, config.fee_max
                ),
            },
            dependencies={"postgres": store.ping},
            translate=to_fault,
        )


if __name__ == "__main__":
    launch("wallet", WalletConfig, start)
