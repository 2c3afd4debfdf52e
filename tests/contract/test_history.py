"""What the tables rely on in matchmaking's record of results, held by the real one and by the fake."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import grpc
import pytest

from contract.history import FakeHistory
from jasshaus.api.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from jasshaus.platform.auth import mint_token
from matchmaking.harness import FOUR, SECRET, house, new_id, refused

WON = matchmaking_pb2.GameResult(winning_seats=[0, 2], points=[1010, 800])
LOST = matchmaking_pb2.GameResult(winning_seats=[1, 3], points=[800, 1010])

Report = Callable[..., Awaitable[object]]


@pytest.fixture(params=["fake", "real"])
async def report(request: pytest.FixtureRequest) -> AsyncIterator[Report]:
    """How a table reports what became of one game in play."""
    if request.param == "fake":
        async with FakeHistory().serve() as address, grpc.aio.insecure_channel(address) as channel:
            yield reporter(channel, new_id(), new_id())
        return
    dsn, redis_url = request.getfixturevalue("matchmaking_dsn"), request.getfixturevalue("redis_url")
    async with house(dsn, redis_url) as place, place.front() as front:
        game = await front.player(FOUR[0]).open(0)
        for name in FOUR[1:]:
            game = (await front.player(name).join(game)).game
        yield reporter(front.channel, game.game_id, game.table_id)


def reporter(channel: grpc.aio.Channel, game_id: str, table_id: str) -> Report:
    stub = matchmaking_pb2_grpc.HistoryServiceStub(channel)
    metadata = (("authorization", f"Bearer {mint_token(SECRET, 'table', ['service'])}"),)

    def report(**fields: object) -> Awaitable[object]:
        request = matchmaking_pb2.ReportMatchRequest(
            game_id=game_id, table_id=table_id, tenant="default", **fields
        )
        return stub.ReportMatch(request, metadata=metadata, timeout=10)

    return report


async def test_the_same_result_may_come_again(report):
    for _ in range(2):
        await report(result=WON)


async def test_a_void_match_may_come_again(report):
    for _ in range(2):
        await report(voided=True)


async def test_the_first_result_stands(report):
    await report(result=WON)
    with refused("RESULT_CONFLICT", grpc.StatusCode.FAILED_PRECONDITION):
        await report(result=LOST)
    with refused("RESULT_CONFLICT", grpc.StatusCode.FAILED_PRECONDITION):
        await report(voided=True)
    await report(result=WON)


async def test_a_result_names_who_won(report):
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT):
        await report(result=matchmaking_pb2.GameResult())
    await report(result=WON)
