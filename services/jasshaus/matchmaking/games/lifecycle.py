"""The lifecycle of a game after the lobby. Any replica may repeat any step.

    OPEN      --four stakes-->              STARTING
    OPEN      --empty, expired-->           CLOSED
    STARTING  --LockPot, CreateTable-->     PLAYING
    STARTING  --refused permanently-->      VOIDED
    PLAYING   --result-->                   FINISHED
    PLAYING   --aborted, table lost-->      VOIDED

A change of status is one compare-and-set on the row. What other services must still learn is recorded in the
same row (`refund_due`, `forget_due`) and repeated until they have.

When the process dies in STARTING, the table is checked first (`resume`), since it may already exist.
LockPot and CreateTable name the same table, seats and reservations each time, so repeating them changes
nothing. Before a game is voided, its table is fenced, so that a CreateTable still in flight creates nothing;
only then are the stakes refunded.

If a row and its pot disagree, one of them was restored to an earlier time. The pot moved the money, so
the pot decides (`follow`, `overrule`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from uuid import UUID

import structlog
from redis.exceptions import RedisError

from jasshaus.matchmaking.domain import Game, Match, Result, Status, Terms
from jasshaus.matchmaking.games.tables import Finding, Kept, Tables
from jasshaus.matchmaking.lobby.store import Lobby
from jasshaus.matchmaking.lobby.sync import LobbySync
from jasshaus.matchmaking.metrics import LobbyMetrics
from jasshaus.matchmaking.pots.port import Pot, Pots, PotState, RefundReason, Refused
from jasshaus.matchmaking.rows.corrections import Corrections
from jasshaus.matchmaking.rows.store import GameStore, Intervals
from jasshaus.platform.errors import Fault, failed_precondition, not_found, unavailable

log = structlog.stdlib.get_logger(__name__)


class Lifecycle:
    """Advances games; Fault UNAVAILABLE if another service gave no answer: the step is resumed later."""

    def __init__(
        self,
        store: GameStore,
        corrections: Corrections,
        lobby: Lobby,
        sync: LobbySync,
        pots: Callable[[Terms], Pots],
        tables: Tables,
        metrics: LobbyMetrics,
        intervals: Intervals,
    ) -> None:
        self._store = store
        self._corrections = corrections
        self._lobby = lobby
        self._sync = sync
        self._pots = pots
        self._tables = tables
        self._metrics = metrics
        self._intervals = intervals

    async def start(self, game: Game) -> Game:
        """Bring a game with four stakes to its table; return one without four unchanged."""
        game = await self._begin(game)
        return await self._lock(game) if game.status is Status.STARTING else game

    async def resume(self, game: Game) -> Game:
        """Like `start`, but check first whether the table already exists."""
        game = await self._begin(game)
        if game.status is not Status.STARTING:
            return game
        return await self._at_table(game) if await self._is_there(game) else await self._lock(game)

    async def _begin(self, game: Game) -> Game:
        if game.status is not Status.OPEN:
            return game
        seats = await self._lobby.begin(game.terms)
        if seats is None:
            return game
        holds = tuple(seat.hold for seat in seats)
        started = await self._store.started(game.game_id, holds, self._intervals.retry)
        game = started or await self._reload(game)
        await self._lobby.touch(game.terms)
        return game

    async def _lock(self, game: Game) -> Game:
        assert game.table_id is not None
        try:
            with self._metrics.failures_of("lock"):
                await self._pots(game.terms).lock(game.terms, game.match)
        except Refused as refused:
            match refused.reason:
                case "HOLDS_DIFFER" if refused.pot is None or refused.pot.state is PotState.OPEN:
                    log.warning("holds_differ", game_id=str(game.game_id))
                    reopened = await self._store.reopened(game.game_id, game.table_id)
                    if reopened is None:
                        return await self._reload(game)
                    await self._sync.resync(reopened, refused.pot)
                    return reopened
                case "HOLDS_DIFFER" | "POT_NOT_OPEN" | "TABLE_MISMATCH":
                    pot = refused.pot or await self._pots(game.terms).get(game.game_id)
                    return await self.follow(game, pot)
                case _:
                    _alarm("lock_refused", game, refused)
                    return await self.void(game, RefundReason.TABLE_ABORTED, refused.reason)
        return await self._create(game)

    async def _create(self, game: Game) -> Game:
        try:
            with self._metrics.failures_of("create_table"):
                await self._tables.create(game)
        except Refused as refused:
            _alarm("create_table_refused", game, refused)
            # The match may be running or over: then handle it as such.
            if not await self._is_there(game):
                return await self.void(game, RefundReason.TABLE_ABORTED, refused.reason)
        return await self._at_table(game)

    async def _at_table(self, game: Game) -> Game:
        # From here on the table is never created again: if it is lost, it is fenced and refunded.
        playing = await self._store.playing(game.game_id, self._intervals.look) or await self._reload(game)
        await self.forget(playing)
        return playing

    async def _is_there(self, game: Game) -> bool:
        """Whether the game's table exists or existed; if so, it now agrees with pot and game."""
        assert game.table_id is not None
        finding = await self._tables.reconcile(game.table_id, game.game_id)
        return finding in {Finding.IN_ORDER, Finding.REPAIRED}

    async def void(self, game: Game, reason: RefundReason, why: str) -> Game:
        """End a game whose table is missing for good: fence the table, refund the stakes."""
        assert game.table_id is not None
        try:
            await self._tables.abort(game.table_id, why.lower())
        except Refused as refused:
            # A winner is known: the table exists after all, and reports by itself.
            _alarm("abort_refused", game, refused)
            if not game.terms.staked:
                raise unavailable("TABLE_UNAVAILABLE", "the table is ending", retry_after=1.0) from refused
            return await self.conclude(game, Result(voided=True))
        try:
            with self._metrics.failures_of("refund"):
                await self._pots(game.terms).refund(game.game_id, reason, game.match)
        except Refused as refused:
            pot = refused.pot or await self._pots(game.terms).get(game.game_id)
            match refused.reason:
                case "POT_SETTLED":
                    return await self.follow(game, pot)
                case "TABLE_MISMATCH":
                    return await self._not_its_pot(game, pot, refused)
                case _:
                    _alarm("refund_refused", game, refused)
        return await self.end(game, Result(voided=True))

    async def _not_its_pot(self, game: Game, pot: Pot | None, refused: Refused) -> Game:
        """Follow a pot that is not locked for this game's match: its stakes are not this game's to move.

        An open pot is moved by nobody else: its holders are waiting for a game that is over.
        """
        _alarm("pot_of_another_match", game, refused)
        if pot is not None and pot.state is PotState.OPEN:
            await self._pots(game.terms).refund(game.game_id, RefundReason.GAME_CLOSED)
            return await self.end(game, Result(voided=True))
        if pot is not None and pot.is_for(game.table_id):
            raise unavailable("WALLET_UNAVAILABLE", "the pot is locked on other seats", retry_after=1.0)
        return await self.follow(game, pot)

    async def follow(self, game: Game, pot: Pot | None) -> Game:
        """Update a row according to its pot, which is what moved the money."""
        if (
            pot is not None
            and pot.state is PotState.REFUNDED
            and game.status in {Status.STARTING, Status.PLAYING}
        ):
            # Between a voided game's refund and the end of its row: another replica may not have finished.
            log.warning("row_follows_refund", game_id=str(game.game_id), was=str(game.status))
            return await self.void(game, RefundReason.TABLE_ABORTED, "pot_refunded")
        self._metrics.actions.labels("conflict").inc()
        log.error("pot_decides", game_id=str(game.game_id), pot=None if pot is None else str(pot.state))
        if pot is not None and pot.state is PotState.LOCKED:
            return await self._go_to(game, pot)
        if pot is None or not pot.over:
            raise unavailable("WALLET_UNAVAILABLE", "the pot is not in a final state", retry_after=1.0)
        return await self.overrule(game, pot)

    async def _go_to(self, game: Game, pot: Pot) -> Game:
        """Continue at the table a pot is locked for; whether it exists is checked there, with its grace."""
        table_id = pot.table(game.game_id)
        assert table_id is not None
        followed = await self._corrections.followed(game.game_id, Match(table_id, pot.holds), pot.quote)
        if followed is None:
            return await self._reload(game)
        self._metrics.actions.labels("followed").inc()
        log.warning(
            "row_follows_pot",
            game_id=str(game.game_id),
            table_id=str(table_id),
            was=str(game.status),
            won=None if game.result is None else game.result.winning_seats,
        )
        await self.forget(followed)
        return followed

    async def overrule(self, game: Game, pot: Pot, told: Result | None = None) -> Game:
        """Record the pot's outcome, whatever the row says; points come from `told` as far as that agrees.

        For a row that is over, the result record is read. One without a table stays if its pot names none.
        """
        if game.status in {Status.STARTING, Status.PLAYING}:
            return await self.end(game, end_of(pot, told or game.result))
        table_id = game.table_id or pot.table_id
        if table_id is None or (
            game.result is not None and game.result.agrees(end_of(pot, told or game.result))
        ):
            return game
        kept = await self._kept(table_id)
        result = end_of(pot, told or (game.result if kept is None else kept.result))
        match = Match(table_id, pot.paid if kept is None or not kept.holds else kept.holds)
        overruled = await self._corrections.overruled(game, match, result, self._intervals.retry)
        if overruled is None:
            return await self._reload(game)
        self._metrics.actions.labels("followed").inc()
        log.warning("row_overruled", game_id=str(game.game_id), was=str(game.status), pot=str(pot.state))
        await self.forget(overruled)
        return overruled

    async def _kept(self, table_id: UUID) -> Kept | None:
        with suppress(Fault, Refused):
            return await self._tables.kept(table_id)
        return None

    async def conclude(self, game: Game, told: Result) -> Game:
        """Record the end reported by a table, once the pot is over, too."""
        if not game.terms.staked:
            return await self.end(game, told)
        pots = self._pots(game.terms)
        pot = await pots.get(game.game_id)
        if pot is not None and not pot.over:
            assert game.table_id is not None
            finding = await self._tables.reconcile(game.table_id, game.game_id)
            log.warning("pot_not_over", game_id=str(game.game_id), pot=str(pot.state), finding=str(finding))
            pot = await pots.get(game.game_id)
        if pot is None:
            # The wallet does not know the pot: nobody holds anything in it.
            return await self.end(game, Result(voided=True, points=told.points))
        if pot.over:
            return await self.overrule(game, pot, told)
        if pot.state is PotState.LOCKED and not pot.is_for(game.table_id):
            return await self.follow(game, pot)
        raise unavailable("WALLET_UNAVAILABLE", "the pot is not over yet", retry_after=1.0)

    async def end(self, game: Game, result: Result) -> Game:
        """Record the result of a game that started; RESULT_CONFLICT if there is a different one."""
        ended = await self._store.ended(game.game_id, result, self._intervals.retry)
        if ended is None:
            ended = await self._reload(game)
            known = ended.result
            if known is None or not known.agrees(result):
                if await self._agrees_with_pot(ended, result):
                    return await self._reload(game)
                self._metrics.actions.labels("conflict").inc()
                log.error("result_conflict", game_id=str(game.game_id), status=str(ended.status))
                raise failed_precondition("RESULT_CONFLICT", "the game has another result, or none is due")
            if result.points and not known.points:
                await self._store.complete_result(game.game_id, replace(known, points=result.points))
        await self.forget(ended)
        if ended.refund_due:
            await self.refund(ended)
        return ended

    async def _agrees_with_pot(self, game: Game, result: Result) -> bool:
        """Whether a result that differs from the row's is the pot's; if so, the row is updated."""
        if not game.terms.staked or not game.status.over or game.table_id is None:
            return False
        pot = await self._pots(game.terms).get(game.game_id)
        if pot is None or not pot.over or not end_of(pot, result).agrees(result):
            return False
        return (await self.overrule(game, pot, result)).result is not None

    async def close(self, game: Game, refusal: str | None = None, *, expired: bool = False) -> Game | None:
        """Close a game that has not started and refund its stakes; None if it is not to be closed any more.

        This includes a game that has moved on since it was read: an abandoned opening may have completed.
        Whatever cannot be done now is recorded and done later. With `expired`, only if its time is over.
        """
        closed = await self._store.closed(
            game.game_id, game.status, refusal, expired=expired, retry=self._intervals.retry
        )
        if closed is None:
            return None
        self._metrics.actions.labels("closed").inc()
        await self.settle(closed)
        return closed

    async def close_lost(self, game: Game) -> None:
        """Close an open game if the wallet has lost its pot: it had one, and nobody holds anything any more.

        Raises Fault during a recovery of the ledger, or while the wallet is down: nothing is certain then.
        """
        pots = self._pots(game.terms)
        try:
            # Moves nothing, as no stake has the game's id. Refused during a recovery, unlike GetPot.
            await pots.release(game.game_id, game.game_id)
        except Refused as refused:
            if refused.reason != "POT_NOT_FOUND":
                raise
        if game.status is Status.OPEN and await pots.get(game.game_id) is None:
            log.error("pot_lost", game_id=str(game.game_id))
            await self.close(game)

    async def settle(self, game: Game) -> None:
        """Do what a closed game still owes, as far as the other services answer."""
        await self.forget(game)
        try:
            await self.refund(game)
        except Fault as fault:
            log.warning("refund_owed", game_id=str(game.game_id), reason=fault.reason)

    async def refund(self, game: Game) -> None:
        """Refund the stakes of a game that ended without a winner."""
        pots = self._pots(game.terms)
        try:
            with self._metrics.failures_of("refund"):
                # Opening first leaves a refunded pot behind, so that an OpenPot in flight opens nothing.
                await pots.open(game.terms)
                if game.status is Status.CLOSED:
                    await pots.refund(game.game_id, RefundReason.GAME_CLOSED)
                else:
                    await pots.refund(game.game_id, RefundReason.TABLE_ABORTED, game.match)
        except Refused as refused:
            self._metrics.actions.labels("conflict").inc()
            _alarm("refund_refused", game, refused)
            if refused.pot is not None and await self._is_on(game, refused.pot):
                return
        await self._store.refunded(game.game_id)
        self._metrics.actions.labels("refunded").inc()

    async def _is_on(self, game: Game, pot: Pot) -> bool:
        """Whether the match of a game about to be abandoned is running, or paid; its row is then updated."""
        if pot.state is PotState.LOCKED:
            return (await self._go_to(game, pot)).status is Status.PLAYING
        return pot.state is PotState.SETTLED and (await self.overrule(game, pot)).status is Status.FINISHED

    async def forget(self, game: Game) -> None:
        """Remove a running or finished game from the lobby; while Redis is down, this stays due."""
        try:
            with self._metrics.failures_of("forget"):
                await self._lobby.forget(game)
        except RedisError as error:
            log.warning("forget_owed", game_id=str(game.game_id), error=type(error).__name__)
        else:
            await self._store.forgotten(game.game_id, game.status)

    async def _reload(self, game: Game) -> Game:
        found = await self._store.get(game.game_id)
        if found is None:
            raise not_found("GAME_NOT_FOUND", "no such game")
        return found


def end_of(pot: Pot, told: Result | None) -> Result:
    """Return the outcome according to a closed pot, with what it cannot know from `told`."""
    if pot.state is PotState.REFUNDED:
        return told if told is not None and told.voided else Result(voided=True)
    won, payouts = tuple(seat for seat, _ in pot.payouts), tuple(units for _, units in pot.payouts)
    result = Result(False, won, payouts, pot.fee)
    if told is not None and told.winning_seats == result.winning_seats:
        return replace(result, points=told.points, end_time=told.end_time)
    return result


def _alarm(event: str, game: Game, refused: Refused) -> None:
    """Log what an operator should look into; the refusal explains it better than a traceback."""
    log.error(event, game_id=str(game.game_id), reason=refused.reason)
