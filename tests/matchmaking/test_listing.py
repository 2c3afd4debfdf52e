"""Lists of open games: cheap, never behind what was answered, and right whatever word of a change is lost."""

from __future__ import annotations

import asyncio
import random
from typing import Any
from uuid import UUID

import pytest
import redis.asyncio

from jasshaus.api.common.v1 import rules_pb2
from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.matchmaking.lobby import feed
from matchmaking.harness import CLOSED, OPEN, Front, Harness, Player, refused


class Reads:
    """Counts how many games a replica reads from its stores."""

    def __init__(self, front: Front, monkeypatch: pytest.MonkeyPatch) -> None:
        self.games = 0
        many = front.edge.store.many

        async def counted(game_ids: Any) -> Any:
            ids = list(game_ids)
            self.games += len(ids)
            return await many(ids)

        monkeypatch.setattr(front.edge.store, "many", counted)


async def test_a_page_reads_no_game_again(front: Front, monkeypatch: pytest.MonkeyPatch):
    anna, beat, *_ = front.players()
    games = [await anna.open(0) for _ in range(3)]
    await beat.listed()
    reads = Reads(front, monkeypatch)
    for _ in range(10):
        assert await beat.listed() == [game.game_id for game in games[::-1]]
    assert reads.games == 0
    await beat.join(games[0])
    assert await beat.listed() == [game.game_id for game in games[::-1]]
    assert reads.games <= 3, "more was read than the game that changed"


async def test_a_list_has_every_change_answered_before_at_any_replica(place: Harness, front: Front):
    anna, *others = front.players()
    async with place.front() as second:
        watcher = second.player("emil")
        assert await watcher.listed() == []
        for _ in range(5):
            game = await anna.open(0)
            assert await watcher.listed() == [game.game_id]
            for number, player in enumerate(others[:2], start=2):
                await player.join(game)
                (listed,) = (await watcher.list()).games
                assert sum(bool(seat.player_id) for seat in listed.seats) == number
                assert listed == await watcher.get(game)
            for player in (anna, *others[:2]):
                await player.leave(game)
            assert await watcher.listed() == []


async def test_a_list_is_right_without_a_subscription(
    place: Harness, front: Front, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(feed, "_SUBSCRIBE_SECONDS", 0.01)
    monkeypatch.setattr(feed, "_AGAIN_SECONDS", 60.0)
    monkeypatch.setattr(feed, "_SHARE_SECONDS", 0.0)
    anna, beat, *_ = front.players()
    game = await anna.open(0)
    assert await beat.listed() == [game.game_id]
    client = redis.asyncio.Redis.from_url(place.config.redis_url)
    await client.client_kill_filter(_type="pubsub")
    await client.aclose()
    async with asyncio.timeout(10):
        while front.parts.feed._subscribed.is_set():
            await asyncio.sleep(0.01)
    other = await anna.open(0)
    assert await beat.listed() == [other.game_id, game.game_id]
    await anna.leave(other)
    assert await beat.listed() == [game.game_id]


async def test_a_list_survives_a_word_that_is_lost(front: Front, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(feed, "_CATCH_UP_SECONDS", 0.1)
    anna, beat, *_ = front.players()
    game = await anna.open(0)
    assert await beat.listed() == [game.game_id]
    monkeypatch.setattr(front.parts.feed, "_note", lambda _text: None)
    other = await anna.open(0)
    assert await beat.listed() == [other.game_id, game.game_id]
    await anna.leave(game)
    assert await beat.listed() == [other.game_id]


async def test_the_rows_decide_where_no_word_was_sent(front: Front, monkeypatch: pytest.MonkeyPatch):
    """A replica that ends between the row's change and the lobby's leaves no word of it."""
    monkeypatch.setattr(feed, "_COMPARE_SECONDS", 0.05)
    anna, beat, *_ = front.players()
    game = await anna.open(0)
    assert await beat.listed() == [game.game_id]
    closed = await front.edge.store.closed(
        UUID(game.game_id), (await _row(front, game)).status, None, expired=False, retry=60
    )
    assert closed is not None
    async with asyncio.timeout(10):
        while await beat.listed():
            await asyncio.sleep(0.02)


async def test_many_who_list_at_once_read_the_games_once(front: Front, monkeypatch: pytest.MonkeyPatch):
    for number in range(6):
        await front.player(f"p{number}").open(0)
    reads = Reads(front, monkeypatch)
    crowd = [front.player(f"c{number}") for number in range(50)]
    lists = await asyncio.gather(*(player.listed() for player in crowd))
    assert {len(each) for each in lists} == {6}
    assert reads.games == 6
    assert front.metric("jasshaus_lobby_reads_total") == 1


async def test_pages_have_what_stays_once_while_all_else_changes(front: Front):
    chance = random.Random(7)
    staying = {(await front.player(f"s{number}").open(0)).game_id for number in range(25)}
    done = asyncio.Event()

    async def busy(player: Player) -> None:
        while not done.is_set():
            game = await player.open(0, preset=chance.choice(["schieber-classic", "differenzler-classic"]))
            await player.leave(game)

    tasks = [asyncio.create_task(busy(front.player(f"b{number}"))) for number in range(6)]
    try:
        anna = front.player("anna")
        for _ in range(15):
            seen = await _walk(anna, 4)
            assert len(seen) == len(set(seen))
            assert staying <= set(seen)
            differenzler = await _walk(anna, 4, variant=rules_pb2.VARIANT_DIFFERENZLER)
            assert not staying & set(differenzler)
    finally:
        done.set()
        await asyncio.gather(*tasks)
    assert set(await _walk(anna, 4)) == staying


async def test_a_differenzler_has_no_side_payouts(front: Front):
    anna, *_ = front.players()
    game = await anna.open(100, preset="differenzler-classic")
    (listed,) = (await anna.list()).games
    assert not listed.quote.side_payouts
    assert listed.quote.net == game.quote.net
    schieber = await anna.open(100)
    assert sum(each.minor_units for each in schieber.quote.side_payouts) == schieber.quote.net.minor_units


async def test_a_closed_game_is_not_said_to_who_was_not_told_of_it(front: Front):
    anna, emil, beat = front.players("anna", "emil", "beat")
    call = beat.watch()
    assert (await call.read()).HasField("snapshot")
    with refused("INSUFFICIENT_FUNDS"):
        await emil.open(100)
    game = await anna.open(0)
    said = [(await call.read()).game]
    await anna.leave(game)
    said.append((await call.read()).game)
    call.cancel()
    assert [(each.game_id, each.status) for each in said] == [(game.game_id, OPEN), (game.game_id, CLOSED)]


async def test_replicas_hear_nothing_of_a_game_before_its_opener_is_seated(front: Front):
    anna, emil = front.players("anna", "emil")
    await anna.open(0)
    before = await front.edge.lobby.revision("default")
    with refused("INSUFFICIENT_FUNDS"):
        await emil.open(100)
    # One word: that its entry is gone.
    assert await front.edge.lobby.revision("default") == before + 1


async def _walk(player: Player, size: int, **fields: Any) -> list[str]:
    seen: list[str] = []
    token = ""
    while True:
        page = await player.list(page_size=size, page_token=token, **fields)
        seen += [game.game_id for game in page.games]
        token = page.next_page_token
        if not token:
            return seen


async def _row(front: Front, game: pb.Game) -> Any:
    return await front.edge.store.get(UUID(game.game_id))
