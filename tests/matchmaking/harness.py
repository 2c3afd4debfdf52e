"""Runs matchmaking for tests: its real parts, Redis and PostgreSQL; wallet and tables are fakes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

import grpc
import pytest
from prometheus_client import CollectorRegistry

from contract.pots import FakeWallet
from contract.tables import FakeTables
from jasshaus.api.common.v1 import money_pb2
from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.api.matchmaking.v1 import matchmaking_pb2_grpc as pb_grpc
from jasshaus.matchmaking.config import Config
from jasshaus.matchmaking.games.saga import store_fault
from jasshaus.matchmaking.rows.store import Intervals
from jasshaus.matchmaking.servicer import SERVICES
from jasshaus.matchmaking.wiring import Edges, Matchmaking, assemble, edges
from jasshaus.platform.access import ACCESS, methods_of
from jasshaus.platform.auth import Verifier, mint_token
from jasshaus.platform.config import read_config
from jasshaus.platform.errors import Fault, from_rpc_error
from jasshaus.platform.interceptor import RpcInterceptor
from jasshaus.platform.metrics import RpcMetrics
from jasshaus.platform.stopping import Stopping

SECRET = "a secret for tests, of 32 bytes and more"
FOUR = ("anna", "beat", "cla", "dora")
AT_ONCE = Intervals(audit=0.0, retry=0.0, look=0.0, missing=0.0, lease=0.0)
"""Every game is due in every pass."""

OPEN = pb.GAME_STATUS_OPEN
STARTING = pb.GAME_STATUS_STARTING
PLAYING = pb.GAME_STATUS_PLAYING
FINISHED = pb.GAME_STATUS_FINISHED
CLOSED = pb.GAME_STATUS_CLOSED
VOIDED = pb.GAME_STATUS_VOIDED


def new_id() -> str:
    return str(uuid4())


def chf(minor_units: int) -> money_pb2.Amount:
    return money_pb2.Amount(currency_code="CHF", minor_units=minor_units)


@dataclass(slots=True)
class Player:
    """A player's client."""

    name: str
    lobby: pb_grpc.LobbyServiceStub
    metadata: tuple[tuple[str, str], ...]

    async def call(self, method: str, request: Any) -> Any:
        return await getattr(self.lobby, method)(request, metadata=self.metadata, timeout=20)

    async def open(self, stake: int = 100, *, request_id: str = "", **fields: Any) -> pb.Game:
        fields.setdefault("preset", "schieber-classic")
        request = pb.OpenGameRequest(request_id=request_id or new_id(), stake=chf(stake), **fields)
        return (await self.call("OpenGame", request)).game

    async def join(
        self, game: pb.Game | str, seat: int | None = None, *, request_id: str = ""
    ) -> pb.JoinGameResponse:
        return await self.call(
            "JoinGame", pb.JoinGameRequest(request_id=request_id or new_id(), game_id=_id(game), seat=seat)
        )

    async def leave(self, game: pb.Game | str, *, request_id: str = "") -> pb.Game:
        request = pb.LeaveGameRequest(request_id=request_id or new_id(), game_id=_id(game))
        return (await self.call("LeaveGame", request)).game

    async def get(self, game: pb.Game | str) -> pb.Game:
        return (await self.call("GetGame", pb.GetGameRequest(game_id=_id(game)))).game

    async def list(self, **fields: Any) -> pb.ListOpenGamesResponse:
        return await self.call("ListOpenGames", pb.ListOpenGamesRequest(**fields))

    async def listed(self) -> list[str]:
        return [game.game_id for game in (await self.list()).games]

    def watch(self) -> Any:
        return self.lobby.WatchLobby(pb.WatchLobbyRequest(), metadata=self.metadata)


def _id(game: pb.Game | str) -> str:
    return game if isinstance(game, str) else game.game_id


