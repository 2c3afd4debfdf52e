"""Redis changes places under the lobby: people join, leave and watch as before, at the new primary."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import grpc
import pytest

from failover.redis_pair import RedisPair
from failover.relay import Relay
from failover.test_redis import SWITCHES, switched
from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.platform.errors import from_rpc_error
from matchmaking.harness import FOUR, PLAYING, Harness, harness_of

T = TypeVar("T")


@pytest.fixture
async def place(matchmaking_dsn: str, relay_url: str) -> AsyncIterator[Harness]:
    async with harness_of(matchmaking_dsn, relay_url) as built:
        built.wallet.fund(*FOUR, amount=1000)
        yield built


async def soon(call: Callable[[], Awaitable[T]], seconds: float = 10.0) -> T:
    async with asyncio.timeout(seconds):
        while True:
            try:
                return await call()
            except grpc.aio.AioRpcError as error:
                fault = from_rpc_error(error)
                assert fault is not None
                assert fault.reason == "STORE_UNAVAILABLE"
            await asyncio.sleep(0.05)


def taken(game: pb.Game) -> int:
    return sum(1 for seat in game.seats if seat.player_id)


async def heard(watching: Any, game_id: str, seats: int) -> None:
    """Return when a stream has told of a game with so many seats taken."""
    async with asyncio.timeout(15):
        while True:
            update = await watching.read()
            games = update.snapshot.games if update.HasField("snapshot") else [update.game]
            if any(game.game_id == game_id and taken(game) == seats for game in games):
                return


@SWITCHES
async def test_the_lobby_goes_on_where_the_name_leads(
    pair: RedisPair, relay: Relay, place: Harness, switch: Callable[[RedisPair], None]
) -> None:
    async with place.front() as front:
        anna, beat, cla, dora = front.players()
        game = await anna.open()
        watching = beat.watch()
        await heard(watching, game.game_id, 1)
        await switched(pair, relay, switch)
        await soon(lambda: beat.join(game))
        await heard(watching, game.game_id, 2)
        await front.edge.lobby.ping()
        assert await dora.listed() == [game.game_id]
        await soon(lambda: cla.join(game))
        await heard(watching, game.game_id, 3)
        await soon(lambda: dora.join(game))
        await front.reconcile()
        assert (await anna.get(game)).status == PLAYING
        assert pair.second.client.exists("{lobby:default}:ready")


async def test_a_stream_alone_follows_the_name(pair: RedisPair, relay: Relay, place: Harness) -> None:
    async with place.front() as front, place.front() as other:
        anna, beat, *_ = front.players()
        game = await anna.open()
        watching = other.player("dora").watch()
        await heard(watching, game.game_id, 1)
        # The former primary stays one, for whoever is still connected to it.
        pair.second.promote()
        relay.target = pair.second.port
        await front.edge.lobby.ping()
        await other.edge.lobby.ping()
        await soon(lambda: beat.join(game))
        await heard(watching, game.game_id, 2)
