"""Follows a lobby stream in tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from matchmaking.harness import Player


class Watch:
    """What one stream has said."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.games: dict[str, pb.Game] = {}
        self.snapshots = 0

    async def next(self, seconds: float = 10) -> pb.WatchLobbyResponse:
        async with asyncio.timeout(seconds):
            update = await self.call.read()
        match update.WhichOneof("update"):
            case "snapshot":
                self.snapshots += 1
                self.games = {game.game_id: game for game in update.snapshot.games}
            case "game":
                self.games[update.game.game_id] = update.game
        return update

    async def until(self, game: pb.Game, status: int) -> pb.Game:
        while game.game_id not in self.games or self.games[game.game_id].status != status:
            await self.next()
        return self.games[game.game_id]


@asynccontextmanager
async def watching(player: Player) -> AsyncIterator[Watch]:
    watch = Watch(player.watch())
    assert (await watch.next()).HasField("snapshot")
    yield watch
    watch.call.cancel()
