"""What the tables rely on in matchmaking's record of results, held by the real one and by the fake."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import grpc
import pytest

from contract.history import FakeHistory
from jasshaus.api.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from jasshaus.contracts.rules import rule_set_to_proto
from jasshaus.platform.auth import mint_token
from jasshaus.rules.core.options import PRESETS
from matchmaking.harness import FOUR, SECRET, harness_of, new_id, refused

WON = matchmaking_pb2.GameResult(winning_seats=[0, 2], points=[1010, 800])
LOST = matchmaking_pb2.GameResult(winning_seats=[1, 3], points=[800, 1010])

Report = Callable[..., Awaitable[object]]
CLASSIC = rule_set_to_proto(PRESETS["schieber-classic"], "schieber-classic")


@pytest.fixture(params=["fake", "real"])
async def report(request: pytest.FixtureRequest) -> AsyncIterator[Report]:
    """How a table reports what became of one game in play."""
    if request.param == "fake":
        async with FakeHistory().serve() as address, grpc.aio.insecure_channel(address) as channel:
            yield reporter(channel, new_id(), new_id())
        return
    dsn, redis_url = request.getfixturevalue("matchmaking_dsn"), request.getfixturevalue("redis_url")
    async with harness_of(dsn, redis_url) as place, place.front() as front:
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


# What a table reports of its game, after matchmaking's database was taken back in time.


@pytest.fixture(params=["fake", "real"])
async def tables(request: pytest.FixtureRequest) -> AsyncIterator[matchmaking_pb2_grpc.HistoryServiceStub]:
    """The record as a table calls it, of which one game's row is lost: the one that LOST names."""
    if request.param == "fake":
        fake = FakeHistory()
        fake.lose(LOST_GAME, AT)
        async with fake.serve() as address, grpc.aio.insecure_channel(address) as channel:
            yield matchmaking_pb2_grpc.HistoryServiceStub(channel)
        return
    dsn, redis_url = request.getfixturevalue("matchmaking_dsn"), request.getfixturevalue("redis_url")
    async with harness_of(dsn, redis_url) as place, place.front() as front:
        yield matchmaking_pb2_grpc.HistoryServiceStub(front.channel)


LOST_GAME = "5f3d0f1a-8a53-4b55-9d3b-0a7a1f3a0c11"
AT = "7ab1e000-0000-4000-8000-000000000001"
SERVICE = (("authorization", f"Bearer {mint_token(SECRET, 'table', ['service'])}"),)


def reported(**fields: object) -> matchmaking_pb2.RestoreGameRequest:
    request = {
        "game_id": LOST_GAME,
        "table_id": AT,
        "tenant": "default",
        "seats": [
            matchmaking_pb2.RestoredSeat(seat=seat, player_id=name, reservation_id=new_id())
            for seat, name in enumerate(FOUR)
        ],
        "rule_set": CLASSIC,
    }
    return matchmaking_pb2.RestoreGameRequest(**{**request, **fields})


async def test_a_lost_row_is_written_once_and_then_takes_the_result(tables):
    result = matchmaking_pb2.ReportMatchRequest(game_id=LOST_GAME, table_id=AT, tenant="default", result=WON)
    with refused("GAME_NOT_FOUND", grpc.StatusCode.NOT_FOUND):
        await tables.ReportMatch(result, metadata=SERVICE)
    assert (await tables.RestoreGame(reported(), metadata=SERVICE)).restored
    assert not (await tables.RestoreGame(reported(), metadata=SERVICE)).restored
    await tables.ReportMatch(result, metadata=SERVICE)


async def test_a_game_without_a_stake_that_is_over_is_not_restored(tables):
    await tables.RestoreGame(reported(), metadata=SERVICE)
    await tables.ReportMatch(
        matchmaking_pb2.ReportMatchRequest(game_id=LOST_GAME, table_id=AT, tenant="default", result=WON),
        metadata=SERVICE,
    )
    for table_id in (AT, new_id()):
        with refused("GAME_CONFLICT", grpc.StatusCode.FAILED_PRECONDITION):
            await tables.RestoreGame(reported(table_id=table_id), metadata=SERVICE)


async def test_a_match_that_no_game_names_is_told_until_its_row_is_there(tables):
    request = matchmaking_pb2.CheckMatchesRequest(table_ids=[AT])
    assert list((await tables.CheckMatches(request, metadata=SERVICE)).table_ids) == [AT]
    await tables.RestoreGame(reported(), metadata=SERVICE)
    assert not (await tables.CheckMatches(request, metadata=SERVICE)).table_ids


async def test_a_thousand_matches_are_checked_at_once(tables):
    request = matchmaking_pb2.CheckMatchesRequest(table_ids=[AT] * 1000)
    await tables.CheckMatches(request, metadata=SERVICE)
    request.table_ids.append(AT)
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT):
        await tables.CheckMatches(request, metadata=SERVICE)


async def test_four_seats_are_reported(tables):
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT):
        await tables.RestoreGame(reported(seats=[]), metadata=SERVICE)
