"""Reads several games at once: all open ones, a player's own, those that changed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Final
from uuid import UUID

from jasshaus.matchmaking.domain import GameView
from jasshaus.matchmaking.lobby.board import Notice, visible
from jasshaus.matchmaking.lobby.store import Lobby, member_id, view_of
from jasshaus.matchmaking.lobby.sync import LobbySync
from jasshaus.matchmaking.rows.store import GameStore

_CHUNK: Final = 100
"""Games read at once, so that other calls do not wait for long."""


class Listing:
    """Games as players see them. The rows decide; the lobby provides order and seats."""

    def __init__(self, store: GameStore, lobby: Lobby, sync: LobbySync) -> None:
        self._store = store
        self._lobby = lobby
        self._sync = sync

    async def revision(self, tenant: str) -> int:
        """Return the revision of the tenant's lobby, which is restored if it is lost."""
        ready, revision = await self._lobby.state(tenant)
        if ready:
            return revision
        await self._sync.restore(tenant)
        return await self._lobby.revision(tenant)

    async def open_games(self, tenant: str) -> AsyncIterator[GameView]:
        """Yield the games in the lobby, newest first."""
        after = ""
        while True:
            members = await self._lobby.open_games(tenant, after, _CHUNK)
            for view in (await self.views(tenant, map(member_id, members))).values():
                yield view
            if len(members) < _CHUNK:
                return
            after = members[-1]

    async def row_changes(self, tenant: str) -> dict[UUID, int]:
        """Return the version of each open game's row."""
        return await self._store.open_changes(tenant)

    async def snapshot(self, tenant: str, player: str | None, open_games: Sequence[Notice]) -> list[Notice]:
        """Return the open games and all that the player sits in, newest first."""
        if not player:
            return list(open_games)
        notices = {notice.game_id: notice for notice in open_games}
        own = await self._lobby.games_of(tenant, player)
        views = await self.views(tenant, own.difference(notices))
        over = [game_id for game_id, view in views.items() if view.game.status.over]
        if over:
            # Redis lost its last writes, including this player's leave.
            await self._lobby.drop_membership(tenant, player, over)
        more = [Notice.of(view) for view in views.values() if visible(view, player)]
        if not more:
            return list(open_games)
        return sorted([*open_games, *more], key=lambda notice: notice.order, reverse=True)

    async def views(self, tenant: str, game_ids: Iterable[UUID]) -> dict[UUID, GameView]:
        """Return those of these games that belong to the tenant."""
        games = await self._store.many(game_ids)
        entries = await self._lobby.read_many(tenant, games)
        return {
            game_id: view_of(game, entries[game_id])
            for game_id, game in games.items()
            if game.terms.tenant == tenant
        }