@dataclass(slots=True)
class Front:
    """A replica of matchmaking at an address, and what it is made of."""

    address: str
    channel: grpc.aio.Channel
    parts: Matchmaking
    edge: Edges
    config: Config
    stopping: Stopping
    registry: CollectorRegistry

    def player(self, name: str, tenant: str = "default", role: str = "player") -> Player:
        token = mint_token(SECRET, name, [role], tenant)
        stub = pb_grpc.LobbyServiceStub(self.channel)
        return Player(name, stub, (("authorization", f"Bearer {token}"),))

    def players(self, *names: str) -> list[Player]:
        return [self.player(name) for name in names or FOUR]

    async def report(
        self, game: pb.Game, table_id: str = "", *, tenant: str = "default", **fields: Any
    ) -> None:
        token = mint_token(SECRET, "table", ["service"])
        request = pb.ReportMatchRequest(
            table_id=table_id or game.table_id, game_id=game.game_id, tenant=tenant, **fields
        )
        stub = pb_grpc.HistoryServiceStub(self.channel)
        await stub.ReportMatch(request, metadata=(("authorization", f"Bearer {token}"),), timeout=10)

    async def reconcile(self, passes: int = 3) -> None:
        for _ in range(passes):
            await self.parts.reconciler.once()

    def metric(self, name: str, **labels: str) -> float:
        return self.registry.get_sample_value(name, labels) or 0.0


@dataclass(slots=True)
class Harness:
    """What several replicas share."""

    config: Config
    wallet: FakeWallet
    tables: FakeTables
    registry: CollectorRegistry

    @asynccontextmanager
    async def front(self, intervals: Intervals = AT_ONCE, **settings: Any) -> AsyncIterator[Front]:
        config = replace(self.config, **settings)
        stopping, registry = Stopping(), CollectorRegistry()
        async with edges(config) as edge:
            parts = assemble(config, edge, stopping, intervals, registry)
            rpc = RpcInterceptor(
                Verifier(dev_secret=SECRET), ACCESS, RpcMetrics(methods_of(SERVICES), registry), store_fault
            )
            server = grpc.aio.server(interceptors=[rpc])
            parts.register(server)
            port = server.add_insecure_port("127.0.0.1:0")
            await server.start()
            feed = asyncio.ensure_future(parts.feed.run(stopping))
            address = f"127.0.0.1:{port}"
            async with grpc.aio.insecure_channel(address) as channel:
                try:
                    yield Front(address, channel, parts, edge, config, stopping, registry)
                finally:
                    stopping.drain()
                    await server.stop(5)
                    stopping.finish()
                    await parts.work.drain(stopping)
                    await feed


@asynccontextmanager
async def harness_of(dsn: str, redis_url: str, **settings: str) -> AsyncIterator[Harness]:
    wallet, tables = FakeWallet(), FakeTables()
    async with wallet.serve() as wallet_address, tables.serve() as table_address:
        environ = {
            "JASSHAUS_MODE": "development",
            "JASSHAUS_DEV_SECRET": SECRET,
            "JASSHAUS_SERVICE_TOKEN": mint_token(SECRET, "matchmaking", ["service"]),
            "JASSHAUS_POSTGRES_DSN": dsn,
            "JASSHAUS_REDIS_URL": redis_url,
            "JASSHAUS_WALLET_ADDRESS": wallet_address,
            "JASSHAUS_TABLE_ADDRESS": table_address,
            # Tests of other things open and leave as often as they need to.
            "JASSHAUS_LOBBY_REFILL": "0",
            **settings,
        }
        yield Harness(read_config(Config, environ), wallet, tables, CollectorRegistry())


@contextmanager
def refused(reason: str, code: grpc.StatusCode | None = None) -> Iterator[list[Fault]]:
    """The call inside is refused for this reason; the fault is put into the list."""
    found: list[Fault] = []
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        yield found
    fault = from_rpc_error(caught.value)
    assert fault is not None, caught.value
    assert fault.reason == reason, fault
    if code is not None:
        assert fault.code is code
    found.append(fault)
