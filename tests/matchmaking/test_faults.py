"""Answers that get lost, services that are away, stores that forget."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import grpc
import pytest
import redis.asyncio
from redis.exceptions import RedisError
from structlog.testing import capture_logs

from contract.tables import FINISHED as TABLE_FINISHED
from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.matchmaking.domain import Game, Status
from jasshaus.matchmaking.games import tables
from jasshaus.matchmaking.lobby import feed
from jasshaus.matchmaking.lobby import store as lobby
from jasshaus.matchmaking.rows.store import Intervals
from matchmaking.books import assert_sound, pot_state
from matchmaking.harness import (
    CLOSED,
    FINISHED,
    OPEN,
    PLAYING,
    STARTING,
    VOIDED,
    Front,
    Harness,
    new_id,
    refused,
)
from matchmaking.streams import watching


def seated(game: pb.Game) -> list[str]:
    return [seat.player_id for seat in game.seats]


async def three(front: Front, stake: int = 100) -> pb.Game:
    anna, beat, cla, _ = front.players()
    game = await anna.open(stake)
    await beat.join(game)
    return (await cla.join(game)).game


async def full(front: Front, stake: int = 100) -> pb.Game:
    game = await three(front, stake)
    return (await front.player("dora").join(game)).game


@pytest.mark.parametrize("how", ["unavailable", "lose_answer"])
async def test_a_join_goes_on_when_the_wallet_is_back(place: Harness, front: Front, how: str):
    anna, beat, *_ = front.players()
    game = await anna.open(100)
    request_id = new_id()
    getattr(place.wallet, how)("HoldStake")
    with refused("WALLET_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE) as faults:
        await beat.join(game, seat=2, request_id=request_id)
    assert faults[0].retry_after is not None
    waiting = await anna.get(game)
    assert (waiting.seats[2].player_id, waiting.seats[2].pending) == ("beat", True)
    with refused("SEAT_TAKEN"):
        await front.player("cla").join(game, seat=2)
    assert (await beat.join(game, seat=2, request_id=request_id)).seat == 2
    assert place.wallet.balance("beat") == 900
    await assert_sound(place, front)


@pytest.mark.parametrize("how", ["unavailable", "lose_answer"])
@pytest.mark.parametrize("method", ["OpenPot", "HoldStake"])
async def test_an_opening_goes_on_when_the_wallet_is_back(
    place: Harness, front: Front, method: str, how: str
):
    anna = front.player("anna")
    request_id = new_id()
    getattr(place.wallet, how)(method)
    with refused("WALLET_UNAVAILABLE"):
        await anna.open(100, request_id=request_id)
    assert await anna.listed() == []
    game = await anna.open(100, request_id=request_id)
    assert seated(game)[0] == "anna"
    assert await anna.listed() == [game.game_id]
    await assert_sound(place, front)


async def test_an_opening_given_up_by_one_replica_stays_open_when_another_carried_it_out(
    place: Harness, front: Front
):
    game = await front.player("anna").open(100)
    row = await front.edge.store.get(UUID(game.game_id))
    assert row is not None
    found = await front.parts.lobby._saga._given_up(replace(row, status=Status.OPENING), "GONE")
    assert (found.status, found.refusal) == (Status.OPEN, None)
    await assert_sound(place, front)


@pytest.mark.parametrize("how", ["unavailable", "lose_answer"])
async def test_a_leave_goes_on_when_the_wallet_is_back(place: Harness, front: Front, how: str):
    anna, beat, *_ = front.players()
    game = await anna.open(100)
    await beat.join(game)
    request_id = new_id()
    getattr(place.wallet, how)("ReleaseStake")
    with refused("WALLET_UNAVAILABLE"):
        await beat.leave(game, request_id=request_id)
    assert seated(await anna.get(game))[1] == "beat"
    assert seated(await beat.leave(game, request_id=request_id))[1] == ""
    await assert_sound(place, front)


@pytest.mark.parametrize("how", ["unavailable", "lose_answer"])
async def test_an_abandoned_reservation_is_given_up(place: Harness, how: str):
    async with place.front(reservation_ttl=0.2) as front:
        anna, beat, cla, _ = front.players()
        game = await anna.open(100)
        request_id = new_id()
        getattr(place.wallet, how)("HoldStake")
        with refused("WALLET_UNAVAILABLE"):
            await beat.join(game, request_id=request_id)
        await asyncio.sleep(0.25)
        await front.reconcile()
        assert seated(await anna.get(game)) == ["anna", "", "", ""]
        assert place.wallet.balance("beat") == 1000
        with refused("RESERVATION_EXPIRED"):
            await beat.join(game, request_id=request_id)
        assert (await cla.join(game)).seat == 1
        assert (await beat.join(game)).seat == 2
        await assert_sound(place, front)


async def test_a_seat_is_not_given_away_before_its_stake_is_back(place: Harness):
    async with place.front(reservation_ttl=0.2) as front:
        anna, beat, cla, _ = front.players()
        game = await anna.open(100)
        place.wallet.lose_answer("HoldStake")
        with refused("WALLET_UNAVAILABLE"):
            await beat.join(game, seat=1)
        await asyncio.sleep(0.25)
        place.wallet.down = True
        await front.reconcile()
        with refused("SEAT_TAKEN"):
            await cla.join(game, seat=1)
        place.wallet.down = False
        await asyncio.sleep(0.25)
        await front.reconcile()
        assert (await cla.join(game, seat=1)).seat == 1
        await assert_sound(place, front)


@pytest.mark.parametrize("how", ["unavailable", "lose_answer"])
async def test_an_abandoned_opening_is_given_up(place: Harness, how: str):
    async with place.front(reservation_ttl=0.2) as front:
        anna = front.player("anna")
        request_id = new_id()
        getattr(place.wallet, how)("HoldStake")
        with refused("WALLET_UNAVAILABLE"):
            await anna.open(100, request_id=request_id)
        await asyncio.sleep(0.25)
        await front.reconcile()
        with refused("RESERVATION_EXPIRED"):
            await anna.open(100, request_id=request_id)
        await assert_sound(place, front)


async def test_a_hold_that_arrives_after_its_seat_was_given_up_is_refused(place: Harness):
    async with place.front(reservation_ttl=0.2) as front:
        anna, beat, *_ = front.players()
        game = await anna.open(100)
        gate = place.wallet.pause("HoldStake")
        joining = asyncio.ensure_future(beat.join(game))
        await asyncio.sleep(0.3)
        await front.reconcile()
        gate.set()
        with refused("RESERVATION_EXPIRED"):
            await joining
        await assert_sound(place, front)


async def test_a_cancelled_join_is_finished_all_the_same(place: Harness, front: Front):
    anna, beat, *_ = front.players()
    game = await anna.open(100)
    gate = place.wallet.pause("HoldStake")
    joining = asyncio.ensure_future(beat.join(game))
    await asyncio.sleep(0.1)
    joining.cancel()
    await asyncio.sleep(0.1)
    gate.set()
    await asyncio.sleep(0.1)
    assert seated(await anna.get(game))[1] == "beat"
    await assert_sound(place, front)


@pytest.mark.parametrize("how", ["unavailable", "lose_answer"])
@pytest.mark.parametrize("service", ["wallet LockPot", "tables CreateTable"])
async def test_a_start_without_an_answer_is_carried_on(place: Harness, front: Front, service: str, how: str):
    name, method = service.split()
    getattr(getattr(place, name), how)(method)
    game = await full(front)
    assert (game.status, game.table_id) == (STARTING, "")
    with refused("GAME_STARTED"):
        await front.player("anna").leave(game)
    with refused("GAME_FULL"):
        await front.player("emil").join(game)
    await front.reconcile()
    assert (await front.player("anna").get(game)).status == PLAYING
    await assert_sound(place, front)


async def test_another_replica_carries_a_start_on(place: Harness, front: Front):
    place.tables.down = True
    game = await full(front)
    async with place.front() as second:
        await second.reconcile()
        place.tables.down = False
        await asyncio.gather(front.reconcile(), second.reconcile())
    assert (await front.player("anna").get(game)).status == PLAYING
    await assert_sound(place, front)


@pytest.mark.parametrize("reason", ["POT_MISMATCH", "TABLE_CONFLICT", "TABLE_FENCED"])
@pytest.mark.parametrize("stake", [0, 100])
async def test_a_table_refused_for_good_gives_the_stakes_back(
    place: Harness, front: Front, reason: str, stake: int
):
    place.tables.refuse("CreateTable", reason)
    game = await full(front, stake)
    assert game.status == VOIDED
    assert len(place.tables.fenced) == 1
    await front.reconcile()
    await assert_sound(place, front)


async def test_a_table_that_is_there_is_played_although_its_creation_is_refused(place: Harness, front: Front):
    """Another version of matchmaking created it, and worded the request otherwise."""
    place.tables.lose_answer("CreateTable")
    game = await full(front)
    place.tables.refuse("CreateTable", "TABLE_CONFLICT")
    await front.reconcile()
    assert (await front.player("anna").get(game)).status == PLAYING
    assert place.tables.fenced == set()
    await assert_sound(place, front)


_LOST_CHANGE = """
    UPDATE matchmaking.game SET status = 'OPEN', table_id = NULL, seats = NULL, start_time = NULL,
        forget_due = false, next_check = now(), expire_time = now() + %s * interval '1 second'
