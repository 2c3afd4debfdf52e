"""Calls to matchmaking: the catalog, open games, seats."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final
from uuid import uuid4

from jasshaus.api.common.v1.card_pb2 import Deck
from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.common.v1.rules_pb2 import RuleSet, Variant
from jasshaus.api.matchmaking.v1.matchmaking_pb2 import (
    Game,
    GameStatus,
    GetCatalogRequest,
    GetCatalogResponse,
    GetGameRequest,
    JoinGameRequest,
    JoinGameResponse,
    LeaveGameRequest,
    ListOpenGamesRequest,
    ListOpenGamesResponse,
    OpenGameRequest,
    WatchLobbyRequest,
    WatchLobbyResponse,
)
from jasshaus.api.matchmaking.v1.matchmaking_pb2_grpc import LobbyServiceStub
from jasshaus.client.connection import Connection
from jasshaus.client.streams import follow

_ENDED: Final = (
    GameStatus.GAME_STATUS_FINISHED,
    GameStatus.GAME_STATUS_CLOSED,
    GameStatus.GAME_STATUS_VOIDED,
)


class LobbyCalls:
    """Open games: find one, join it, leave it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._stub = LobbyServiceStub(connection.channel)

    async def get_catalog(
        self, language_code: str = "", deck: Deck.ValueType = Deck.DECK_SWISS
    ) -> GetCatalogResponse:
        """Return the catalog: presets (described in words if a language is given) and stakes."""
        request = GetCatalogRequest(language_code=language_code, deck=deck)
        return await self._connection.call(self._stub.GetCatalog, request)

    async def open_game(
        self,
        preset: str,
        *,
        stake: Amount | None = None,
        overrides: RuleSet | None = None,
        seat: int | None = None,
        request_id: str | None = None,
    ) -> Game:
        """Open a game, take a seat and pay the stake; `overrides` are options that differ from the preset."""
        request = OpenGameRequest(
            request_id=request_id or str(uuid4()), preset=preset, overrides=overrides, stake=stake, seat=seat
        )
        return (await self._connection.call(self._stub.OpenGame, request)).game

    async def list_open_games(
        self,
        *,
        variant: Variant.ValueType = Variant.VARIANT_UNSPECIFIED,
        page_size: int = 0,
        page_token: str = "",
    ) -> ListOpenGamesResponse:
        """Return one page of games with a free seat, newest first."""
        request = ListOpenGamesRequest(variant=variant, page_size=page_size, page_token=page_token)
        return await self._connection.call(self._stub.ListOpenGames, request)

    async def join_game(
        self, game_id: str, *, seat: int | None = None, request_id: str | None = None
    ) -> JoinGameResponse:
        """Take a seat (default: any free one) and pay the stake. Taking the last seat starts the table."""
        request = JoinGameRequest(request_id=request_id or str(uuid4()), game_id=game_id, seat=seat)
        return await self._connection.call(self._stub.JoinGame, request)

    async def leave_game(self, game_id: str, *, request_id: str | None = None) -> Game:
        """Give up the seat and get the stake back, as long as the game has not started."""
        request = LeaveGameRequest(request_id=request_id or str(uuid4()), game_id=game_id)
        return (await self._connection.call(self._stub.LeaveGame, request)).game

    async def get_game(self, game_id: str) -> Game:
        """Return a game, even if it has started or ended."""
        return (await self._connection.call(self._stub.GetGame, GetGameRequest(game_id=game_id))).game

    async def watch_lobby(self) -> AsyncGenerator[WatchLobbyResponse.Snapshot | Game, None]:
        """Yield the lobby indefinitely: a Snapshot first and after reconnects, then each Game that changed.

        A Snapshot replaces everything known. Raises JassError: a refusal at once, Unavailable after
        `patience.stream` without an answer.
        """
        messages = follow(self._connection, self._stub.WatchLobby, WatchLobbyRequest)
        async with aclosing(messages):
            async for message in messages:
                match message.WhichOneof("update"):
                    case "snapshot":
                        yield message.snapshot
                    case "game":
                        yield message.game
                    case _:
                        pass

    async def wait_for_table(self, game_id: str) -> str:
        """Wait until the caller's game has started; return its table id.

        Raises JassError like `watch_lobby`, and LookupError if the game ended without a table.
        """
        async with aclosing(self.watch_lobby()) as updates:
            version = 0
            async for update in updates:
                games = update.games if isinstance(update, WatchLobbyResponse.Snapshot) else [update]
                game = next((each for each in games if each.game_id == game_id), None)
                if game is None and isinstance(update, WatchLobbyResponse.Snapshot):
                    game = await self.get_game(game_id)
                if game is None or game.version < version:
                    # The answer was faster than the stream, and is newer.
                    continue
                version = game.version
                if game.table_id:
                    return game.table_id
                if game.status in _ENDED:
                    break
        raise LookupError(f"game {game_id} ended without a table")
