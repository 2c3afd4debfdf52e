"""The way of a game: opened, joined, left, started, reported."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from matchmaking.harness import (
    CLOSED,
    FINISHED,
    FOUR,
    OPEN,
    PLAYING,
    VOIDED,
    Front,
    Harness,
    chf,
    new_id,
    refused,
)


def seated(game: pb.Game) -> list[str]:
    return [seat.player_id for seat in game.seats]


async def test_four_players_start_a_table(place: Harness, front: Front):
    anna, beat, cla, dora = front.players()
    game = await anna.open(100)
    assert (game.status, seated(game), game.table_id) == (OPEN, ["anna", "", "", ""], "")
    assert game.quote.fee.minor_units == 10
    await beat.join(game)
    await cla.join(game, seat=3)
    joined = await dora.join(game)
    assert joined.seat == 2
    assert (joined.game.status, seated(joined.game)) == (PLAYING, ["anna", "beat", "dora", "cla"])
    assert list(place.tables.tables) == [joined.game.table_id]
    assert [place.wallet.balance(name) for name in FOUR] == [900] * 4
    assert await anna.listed() == []
    assert (await anna.get(game)) == joined.game


async def test_a_game_without_a_stake_needs_no_wallet(place: Harness, front: Front):
    place.wallet.down = True
    anna, *others = front.players()
    game = await anna.open(0)
    assert not game.HasField("quote")
    for player in others:
        game = (await player.join(game)).game
    assert game.status == PLAYING
    assert place.wallet.calls == []
    (request,) = [request for method, request in place.tables.calls if method == "CreateTable"]
    assert not request.HasField("stake")


@pytest.mark.parametrize("stake", [0, 100])
async def test_leaving_gives_the_seat_and_the_stake_back(place: Harness, front: Front, stake: int):
    anna, beat, *_ = front.players()
    game = await anna.open(stake)
    await beat.join(game, seat=1)
    left = await beat.leave(game)
    assert (left.status, seated(left)) == (OPEN, ["anna", "", "", ""])
    assert place.wallet.balance("beat") == 1000
    again = await beat.join(game, seat=1)
    assert seated(again.game) == ["anna", "beat", "", ""]
    assert place.wallet.balance("beat") == 1000 - stake


@pytest.mark.parametrize("stake", [0, 100])
async def test_the_last_to_leave_closes_the_game(place: Harness, front: Front, stake: int):
    anna = front.player("anna")
    game = await anna.open(stake)
    assert (await anna.leave(game)).status == CLOSED
    assert await anna.listed() == []
    assert place.wallet.balance("anna") == 1000
    with refused("GAME_NOT_OPEN", grpc.StatusCode.FAILED_PRECONDITION):
        await front.player("beat").join(game)


async def test_who_started_cannot_leave(front: Front):
    anna, *others = front.players()
    game = await anna.open(100)
    for player in others:
        await player.join(game)
    with refused("GAME_STARTED"):
        await anna.leave(game)
    with refused("NOT_SEATED"):
        await front.player("emil").leave(game)


async def test_a_player_without_money_is_refused_and_joins_after_a_deposit(place: Harness, front: Front):
    anna, emil = front.players("anna", "emil")
    game = await anna.open(100)
    first = new_id()
    with refused("INSUFFICIENT_FUNDS", grpc.StatusCode.FAILED_PRECONDITION):
        await emil.join(game, request_id=first)
    assert seated(await anna.get(game)) == ["anna", "", "", ""]
    place.wallet.fund("emil", amount=100)
    with refused("INSUFFICIENT_FUNDS"):
        await emil.join(game, request_id=first)
    assert (await emil.join(game)).seat == 1


async def test_who_tries_again_and_again_without_money_leaves_the_seat_to_others(
    place: Harness, front: Front
):
    anna, emil, beat = front.players("anna", "emil", "beat")
    game, other = await anna.open(100), await anna.open(100)
    for _ in range(3):
        with refused("INSUFFICIENT_FUNDS"):
            await emil.join(game, 1)
    asked = place.wallet.count("HoldStake")
    request_id = new_id()
    with refused("RATE_LIMITED", grpc.StatusCode.RESOURCE_EXHAUSTED) as faults:
        await emil.join(game, 1, request_id=request_id)
    assert 0 < faults[0].retry_after <= 3
    assert place.wallet.count("HoldStake") == asked
    assert (await beat.join(game, 1)).seat == 1
    # They may try elsewhere, and here again after the pause, with the same request.
    place.wallet.fund("emil", amount=200)
    await emil.join(other)
    await asyncio.sleep(faults[0].retry_after)
    assert (await emil.join(game, request_id=request_id)).seat == 2


async def test_each_refusal_makes_the_pause_longer(front: Front):
    anna, emil = front.players("anna", "emil")
    game = await anna.open(100)
    key = f"{{lobby:default}}:cool:{game.game_id}:emil"
    pauses = []
    for _ in range(10):
        with refused("INSUFFICIENT_FUNDS"):
            await emil.join(game)
        now, _ = await front.edge.redis.time()
        pauses.append(round(int(await front.edge.redis.hget(key, "until")) / 1000 - now))
        await front.edge.redis.hset(key, "until", 0)
    assert [max(0, pause) // 2 for pause in pauses] == [0, 0, 1, 2, 4, 8, 16, 30, 30, 30]
    assert 60 < await front.edge.redis.ttl(key) <= 120


async def test_a_refusal_is_remembered_for_an_hour_and_a_seat_for_a_day(front: Front):
    anna, beat, emil = front.players("anna", "beat", "emil")
    game = await anna.open(100)
    await beat.join(game)
    before = await front.edge.redis.keys("*request:*")
    with refused("INSUFFICIENT_FUNDS"):
        await emil.join(game)
    (key,) = set(await front.edge.redis.keys("*request:*")).difference(before)
    assert 3500 < await front.edge.redis.ttl(key) <= 3600
    assert {await front.edge.redis.ttl(each) > 80_000 for each in before} == {True}


async def test_an_opener_without_money_leaves_nothing_behind(place: Harness, front: Front):
    emil = front.player("emil")
    request_id = new_id()
    with refused("INSUFFICIENT_FUNDS"):
        await emil.open(100, request_id=request_id)
    (pot,) = place.wallet.pots
    assert place.wallet.pot(pot).state == 4
    assert await emil.listed() == []
    place.wallet.fund("emil", amount=100)
    with refused("INSUFFICIENT_FUNDS"):
        await emil.open(100, request_id=request_id)
    assert (await emil.open(100)).status == OPEN


async def test_the_same_request_gives_the_first_answer(place: Harness, front: Front):
    anna, beat, *_ = front.players()
    opening, joining, leaving = new_id(), new_id(), new_id()
    game = await anna.open(100, request_id=opening)
    assert await anna.open(100, request_id=opening) == game
    first = await beat.join(game, request_id=joining)
    assert await beat.join(game, request_id=joining) == first
    assert place.wallet.balance("beat") == 900
    left = await beat.leave(game, request_id=leaving)
    assert await beat.leave(game, request_id=leaving) == left
    assert place.wallet.balance("beat") == 1000


async def test_the_same_leave_does_not_leave_a_later_seat(front: Front):
    anna, beat, *_ = front.players()
    game = await anna.open(100)
    leaving = new_id()
    await beat.join(game)
    await beat.leave(game, request_id=leaving)
    await beat.join(game, seat=2)
    assert seated(await beat.leave(game, request_id=leaving)) == ["anna", "", "beat", ""]


async def test_a_request_id_is_good_for_one_body(front: Front):
    anna, beat, *_ = front.players()
    request_id = new_id()
    game = await anna.open(100, request_id=request_id)
    with refused("REQUEST_ID_REUSED", grpc.StatusCode.FAILED_PRECONDITION):
        await anna.open(200, request_id=request_id)
    with refused("REQUEST_ID_REUSED"):
        await anna.leave(game, request_id=request_id)
    other = await anna.open(0)
    joining = new_id()
    await beat.join(game, request_id=joining)
    with refused("REQUEST_ID_REUSED"):
        await beat.join(game, seat=3, request_id=joining)
    with refused("REQUEST_ID_REUSED"):
        await beat.join(other, request_id=joining)
    with refused("REQUEST_ID_REUSED"):
        await beat.leave(game, request_id=joining)
    with refused("REQUEST_ID_REUSED"):
        await beat.open(100, request_id=joining)


async def test_a_request_id_belongs_to_its_player(front: Front):
    anna, beat, cla, _ = front.players()
    game = await anna.open(100)
    request_id = new_id()
    assert (await beat.join(game, request_id=request_id)).seat == 1
    assert (await cla.join(game, request_id=request_id)).seat == 2


async def test_one_seat_a_player(front: Front):
    anna, *_ = front.players()
    game = await anna.open(100)
    with refused("ALREADY_SEATED"):
        await anna.join(game, seat=2)


async def test_a_taken_seat_is_refused(front: Front):
    anna, beat, *_ = front.players()
    game = await anna.open(100, seat=2)
    assert game.seats[2].player_id == "anna"
    with refused("SEAT_TAKEN"):
        await beat.join(game, seat=2)


async def test_a_player_sits_in_so_many_games_only(place: Harness, front: Front):
    anna, beat, *_ = front.players()
    games = [await anna.open(0) for _ in range(4)]
    with refused("TOO_MANY_GAMES", grpc.StatusCode.RESOURCE_EXHAUSTED):
        await anna.open(0)
    other = await beat.open(0)
    with refused("TOO_MANY_GAMES"):
        await anna.join(other)
    await anna.leave(games[0])
    assert (await anna.join(other)).seat == 1


async def test_an_expired_game_closes_and_pays_back(place: Harness):
    async with place.front(game_ttl=0.2) as front:
        anna, beat, *_ = front.players()
        game = await anna.open(100)
        await beat.join(game)
        await asyncio.sleep(0.25)
        await front.reconcile()
        assert (await anna.get(game)).status == CLOSED
        assert [place.wallet.balance(name) for name in FOUR[:2]] == [1000, 1000]
        assert await anna.listed() == []


async def test_another_tenant_sees_nothing(front: Front):
    anna, stranger = front.player("anna"), front.player("beat", tenant="other")
    game = await anna.open(0)
    for call in (stranger.get(game), stranger.join(game), stranger.leave(game)):
        with refused("GAME_NOT_FOUND", grpc.StatusCode.NOT_FOUND):
            await call
    assert await stranger.listed() == []
    with refused("GAME_NOT_FOUND"):
        await front.report(game, new_id(), tenant="other", voided=True)


async def started(front: Front, stake: int = 100) -> pb.Game:
    anna, *others = front.players()
    game = await anna.open(stake)
    for player in others:
        game = (await player.join(game)).game
    return game


def won(points: tuple[int, ...] = (1010, 800)) -> pb.GameResult:
    return pb.GameResult(winning_seats=[0, 2], payouts=[chf(195), chf(195)], fee=chf(10), points=points)


async def test_a_result_is_recorded_once(front: Front):
    anna = front.player("anna")
    game = await started(front)
    await front.report(game, result=won())
    await front.report(game, result=won())
    over = await anna.get(game)
    assert over.status == FINISHED
    assert list(over.result.winning_seats) == [0, 2]
    assert over.result.fee.minor_units == 10
    with refused("RESULT_CONFLICT", grpc.StatusCode.FAILED_PRECONDITION):
        await front.report(
            game, result=pb.GameResult(winning_seats=[1, 3], payouts=[chf(195), chf(195)], fee=chf(10))
        )
    with refused("RESULT_CONFLICT"):
        await front.report(game, voided=True)
    assert (await anna.open(0)).status == OPEN


async def test_a_voided_match_is_recorded(front: Front):
    game = await started(front)
    await front.report(game, voided=True)
    assert (await front.player("anna").get(game)).status == VOIDED


async def test_a_result_needs_a_game_that_started(front: Front):
    game = await front.player("anna").open(0)
    with refused("RESULT_CONFLICT"):
        await front.report(game, new_id(), voided=True)
    with refused("GAME_NOT_FOUND"):
        await front.report(pb.Game(game_id=new_id()), new_id(), voided=True)


@pytest.mark.parametrize(
    "fields",
    [
        {"result": pb.GameResult()},
        {"result": pb.GameResult(winning_seats=[4])},
    ],
)
async def test_a_malformed_result_is_refused(front: Front, fields):
    game = await started(front, 0)
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT):
        await front.report(game, **fields)