"""


async def test_a_start_the_database_lost_leads_to_the_same_table(place: Harness, front: Front):
    game = await full(front)
    async with front.edge.pool.connection() as connection:
        await connection.execute(_LOST_CHANGE, (600,))
    await front.reconcile()
    again = await front.player("anna").get(game)
    assert (again.status, again.table_id) == (PLAYING, game.table_id)
    await assert_sound(place, front)


async def test_a_start_the_database_lost_is_not_refunded_when_the_game_expires(place: Harness, front: Front):
    game = await full(front)
    async with front.edge.pool.connection() as connection:
        await connection.execute(_LOST_CHANGE, (-1,))
    await front.reconcile()
    assert pot_state(place.wallet, game.game_id) == "LOCKED"
    assert front.metric("jasshaus_lobby_reconciler_total", action="conflict") == 1


async def test_a_refund_without_an_answer_is_carried_on(place: Harness, front: Front):
    place.tables.refuse("CreateTable", "POT_MISMATCH")
    place.wallet.unavailable("RefundPot")
    game = await full(front)
    assert game.status == STARTING
    await front.reconcile()
    assert (await front.player("anna").get(game)).status == VOIDED
    await assert_sound(place, front)


async def test_holds_that_differ_rewrite_the_lobby(place: Harness, front: Front):
    """The wallet gave a stake back that the lobby still counts."""
    game = await three(front)
    (reservation,) = [key for key, held in place.wallet.reservations.items() if held.player == "beat"]
    place.wallet._give_back(place.wallet.reservations[reservation], place.wallet.pots[game.game_id])
    joined = await front.player("dora").join(game)
    assert (joined.game.status, seated(joined.game)) == (OPEN, ["anna", "", "cla", "dora"])
    assert place.tables.count("CreateTable") == 0
    await assert_sound(place, front)
    await front.player("beat").join(game)
    assert (await front.player("anna").get(game)).status == PLAYING


async def test_a_report_is_taken_while_the_table_is_not_acknowledged(place: Harness, front: Front):
    place.tables.lose_answer("CreateTable")
    game = await full(front)
    (table_id,) = place.tables.tables
    await front.report(game, table_id, result=pb.GameResult(winning_seats=[1, 3]))
    assert (await front.player("anna").get(game)).status == FINISHED
    await front.reconcile()
    assert (await front.player("anna").get(game)).status == FINISHED


# Redis.


@pytest.fixture
async def flush(place: Harness):
    client = redis.asyncio.Redis.from_url(place.config.redis_url)
    yield client.flushall
    await client.aclose()


@pytest.mark.parametrize("stake", [0, 100])
async def test_a_lost_lobby_is_rebuilt(place: Harness, front: Front, flush, stake: int):
    anna, beat, _, dora = front.players()
    game = await three(front, stake)
    playing = await full(front, stake)
    before = await anna.get(game)
    await flush()
    assert await anna.listed() == [game.game_id]
    after = await anna.get(game)
    assert after.version > before.version
    after.version = before.version
    assert after == before
    with refused("ALREADY_SEATED"):
        await beat.join(game)
    assert (await dora.join(game)).game.status == PLAYING
    assert (await anna.get(playing)).status == PLAYING
    await front.reconcile()
    await assert_sound(place, front)


async def test_a_lobby_that_cannot_be_restored_is_not_tried_by_every_call(
    place: Harness, front: Front, flush
):
    anna, beat, *_ = front.players()
    games = [await player.open(100) for player in (anna, beat) for _ in range(4)]
    await flush()
    place.wallet.down = True
    before = place.wallet.count("GetPot")
    answers = await asyncio.gather(*(anna.list() for _ in range(20)), return_exceptions=True)
    assert all(isinstance(answer, grpc.aio.AioRpcError) for answer in answers)
    await asyncio.sleep(0.1)
    assert place.wallet.count("GetPot") - before <= len(games)
    place.wallet.down = False
    await asyncio.sleep(1.0)
    assert set(await anna.listed()) == {game.game_id for game in games}
    await assert_sound(place, front)


async def test_the_limit_survives_a_lost_lobby(place: Harness, front: Front, flush):
    anna = front.player("anna")
    for _ in range(4):
        await anna.open(0)
    await flush()
    with refused("TOO_MANY_GAMES"):
        await anna.open(0)


async def test_a_join_goes_on_over_a_lost_lobby(place: Harness, front: Front, flush):
    anna, beat, *_ = front.players()
    game = await anna.open(100)
    request_id = new_id()
    gate = place.wallet.pause("HoldStake")
    joining = asyncio.ensure_future(beat.join(game, seat=2, request_id=request_id))
    await asyncio.sleep(0.1)
    await flush()
    gate.set()
    assert (await joining).seat == 2
    await flush()
    assert (await beat.join(game, seat=2, request_id=request_id)).seat == 2
    assert place.wallet.balance("beat") == 900
    await front.reconcile()
    await assert_sound(place, front)


async def test_a_repeated_request_with_another_body_is_refused_even_by_the_pot(
    place: Harness, front: Front, flush
):
    anna, beat, *_ = front.players()
    game, other = await anna.open(100), await anna.open(100)
    request_id = new_id()
    await beat.join(game, request_id=request_id)
    await flush()
    with refused("REQUEST_ID_REUSED"):
        await beat.join(other, request_id=request_id)
    await front.reconcile()
    await assert_sound(place, front)


async def test_an_entry_lost_alone_is_rebuilt(place: Harness, front: Front):
    anna = front.player("anna")
    game = await three(front)
    client = front.edge.redis
    await client.delete(f"{{lobby:default}}:game:{game.game_id}")
    await front.reconcile()
    assert seated(await anna.get(game)) == ["anna", "beat", "cla", ""]
    await assert_sound(place, front)


async def test_a_seat_without_a_stake_is_cleared(place: Harness, front: Front):
    """Redis went back to before a leave: the seat is a ghost until the audit."""
    anna, beat, *_ = front.players()
    game = await anna.open(100)
    await beat.join(game)
    client = front.edge.redis
    key = f"{{lobby:default}}:game:{game.game_id}"
    before = await client.hgetall(key)
    await beat.leave(game)
    await client.hset(key, mapping={"1": before["1"]})
    await front.reconcile()
    assert seated(await anna.get(game)) == ["anna", "", "", ""]
    await assert_sound(place, front)


async def test_a_stale_list_of_a_players_games_heals_when_it_matters(place: Harness, front: Front):
    anna = front.player("anna")
    await front.edge.redis.sadd("{lobby:default}:player:anna", *(new_id() for _ in range(4)))
    assert (await anna.open(0)).status == OPEN


async def test_an_unreachable_redis_refunds_nothing(place: Harness, front: Front, matchmaking_dsn: str):
    game = await full(front)
    async with place.front(redis_url="redis://127.0.0.1:1/0") as blind:
        await blind.reconcile()
        with refused("STORE_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE):
            await blind.player("anna").list()
    assert pot_state(place.wallet, game.game_id) == "LOCKED"
    assert (await front.player("anna").get(game)).status == PLAYING


async def test_a_redis_that_takes_no_writes_has_no_heartbeat(front: Front):
    await front.edge.lobby.ping()
    full = (await front.edge.redis.config_get("maxmemory"))["maxmemory"]
    await front.edge.redis.config_set("maxmemory", 1)
    try:
        assert await front.edge.redis.ping()
        with pytest.raises(RedisError):
            await front.edge.lobby.ping()
    finally:
        await front.edge.redis.config_set("maxmemory", full)
    await front.edge.lobby.ping()


async def test_broken_connections_to_the_database_are_replaced(place: Harness, front: Front):
    game = await three(front)
    async with front.edge.pool.connection() as connection:
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_user"
        await connection.execute(f"{others} AND datname = current_database() AND pid <> pg_backend_pid()")
    assert (await front.player("dora").join(game)).game.status == PLAYING
    await assert_sound(place, front)


# Rows that cannot be read, and bugs.


async def test_an_unreadable_row_stands_in_nobodys_way(
    place: Harness, front: Front, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(feed, "_COMPARE_SECONDS", 0.1)
    anna, beat, *_ = front.players()
    broken, sound = await anna.open(100), await anna.open(100)
    async with watching(front.player("emil")) as watch:
        async with front.edge.pool.connection() as connection:
            await connection.execute(
                "UPDATE matchmaking.game SET rule_set = 'x' WHERE game_id = %s", (broken.game_id,)
            )
            await connection.execute(
                "UPDATE matchmaking.game SET expire_time = now() WHERE game_id = %s", (sound.game_id,)
            )
        await front.reconcile()
        await watch.until(sound, CLOSED)
        assert pot_state(place.wallet, sound.game_id) == "REFUNDED"
        async with asyncio.timeout(10):
            while await beat.listed():
                await asyncio.sleep(0.05)
        with refused("INTERNAL", grpc.StatusCode.INTERNAL):
            await beat.get(broken)


async def test_a_bug_met_by_one_game_does_not_end_the_reconciler(
    place: Harness, front: Front, monkeypatch: pytest.MonkeyPatch
):
    first, second = await front.player("anna").open(100), await front.player("beat").open(100)
    attend = front.parts.reconciler._attend

    async def stumbling(game: Game, current: Any) -> None:
        if str(game.game_id) == first.game_id:
            raise ZeroDivisionError
        await attend(game, current)

    monkeypatch.setattr(front.parts.reconciler, "_attend", stumbling)
    await front.reconcile(1)
    assert front.metric("jasshaus_lobby_reconciler_total", action="failed") == 1
    assert front.metric("jasshaus_lobby_reconciler_total", action="attended") == 1

    async def broken() -> list[str]:
        raise ZeroDivisionError

    monkeypatch.setattr(front.edge.store, "tenants", broken)
    running = asyncio.ensure_future(front.parts.reconciler.run(front.stopping))
    await asyncio.sleep(0.7)
    assert not running.done()
    front.stopping.drain()
    await running
    assert second.status == OPEN


async def test_a_message_that_is_not_ours_ends_no_stream(front: Front):
    async with watching(front.player("beat")) as watch:
        await front.edge.redis.publish(lobby.CHANNEL, "hello")
        await watch.until(await front.player("anna").open(0), OPEN)


# Tables that are lost, or over.


async def test_a_lost_table_is_paid_back_after_the_grace(place: Harness):
    async with place.front(lost_table_grace=0.3) as front:
        game = await full(front)
        place.tables.lose(game.table_id)
        await front.reconcile()
        assert (await front.player("anna").get(game)).status == PLAYING
        await asyncio.sleep(0.35)
        await front.reconcile()
        assert (await front.player("anna").get(game)).status == VOIDED
        assert game.table_id in place.tables.fenced
        await assert_sound(place, front)


@pytest.mark.parametrize("how", ["unavailable", "lose_answer"])
async def test_a_lost_table_whose_refund_got_no_answer_is_no_conflict(place: Harness, how: str):
    async with place.front(lost_table_grace=0.0) as front:
        game = await full(front)
        place.tables.lose(game.table_id)
        getattr(place.wallet, how)("RefundPot")
        with capture_logs() as logs:
            await front.reconcile()
        assert place.wallet.count("RefundPot") == 2
        assert (await front.player("anna").get(game)).status == VOIDED
        assert {entry["event"] for entry in logs if entry["log_level"] == "error"} <= {"table_lost"}
        assert front.metric("jasshaus_lobby_reconciler_total", action="conflict") == 0
        await assert_sound(place, front)


async def test_the_grace_counts_only_while_tables_answer(place: Harness):
    async with place.front(lost_table_grace=3) as front:
        game = await full(front)
        place.tables.lose(game.table_id)
        await front.reconcile()
        await asyncio.sleep(3.1)
        place.tables.down = True
        await front.reconcile()
        place.tables.down = False
        await front.reconcile()
        assert (await front.player("anna").get(game)).status == PLAYING
        assert pot_state(place.wallet, game.game_id) == "LOCKED"


async def test_the_grace_does_not_count_what_nobody_saw(place: Harness):
    """The reconciler itself stood still in between."""
    async with place.front(lost_table_grace=0.3) as front:
        game = await full(front)
        place.tables.lose(game.table_id)
        await front.reconcile(1)
        await asyncio.sleep(1.2)
        await front.reconcile(1)
        assert (await front.player("anna").get(game)).status == PLAYING


async def test_tables_that_hang_do_not_hold_up_the_lobby(place: Harness, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tables, "_SECONDS", 60.0)
    async with place.front(max_games=100, reservation_ttl=0.2) as front:
        await full(front, 0)
        waiting = await front.player("anna").open(100)
        place.wallet.unavailable("HoldStake")
        with refused("WALLET_UNAVAILABLE"):
            await front.player("beat").join(waiting)
        answer = place.tables.pause("GetTable")
        running = asyncio.ensure_future(front.parts.reconciler.run(front.stopping))
        async with asyncio.timeout(30):
            while place.tables.count("GetTable") == 0 or seated(await front.player("cla").get(waiting))[1]:
                await asyncio.sleep(0.05)
        answer.set()
        front.stopping.drain()
        await running


async def test_tables_that_hang_are_not_asked_for_each_game_anew(
    place: Harness, monkeypatch: pytest.MonkeyPatch
):
    """Whatever passes begin meanwhile: what the lobby looks at asks no table."""
    monkeypatch.setattr(tables, "_SECONDS", 2.0)
    async with place.front(max_games=100) as front:
        for _ in range(12):
            await full(front, 0)
        place.tables.pause("GetTable")
        reconciler, rest = front.parts.reconciler, front.edge.store.rest

        async def rest_beside_the_lobby(*looked_at: Any) -> None:
            await reconciler._attend_lobbies()
            await rest(*looked_at)

        monkeypatch.setattr(front.edge.store, "rest", rest_beside_the_lobby)
        await reconciler._attend_rows()
        # The first few wait for an answer, and nobody after them.
        assert place.tables.count("GetTable") == 8
        assert front.metric("jasshaus_lobby_reconciler_total", action="failed") == 12


async def test_a_table_that_is_back_is_not_lost(place: Harness):
    async with place.front(lost_table_grace=1.0) as front:
        game = await full(front)
        view, request = place.tables.tables[game.table_id], place.tables.requests[game.table_id]
        place.tables.lose(game.table_id)
        await front.reconcile()
        place.tables.tables[game.table_id], place.tables.requests[game.table_id] = view, request
        await front.reconcile()
        await asyncio.sleep(1.1)
        place.tables.lose(game.table_id)
        await front.reconcile()
        assert (await front.player("anna").get(game)).status == PLAYING


async def test_a_finished_table_nobody_reported_is_recorded(place: Harness, front: Front):
    game = await full(front)
    await front.edge.redis.ping()
    place.wallet._pay(game.game_id, place.wallet.pots[game.game_id], (0, 2), b"x" * 32)
    place.tables.finish(game.table_id, [0, 2], [195, 195], 10, [1010, 700])
    await front.reconcile()
    over = await front.player("anna").get(game)
    assert over.status == FINISHED
    assert list(over.result.points) == [1010, 700]
    assert place.tables.tables[game.table_id].status == TABLE_FINISHED


async def test_a_settled_pot_outlives_its_table(place: Harness):
    """The table finished, was paid, and is gone; its report never came."""
    async with place.front(lost_table_grace=0.0) as front:
        game = await full(front)
        place.wallet._pay(game.game_id, place.wallet.pots[game.game_id], (1, 3), b"x" * 32)
        place.tables.lose(game.table_id)
        await front.reconcile()
        over = await front.player("anna").get(game)
        assert over.status == FINISHED
        assert list(over.result.winning_seats) == [1, 3]
        assert over.result.fee.minor_units == 10
        result = pb.GameResult(
            winning_seats=[1, 3], payouts=over.result.payouts, fee=over.result.fee, points=[5, 1000]
        )
        await front.report(game, result=result)
        assert list((await front.player("anna").get(game)).result.points) == [5, 1000]


async def test_a_closed_game_whose_refund_got_no_answer_is_paid_back(place: Harness, front: Front):
    anna = front.player("anna")
    game = await anna.open(100)
    place.wallet.unavailable("RefundPot")
    assert (await anna.leave(game)).status == CLOSED
    assert pot_state(place.wallet, game.game_id) == "OPEN"
    await front.reconcile()
    assert pot_state(place.wallet, game.game_id) == "REFUNDED"
    await assert_sound(place, front)


async def test_two_reconcilers_share_the_work(place: Harness):
    intervals = Intervals(audit=0.0, retry=5.0, look=0.0, missing=0.0, lease=5.0)
    async with place.front(intervals, game_ttl=0.2) as front, place.front(intervals, game_ttl=0.2) as second:
        anna, beat, *_ = front.players()
        for player in (anna, beat):
            for _ in range(3):
                await player.open(100)
        await asyncio.sleep(0.25)
        await asyncio.gather(front.reconcile(2), second.reconcile(2))
        await assert_sound(place, front)
        assert place.wallet.count("RefundPot") == 6
