"""Wires the parts of the table service around its connections: for the process, the tests and the bench."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc
from prometheus_client import REGISTRY, CollectorRegistry

from jasshaus.api.table.v1 import table_pb2_grpc
from jasshaus.platform.primary import Primary
from jasshaus.platform.stopping import Stopping
from jasshaus.table import clock, outbox, rows, sweep
from jasshaus.table.acts import Acts
from jasshaus.table.entropy import Draw
from jasshaus.table.feed import Feed, FeedIntervals
from jasshaus.table.games import Games
from jasshaus.table.keys import Names
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.pots import Pots
from jasshaus.table.reconcile import Reconciliation
from jasshaus.table.redis_connection import RedisConnection
from jasshaus.table.reset_check import ResetCheck
from jasshaus.table.service import TableService
from jasshaus.table.servicer import TableServicer
from jasshaus.table.settlement import Settlement
from jasshaus.table.store import RESTORE_WINDOW, Store
from jasshaus.table.subscriber import Subscriber
from jasshaus.table.table import Pace
from jasshaus.table.tables import Tables
from jasshaus.table.witness import Witness

Loop = Callable[[Stopping], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How often the background loops look, and how long they wait; all in seconds.

    `tick`: the clock; `sweep`: whether a store went back in time; `rows`: whether it is time for a row check,
    of which there is one each `row_check`; `durable_wait`: where Redis cannot say what is on disk.
    """

    tick: float = clock.TICK_SECONDS
    sweep: float = sweep.EVERY_SECONDS
    rows: float = rows.EVERY_SECONDS
    row_check: float = 300.0
    durable_wait: float = outbox.DURABLE_SECONDS
    feed: FeedIntervals = field(default_factory=FeedIntervals)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a running table service. `names` tells its keys in Redis."""

    registry: CollectorRegistry
    redis: RedisConnection
    names: Names
    store: Store
    tables: Tables
    subscriber: Subscriber
    feed: Feed
    clock: clock.Clock
    outbox: outbox.Outbox
    sweeper: sweep.Sweeper
    rows: rows.LostRows
    service: TableService
    servicer: TableServicer

    @property
    def loops(self) -> list[Loop]:
        """The background loops, each of which ends by itself once it is told to stop."""
        return [self.subscriber.run, self.feed.run, self.clock.run, self.sweeper.run, self.rows.run]

    def register(self, server: grpc.aio.Server) -> None:
        """Add the service to a server."""
        table_pb2_grpc.add_TableServiceServicer_to_server(self.servicer, server)


@asynccontextmanager
async def wired(
    redis_url: str,
    wallet: grpc.aio.Channel,
    matchmaking: grpc.aio.Channel,
    *,
    draw: Draw,
    pace: Pace,
    rhythm: Rhythm | None = None,
    names: Names | None = None,
    result_kept: int = RESTORE_WINDOW,
    registry: CollectorRegistry = REGISTRY,
) -> AsyncIterator[Parts]:
    """Wire the service; closes its connections to Redis at the end. Nothing runs until its `loops` do."""
    rhythm, names, metrics = rhythm or Rhythm(), names or Names(), TableMetrics(registry)
    primary = Primary(redis_url)
    redis, outbox_redis = (RedisConnection(redis_url, primary=primary) for _ in range(2))
    store = Store(redis, names, metrics, result_kept)
    tables = Tables(store, draw, metrics)
    subscriber = Subscriber(redis_url, primary=primary)
    feed = Feed(tables, subscriber, metrics, rhythm.feed)
    witness = Witness(redis, names, wallet, metrics)
    pots, games = Pots(wallet), Games(matchmaking, metrics)
    settlement = Settlement(pots, games, witness, metrics)
    results = outbox.Outbox(outbox_redis, names, tables, settlement, metrics, rhythm.durable_wait)
    reconciliation = Reconciliation(tables, pots, games, results.deliver, metrics)
    lost = rows.LostRows(
        redis, names, store, games, reconciliation, metrics, rhythm.row_check, every=rhythm.rows
    )
    sweeper = sweep.Sweeper(
        redis, names, store, witness, reconciliation, metrics, lost.hurry, every=rhythm.sweep
    )
    ResetCheck(tables, reconciliation, sweeper.reset_seen)
    service = TableService(tables, pace, settlement.check_pot, reconciliation, Acts(wallet), metrics)
    try:
        yield Parts(
            registry=registry,
            redis=redis,
            names=names,
            store=store,
            tables=tables,
            subscriber=subscriber,
            feed=feed,
            clock=clock.Clock(store, tables, results, metrics, tick=rhythm.tick),
            outbox=results,
            sweeper=sweeper,
            rows=lost,
            service=service,
            servicer=TableServicer(service, feed),
        )
    finally:
        await outbox_redis.close()
        await redis.close()
