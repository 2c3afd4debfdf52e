"""Acts on due timers of all lanes. Any replica may act on any timer; twice is harmless.

Each of the 256 lanes holds a sorted set of timers, by the time they are due: one for each seat that is
asked, and one for an idle table. Time is Redis' own. A timer is set and removed by the commit that opens
and takes the decision, so it fits the table at any moment.

    due --loaded, still due--> the stand-in's choice (`stand_in`) or an abort --commit--> done
     |                                                                        '--moved--> done by another
     '--cannot be acted on--> put off, longer each time, until the idle timer aborts the table

- A replica dies holding a due timer: another one sees it in the next round, since only a commit removes
  it.
- All replicas, or Redis, were away: each lane remembers when it was last looked at (`seen`). After a gap
  all its timers move by the length of the gap, so an outage costs no player time.
- Redis' clock steps, either way: that is a gap, too; deadlines move with the clock.
- A player acts at the last moment: the commit decides. The stand-in's is void unless the timer is still
  due then.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

import structlog
from redis.exceptions import ResponseError

from jasshaus.platform.backoff import Backoff
from jasshaus.platform.errors import Fault
from jasshaus.platform.stopping import Stopping
from jasshaus.table.decide import Abort, Refusal
from jasshaus.table.keys import IDLE
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.outbox import Outbox
from jasshaus.table.redis_connection import StoreAwayError
from jasshaus.table.stand_in import time_out
from jasshaus.table.store import Due, DueTimer, Early, Store
from jasshaus.table.tables import Current, Tables

log = structlog.stdlib.get_logger(__name__)

TICK_SECONDS: Final = 0.2
_PER_LANE: Final = 64
_AT_ONCE: Final = 64
_BACKOFF: Final = Backoff(1.0, 60.0)
_FORGET: Final = 10_000


class Clock:
    """Looks at all lanes every `tick` seconds."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        outbox: Outbox,
        metrics: TableMetrics,
        tick: float = TICK_SECONDS,
    ) -> None:
        self._store = store
        self._tables = tables
        self._outbox = outbox
        self._metrics = metrics
        self._tick = tick
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._failures: Counter[str] = Counter()

    async def run(self, stopping: Stopping) -> None:
        """Run until the process drains, then finish what is in hand."""
        away = False
        while not await stopping.sleep(self._tick):
            try:
                await self.look()
            except StoreAwayError as error:
                if not away:
                    log.warning("store_away", doing="clock", error=str(error))
                away = True
            else:
                if away:
                    log.info("store_back", doing="clock")
                away = False
        await self._outbox.finish()

    async def look(self) -> None:
        """Act on everything that is due now. Raises StoreAwayError."""
        # All lanes' scripts are written at once and travel in one pipeline.
        looks = (self._store.look(lane, _PER_LANE) for lane in self._store.names.lanes)
        found = await asyncio.gather(*looks, return_exceptions=True)
        for each in found:
            if isinstance(each, BaseException):
                raise each
        due = [each for each in found if isinstance(each, Due)]
        for each in due:
            for table_id in each.outbox:
                self._outbox.offer(table_id)
        await asyncio.gather(*(self._act(timer) for each in due for timer in each.timers))

    async def _act(self, due: DueTimer) -> None:
        async with self._slots:
            try:
                await (self._idle(due) if due.name == IDLE else self._time_out(due))
                self._failures.pop(due.member, None)
            except StoreAwayError:
                # The whole lane is away, not this table; the next look finds it again.
                return
            except Exception:
                self._metrics.clock_failures.inc()
                log.exception("timer_failed", table=str(due.table_id), timer=due.name)
                await self._put_off(due)

    async def _put_off(self, due: DueTimer) -> None:
        if len(self._failures) > _FORGET:
            self._failures.clear()
        failures = self._failures[due.member]
        self._failures[due.member] += 1
        try:
            await self._store.defer(due, round(1000 * _BACKOFF.pause(failures)))
        except (StoreAwayError, ResponseError):
            log.warning("store_away", doing="defer")

    async def _time_out(self, due: DueTimer) -> None:
        seat = int(due.name)
        try:
            current = await self._tables.load(due.table_id)
            deadline = current.times.deadlines[seat]
            if deadline is None or deadline > current.times.now:
                return
            change = self._tables.decide(current.table, time_out(current.table, seat))
        except (Fault, Refusal):
            # No such table any more, or nothing awaited of the seat: a timer without a decision.
            await self._store.defer(due, None)
            return
        # Any other answer means that somebody was faster, and that is all right.
        result = await self._tables.write(current, change)
        if isinstance(result, Early):
            await self._store.defer(due, result.wait)
        elif isinstance(result, Current):
            self._metrics.timeouts.inc()
            log.info("timed_out", table=str(due.table_id), seat=seat, version=result.table.version)

    async def _idle(self, due: DueTimer) -> None:
        try:
            current = await self._tables.load(due.table_id)
            idle = current.times.idle
            if idle is None or idle > current.times.now:
                # Somebody has moved since it was seen.
                return
            change = self._tables.decide(current.table, Abort("idle"))
        except (Fault, Refusal):
            await self._store.defer(due, None)
            return
        if isinstance(await self._tables.write(current, change), Current):
            self._metrics.idle_aborts.inc()
            log.warning("table_aborted", table=str(due.table_id), by="idle")
