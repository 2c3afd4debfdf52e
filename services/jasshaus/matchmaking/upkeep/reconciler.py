"""Resumes interrupted sagas. Idempotent; any replica may run it at any time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Final, assert_never

import structlog
from psycopg import Error as PostgresError
from psycopg_pool import PoolTimeout
from redis.exceptions import RedisError

from jasshaus.matchmaking.domain import Game, SeatState, Status, Terms
from jasshaus.matchmaking.games.lifecycle import Lifecycle
from jasshaus.matchmaking.games.saga import Saga
from jasshaus.matchmaking.games.tables import Tables
from jasshaus.matchmaking.lobby.store import Entry, Lobby, member_id
from jasshaus.matchmaking.lobby.sync import LobbySync
from jasshaus.matchmaking.metrics import LIVE, LobbyMetrics
from jasshaus.matchmaking.pots.port import Pots, PotState, RefundReason, Refused
from jasshaus.matchmaking.rows.store import GameStore, Intervals
from jasshaus.matchmaking.upkeep.pot_watch import PotWatch
from jasshaus.platform.errors import Fault, unavailable
from jasshaus.platform.stopping import Stopping

_BATCH: Final = 200
_PARALLEL: Final = 8
_COUNT_EVERY: Final = 10
_SWEEP_EVERY: Final = 120
# How often to ask whether a check of pots is due, which is rarer.
_WATCH_EVERY: Final = 4
_SILENT: Final = "TABLE_UNAVAILABLE"
_UNANSWERED: Final = (Fault, Refused, RedisError, PostgresError, PoolTimeout, OSError)

log = structlog.stdlib.get_logger(__name__)


@dataclass(slots=True)
class _Pass:
    """State of one pass. Concurrent passes are independent."""

    due: bool
    """Whether it processes games by rows that are due."""
    tables_silent: bool = False
    """Whether this pass found tables that hang."""

    def require_tables(self) -> None:
        """Fail at once instead of waiting for hanging tables again for each game."""
        if self.tables_silent:
            raise unavailable(_SILENT, "not asked again in this pass")


class Reconciler:
    """Processes games that are due: by their row (claimed there), or by their entry in the lobby."""

    def __init__(
        self,
        store: GameStore,
        lobby: Lobby,
        sync: LobbySync,
        lifecycle: Lifecycle,
        saga: Saga,
        tables: Tables,
        pots: Callable[[Terms], Pots],
        watch: PotWatch,
        metrics: LobbyMetrics,
        intervals: Intervals,
        *,
        lost_table_grace: float,
        every: float = 0.5,
    ) -> None:
        self._store = store
        self._lobby = lobby
        self._sync = sync
        self._lifecycle = lifecycle
        self._saga = saga
        self._tables = tables
        self._pots = pots
        self._watch = watch
        self._metrics = metrics
        self._intervals = intervals
        self._grace = lost_table_grace
        self._every = every

    async def run(self, stopping: Stopping) -> None:
        """Pass repeatedly until draining begins; slow tables do not hold up seats in the lobby."""
        async with asyncio.TaskGroup() as group:
            for one_pass, times in (
                (self._attend_lobbies, 1),
                (self._attend_rows, 1),
                (self._count, _COUNT_EVERY),
                (self.sweep, _SWEEP_EVERY),
                (self._watch.look, _WATCH_EVERY),
            ):
                group.create_task(self._repeat(one_pass, self._every * times, stopping))

    async def _repeat(
        self, one_pass: Callable[[], Awaitable[None]], every: float, stopping: Stopping
    ) -> None:
        while not await stopping.sleep(every):
            try:
                await one_pass()
            except _UNANSWERED as error:
                log.warning("reconciler_pass_failed", error=str(error))
            except Exception:
                # A bug in one place must not end the loop, and with it every replica in turn.
                log.exception("reconciler_pass_broke_off")

    async def once(self) -> None:
        """One pass: games due in the lobby, then games due by row."""
        await self._attend_lobbies()
        await self._attend_rows()

    async def _attend_lobbies(self) -> None:
        current = _Pass(due=False)
        for tenant in await self._store.tenants():
            try:
                await self._sync.ensure(tenant)
                ids = await self._lobby.claim_due(tenant, _BATCH, self._intervals.retry)
                games = await self._store.many(ids)
            except _UNANSWERED as error:
                # What rows alone can tell is done anyway.
                log.warning("reconciler_without_lobby", tenant=tenant, error=str(error))
                continue
            except Exception:
                log.exception("reconciler_tenant_broke_off", tenant=tenant)
                continue
            await self._look_at(games.values(), current)

    async def _attend_rows(self) -> None:
        await self._look_at(await self._store.claim(_BATCH, self._intervals.lease), _Pass(due=True))

    async def _look_at(self, games: Iterable[Game], current: _Pass) -> None:
        limit = asyncio.Semaphore(_PARALLEL)

        async def look(game: Game) -> None:
            async with limit:
                await self._look(game, current)

        await asyncio.gather(*map(look, games))

    async def _look(self, game: Game, current: _Pass) -> None:
        outcome = "failed"
        try:
            await self._attend(game, current)
            outcome = "attended"
        except _UNANSWERED as error:
            if isinstance(error, Fault) and error.reason == _SILENT:
                current.tables_silent = True
            log.warning(
                "reconciler_delayed", game_id=str(game.game_id), status=str(game.status), error=str(error)
            )
        except Exception:
            log.exception("reconciler_broke_off", game_id=str(game.game_id), status=str(game.status))
        self._metrics.actions.labels(outcome).inc()
        if current.due:
            await self._rest(game)

    async def _rest(self, game: Game) -> None:
        try:
            await self._store.rest(game.game_id, self._intervals)
        except _UNANSWERED as error:
            # Its lease ends by itself.
            log.warning("reconciler_unrested", game_id=str(game.game_id), error=str(error))

    async def _attend(self, game: Game, current: _Pass) -> None:
        """Do whatever one game needs."""
        match game.status:
            case Status.OPENING:
                await self._evict(game, await self._lobby.read(game.terms))
                if current.due:
                    await self._lifecycle.close(game, "RESERVATION_EXPIRED")
            case Status.OPEN:
                await self._attend_open(game, due=current.due)
            case Status.STARTING:
                current.require_tables()
                self._metrics.actions.labels("restarted").inc()
                await self._lifecycle.resume(game)
            case Status.PLAYING:
                if game.forget_due or not current.due:
                    await self._lifecycle.forget(game)
                if current.due:
                    await self._look_at_table(game, current)
            case Status.FINISHED | Status.VOIDED | Status.CLOSED:
                await self._attend_over(game)
            case _:
                assert_never(game.status)

    async def _attend_open(self, game: Game, *, due: bool) -> None:
        if await self._lifecycle.close(game, expired=True) is not None:
            return
        entry = await self._lobby.read(game.terms)
        if due or entry is None:
            pot = await self._sync.resync(game)
            if pot is None and game.terms.staked:
                await self._lifecycle.close_lost(game)
                return
            if pot is not None and pot.state is PotState.REFUNDED:
                await self._lifecycle.close(game)
                return
            if pot is not None and pot.state is PotState.SETTLED:
                # Played and paid: the row went back in time.
                await self._lifecycle.follow(game, pot)
                return
            entry = await self._lobby.read(game.terms)
        if entry is None or entry.status == "CLOSING" or not entry.seats:
            await self._lifecycle.close(game)
            return
        await self._evict(game, entry)
        if entry.status == "OPENING":
            await self._lobby.open(game.terms)
        # No-op unless all four stakes are in.
        await self._lifecycle.resume(game)

    async def _evict(self, game: Game, entry: Entry | None) -> None:
        for seat in entry.seats if entry else ():
            if seat.state is SeatState.HELD:
                continue
            reply = await self._lobby.evict(game.terms, seat.reservation)
            if reply.code == "LEAVING":
                self._metrics.actions.labels("evicted").inc()
                await self._saga.clear(game, seat.player, seat.reservation)

    async def _look_at_table(self, game: Game, current: _Pass) -> None:
        assert game.table_id is not None
        try:
            current.require_tables()
            table = await self._tables.get(game.table_id)
        except (Fault, Refused):
            # The service is not healthy: its answer says nothing about the table.
            await self._store.table_not_missing(game.game_id)
            raise
        if table is not None:
            await self._store.table_not_missing(game.game_id)
            if table.result is not None:
                self._metrics.actions.labels("recorded").inc()
                await self._lifecycle.conclude(game, table.result)
            return
        if await self._is_told_elsewhere(game):
            return
        self._metrics.actions.labels("table_missing").inc()
        gap = (
            3 * max(self._intervals.missing, self._intervals.look if game.missing_since is None else 0.0)
            + 1.0
        )
        if await self._store.table_missing(game.game_id, self._grace, gap):
            self._metrics.actions.labels("table_lost").inc()
            log.error("table_lost", game_id=str(game.game_id), table_id=str(game.table_id))
            await self._lifecycle.void(game, RefundReason.TABLE_LOST, "table_lost")

    async def _is_told_elsewhere(self, game: Game) -> bool:
        """Whether something other than the missing table shows the outcome of a match.

        That is the table's result record, which also has the points, or the pot, if it is over or locked
        for another table.
        """
        assert game.table_id is not None
        result = await self._tables.result(game.table_id)
        if result is not None:
            await self._store.table_not_missing(game.game_id)
            self._metrics.actions.labels("recorded").inc()
            await self._lifecycle.conclude(game, result)
            return True
        if game.terms.staked:
            pot = await self._pots(game.terms).get(game.game_id)
            if pot is not None and (
                pot.over or (pot.state is PotState.LOCKED and not pot.is_for(game.table_id))
            ):
                await self._lifecycle.follow(game, pot)
                return True
        return False

    async def _attend_over(self, game: Game) -> None:
        if game.refund_due:
            await self._lifecycle.refund(game)
        await self._lifecycle.forget(game)

    async def sweep(self) -> None:
        """Remove finished games from the list of open ones.

        A Redis that lost its last writes brings them back, and then nothing else is due for them.
        """
        for tenant in await self._store.tenants():
            after = ""
            while members := await self._lobby.open_games(tenant, after, _BATCH):
                for game in await self._store.over_among(map(member_id, members)):
                    await self._lifecycle.forget(game)
                    self._metrics.actions.labels("swept").inc()
                    log.info("lobby_entry_swept", game_id=str(game.game_id), status=str(game.status))
                after = members[-1]

    async def _count(self) -> None:
        counts = await self._store.counts()
        for status in LIVE:
            self._metrics.games.labels(status).set(counts.get(Status(status), 0))
        await self._watch.count()
