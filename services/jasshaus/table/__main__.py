"""Wires the table service: `python -m jasshaus.table`; in development `--seed N` deals the same cards."""

from __future__ import annotations

import argparse
import sys
from typing import Final

import grpc
import structlog

from jasshaus.api.table.v1 import table_pb2_grpc
from jasshaus.platform.channel import Peer
from jasshaus.platform.config import ConfigError
from jasshaus.platform.primary import Primary
from jasshaus.platform.server import launch, serve
from jasshaus.table.acts import Acts
from jasshaus.table.clock import Clock
from jasshaus.table.config import Config
from jasshaus.table.entropy import Draw, from_seed, from_system
from jasshaus.table.feed import Feed
from jasshaus.table.games import Games
from jasshaus.table.guard import Guard
from jasshaus.table.keys import Names
from jasshaus.table.link import Link
from jasshaus.table.memory import collect_rarely
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.outbox import Outbox
from jasshaus.table.pots import Pots
from jasshaus.table.reconcile import Reconciliation
from jasshaus.table.rows import LostRows
from jasshaus.table.service import TableService
from jasshaus.table.servicer import TableServicer, translate
from jasshaus.table.settlement import Settlement
from jasshaus.table.store import Store
from jasshaus.table.subscriber import Subscriber
from jasshaus.table.sweep import Sweeper
from jasshaus.table.tables import Tables
from jasshaus.table.witness import Witness

SERVICE: Final = "jasshaus.api.table.v1.TableService"

log = structlog.stdlib.get_logger(__name__)


async def start(config: Config, seed: int | None = None) -> None:
    """Open what the service stands on, serve until told to stop, close it."""
    collect_rarely()
    metrics, names = TableMetrics(), Names()
    primary = Primary(config.redis_url)
    link, outbox_link = (Link(config.redis_url, primary=primary) for _ in range(2))
    store = Store(link, names, metrics, config.result_kept)
    tables = Tables(store, _draw(config, seed), metrics)
    subscriber = Subscriber(config.redis_url, primary=primary)
    feed = Feed(tables, subscriber, metrics)
    async with (
        Peer("wallet", config.wallet_address, config) as wallet,
        Peer("matchmaking", config.matchmaking_address, config) as matchmaking,
    ):
        witness = Witness(link, names, wallet.channel, metrics)
        pots, games = Pots(wallet.channel), Games(matchmaking.channel, metrics)
        settlement = Settlement(pots, games, witness, metrics)
        outbox = Outbox(outbox_link, names, tables, settlement, metrics)
        reconciliation = Reconciliation(tables, pots, games, outbox.deliver, metrics)
        rows = LostRows(link, names, store, games, reconciliation, metrics, config.row_check)
        sweeper = Sweeper(link, names, store, witness, reconciliation, metrics, rows.hurry)
        Guard(tables, reconciliation, sweeper.reset_seen)
        service = TableService(
            tables, config.pace, settlement.check_pot, reconciliation, Acts(wallet.channel), metrics
        )

        def register(server: grpc.aio.Server) -> None:
            table_pb2_grpc.add_TableServiceServicer_to_server(TableServicer(service, feed), server)

        try:
            await serve(
                "table",
                config,
                register,
                services=[SERVICE],
                background=[
                    subscriber.run,
                    feed.run,
                    Clock(store, tables, outbox, metrics).run,
                    sweeper.run,
                    rows.run,
                    # Tables play on whatever becomes of the token: results wait for a new one.
                    wallet.watch_token,
                    matchmaking.watch_token,
                ],
                dependencies={"redis": store.ping},
                translate=translate,
            )
        finally:
            await outbox_link.close()
            await link.close()


def _draw(config: Config, seed: int | None) -> Draw:
    if seed is None:
        return from_system
    if not config.development:
        raise ConfigError(["--seed is for JASSHAUS_MODE=development only: anybody could know the cards"])
    log.warning("dealing_from_a_seed")
    return from_seed(seed)


def main() -> None:
    """Run the table service."""
    parser = argparse.ArgumentParser(prog="python -m jasshaus.table", description=__doc__)
    parser.add_argument("--seed", type=int, help="deal the same cards again (development mode only)")
    seed = parser.parse_args(sys.argv[1:]).seed
    launch("table", Config, lambda config: start(config, seed))


if __name__ == "__main__":
    main()
