"""Many at once: one seat is one player's, one player is charged once."""

from __future__ import annotations

import asyncio
import random
from uuid import UUID

import pytest

from jasshaus.matchmaking.pots.port import RefundReason
from jasshaus.platform.errors import from_rpc_error
from matchmaking.books import assert_sound
from matchmaking.harness import CLOSED, FOUR, OPEN, PLAYING, Front, Harness, new_id


async def outcomes(*calls) -> list[str]:
    """Return "ok" or the refusal's reason of each call."""
    results = await asyncio.gather(*calls, return_exceptions=True)
    reasons = []
    for result in results:
        if not isinstance(result, BaseException):
            reasons.append("ok")
            continue
        fault = from_rpc_error(result)
        assert fault is not None, result
        reasons.append(fault.reason)
    return reasons


@pytest.mark.parametrize("stake", [0, 100])
async def test_a_hundred_join_for_the_last_seat(place: Harness, front: Front, stake: int):
    anna, beat, cla, _ = front.players()
    game = await anna.open(stake)
    await beat.join(game)
    await cla.join(game)
    crowd = front.players(*(f"p{number}" for number in range(100)))
    place.wallet.fund(*(player.name for player in crowd), amount=1000)
    async with place.front() as second:
        half = [second.player(player.name) for player in crowd[50:]]
        reasons = await outcomes(*(player.join(game) for player in [*crowd[:50], *half]))
    assert reasons.count("ok") == 1
    assert set(reasons) <= {"ok", "SEAT_TAKEN", "GAME_FULL"}
    charged = [player.name for player in crowd if place.wallet.balance(player.name) != 1000]
    assert len(charged) == (1 if stake else 0)
    assert (await anna.get(game)).status == PLAYING
    assert place.tables.count("CreateTable") == 1
    assert place.wallet.total() == 0


async def test_one_player_on_many_devices_gets_one_seat(place: Harness, front: Front):
    anna, beat, *_ = front.players()
    game = await anna.open(100)
    reasons = await outcomes(*(beat.join(game, seat=1 + number % 3) for number in range(12)))
    assert reasons.count("ok") == 1
    assert set(reasons) == {"ok", "ALREADY_SEATED"}
    await assert_sound(place, front)


async def test_one_request_many_times_at_once_is_one(place: Harness, front: Front):
    anna, beat, *_ = front.players()
    opening, joining = new_id(), new_id()
    games = await asyncio.gather(*(anna.open(100, request_id=opening) for _ in range(8)))
    assert len({game.game_id for game in games}) == 1
    joins = await asyncio.gather(*(beat.join(games[0], request_id=joining) for _ in range(8)))
    assert {join.seat for join in joins} == {1}
    await assert_sound(place, front)


async def test_the_limit_holds_against_many_at_once(place: Harness, front: Front):
    anna, beat, *_ = front.players()
    other = await beat.open(0)
    reasons = await outcomes(*(anna.open(0) for _ in range(8)), anna.join(other))
    assert reasons.count("ok") == 4
    assert set(reasons) == {"ok", "TOO_MANY_GAMES"}
    await front.reconcile()
    await assert_sound(place, front)


async def test_leaving_while_the_last_one_joins(place: Harness, front: Front):
    """Either the game starts with both, or one left before; nobody pays for a game they are not in."""
    anna, beat, cla, dora = front.players()
    for number in range(12):
        game = await anna.open(100)
        await beat.join(game)
        await cla.join(game)
        left, joined = await outcomes(cla.leave(game), dora.join(game))
        await front.reconcile()
        status = (await anna.get(game)).status
        assert (left, joined, status) in {("ok", "ok", OPEN), ("GAME_STARTED", "ok", PLAYING)}, number
        await assert_sound(place, front)
        if status == PLAYING:
            await front.report(await anna.get(game), voided=True)
            row = await front.edge.store.get(UUID(game.game_id))
            assert row is not None
            await front.edge.staked.refund(row.game_id, RefundReason.TABLE_ABORTED, row.match)
        else:
            for player in (anna, beat, dora):
                await player.leave(game)


async def test_the_last_two_leave_at_once(place: Harness, front: Front):
    anna, beat, *_ = front.players()
    for _ in range(10):
        game = await anna.open(100)
        await beat.join(game)
        assert await outcomes(anna.leave(game), beat.leave(game)) == ["ok", "ok"]
        assert (await anna.get(game)).status == CLOSED
    await front.reconcile()
    await assert_sound(place, front)


async def test_joining_as_the_last_one_leaves(place: Harness, front: Front):
    anna, beat, *_ = front.players()
    for _ in range(10):
        game = await anna.open(100)
        left, joined = await outcomes(anna.leave(game), beat.join(game))
        assert left == "ok"
        assert joined in {"ok", "GAME_NOT_OPEN"}
        if joined == "ok":
            await beat.leave(game)
        assert (await anna.get(game)).status == CLOSED
    await front.reconcile()
    await assert_sound(place, front)


async def test_a_loop_of_joining_and_leaving_does_not_hold_a_game_hostage(place: Harness, front: Front):
    anna, beat, cla, dora = front.players()
    game = await anna.open(100)
    stop = asyncio.Event()

    async def loop() -> None:
        while not stop.is_set():
            await outcomes(dora.join(game, seat=3))
            await outcomes(dora.leave(game))

    looping = asyncio.ensure_future(loop())
    try:
        assert await outcomes(beat.join(game, seat=1), cla.join(game, seat=2)) == ["ok", "ok"]
    finally:
        stop.set()
        await looping
    if (await anna.get(game)).status != PLAYING:
        await dora.join(game)
    assert (await anna.get(game)).status == PLAYING
    await assert_sound(place, front)


async def test_anything_at_once_keeps_the_books_sound(place: Harness, front: Front):
    random.seed(1)
    names = [*FOUR, "emil", "fritz"]
    place.wallet.fund("emil", "fritz", amount=1000)
    players = front.players(*names)
    games = [await player.open(100 * (number % 2)) for number, player in enumerate(players[:3])]

    async def act(player) -> None:
        for _ in range(8):
            game = random.choice(games)
            call = random.choice([player.join, player.join, player.leave])
            await outcomes(call(game))

    await asyncio.gather(*(act(player) for player in players), front.reconcile(10))
    await front.reconcile()
    await assert_sound(place, front, players=tuple(names))
