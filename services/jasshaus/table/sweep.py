"""Compares all tables with their pots when the ledger, or Redis, may have gone back in time.

One replica at a time does it, holding a lease in Redis. If it is killed, another starts over, which
is harmless. Until the wallet hears that everything has been compared, it takes and refunds no stake.
Therefore the results of two weeks are checked in batches, and only those that differ are compared one by one.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

import structlog
from redis.exceptions import ResponseError

from jasshaus.platform.backoff import Backoff
from jasshaus.platform.calls import Undelivered
from jasshaus.platform.stopping import Stopping
from jasshaus.table.keys import Names
from jasshaus.table.metrics import OTHER, SWEEP_CAUSES, TableMetrics
from jasshaus.table.pots import AT_ONCE
from jasshaus.table.reconcile import Finding, Reconciliation
from jasshaus.table.redis_connection import RedisConnection, StoreAwayError
from jasshaus.table.store import Script, Store
from jasshaus.table.witness import UNKNOWN_RUN, Standing, Witness

log = structlog.stdlib.get_logger(__name__)

EVERY_SECONDS: Final = 1.0
_AT_ONCE: Final = 16
_LEASE: Final = 8_000  # ms
_RENEW_SECONDS: Final = 2.0
_TRIES: Final = 3
_BACKOFF: Final = Backoff(0.5, 10.0)
_RECENT: Final = 600_000  # ms; results a ledger may have lost in an outage that left no other sign
_RESETS_APART: Final = 30.0  # s


@dataclass(slots=True)
class _Tally:
    """Findings of a sweep: how many were compared, and which were not in order. Each counts once."""

    compared: int = 0
    not_in_order: dict[UUID, Finding] = field(default_factory=dict)

    def note(self, table_id: UUID, finding: Finding) -> None:
        self.compared += 1
        if finding in {Finding.REPAIRED, Finding.UNMATCHED}:
            self.not_in_order.setdefault(table_id, finding)

    @property
    def repaired(self) -> int:
        return sum(each is Finding.REPAIRED for each in self.not_in_order.values())

    @property
    def unmatched(self) -> int:
        return len(self.not_in_order) - self.repaired


@dataclass(frozen=True, slots=True)
class _Page:
    """Tables to compare. `over`: finished ones, of which only those that differ are compared."""

    tables: Sequence[UUID]
    over: bool = False


class _Given(Exception):  # noqa: N818 - another replica goes on with it
    """The sweep is abandoned: the process drains, or another replica has the lease."""


class Sweeper:
    """Checks every `every` seconds, in the replica that has the lease, whether tables must be compared."""

    def __init__(
        self,
        redis: RedisConnection,
        names: Names,
        store: Store,
        witness: Witness,
        reconciliation: Reconciliation,
        metrics: TableMetrics,
        swept: Callable[[], None],
        every: float = EVERY_SECONDS,
    ) -> None:
        self._keys = names.ledger
        self._lanes = names.lanes
        self._store = store
        self._witness = witness
        self._reconciliation = reconciliation
        self._metrics = metrics
        self._swept = swept
        self._every = every
        self._name = secrets.token_hex(8)
        self._lease = Script(redis, "sweeper", metrics)
        self._unanswered = False
        self._reset = False
        self._reset_told = -_RESETS_APART
        self._silent = False

    def reset_seen(self) -> None:
        """Record a table with less history than it had: others may have gone back, too."""
        self._reset = True

    async def run(self, stopping: Stopping) -> None:
        """Check repeatedly until draining begins."""
        while not await stopping.sleep(self._every):
            try:
                await self.look(stopping)
            except _Given:
                log.warning("sweep_given_up")
            except (Undelivered, StoreAwayError, ResponseError) as error:
                if not self._silent:
                    log.warning("sweeper_waits", why=str(error))
                self._silent = True
            except Exception:
                log.exception("sweep_failed")
            else:
                self._silent = False
        with suppress(StoreAwayError, ResponseError):
            await self._lease([self._keys.lease], self._name, 0)

    async def look(self, stopping: Stopping) -> None:
        """Sweep, if due and no other replica does. Raises Undelivered, StoreAwayError."""
        await self._tell_of_resets()
        if not await self._have_lease():
            return
        run = await self._witness.run_now()
        try:
            standing = await self._witness.look(self._name)
        except Undelivered:
            self._unanswered = True
            raise
        kept = await self._witness.run_kept()
        if standing.recovery is not None:
            await self._recover(standing, stopping)
        elif self._unanswered:
            await self._sweep("wallet", stopping, ended_within=_RECENT)
        elif kept and run != kept:
            await self._sweep("redis", stopping, ended_within=0)
        self._unanswered = False
        if run != kept:
            await self._witness.keep_run(run)

    async def _tell_of_resets(self) -> None:
        if self._reset and time.monotonic() - self._reset_told >= _RESETS_APART:
            self._reset, self._reset_told = False, time.monotonic()
            await self._witness.keep_run(UNKNOWN_RUN)

    async def _have_lease(self) -> bool:
        return bool(await self._lease([self._keys.lease], self._name, _LEASE))

    async def _recover(self, standing: Standing, stopping: Stopping) -> None:
        assert standing.recovery is not None
        found = await self._sweep(standing.recovery.cause, stopping, ended_within=None)
        if await self._witness.recovered(standing, found.repaired, found.unmatched, self._name):
            log.warning(
                "ledger_recovered",
                recovery=standing.recovery.recovery_id,
                cause=standing.recovery.cause,
                repaired=found.repaired,
                unmatched=found.unmatched,
            )

    async def _sweep(self, cause: str, stopping: Stopping, *, ended_within: int | None) -> _Tally:
        """Compare all running tables, and those that ended within this many ms (None: all known).

        Returns the findings. Raises StoreAwayError, _Given.
        """
        begun = time.monotonic()
        self._metrics.sweep_seconds.set_function(lambda: time.monotonic() - begun)
        log.warning("sweep_begun", cause=cause)
        holding = asyncio.create_task(self._hold_lease())
        try:
            found = await self._compare_all(ended_within, holding, stopping)
        finally:
            holding.cancel()
            self._metrics.sweep_seconds.set_function(lambda: 0.0)
            self._metrics.sweep_waiting.set(0)
        # Rows may be lost as well; no stake waits for them.
        self._swept()
        # Tables that this sweep itself found reset have been compared.
        self._reset = False
        self._metrics.sweeps.labels(cause if cause in SWEEP_CAUSES else OTHER).inc()
        log.warning(
            "sweep_ended",
            cause=cause,
            seconds=round(time.monotonic() - begun, 1),
            compared=found.compared,
            repaired=found.repaired,
            unmatched=found.unmatched,
        )
        return found

    async def _hold_lease(self) -> None:
        """Renew the lease; returns when another replica has it."""
        while True:
            await asyncio.sleep(_RENEW_SECONDS)
            with suppress(StoreAwayError):
                if not await self._have_lease():
                    return

    async def _compare_all(
        self, ended_within: int | None, holding: asyncio.Task[None], stopping: Stopping
    ) -> _Tally:
        found = _Tally()
        left: list[_Page] = []
        async for page in self._pages(ended_within):
            left += await self._compare_page(page, found, holding, stopping)
            self._tell_waiting(left)
        while left:
            first, *rest = left
            left = [*rest, *await self._compare_page(first, found, holding, stopping)]
            self._tell_waiting(left)
        return found

    def _tell_waiting(self, left: Iterable[_Page]) -> None:
        self._metrics.sweep_waiting.set(sum(len(page.tables) for page in left))

    async def _pages(self, ended_within: int | None) -> AsyncIterator[_Page]:
        """List what to compare lane by lane: running tables first."""
        for lane in self._lanes:
            yield _Page(await self._store.living(lane))
        if ended_within == 0:
            return
        for lane in self._lanes:
            ended = await self._store.ended(lane, ended_within)
            for start in range(0, len(ended), AT_ONCE):
                yield _Page(ended[start : start + AT_ONCE], over=True)

    async def _compare_page(
        self, page: _Page, found: _Tally, holding: asyncio.Task[None], stopping: Stopping
    ) -> list[_Page]:
        """Compare these; return those without an answer yet. Raises _Given."""
        for failures in range(_TRIES):
            if holding.done() or stopping.is_set():
                raise _Given
            page = await self._compare_once(page, found)
            if not page.tables:
                return []
            await stopping.sleep(_BACKOFF.pause(failures))
        return [page]

    async def _compare_once(self, page: _Page, found: _Tally) -> _Page:
        """Compare these once; return those without an answer."""
        tables = page.tables
        if page.over:
            try:
                tables = await self._reconciliation.otherwise(tables)
            except (Undelivered, StoreAwayError) as error:
                log.warning("results_unchecked", count=len(tables), why=str(error))
                return page
            found.compared += len(page.tables) - len(tables)
        return _Page(await self._compare_each(tables, found))

    async def _compare_each(self, tables: Iterable[UUID], found: _Tally) -> list[UUID]:
        limit = asyncio.Semaphore(_AT_ONCE)
        unanswered: list[UUID] = []

        async def compare(table_id: UUID) -> None:
            async with limit:
                try:
                    found.note(table_id, (await self._reconciliation.compare(table_id)).finding)
                except (Undelivered, StoreAwayError) as error:
                    log.warning("table_uncompared", table=str(table_id), why=str(error))
                    unanswered.append(table_id)
                except Exception:
                    # One unreadable table must not keep the ledger waiting for ever.
                    log.exception("comparison_failed", table=str(table_id))
                    found.note(table_id, Finding.UNMATCHED)

        await asyncio.gather(*map(compare, tables))
        return unanswered
