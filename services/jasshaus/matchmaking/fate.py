"""Owns how a game leaves the lobby: started, closed, voided or finished. Any replica may repeat any step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import structlog
from redis.exceptions import RedisError

from jasshaus.matchmaking.domain import Game, Result, Status, Terms
from jasshaus.matchmaking.lobby import Lobby
from jasshaus.matchmaking.metrics import LobbyMetrics
from jasshaus.matchmaking.mirror import Mirror
from jasshaus.matchmaking.pots import Pot, Pots, PotState, RefundReason, Refused
from jasshaus.matchmaking.store import GameStore, Pace
from jasshaus.matchmaking.tables import Tables
from jasshaus.platform.errors import Fault, failed_precondition, not_found, unavailable

log = structlog.stdlib.get_logger(__name__)


class Fate:
    """Moves games along; Fault UNAVAILABLE where another service gave no answer: it is carried on later."""

    def __init__(
        self,
        store: GameStore,
        lobby: Lobby,
        mirror: Mirror,
        pots: Callable[[Terms], Pots],
        tables: Tables,
        metrics: LobbyMetrics,
        pace: Pace,
    ) -> None:
        self._store = store
        self._lobby = lobby
        self._mirror = mirror
        self._pots = pots
        self._tables = tables
        self._metrics = metrics
        self._pace = pace

    async def start(self, game: Game) -> Game:
        """Bring a game with four stakes to its table; one without four is returned as it is."""
        if game.status is Status.OPEN:
            seats = await self._lobby.begin(game.terms)
            if seats is None:
                return game
            holds = tuple(seat.hold for seat in seats)
            started = await self._store.started(game.game_id, holds, self._pace.retry)
            game = started or await self._reload(game)
            await self._lobby.touch(game.terms)
        if game.status is not Status.STARTING:
            return game
        return await self._lock(game)

    async def _lock(self, game: Game) -> Game:
        assert game.table_id is not None
        try:
            with self._metrics.failures_of("lock"):
                await self._pots(game.terms).lock(game.terms, game.holds)
        except Refused as refused:
            match refused.reason:
                case "HOLDS_DIFFER":
                    log.warning("holds_differ", game_id=str(game.game_id))
                    reopened = await self._store.reopened(game.game_id, game.table_id)
                    if reopened is None:
                        return await self._reload(game)
                    await self._mirror.resync(reopened, refused.pot)
                    return reopened
                case "POT_NOT_OPEN":
                    pot = refused.pot or await self._pots(game.terms).get(game.game_id)
                    return await self._follow(game, pot)
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
            if refused.reason != "TABLE_CONFLICT" or not await self._is_there(game):
                return await self.void(game, RefundReason.TABLE_ABORTED, refused.reason)
        # From here on the table is never created again: a lost one is noticed, fenced and paid back.
        playing = await self._store.playing(game.game_id, self._pace.look) or await self._reload(game)
        await self.forget(playing)
        return playing

    async def _is_there(self, game: Game) -> bool:
        """Whether the table that CreateTable would not accept again is this game's: it is being played."""
        assert game.table_id is not None
        table = await self._tables.get(game.table_id)
        return table is not None and table.game_id == str(game.game_id)

    async def void(self, game: Game, reason: RefundReason, why: str) -> Game:
        """End a game whose table is not there and never may be: fence the table, give the stakes back."""
        assert game.table_id is not None
        try:
            await self._tables.abort(game.table_id, why.lower())
        except Refused as refused:
            # A winner is known: the table is there after all, and reports by itself.
            _alarm("abort_refused", game, refused)
            raise unavailable("TABLE_UNAVAILABLE", "the table is ending", retry_after=1.0) from refused
        try:
            with self._metrics.failures_of("refund"):
                await self._pots(game.terms).refund(game.game_id, reason)
        except Refused as refused:
            if refused.reason == "POT_SETTLED":
                return await self._follow(game, refused.pot or await self._pots(game.terms).get(game.game_id))
            _alarm("refund_refused", game, refused)
        return await self.end(game, Result(voided=True))

    async def _follow(self, game: Game, pot: Pot | None) -> Game:
        """Record what the pot says happened: it is what moved the money."""
        self._metrics.actions.labels("conflict").inc()
        log.error("pot_decides", game_id=str(game.game_id), pot=None if pot is None else str(pot.state))
        if pot is not None and pot.state is PotState.SETTLED:
            paid = [(seat, units) for seat, units in pot.payouts if units > 0]
            won = tuple(seat for seat, _ in paid)
            result = Result(False, won, tuple(units for _, units in paid), pot.fee)
            return await self.end(game, result)
        if pot is not None and pot.state is PotState.REFUNDED:
            return await self.void(game, RefundReason.TABLE_ABORTED, "pot_refunded")
        raise unavailable("WALLET_UNAVAILABLE", "the pot is in no final state", retry_after=1.0)

    async def end(self, game: Game, result: Result) -> Game:
        """Record the result of a game that started; RESULT_CONFLICT if there is another one."""
        ended = await self._store.ended(game.game_id, result, self._pace.retry)
        if ended is None:
            ended = await self._reload(game)
            known = ended.result
            if known is None or not known.agrees(result):
                self._metrics.actions.labels("conflict").inc()
                log.error("result_conflict", game_id=str(game.game_id), status=str(ended.status))
                raise failed_precondition("RESULT_CONFLICT", "the game has another result, or none is due")
            if result.points and not known.points:
                await self._store.complete_result(game.game_id, replace(known, points=result.points))
        await self.forget(ended)
        if ended.refund_due:
            await self.refund(ended)
        return ended

    async def close(self, game: Game, refusal: str | None = None, *, expired: bool = False) -> Game | None:
        """Close a game that has not started, give its stakes back; None if it is not to be closed any more.

        It is not either when it has moved on since it was read: an opening given up may have come about.
        What cannot be done now is owed, and done later. With `expired` only when its time is over.
        """
        closed = await self._store.closed(
            game.game_id, game.status, refusal, expired=expired, retry=self._pace.retry
        )
        if closed is None:
            return None
        self._metrics.actions.labels("closed").inc()
        await self.settle(closed)
        return closed

    async def settle(self, game: Game) -> None:
        """Do what a closed game still owes, as far as the others answer."""
        await self.forget(game)
        try:
            await self.refund(game)
        except Fault as fault:
            log.warning("refund_owed", game_id=str(game.game_id), reason=fault.reason)

    async def refund(self, game: Game) -> None:
        """Give back what a game that ended without a winner holds."""
        pots = self._pots(game.terms)
        reason = RefundReason.GAME_CLOSED if game.status is Status.CLOSED else RefundReason.TABLE_ABORTED
        try:
            with self._metrics.failures_of("refund"):
                # Opening first leaves a refunded pot behind: an OpenPot still under way opens nothing.
                await pots.open(game.terms)
                await pots.refund(game.game_id, reason)
        except Refused as refused:
            self._metrics.actions.labels("conflict").inc()
            _alarm("refund_refused", game, refused)
        await self._store.refunded(game.game_id)
        self._metrics.actions.labels("refunded").inc()

    async def forget(self, game: Game) -> None:
        """Remove a game that is on or over from the lobby; while Redis is away this stays owed."""
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


def _alarm(event: str, game: Game, refused: Refused) -> None:
    """Log what an operator should look into; the refusal says it, a traceback would not."""
    log.error(event, game_id=str(game.game_id), reason=refused.reason)
