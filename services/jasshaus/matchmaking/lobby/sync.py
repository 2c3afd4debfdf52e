"""Rebuilds lobby entries from rows and pots when Redis lost them or disagrees."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Final
from uuid import UUID

import structlog

from jasshaus.matchmaking.domain import SEATS, Game, Hold, Seat, SeatState, Status, Terms
from jasshaus.matchmaking.lobby.store import Entry, Lobby, Reply
from jasshaus.matchmaking.metrics import LobbyMetrics
from jasshaus.matchmaking.pots.port import Pot, Pots, PotState
from jasshaus.matchmaking.rows.store import GameStore
from jasshaus.platform.errors import unavailable

_PARALLEL: Final = 16
_ATTEMPTS: Final = 5
_AGAIN_SECONDS: Final = 1.0

log = structlog.stdlib.get_logger(__name__)


class LobbySync:
    """Brings the lobby back in line; moves no money, and never mistakes an empty Redis for empty tables."""

    def __init__(
        self, store: GameStore, lobby: Lobby, pots: Callable[[Terms], Pots], metrics: LobbyMetrics
    ) -> None:
        self._store = store
        self._lobby = lobby
        self._pots = pots
        self._metrics = metrics
        self._restoring: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._failed_at: dict[str, float] = {}

    async def run(self, tenant: str, step: Callable[[], Awaitable[Reply]]) -> Reply:
        """Run a step on the lobby; if the tenant's lobby is lost, restore it first."""
        reply = await step()
        if reply.code == "LOST":
            await self.restore(tenant)
            reply = await step()
        if reply.code == "LOST":
            raise unavailable("STORE_UNAVAILABLE", "the lobby is being restored", retry_after=1.0)
        return reply

    async def ensure(self, tenant: str) -> None:
        """Restore the tenant's lobby if it is lost."""
        if not await self._lobby.ready(tenant):
            await self.restore(tenant)

    async def restore(self, tenant: str) -> None:
        """Rebuild all of a tenant's lobby, unless another replica has just done so, or just failed to."""
        async with self._restoring[tenant]:
            if await self._lobby.ready(tenant):
                return
            if time.monotonic() - self._failed_at.get(tenant, -math.inf) < _AGAIN_SECONDS:
                raise unavailable("STORE_UNAVAILABLE", "the lobby cannot be restored now", retry_after=1.0)
            try:
                games = [game for game in await self._store.live(tenant) if game.status is not Status.OPENING]
                await self._restore_all(games)
                await self._lobby.set_ready(tenant)
            except Exception:
                self._failed_at[tenant] = time.monotonic()
                raise
            self._metrics.actions.labels("restored").inc()
            # A tenant that never had a lobby is "restored" once, too.
            log.log(
                logging.WARNING if games else logging.INFO, "lobby_restored", tenant=tenant, games=len(games)
            )

    async def _restore_all(self, games: list[Game]) -> None:
        limit = asyncio.Semaphore(_PARALLEL)

        async def restore_one(game: Game) -> None:
            async with limit:
                if game.status is Status.OPEN:
                    await self.resync(game)
                else:
                    await self._lobby.forget(game)

        try:
            async with asyncio.TaskGroup() as group:
                for game in games:
                    group.create_task(restore_one(game))
        except ExceptionGroup as failures:
            # The others were cancelled; one reason is enough.
            raise failures.exceptions[0] from None

    async def resync(self, game: Game, pot: Pot | None = None) -> Pot | None:
        """Rewrite an open game's entry if it differs from its pot, which is returned (None: none).

        `pot` may be passed if the wallet has just returned it.
        """
        for _ in range(_ATTEMPTS):
            # The entry first: a stake taken or returned in between also changes the entry, and we retry.
            entry = await self._lobby.read(game.terms)
            pot = pot or await self._pots(game.terms).get(game.game_id)
            if pot is None or pot.state in {PotState.SETTLED, PotState.REFUNDED}:
                return pot
            row = await self._store.get(game.game_id)
            if row is None or row.status is not Status.OPEN:
                return pot
            status, seats = _wanted(entry, pot)
            if entry is not None and entry.status == status and _same(entry.seats, seats):
                return pot
            if await self._lobby.rewrite(game.terms, entry, status, seats):
                self._metrics.actions.labels("rewritten").inc()
                log.info(
                    "lobby_entry_rewritten", game_id=str(game.game_id), seats=len(seats), new=entry is None
                )
                await self._withdraw_late(game)
                return pot
            pot = None
        raise unavailable("STORE_UNAVAILABLE", "the game is changing too fast", retry_after=0.5)

    async def _withdraw_late(self, game: Game) -> None:
        """Undo an entry written while the game was leaving the lobby."""
        row = await self._store.get(game.game_id)
        if row is not None and row.status is not Status.OPEN:
            await self._lobby.forget(row)

    async def prune(self, tenant: str, player: str) -> bool:
        """Remove games from a player's list in which they do not sit; return True if there were any."""
        listed = await self._lobby.games_of(tenant, player)
        games = await self._store.many(listed)
        entries = await self._lobby.read_many(tenant, listed)
        wrong = [game_id for game_id in listed if not _sits(player, games.get(game_id), entries[game_id])]
        if wrong:
            await self._lobby.drop_membership(tenant, player, wrong)
        return bool(wrong)


def _wanted(entry: Entry | None, pot: Pot) -> tuple[str, list[Seat]]:
    """Return the correct entry: the pot's holds, and players who are just coming or going."""
    present = {seat.reservation: seat for seat in (entry.seats if entry else ())}
    seats = [_held(hold, present.get(hold.reservation), pot) for hold in pot.holds]
    taken = {seat.seat for seat in seats}
    players = {seat.player for seat in seats}
    coming = [
        seat
        for seat in present.values()
        if seat.state is not SeatState.HELD and seat.seat not in taken and seat.player not in players
    ]
    return "OPEN", seats + coming


def shows(entry: Entry | None, pot: Pot) -> bool:
    """Whether an open game's entry agrees with its pot, or will without help."""
    if entry is None:
        return False
    if entry.status in {"CLOSING", "STARTING"} and _same(entry.seats, _wanted(entry, pot)[1]):
        # Its last player has left, or its fourth has joined: the reconciler continues from there.
        return len(entry.seats) == (0 if entry.status == "CLOSING" else len(SEATS))
    status, seats = _wanted(entry, pot)
    return entry.status == status and bool(seats) and _same(entry.seats, seats)


def _held(hold: Hold, present: Seat | None, pot: Pot) -> Seat:
    if present is not None and present.state is SeatState.LEAVING and pot.state is PotState.OPEN:
        return present
    return Seat(hold.seat, hold.player, hold.reservation, SeatState.HELD, 0)


def _same(present: tuple[Seat, ...], wanted: list[Seat]) -> bool:
    return sorted(present, key=_number) == sorted(wanted, key=_number)


def _number(seat: Seat) -> int:
    return seat.seat


def _sits(player: str, game: Game | None, entry: Entry | None) -> bool:
    if game is None or game.status.over:
        return False
    if game.status in {Status.OPENING, Status.OPEN}:
        # Without an entry there is nothing to compare.
        return entry is None or any(seat.player == player for seat in entry.seats)
    return any(hold.player == player for hold in game.holds)


def sits_in(holds: tuple[Hold, ...], player: str) -> bool:
    """Whether a player holds one of these seats."""
    return any(hold.player == player for hold in holds)


def held_by(holds: tuple[Hold, ...], reservation: UUID) -> Hold | None:
    """Return the hold of a reservation."""
    return next((hold for hold in holds if hold.reservation == reservation), None)
