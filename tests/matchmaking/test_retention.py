"""What goes with time, what stays, and that what comes late moves nothing."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.matchmaking.domain import Hold
from jasshaus.matchmaking.pots.port import Refused
from jasshaus.matchmaking.upkeep import retention
from matchmaking.books import assert_sound
from matchmaking.harness import FINISHED, OPEN, Front, Harness, new_id, refused


async def age(front: Front, days: float) -> None:
    """Let all games have ended so many days earlier."""
    async with front.edge.pool.connection() as connection:
        await connection.execute(
            "UPDATE matchmaking.game SET end_time = end_time - %s * interval '1 day'", (days,)
        )


async def stored(front: Front) -> tuple[set[str], int, int]:
    """Return the games, and how many pots and holds of games without a stake there are."""
    async with front.edge.pool.connection() as connection:
        games = await (await connection.execute("SELECT game_id::text FROM matchmaking.game")).fetchall()
        counts = await connection.execute(
            "SELECT (SELECT count(*) FROM matchmaking.free_pot), (SELECT count(*) FROM matchmaking.free_hold)"
        )
        row = await counts.fetchone()
    assert row is not None
    return {game[0] for game in games}, row[0], row[1]


async def retire(front: Front) -> None:
    while await front.parts.retention.once():
        pass


async def full(front: Front, stake: int) -> pb.Game:
    anna, *others = front.players()
    game = await anna.open(stake)
    for player in others:
        game = (await player.join(game)).game
    return game


async def test_games_that_never_started_go_after_thirty_days(place: Harness, front: Front):
    anna, beat, emil = front.players("anna", "beat", "emil")
    free = await anna.open(0)
    await beat.join(free)
    await beat.leave(free)
    await anna.leave(free)
    with refused("INSUFFICIENT_FUNDS"):
        await emil.open(100)
    staked = await anna.open(100)
    await anna.leave(staked)
    await front.reconcile()
    games, pots, holds = await stored(front)
    assert (len(games), pots, holds) == (3, 1, 2)
    await age(front, retention.KEPT_DAYS - 0.1)
    await retire(front)
    assert await stored(front) == (games, pots, holds)
    await age(front, 0.2)
    await retire(front)
    # A stake was held for this one: the statement names it.
    assert await stored(front) == ({staked.game_id}, 0, 0)
    assert front.metric("jasshaus_lobby_retired_total", what="game") == 2
    with refused("GAME_NOT_FOUND"):
        await anna.get(free)


@pytest.mark.parametrize("stake", [0, 100])
async def test_a_result_stays(front: Front, stake: int):
    game = await full(front, stake)
    await front.report(game, result=pb.GameResult(winning_seats=[1, 3], points=[100, 2500]))
    await front.reconcile()
    before = await front.player("anna").get(game)
    await age(front, retention.KEPT_DAYS + 1)
    await retire(front)
    games, pots, holds = await stored(front)
    assert (games, pots, holds) == ({game.game_id}, 0, 0)
    after = await front.player("anna").get(game)
    assert after.status == FINISHED
    assert (after.result.winning_seats, after.result.points) == (
        before.result.winning_seats,
        before.result.points,
    )
    # A table that reports again is answered as before, and the next pass finds nothing.
    await front.report(game, result=pb.GameResult(winning_seats=[1, 3], points=[100, 2500]))
    await retire(front)
    assert front.metric("jasshaus_lobby_retired_total", what="seats") == (0 if stake else 1)


async def test_what_is_on_or_still_owes_something_stays(place: Harness, front: Front):
    anna = front.player("anna")
    await anna.open(0)
    await full(front, 0)
    owing = await front.player("emil").open(0)
    await front.player("emil").leave(owing)
    async with front.edge.pool.connection() as connection:
        await connection.execute(
            "UPDATE matchmaking.game SET refund_due = true WHERE game_id = %s", (owing.game_id,)
        )
    before = await stored(front)
    await age(front, 365)
    await retire(front)
    assert await stored(front) == before


async def test_batches_end(front: Front, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(retention, "BATCH", 2)
    anna = front.player("anna")
    for _ in range(5):
        await anna.leave(await anna.open(0))
    await age(front, 31)
    passes = [await front.parts.retention.once() for _ in range(4)]
    assert passes == [True, True, False, False]
    assert await stored(front) == (set(), 0, 0)


async def test_what_comes_after_it_takes_no_seat_and_no_money(place: Harness, front: Front):
    anna, emil = front.players("anna", "emil")
    opening, refused_opening = new_id(), new_id()
    game = await anna.open(0, request_id=opening)
    await anna.leave(game)
    with refused("INSUFFICIENT_FUNDS"):
        await emil.open(100, request_id=refused_opening)
    await front.reconcile()
    await age(front, 31)
    await front.edge.redis.delete(*await front.edge.redis.keys("*request:*"))
    await retire(front)
    pots, late = front.edge.free, Hold(0, "anna", uuid4())
    with pytest.raises(Refused, match="POT_NOT_FOUND"):
        await pots.hold(UUID(game.game_id), late)
    with pytest.raises(Refused, match="POT_NOT_FOUND"):
        await pots.release(UUID(game.game_id), late.reservation)
    with refused("GAME_NOT_FOUND"):
        await anna.leave(game)
    again = await anna.open(0, request_id=opening)
    assert again.game_id != game.game_id
    assert again.status == OPEN
    # The wallet remembers the refusal, money or not.
    place.wallet.fund("emil", amount=100)
    balance = place.wallet.balance("emil")
    with refused("REQUEST_ID_REUSED"):
        await emil.open(100, request_id=refused_opening)
    assert place.wallet.balance("emil") == balance
    await front.reconcile()
    await assert_sound(place, front)
