"""A game's version: of two states the one with the higher version is newer, wherever they come from."""

from __future__ import annotations

import itertools
from uuid import UUID, uuid4

import pytest

from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.matchmaking.domain import Hold
from matchmaking.harness import FINISHED, OPEN, PLAYING, STARTING, Front, Harness
from matchmaking.streams import watching

ENTRY = "{{lobby:default}}:game:{}"


def rising(games: list[pb.Game]) -> bool:
    """Whether each state is another one, and newer."""
    return all(before.version < after.version for before, after in itertools.pairwise(games))


@pytest.mark.parametrize("stake", [0, 100])
async def test_every_answer_is_newer_than_those_before(front: Front, stake: int):
    anna, beat, cla, dora = front.players()
    states = [await anna.open(stake)]
    states.append((await beat.join(states[0])).game)
    states.append(await beat.leave(states[0]))
    for player in (beat, cla, dora):
        states.append((await player.join(states[0])).game)
    assert states[-1].status == PLAYING
    await front.report(states[-1], result=pb.GameResult(winning_seats=[0, 2]))
    states.append(await anna.get(states[0]))
    assert states[-1].status == FINISHED
    assert rising(states)
    # Points that come late change it, too.
    await front.report(states[-2], result=pb.GameResult(winning_seats=[0, 2], points=[2500, 3]))
    states.append(await anna.get(states[0]))
    assert rising(states)
    assert states[-1].version < 2**63


async def test_the_stream_and_the_answers_agree(place: Harness, front: Front):
    anna, beat, *_ = front.players()
    async with place.front() as second, watching(second.player("emil")) as watch:
        answers = [await anna.open(0)]
        for _ in range(5):
            answers += [(await beat.join(answers[0])).game, await beat.leave(answers[0])]
        said: list[pb.Game] = []
        while not said or said[-1].version < answers[-1].version:
            update = await watch.next()
            if update.HasField("game"):
                said.append(update.game)
        assert rising(said)
        known = {game.version: game for game in answers}
        for game in said:
            assert known.get(game.version, game) == game
        assert said[-1] == await beat.get(answers[0]) == await second.player("beat").get(answers[0])


async def test_what_redis_lost_is_followed_by_newer_versions(place: Harness, front: Front):
    anna, beat, *_ = front.players()
    game = await anna.open(100)
    key = ENTRY.format(game.game_id)
    states = [game]
    early = await front.edge.redis.hgetall(key)
    states += [(await beat.join(game)).game, await beat.leave(game), (await beat.join(game)).game]
    # The last writes are gone.
    await front.edge.redis.delete(key)
    await front.edge.redis.hset(key, mapping=early)
    await front.reconcile()
    states.append(await anna.get(game))
    assert [seat.player_id for seat in states[-1].seats] == ["anna", "beat", "", ""]
    # All is gone.
    await front.edge.redis.flushall()
    states.append(await anna.get(game))
    assert rising(states)
    assert [seat.player_id for seat in states[-1].seats] == ["anna", "beat", "", ""]


async def test_a_game_that_opens_again_is_newer(place: Harness, front: Front):
    anna, beat, cla, dora = front.players()
    game = await anna.open(100)
    for player in (beat, cla):
        await player.join(game)
    place.tables.down = True
    game = (await dora.join(game)).game
    assert game.status == STARTING
    row = await front.edge.store.get(UUID(game.game_id))
    assert row is not None
    assert row.table_id is not None
    assert await front.edge.store.reopened(row.game_id, row.table_id) is not None
    again = await anna.get(game)
    assert again.status == OPEN
    assert again.version > game.version


async def test_a_change_of_the_release_before_counts(front: Front):
    """Which counts changes of the entry by one, from one; and changes rows without knowing of versions."""
    anna, beat, *_ = front.players()
    game = await anna.open(0)
    key = ENTRY.format(game.game_id)
    await front.edge.redis.hset(key, "version", "7")
    states = [await anna.get(game)]
    await front.edge.redis.hincrby(key, "version", 1)
    states.append(await anna.get(game))
    states.append((await beat.join(game)).game)
    await front.edge.redis.hincrby(key, "version", 1)
    states.append(await anna.get(game))
    async with front.edge.pool.connection() as connection:
        await connection.execute(
            "UPDATE matchmaking.game SET status = 'CLOSED', end_time = now() WHERE game_id = %s",
            (game.game_id,),
        )
    states.append(await anna.get(game))
    assert rising(states)


async def test_a_row_taken_back_in_time_and_changed_anew_is_newer(front: Front):
    game = await front.player("anna").open(0)
    async with front.edge.pool.connection() as connection:
        await connection.execute(
            "UPDATE matchmaking.game SET open_time = open_time - interval '10 seconds' WHERE game_id = %s",
            (game.game_id,),
        )
        row = await front.edge.store.get(UUID(game.game_id))
        assert row is not None
        holds = tuple(Hold(seat, f"p{seat}", uuid4()) for seat in range(4))
        started = await front.edge.store.started(row.game_id, holds, 60)
    assert started is not None
    assert row.changes < 10 <= started.changes


async def test_the_list_shows_the_same_version(front: Front):
    anna, beat, *_ = front.players()
    game = await anna.open(0)
    (listed,) = (await beat.list()).games
    assert listed == game
    joined = (await beat.join(game)).game
    (listed,) = (await beat.list()).games
    assert listed == joined
