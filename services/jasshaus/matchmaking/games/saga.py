"""The sagas of taking seats: open, join, leave. Each spans three stores that share no transaction.

The row (PostgreSQL) has the state of a game, the pot (wallet) who has paid, the lobby (Redis) who is coming
or going.

    A game                                    A seat in the lobby

    OPENING   --opener has paid-->  OPEN      free      --reserve-->            RESERVED
    OPENING   --refused, late-->    CLOSED    RESERVED  --stake held-->         HELD
    OPEN      --empty, expired-->   CLOSED    RESERVED  --refused, too late-->  free
    OPEN      --four stakes-->      STARTING  HELD      --leave-->              LEAVING
    STARTING  (see lifecycle)                 LEAVING   --stake returned-->     free

Every step is idempotent by the attempt, whose id is the reservation in the lobby and in the pot. So a
repeated request resumes the saga where it stopped, on any replica, and gets the first answer.

When the process dies

- after the row is written: the same request resumes it, or `upkeep.reconciler` closes the game when its
  patience is over.
- after the reservation: it expires; the reconciler makes it LEAVING, has the pot release any hold,
  and frees the seat.
- after the stake is held: `lobby.sync` compares the entry with the pot, and the pot decides: the seat is
  HELD.
- after the fourth stake: the reconciler starts the game.
- while a seat is LEAVING: the reconciler returns the stake and frees the seat.

When Redis loses the lobby, it is rebuilt from rows and pots; a reservation without a stake is gone, and its
player gets RESERVATION_EXPIRED. When the wallet is down, the caller gets UNAVAILABLE, and the saga waits
for the same request or the reconciler. Joining never fails because the game cannot start yet: the start is
resumed later.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Final
from uuid import UUID

import grpc
import structlog
from psycopg import Error as PostgresError
from psycopg_pool import PoolTimeout
from redis.exceptions import RedisError

from jasshaus.matchmaking.domain import SEATS, Attempt, Game, GameView, Hold, Opening, Status, Terms
from jasshaus.matchmaking.games.lifecycle import Lifecycle
from jasshaus.matchmaking.lobby.store import Lobby, Reply, view_of
from jasshaus.matchmaking.lobby.sync import LobbySync, held_by, sits_in
from jasshaus.matchmaking.metrics import LobbyMetrics
from jasshaus.matchmaking.pots.port import Pots, PotState, Refused
from jasshaus.matchmaking.rows.store import GameStore, Intervals
from jasshaus.platform.errors import Fault, failed_precondition, not_found, resource_exhausted, unavailable

_TEXTS: Final = {
    "ALREADY_SEATED": "the player already sits in this game",
    "GAME_FULL": "all four seats are taken",
    "GAME_NOT_OPEN": "the game is over, or about to be",
    "GAME_STARTED": "the game has started",
    "INSUFFICIENT_FUNDS": "the balance does not cover the stake",
    "NOT_SEATED": "the player does not sit in this game",
    "REQUEST_ID_REUSED": "the request id was already used with a different body",
    "RESERVATION_EXPIRED": "the seat was given up before the stake was taken: make a new attempt",
    "SEAT_TAKEN": "the seat is taken",
}
# The wallet's reasons for refusing a stake, as reported to the player.
_HOLD_REFUSALS: Final = {
    "INSUFFICIENT_FUNDS": "INSUFFICIENT_FUNDS",
    "POT_NOT_OPEN": "GAME_NOT_OPEN",
    "POT_NOT_FOUND": "GAME_NOT_OPEN",
    "RESERVATION_RELEASED": "RESERVATION_EXPIRED",
    "RESERVATION_MISMATCH": "REQUEST_ID_REUSED",
    "SEAT_TAKEN": "SEAT_TAKEN",
    "PLAYER_ALREADY_HOLDS": "ALREADY_SEATED",
}
_SEAT_REFUSALS: Final = {
    "REUSED": "REQUEST_ID_REUSED",
    "ALREADY_SEATED": "ALREADY_SEATED",
    "TAKEN": "SEAT_TAKEN",
    "FULL": "GAME_FULL",
    "GONE": "RESERVATION_EXPIRED",
}
_BUSY_SECONDS: Final = 3.0
_BUSY_AGAIN_SECONDS: Final = 0.03
"""The first pause; each is twice the one before."""
_JITTER: Final = (0.7, 1.3)
_STALE: Final = frozenset({"POT_NOT_OPEN", "SEAT_TAKEN", "PLAYER_ALREADY_HOLDS", "RESERVATION_MISMATCH"})

log = structlog.stdlib.get_logger(__name__)


class Saga:
    """Runs shielded: callers ensure that a cancelled RPC does not stop it halfway."""

    def __init__(
        self,
        store: GameStore,
        lobby: Lobby,
        sync: LobbySync,
        lifecycle: Lifecycle,
        pots: Callable[[Terms], Pots],
        metrics: LobbyMetrics,
        intervals: Intervals,
        max_games: int,
    ) -> None:
        self._store = store
        self._lobby = lobby
        self._sync = sync
        self._lifecycle = lifecycle
        self._pots = pots
        self._metrics = metrics
        self._intervals = intervals
        self._max_games = max_games

    async def view(self, game: Game) -> GameView:
        """Return a game with its seats."""
        if game.status is not Status.OPEN:
            return view_of(game, None)
        entry = await self._lobby.read(game.terms)
        if entry is None:
            await self._sync.resync(game)
            entry = await self._lobby.read(game.terms)
        return view_of(game, entry)

    async def find(self, tenant: str, game_id: UUID) -> Game:
        """Return a game of this tenant. Raises GAME_NOT_FOUND, also while its opener is not seated."""
        game = await self._store.get(game_id)
        if game is None or game.terms.tenant != tenant or game.status is Status.OPENING:
            raise not_found("GAME_NOT_FOUND", "no such game", game_id=str(game_id))
        return game

    # Opening.

    async def open(self, attempt: Attempt, request_id: UUID, opening: Opening) -> GameView:
        """Open a game and seat the opener."""
        game = await self._store.opened_by(attempt.tenant, attempt.player, request_id)
        if game is None:
            await self._may_open(attempt, staked=opening.stake > 0)
            game = await self._store.insert(
                attempt.tenant, attempt.player, request_id, attempt.digest, opening
            )
        if game.digest != attempt.digest.encode():
            raise _refusal("REQUEST_ID_REUSED")
        if game.status is Status.OPENING:
            game = await self._seat_opener(game, attempt)
        if game.refusal is not None:
            raise self._refusal(game.refusal)
        return await self.view(game)

    async def _may_open(self, attempt: Attempt, *, staked: bool) -> None:
        # Before anything is written; the script that takes the seat counts the player's games again.
        reply = await self._when_known(attempt, lambda: self._lobby.spend(attempt, staked=staked))
        if reply.code != "OK":
            raise self._held_back(reply)

    async def _when_known(self, attempt: Attempt, step: Callable[[], Awaitable[Reply]]) -> Reply:
        """Run a step that takes a seat; wait briefly if a stake being taken elsewhere affects the result.

        The player may be about to reach the limit on games, or to run out of money.
        """
        reply = await step()
        if reply.code == "TOO_MANY" and await self._sync.prune(attempt.tenant, attempt.player):
            reply = await step()
        waited, pause = 0.0, _BUSY_AGAIN_SECONDS
        while reply.code == "BUSY" and waited < _BUSY_SECONDS:
            await asyncio.sleep(pause * random.uniform(*_JITTER))
            waited, pause = waited + pause, 2 * pause
            reply = await step()
        return reply

    def _held_back(self, reply: Reply) -> Fault:
        match reply.code:
            case "TOO_MANY":
                return self._refusal("TOO_MANY_GAMES")
            case "BUSY":
                return _later("other seats are just being taken", _BUSY_SECONDS)
            case "SPENT":
                self._metrics.limited.inc()
                return _later("too many games opened, left, or joined without the money", reply.wait)
            case "COOLING":
                return _later("the stake was refused too often", reply.wait)
            case code:
                raise AssertionError(code)

    async def _seat_opener(self, game: Game, attempt: Attempt) -> Game:
        terms = game.terms
        with self._metrics.failures_of("open_pot"):
            pot = await self._pots(terms).open(terms)
        if pot.state is not PotState.OPEN:
            # Abandoned by the reconciler before, and refunded.
            return await self._given_up(game, "RESERVATION_EXPIRED")
        reply = await self._when_known(
            attempt, lambda: self._sync.run(terms.tenant, lambda: self._lobby.create(terms, attempt))
        )
        if reply.code == "BUSY":
            # The row waits for the same request.
            raise self._held_back(reply)
        if reply.code != "RESERVED":
            reason = "TOO_MANY_GAMES" if reply.code == "TOO_MANY" else _SEAT_REFUSALS[reply.code]
            return await self._given_up(game, reason)
        try:
            await self._take(game, attempt, reply.seat)
        except Fault as fault:
            if fault.code is grpc.StatusCode.UNAVAILABLE:
                raise
            return await self._given_up(game, fault.reason)
        opened = await self._store.opened(game.game_id, pot.quote, self._intervals.audit)
        if opened is None:
            return await self._reload(game)
        await self._lobby.open(terms)
        return opened

    async def _given_up(self, game: Game, reason: str) -> Game:
        return await self._lifecycle.close(game, reason) or await self._reload(game)

    # Joining.

    async def join(self, attempt: Attempt, game_id: UUID, seat: int | None) -> tuple[GameView, int]:
        """Seat a player and take the stake; the fourth one starts the game."""
        outcome = "failed"
        try:
            seated = await self._join(attempt, game_id, seat)
            outcome = "seated"
        except Fault as fault:
            outcome = "unavailable" if fault.code is grpc.StatusCode.UNAVAILABLE else "refused"
            raise
        finally:
            self._metrics.joins.labels(outcome).inc()
        return seated

    async def _join(self, attempt: Attempt, game_id: UUID, seat: int | None) -> tuple[GameView, int]:
        game = await self.find(attempt.tenant, game_id)
        reply = await self._reserve(game, attempt, seat)
        match reply.code:
            case "DONE":
                number = reply.seat
                await self._start(game)
            case "RESERVED":
                number, held = await self._take(game, attempt, reply.seat)
                if held == len(SEATS):
                    await self._start(game)
            case "REFUSED":
                raise self._refusal(reply.rest[0])
            case "TOO_MANY" | "BUSY" | "SPENT" | "COOLING":
                raise self._held_back(reply)
            case "NO_ENTRY" | "NOT_OPEN":
                game = await self._reload(game)
                own = held_by(game.holds, attempt.id)
                if own is None:
                    raise _refusal(_why_not_open(game, attempt.player))
                number = own.seat
            case code:
                raise _refusal(_SEAT_REFUSALS[code])
        return await self.view(await self._reload(game)), number

    async def _reserve(self, game: Game, attempt: Attempt, seat: int | None) -> Reply:
        async def reserve() -> Reply:
            return await self._sync.run(
                attempt.tenant, lambda: self._lobby.reserve(game.terms, attempt, seat)
            )

        reply = await self._when_known(attempt, reserve)
        if reply.code == "NO_ENTRY" and game.status is Status.OPEN:
            await self._sync.resync(game)
            reply = await self._when_known(attempt, reserve)
        return reply

    async def _take(self, game: Game, attempt: Attempt, seat: int) -> tuple[int, int]:
        """Take the stake for a reserved seat and confirm it; return the seat and the count of held seats."""
        terms = game.terms
        wanted = Hold(seat, attempt.player, attempt.id)
        try:
            with self._metrics.failures_of("hold"):
                await self._pots(terms).hold(game.game_id, wanted)
        except Refused as refused:
            wanted = await self._not_taken(game, attempt, refused)
        with self._metrics.failures_of("confirm"):
            reply = await self._sync.run(terms.tenant, lambda: self._lobby.confirm(terms, attempt))
        if reply.code == "HELD":
            return wanted.seat, reply.held
        # The seat was given up meanwhile. Unless the game has started with the stake, return it.
        row = await self._reload(game)
        own = held_by(row.holds, attempt.id)
        if own is not None:
            return own.seat, 0
        with self._metrics.failures_of("release"):
            await self._release(game, attempt.id)
        await self._lobby.free(terms, attempt.player, attempt.id, attempt, "refused:RESERVATION_EXPIRED")
        raise _refusal("RESERVATION_EXPIRED")

    async def _not_taken(self, game: Game, attempt: Attempt, refused: Refused) -> Hold:
        """Free the seat of a refused stake and raise; if the stake was taken after all, return its seat.

        That may be a different seat: Redis may have lost the reservation, and the pot decides.
        """
        reason = _HOLD_REFUSALS.get(refused.reason)
        if reason is None:
            log.error("hold_refused", game_id=str(game.game_id), reason=refused.reason)
            reason = "GAME_NOT_OPEN"
        if refused.reason in _STALE:
            # The lobby lacked what the pot has.
            pot = await self._sync.resync(game)
            own = None if pot is None else held_by(pot.holds, attempt.id)
            if own is not None:
                return own
        freed = await self._lobby.free(
            game.terms,
            attempt.player,
            attempt.id,
            attempt,
            f"refused:{reason}",
            opening=game.status is Status.OPENING,
        )
        if game.status is Status.OPEN and refused.reason == "POT_NOT_FOUND":
            await self._lifecycle.close_lost(game)
        elif game.status is Status.OPEN and freed.code == "FREED" and freed.left == 0:
            await self._lifecycle.close(game)
        raise _refusal(reason)

    async def _start(self, game: Game) -> None:
        """Start a full game. The last player is seated in any case: what fails now is resumed later."""
        try:
            game = await self._reload(game)
            if game.status is Status.OPEN:
                await self._lifecycle.start(game)
        except (Fault, RedisError, PostgresError, PoolTimeout) as error:
            log.warning("start_delayed", game_id=str(game.game_id), error=str(error))

    # Leaving.

    async def leave(self, attempt: Attempt, game_id: UUID) -> GameView:
        """Return the stake, then free the seat; the last one closes the game."""
        game = await self.find(attempt.tenant, game_id)
        reply = await self._begin_leave(game, attempt)
        match reply.code:
            case "DONE":
                pass
            case "LEAVING":
                await self.clear(game, attempt.player, UUID(reply.rest[1]), attempt)
            case "NO_ENTRY":
                game = await self._reload(game)
                raise _refusal("GAME_STARTED" if sits_in(game.holds, attempt.player) else "NOT_SEATED")
            case "STARTED":
                raise _refusal("GAME_STARTED")
            case "NOT_SEATED":
                raise _refusal("NOT_SEATED")
            case _:
                raise _refusal("REQUEST_ID_REUSED")
        return await self.view(await self._reload(game))

    async def _begin_leave(self, game: Game, attempt: Attempt) -> Reply:
        async def leave() -> Reply:
            return await self._sync.run(attempt.tenant, lambda: self._lobby.leave(game.terms, attempt))

        reply = await leave()
        if reply.code == "NO_ENTRY" and game.status is Status.OPEN:
            await self._sync.resync(game)
            reply = await leave()
        elif reply.code == "NOT_SEATED" and game.status is Status.OPEN:
            # A Redis restored to an earlier time lacks those who joined since; the pot has the stake.
            pot = await self._sync.resync(game)
            if pot is not None and sits_in(pot.holds, attempt.player):
                reply = await leave()
        return reply

    async def clear(self, game: Game, player: str, reservation: UUID, attempt: Attempt | None = None) -> None:
        """Return the stake of a LEAVING seat, then free it. Raises GAME_STARTED if it is locked."""
        with self._metrics.failures_of("release"):
            await self._release(game, reservation)
        outcome = "left" if attempt else ""
        freed = await self._lobby.free(game.terms, player, reservation, attempt, outcome)
        if freed.code == "FREED" and freed.left == 0:
            await self._lifecycle.close(
                game, "RESERVATION_EXPIRED" if game.status is Status.OPENING else None
            )

    async def _release(self, game: Game, reservation: UUID) -> None:
        try:
            await self._pots(game.terms).release(game.game_id, reservation)
        except Refused as refused:
            if refused.reason == "POT_NOT_OPEN":
                await self._sync.resync(game)
                raise _refusal("GAME_STARTED") from refused
            # A pot unknown to the wallet holds nothing.
            log.warning("release_refused", game_id=str(game.game_id), reason=refused.reason)

    async def _reload(self, game: Game) -> Game:
        return await self._store.get(game.game_id) or game

    def _refusal(self, reason: str) -> Fault:
        if reason == "TOO_MANY_GAMES":
            return resource_exhausted(
                reason, f"a player sits in at most {self._max_games} games", limit=str(self._max_games)
            )
        return _refusal(reason)


def _why_not_open(game: Game, player: str) -> str:
    if game.status not in {Status.STARTING, Status.PLAYING}:
        return "GAME_NOT_OPEN"
    return "ALREADY_SEATED" if sits_in(game.holds, player) else "GAME_FULL"


def _later(message: str, seconds: float) -> Fault:
    return resource_exhausted("RATE_LIMITED", f"{message}: wait", retry_after=seconds)


def _refusal(reason: str) -> Fault:
    return failed_precondition(reason, _TEXTS[reason])


def store_fault(error: Exception) -> Fault | None:
    """Return the answer for a lost store; None for other errors (`RpcInterceptor.translate`)."""
    if isinstance(error, (RedisError, PostgresError, PoolTimeout, OSError)):
        return unavailable("STORE_UNAVAILABLE", "the store does not answer", retry_after=1.0)
    return None


def pots_of(staked: Pots, free: Pots) -> Callable[[Terms], Pots]:
    """Return the keeper of a game's pot."""
    return lambda terms: staked if terms.staked else free
