"""Owns reading several games at once: pages of open games, a player's own, what changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

from jasshaus.matchmaking.domain import SEATS, GameView, Status
from jasshaus.matchmaking.lobby import Lobby, member_id, open_seats
from jasshaus.matchmaking.mirror import Mirror
from jasshaus.matchmaking.store import GameStore
from jasshaus.rules.options import Variant

_SNAPSHOT_GAMES: Final = 2000
_CHUNK: Final = 200
_MAX_CHUNKS: Final = 5


class Listing:
    """Games as players see them. The rows decide; the lobby gives the order and who sits where."""

    def __init__(self, store: GameStore, lobby: Lobby, mirror: Mirror) -> None:
        self._store = store
        self._lobby = lobby
        self._mirror = mirror

    async def page(
        self, tenant: str, variant: Variant | None, size: int, after: str
    ) -> tuple[list[GameView], str]:
        """Return open games with a free seat, newest first, from behind `after`; and the next place.

        A list that fits few games is not sought through whole for one page: that may be short, or empty.
        """
        await self._mirror.ensure(tenant)
        found: list[GameView] = []
        for _ in range(_MAX_CHUNKS):
            members = await self._lobby.open_games(tenant, after, _CHUNK)
            views = await self.views(tenant, map(member_id, members))
            for member in members:
                after = member
                view = views.get(member_id(member))
                if view is not None and _free(view, variant):
                    found.append(view)
                    if len(found) == size:
                        return found, after
            if len(members) < _CHUNK:
                return found, ""
        return found, after

    async def open_games(self, tenant: str) -> list[GameView]:
        """Return the open games (the newest ones), newest first: the part of a snapshot that all share."""
        await self._mirror.ensure(tenant)
        members = await self._lobby.open_games(tenant, "", _SNAPSHOT_GAMES)
        views = await self.views(tenant, map(member_id, members))
        return [views[game_id] for game_id in map(member_id, members) if game_id in views]

    async def snapshot(
        self, tenant: str, player: str | None, open_games: Sequence[GameView]
    ) -> list[GameView]:
        """Return the open games and all that the player sits in, newest first."""
        views = {view.game.game_id: view for view in open_games}
        if player:
            own = await self._lobby.games_of(tenant, player)
            views |= await self.views(tenant, own.difference(views))
            over = [game_id for game_id in own if game_id in views and views[game_id].game.status.over]
            if over:
                # Redis lost its last writes, and with them that he got up.
                await self._lobby.drop_membership(tenant, player, over)
        shown = [view for view in views.values() if visible(view, player)]
        return sorted(shown, key=lambda view: view.game.terms.order, reverse=True)

    async def views(self, tenant: str, game_ids: Iterable[UUID]) -> dict[UUID, GameView]:
        """Return these games as far as they are the tenant's."""
        games = await self._store.many(game_ids)
        entries = await self._lobby.read_many(tenant, games)
        return {
            game_id: GameView(game, open_seats(entries[game_id], game))
            for game_id, game in games.items()
            if game.terms.tenant == tenant
        }


def visible(view: GameView, player: str | None) -> bool:
    """Whether a player watches a game: open ones, and his own until they are over."""
    match view.game.status:
        case Status.OPEN:
            # Without anybody in it, it is about to be closed.
            return bool(view.seats)
        case Status.STARTING | Status.PLAYING:
            return player is not None and view.has(player)
        case Status.OPENING | Status.FINISHED | Status.CLOSED | Status.VOIDED:
            return False


def _free(view: GameView, variant: Variant | None) -> bool:
    fits = variant is None or view.game.terms.rules.variant is variant
    return fits and view.game.status is Status.OPEN and 0 < len(view.seats) < len(SEATS)
