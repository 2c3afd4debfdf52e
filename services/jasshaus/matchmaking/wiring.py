"""Wires the parts of matchmaking around its pools and channels."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import grpc
from prometheus_client import REGISTRY, CollectorRegistry
from redis.asyncio import Redis

from jasshaus.api.matchmaking.v1 import matchmaking_pb2_grpc as pb_grpc
from jasshaus.matchmaking.catalog import Catalog
from jasshaus.matchmaking.config import Config
from jasshaus.matchmaking.games.lifecycle import Lifecycle
from jasshaus.matchmaking.games.saga import Saga, pots_of
from jasshaus.matchmaking.games.tables import Tables
from jasshaus.matchmaking.lobby.feed import Feed
from jasshaus.matchmaking.lobby.listing import Listing
from jasshaus.matchmaking.lobby.store import Budget, Lobby
from jasshaus.matchmaking.lobby.sync import LobbySync
from jasshaus.matchmaking.metrics import LobbyMetrics
from jasshaus.matchmaking.pots.free import FreePots
from jasshaus.matchmaking.pots.wallet import WalletPots
from jasshaus.matchmaking.redis_client import redis_client
from jasshaus.matchmaking.rows.corrections import Corrections
from jasshaus.matchmaking.rows.store import GameStore, Intervals
from jasshaus.matchmaking.rows.strays import StrayStore
from jasshaus.matchmaking.servicer import HistoryServicer, LobbyServicer, OperatorServicer
from jasshaus.matchmaking.upkeep.ended import Ended
from jasshaus.matchmaking.upkeep.pot_watch import PotWatch
from jasshaus.matchmaking.upkeep.reconciler import Reconciler
from jasshaus.matchmaking.upkeep.restoring import Restoring
from jasshaus.matchmaking.upkeep.retention import Retention
from jasshaus.matchmaking.upkeep.seating import Seating
from jasshaus.platform.channel import Peer
from jasshaus.platform.postgres import Pool, connection_pool
from jasshaus.platform.primary import Primary
from jasshaus.platform.readiness import Probe
from jasshaus.platform.stopping import Stopping
from jasshaus.platform.tasks import Tasks


@dataclass(frozen=True, slots=True)
class Edges:
    """Connections used by the parts."""

    store: GameStore
    corrections: Corrections
    lobby: Lobby
    staked: WalletPots
    free: FreePots
    tables: Tables
    redis: Redis
    pool: Pool
    tokens: Mapping[str, Probe]


@dataclass(frozen=True, slots=True)
class Matchmaking:
    """The parts a process runs."""

    lobby: LobbyServicer
    history: HistoryServicer
    operator: OperatorServicer
    reconciler: Reconciler
    watch: PotWatch
    feed: Feed
    retention: Retention
    work: Tasks

    def register(self, server: grpc.aio.Server) -> None:
        """Add the servicers to a server."""
        pb_grpc.add_LobbyServiceServicer_to_server(self.lobby, server)
        pb_grpc.add_HistoryServiceServicer_to_server(self.history, server)
        pb_grpc.add_OperatorServiceServicer_to_server(self.operator, server)


@asynccontextmanager
async def edges(config: Config) -> AsyncIterator[Edges]:
    """Open pools and channels; they close when the process has drained."""
    # A saga should not begin on a connection that a restart of the database left dead.
    pool = connection_pool(config.postgres_dsn, "matchmaking", connections=config.pool_size, checked=True)
    primary = Primary(config.redis_url)
    redis = redis_client(config.redis_url, primary)
    wallet = Peer("wallet", config.wallet_address, config)
    table = Peer("table", config.table_address, config)
    # The pool may open while the database is still starting: the readiness probe checks it.
    await pool.open(wait=False)
    try:
        yield Edges(
            store=GameStore(pool),
            corrections=Corrections(pool),
            lobby=Lobby(
                redis,
                primary,
                reservation_ttl=config.reservation_ttl,
                max_games=config.max_games,
                budget=Budget(config.lobby_burst, config.lobby_refill),
            ),
            staked=WalletPots(wallet.channel),
            free=FreePots(pool),
            tables=Tables(table.channel),
            redis=redis,
            pool=pool,
            tokens={"wallet_token": wallet.token_accepted, "table_token": table.token_accepted},
        )
    finally:
        await wallet.close()
        await table.close()
        await redis.aclose()
        await pool.close()


def assemble(
    config: Config,
    edge: Edges,
    stopping: Stopping,
    intervals: Intervals | None = None,
    registry: CollectorRegistry = REGISTRY,
) -> Matchmaking:
    """Put the parts together."""
    intervals = intervals or Intervals()
    metrics = LobbyMetrics(registry)
    pots = pots_of(edge.staked, edge.free)
    sync = LobbySync(edge.store, edge.lobby, pots, metrics)
    lifecycle = Lifecycle(
        edge.store, edge.corrections, edge.lobby, sync, pots, edge.tables, metrics, intervals
    )
    saga = Saga(edge.store, edge.lobby, sync, lifecycle, pots, metrics, intervals, config.max_games)
    listing = Listing(edge.store, edge.lobby, sync)
    feed = Feed(edge.redis, edge.lobby, listing, metrics)
    work = Tasks()
    catalog = Catalog(config.presets, config.currency, config.stakes, edge.staked.quote)
    strays = StrayStore(edge.pool)
    seating = Seating(edge.store, edge.corrections, edge.lobby, sync, lifecycle, metrics)
    watch = PotWatch(
        edge.store,
        edge.corrections,
        strays,
        seating,
        Ended(edge.corrections, strays, lifecycle, edge.staked),
        lifecycle,
        edge.staked,
        edge.tables,
        metrics,
        grace=config.lost_table_grace,
        every=config.pot_check,
    )
    restoring = Restoring(
        edge.store, edge.corrections, lifecycle, edge.staked, edge.free, metrics, intervals, config.currency
    )
    reconciler = Reconciler(
        edge.store,
        edge.lobby,
        sync,
        lifecycle,
        saga,
        edge.tables,
        pots,
        watch,
        metrics,
        intervals,
        lost_table_grace=config.lost_table_grace,
    )
    return Matchmaking(
        lobby=LobbyServicer(saga, feed, catalog, work, stopping, config),
        history=HistoryServicer(saga, lifecycle, restoring, work),
        operator=OperatorServicer(strays, config.lost_table_grace),
        reconciler=reconciler,
        watch=watch,
        feed=feed,
        retention=Retention(edge.pool, metrics),
        work=work,
    )
