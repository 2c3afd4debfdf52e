"""The lobby's stream: a snapshot, then every change, and nothing missed for good."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

import grpc
import pytest
import redis.asyncio

from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.matchmaking.domain import Game, GameView, Seat, SeatState, Status
from jasshaus.matchmaking.lobby import feed, hub
from jasshaus.matchmaking.lobby.board import Notice, face
from matchmaking.harness import CLOSED, FINISHED, OPEN, PLAYING, Front, Harness
from matchmaking.streams import watching


async def test_first_comes_everything_open(front: Front):
    anna, beat, *_ = front.players()
    first, second = await anna.open(0), await anna.open(100)
    async with watching(beat) as watch:
        assert list(watch.games) == [second.game_id, first.game_id]


async def test_a_waiting_player_learns_the_table(front: Front):
    anna, *others = front.players()
    async with watching(anna) as watch, watching(front.player("emil")) as stranger:
        game = await anna.open(100)
        # A stream may skip states; one that never showed the game has nothing to say of its end.
        await stranger.until(game, OPEN)
        for player in others:
            await player.join(game)
        mine = await watch.until(game, PLAYING)
        assert mine.table_id
        assert mine.seats[3].player_id == "dora"
        # Who does not sit there is told a last time, with its new status.
        while stranger.games[game.game_id].status == OPEN:
            await stranger.next()
        await front.report(mine, result=pb.GameResult(winning_seats=[0, 2]))
        await watch.until(game, FINISHED)
    async with watching(anna) as again:
        assert again.games == {}


async def test_a_new_stream_of_a_player_begins_with_his_running_games(front: Front):
    anna, *others = front.players()
    game = await anna.open(0)
    for player in others:
        await player.join(game)
    async with watching(anna) as watch, watching(front.player("emil")) as stranger:
        assert watch.games[game.game_id].status == PLAYING
        assert stranger.games == {}


async def test_a_closed_game_is_said_a_last_time(front: Front):
    anna, beat, *_ = front.players()
    game = await anna.open(0)
    async with watching(beat) as watch:
        await anna.leave(game)
        await watch.until(game, CLOSED)


@pytest.mark.parametrize("stake", [0, 100])
async def test_nothing_is_said_twice_and_no_open_game_without_players(front: Front, stake: int):
    anna, beat, cla, _ = front.players()
    said: list[pb.Game] = []
    async with watching(cla) as watch:
        game = await anna.open(stake)
        said.append(await watch.until(game, OPEN))
        for _ in range(3):
            await beat.join(game)
            await beat.leave(game)
        await anna.leave(game)
        while said[-1].status != CLOSED:
            update = await watch.next()
            if update.HasField("game"):
                said.append(update.game)
    assert all(before != after for before, after in itertools.pairwise(said))
    for each in said[:-1]:
        assert any(seat.player_id for seat in each.seats)


def test_a_seat_being_given_back_looks_as_before():
    """Leaving takes two steps of the lobby, of which nobody else sees the first."""
    game = cast(
        "Game",
        SimpleNamespace(game_id=1, status=Status.OPEN, quote=None, table_id=None, result=None, changes=1),
    )
    watcher = hub.Watcher("anna", stale=False)
    beat = Seat(0, "beat", UUID(int=1), SeatState.RESERVED, 5)
    said = [
        watcher.wants(_notice(GameView(game, seats)))
        for seats in (
            (beat,),
            (replace(beat, expires_at=9),),
            (replace(beat, state=SeatState.HELD),),
            (replace(beat, state=SeatState.LEAVING),),
            (),
            (beat,),
        )
    ]
    assert said == [True, False, True, False, False, True]


def _notice(view: GameView) -> Notice:
    return Notice(view, view.game.game_id, view.version, "", face(view), b"")


async def test_changes_at_another_replica_arrive(place: Harness, front: Front):
    async with place.front() as second, watching(second.player("beat")) as watch:
        game = await front.player("anna").open(0)
        await watch.until(game, OPEN)


async def test_tenants_do_not_see_each_other(front: Front):
    async with watching(front.player("beat", tenant="other")) as watch:
        await front.player("anna").open(0)
        mine = await front.player("cla", tenant="other").open(0)
        await watch.until(mine, OPEN)
        assert list(watch.games) == [mine.game_id]


async def test_a_draining_replica_sends_watchers_away(front: Front):
    async with watching(front.player("anna")) as watch:
        front.stopping.drain()
        update = await watch.next()
        assert update.reconnect.delay.ToMilliseconds() > 0
        assert await watch.call.read() is grpc.aio.EOF
        assert await watch.call.code() is grpc.StatusCode.OK


async def test_silence_is_broken_by_heartbeats(front: Front, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(feed, "_HEARTBEAT_SECONDS", 0.1)
    async with watching(front.player("anna")) as watch:
        while not (await watch.next()).HasField("heartbeat"):
            pass


async def test_a_lost_message_is_noticed(front: Front, monkeypatch: pytest.MonkeyPatch):
    """The last change of all, and the word of it went astray."""
    monkeypatch.setattr(feed, "_COMPARE_SECONDS", 0.1)
    anna, beat, *_ = front.players()
    game = await anna.open(0)
    async with watching(beat) as watch:
        async with asyncio.timeout(10):
            before = watch.snapshots
            await front.edge.redis.incr("{lobby:default}:rev")
            while watch.snapshots == before:
                await watch.next()
        assert list(watch.games) == [game.game_id]


async def test_a_message_that_is_late_is_not_lost(front: Front, monkeypatch: pytest.MonkeyPatch):
    """A comparison that comes before it, or just after, brings nobody everything anew."""
    monkeypatch.setattr(feed, "_COMPARE_SECONDS", 0.1)
    anna, beat, *_ = front.players()
    async with watching(beat) as watch:
        await watch.until(await anna.open(0), OPEN)
        revision, hub = front.edge.lobby.revision, front.parts.feed._hubs["default"]
        answers: list[int] = []

        async def asked(tenant: str) -> int:
            answers.append(await revision(tenant) + (not answers))
            return answers[-1]

        monkeypatch.setattr(front.edge.lobby, "revision", asked)
        async with asyncio.timeout(10):
            while len(answers) < 3:
                await asyncio.sleep(0.05)
        known = hub.revision
        front.parts.feed._note(f"{known} {UUID(int=1)} default")
        await watch.until(await anna.open(0), OPEN)
        assert watch.snapshots == 1


async def test_a_broken_subscription_brings_a_snapshot(place: Harness, front: Front):
    async with watching(front.player("beat")) as watch:
        client = redis.asyncio.Redis.from_url(place.config.redis_url)
        await client.client_kill_filter(_type="pubsub")
        await client.aclose()
        game = await front.player("anna").open(0)
        await watch.until(game, OPEN)


async def test_hundreds_who_need_a_snapshot_at_once_share_it(
    place: Harness, front: Front, monkeypatch: pytest.MonkeyPatch
):
    """After a broken subscription: not a read of the whole lobby each, nor a connection to Redis each."""
    monkeypatch.setattr(feed, "_SHARE_SECONDS", 60.0)
    games = [await front.player("anna").open(0) for _ in range(3)]
    parts, reads = front.parts.feed, 0
    read = front.edge.lobby.open_games

    async def counted(tenant: str, after: str, limit: int) -> list[str]:
        nonlocal reads
        reads += 1
        return await read(tenant, after, limit)

    monkeypatch.setattr(front.edge.lobby, "open_games", counted)

    async def first(number: int) -> Any:
        stream = parts.watch("default", f"player-{number}", front.stopping)
        try:
            return await anext(stream)
        finally:
            await stream.aclose()

    snapshots = await asyncio.gather(*map(first, range(400)))
    assert reads == 1
    for snapshot in snapshots:
        assert [str(notice.game_id) for notice in snapshot.notices] == [game.game_id for game in games[::-1]]


async def test_a_watcher_that_is_too_slow_gets_a_snapshot():
    watcher = hub.Watcher("anna", stale=False)

    class Shown:
        def __init__(self, number: int) -> None:
            self.game_id = number

    for number in range(hub.MAX_PENDING + 1):
        watcher.offer(Shown(number))  # type: ignore[arg-type]
    assert watcher.stale
    assert watcher.pending == {}
