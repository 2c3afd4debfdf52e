"""Defines `Jasshaus`, one caller's connection to the three services."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import grpc

from jasshaus.client.connection import Connection, Patience, Token
from jasshaus.client.lobby import LobbyCalls
from jasshaus.client.table import TableCalls
from jasshaus.client.wallet import WalletCalls


class Jasshaus:
    """The three services for one caller: `lobby`, `table`, `wallet`.

        async with Jasshaus(matchmaking="127.0.0.1:7001", table="127.0.0.1:7002", wallet="127.0.0.1:7003",
                            token=token) as jass:
            game = await jass.lobby.open_game("schieber-partner")
            await jass.table.play(await jass.lobby.wait_for_table(game.game_id), choose)

    Addresses are host:port (or unix:path); behind one edge they are all the same. `token` is a JWT, or a
    coroutine function that returns one. With `credentials`, connections are encrypted.
    """

    def __init__(
        self,
        *,
        matchmaking: str,
        table: str,
        wallet: str,
        token: Token,
        patience: Patience | None = None,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        patience = patience or Patience()
        self._connections = {
            address: Connection(address, token, patience, credentials)
            for address in (matchmaking, table, wallet)
        }
        self.lobby = LobbyCalls(self._connections[matchmaking])
        self.table = TableCalls(self._connections[table])
        self.wallet = WalletCalls(self._connections[wallet])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        for connection in self._connections.values():
            await connection.close()
