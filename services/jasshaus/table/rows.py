"""Restores rows of finished matches that matchmaking's database has lost.

A restore of that database alone shows nowhere else: the pots are paid, and no table of those matches reports
any more. So one replica at a time asks which of the kept results have no game. No money moves.
"""

from __future__ import annotations

import asyncio
from typing import Final
from uuid import UUID

import structlog
from redis.exceptions import ResponseError

from jasshaus.platform.calls import Undelivered
from jasshaus.platform.stopping import Stopping
from jasshaus.table.games import Games
from jasshaus.table.keys import Names
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.pots import AT_ONCE
from jasshaus.table.reconcile import Finding, Reconciliation
from jasshaus.table.redis_connection import RedisConnection, StoreAwayError
from jasshaus.table.store import Store

EVERY_SECONDS: Final = 1.0
_PARALLEL: Final = 8
_AGAIN_SECONDS: Final = 5.0
# Results that cannot be restored are compared once per process, unless there are more of them.
_MOST_HOPELESS: Final = 10_000

log = structlog.stdlib.get_logger(__name__)


class LostRows:
    """Checks all kept results every `pause` seconds, in whichever replica is first."""

    def __init__(
        self,
        redis: RedisConnection,
        names: Names,
        store: Store,
        games: Games,
        reconciliation: Reconciliation,
        metrics: TableMetrics,
        pause: float,
        every: float = EVERY_SECONDS,
    ) -> None:
        self._redis = redis
        self._names = names
        self._store = store
        self._games = games
        self._reconciliation = reconciliation
        self._metrics = metrics
        self._pause = pause
        self._every = every
        self._hurried = False
        self._afresh = False
        self._hopeless: set[UUID] = set()

    def hurry(self) -> None:
        """Check as soon as possible, including hopeless ones: a store has gone back in time."""
        self._hurried = self._afresh = True

    async def run(self, stopping: Stopping) -> None:
        """Check repeatedly until draining begins."""
        while not await stopping.sleep(self._every):
            try:
                if self._hurried or await self._is_due():
                    self._hurried = False
                    await self.look(stopping)
            except (Undelivered, StoreAwayError, ResponseError) as error:
                log.warning("rows_unchecked", why=str(error))
                self._hurried = True
                await stopping.sleep(_AGAIN_SECONDS)
            except Exception:
                log.exception("row_check_failed")

    async def _is_due(self) -> bool:
        milliseconds = round(self._pause * 1000)
        return bool(await self._redis.call("SET", self._names.ledger.rows, "1", "NX", "PX", milliseconds))

    async def look(self, stopping: Stopping) -> None:
        """Check all results once. Raises Undelivered, StoreAwayError: a later check finds the rest."""
        if self._afresh:
            self._afresh = False
            self._hopeless.clear()
        lost: set[UUID] = set()
        for lane in self._names.lanes:
            ended = await self._store.ended(lane)
            for start in range(0, len(ended), AT_ONCE):
                if stopping.is_set():
                    return
                unnamed = set(await self._games.unnamed(ended[start : start + AT_ONCE]))
                await self._restore(unnamed - self._hopeless)
                lost |= unnamed & self._hopeless
        self._hopeless = lost if len(lost) <= _MOST_HOPELESS else set()
        self._metrics.rows_lost.set(len(lost))

    async def _restore(self, table_ids: set[UUID]) -> None:
        limit = asyncio.Semaphore(_PARALLEL)

        async def restore(table_id: UUID) -> None:
            async with limit:
                try:
                    finding = (await self._reconciliation.compare(table_id)).finding
                except (Undelivered, StoreAwayError):
                    raise
                except Exception:
                    # One unreadable record must not keep the others' rows from being restored.
                    log.exception("row_not_restored", table=str(table_id))
                    finding = Finding.UNMATCHED
                if finding is Finding.REPAIRED:
                    self._metrics.rows_restored.inc()
                else:
                    log.error("row_lost", table=str(table_id), finding=finding.value)
                    self._hopeless.add(table_id)

        # Ask about all before raising: the next check would repeat those that are done.
        failures = await asyncio.gather(*map(restore, table_ids), return_exceptions=True)
        for failure in failures:
            if isinstance(failure, BaseException):
                raise failure
