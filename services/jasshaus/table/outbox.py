"""Delivers results: at least once, only when durable, with backoff, until acknowledged.

    PLAYING --commit that ends the match--> SETTLING, in the outbox --delivered--> FINISHED or VOIDED

An entry is added by the commit that ends a match and removed by the commit that closes its table. In
between, the holder of a lease works on it: it waits until the end is on disk (WAITAOF), has the wallet
settle or refund the pot, reports to matchmaking, and closes the table.

- The process dies at any point: the lease ends, and any replica starts over. Repeating is harmless,
  because wallet and matchmaking recognise the result by pot, table and digest.
- Redis loses the end of a match before it is on disk: nothing was delivered, and the match goes on from
  the last durable move.
- Redis loses the end after it was delivered: the pot is over, so `reconcile` closes the table as its pot
  says.
- The wallet is away, or refuses for now: the entry waits, longer each time, up to the limit of the
  backoff.
- The connection changes while waiting for the disk: the wait counts for nothing, since it covers the old
  connection only.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final
from uuid import UUID

import structlog
from redis.exceptions import ResponseError

from jasshaus.platform.backoff import Backoff
from jasshaus.platform.calls import Undelivered
from jasshaus.platform.errors import Fault
from jasshaus.platform.tasks import Tasks
from jasshaus.table.keys import Names
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.redis_connection import RedisConnection, StoreAwayError
from jasshaus.table.settlement import Settlement
from jasshaus.table.store import Script
from jasshaus.table.table import Status
from jasshaus.table.tables import Tables

log = structlog.stdlib.get_logger(__name__)

CONCURRENT: Final = 32
_LEASE: Final = 20_000  # ms; longer than all calls of one delivery together
DURABLE_SECONDS: Final = 2.0
_BACKOFF: Final = Backoff(0.25, 10.0)
_FORGET: Final = 10_000
# For a short outage of Redis: otherwise its lease, which nobody can end, would delay the result.
_PUT_OFF_ATTEMPTS: Final = 3
_PUT_OFF_SECONDS: Final = 1.0
# A Redis before 7.2, or without an append-only file: a fixed wait is the best that can be done.
_NO_WAITAOF: Final = ("unknown command", "appendonly is disabled")


class Outbox:
    """Delivers results. `durable_wait` is how long to wait if Redis cannot tell what is on disk."""

    def __init__(
        self,
        redis: RedisConnection,
        names: Names,
        tables: Tables,
        settlement: Settlement,
        metrics: TableMetrics,
        durable_wait: float = DURABLE_SECONDS,
    ) -> None:
        # A separate connection: WAITAOF covers what was written on it, and blocks it meanwhile.
        self._redis = redis
        self._names = names
        self._tables = tables
        self._settlement = settlement
        self._metrics = metrics
        self._durable_wait = durable_wait
        self._lease = Script(redis, "lease", metrics)
        self._retry = Script(redis, "retry", metrics)
        self._working = Tasks()
        self._failures: dict[UUID, int] = {}
        self._since: dict[UUID, float] = {}
        metrics.outbox_age.set_function(self._oldest)
        metrics.outbox_depth.set_function(lambda: len(self._working))

    def offer(self, table_id: UUID) -> None:
        """Work on a due entry, unless this process already does or is at its limit."""
        if table_id in self._working or len(self._working) >= CONCURRENT:
            return
        self._working.start(self._work(table_id), table_id)
        self._since.setdefault(table_id, time.monotonic())

    async def finish(self) -> None:
        """Return when nothing is being worked on."""
        await self._working.finish()

    def _forget(self, table_id: UUID) -> None:
        self._failures.pop(table_id, None)
        self._since.pop(table_id, None)

    def _oldest(self) -> float:
        """Return how long the oldest result known to this process has been waiting."""
        return time.monotonic() - min(self._since.values()) if self._since else 0.0

    async def _work(self, table_id: UUID) -> None:
        outbox = self._names.of(table_id).lane.outbox
        started = time.perf_counter()
        try:
            connection = self._redis.opened
            if not await self._lease([outbox], str(table_id), _LEASE):
                self._forget(table_id)
                return
            await self._deliver_durable(table_id, connection)
        except (Undelivered, StoreAwayError) as error:
            await self._put_off(table_id, str(error))
        except Exception:
            log.exception("settlement_failed", table=str(table_id))
            await self._put_off(table_id, "bug")
        else:
            self._forget(table_id)
            self._metrics.settle_seconds.observe(time.perf_counter() - started)

    async def deliver(self, table_id: UUID) -> None:
        """Deliver the result of a SETTLING table, due or not, and close it; repeating is harmless.

        Raises Undelivered, StoreAwayError.
        """
        connection = self._redis.opened
        # A write on this connection, for WAITAOF to cover; also keeps others from working on it.
        if not await self._retry([self._names.of(table_id).lane.outbox], str(table_id), _LEASE):
            raise Undelivered("not in the outbox")
        await self._deliver_durable(table_id, connection)

    async def _deliver_durable(self, table_id: UUID, connection: int) -> None:
        """Deliver once everything written on this connection is on disk."""
        await self._until_durable()
        self._require_connection(max(connection, 1))
        await self._deliver(table_id)

    async def _until_durable(self) -> None:
        """Return when this connection's writes, and so all earlier ones, are on disk. Raises Undelivered."""
        try:
            local, _ = await self._redis.call("WAITAOF", 1, 0, round(DURABLE_SECONDS * 1000))
        except ResponseError as refused:
            # Any other error (no permission, a replica) says nothing about what is on disk.
            if not any(reason in str(refused) for reason in _NO_WAITAOF):
                raise Undelivered(str(refused)) from refused
            await asyncio.sleep(self._durable_wait)
            return
        if local < 1:
            raise Undelivered("not durable yet")

    def _require_connection(self, number: int) -> None:
        # WAITAOF covers what its connection wrote. On a newer connection, perhaps to a former replica that
        # has not yet written everything to disk, it would confirm nothing at all.
        if self._redis.opened != number:
            raise Undelivered("the connection was lost meanwhile")

    async def _deliver(self, table_id: UUID) -> None:
        try:
            current = await self._tables.load(table_id)
        except Fault:
            log.error("settlement_without_table", table=str(table_id))  # noqa: TRY400 - nothing went wrong here
            await self._redis.call("ZREM", self._names.of(table_id).lane.outbox, str(table_id))
            return
        if current.table.status is not Status.SETTLING:
            await self._redis.call("ZREM", self._names.of(table_id).lane.outbox, str(table_id))
            return
        closing = await self._settlement.settle(current)
        result = await self._tables.write(current, self._tables.decide(current.table, closing))
        log.info(
            "table_closed",
            table=str(table_id),
            game=str(current.table.game_id),
            status=closing.status.value,
            decision=closing.outcome.decision.value,
            committed=type(result).__name__,
        )

    async def _put_off(self, table_id: UUID, why: str) -> None:
        self._metrics.settle_failures.inc()
        failures = self._failures.get(table_id, 0)
        if len(self._failures) > _FORGET:
            self._failures.clear()
            self._since.clear()
        self._failures[table_id] = failures + 1
        delay = _BACKOFF.pause(failures)
        log.warning("settlement_delayed", table=str(table_id), why=why, retry_in=round(delay, 2))
        for _ in range(_PUT_OFF_ATTEMPTS):
            try:
                await self._retry([self._names.of(table_id).lane.outbox], str(table_id), round(delay * 1000))
            except StoreAwayError:
                log.warning("store_away", doing="outbox")
                await asyncio.sleep(_PUT_OFF_SECONDS)
            else:
                return
