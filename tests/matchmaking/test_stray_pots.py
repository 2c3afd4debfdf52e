"""Stakes that no game moves on: found from the wallet's side, asked for everywhere, then given back."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import grpc
import pytest

from contract.pots_bank import REFUNDED
from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.api.matchmaking.v1 import matchmaking_pb2_grpc as pb_grpc
from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.contracts.rules import rule_set_to_proto
from jasshaus.matchmaking.domain import Status
from jasshaus.platform.auth import mint_token
from jasshaus.platform.errors import unavailable
from jasshaus.rules.core.options import PRESETS
from matchmaking.books import assert_sound
from matchmaking.harness import (
    CLOSED,
    OPEN,
    PLAYING,
    SECRET,
    Front,
    Harness,
    new_id,
    refused,
)
from matchmaking.restored import restore_request
from matchmaking.test_restored import state_of, world_of

CLASSIC = rule_set_to_proto(PRESETS["schieber-classic"], "schieber-classic")


async def stuck(front: Front, **fields) -> pb.ListStuckPotsResponse:
    metadata = (("authorization", f"Bearer {mint_token(SECRET, 'boss', ['operator'])}"),)
    stub = pb_grpc.OperatorServiceStub(front.channel)
    return await stub.ListStuckPots(pb.ListStuckPotsRequest(**fields), metadata=metadata, timeout=10)


async def reasons(front: Front) -> list[str]:
    return [
        pb.StuckReason.Name(each.reason).removeprefix("STUCK_REASON_") for each in (await stuck(front)).pots
    ]


async def restore(front: Front, request: pb.RestoreGameRequest) -> bool:
    metadata = (("authorization", f"Bearer {mint_token(SECRET, 'table', ['service'])}"),)
    stub = pb_grpc.HistoryServiceStub(front.channel)
    return (await stub.RestoreGame(request, metadata=metadata, timeout=10)).restored


async def test_stakes_without_a_game_go_back_after_the_grace(place: Harness):
    async with place.front(lost_table_grace=0.2, pot_check=0.0) as front:
        world = await world_of(place, front)
        await world.write_pot("3")
        await front.parts.watch.look()
        listed = (await stuck(front)).pots
        assert [(each.pot_id, each.reason, each.game_status) for each in listed] == [
            (str(world.game_id), pb.STUCK_REASON_NO_GAME, pb.GAME_STATUS_UNSPECIFIED)
        ]
        waits = listed[0].refund_time.ToNanoseconds() - listed[0].since.ToNanoseconds()
        assert 0.19e9 < waits < 0.3e9
        await front.parts.watch.count()
        assert front.metric("jasshaus_lobby_stuck_pots", reason="NO_GAME") == 1
        assert await state_of(world) == "OPEN"
        await asyncio.sleep(0.25)
        await front.parts.watch.look()
        assert await state_of(world) == "REFUNDED"
        assert {place.wallet.balance(name) for name in world.players} == {1000}
        await front.parts.watch.look()
        assert await reasons(front) == []
        await front.parts.watch.count()
        assert front.metric("jasshaus_lobby_stuck_pots", reason="NO_GAME") == 0


@pytest.mark.parametrize("pot", ["4", "locked", "nameless"])
async def test_a_living_table_keeps_stakes_without_a_game_and_the_row_is_rebuilt(place: Harness, pot: str):
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        world = await world_of(place, front)
        await world.write_pot(pot)
        await world.write_table("playing")
        await front.parts.watch.look()
        row = await world.row()
        assert row is not None
        assert (row.status, row.match) == (Status.PLAYING, world.match)
        assert row.quote is not None
        assert (row.quote.stake, row.quote.pot) == (100, 400)
        assert await state_of(world) == "LOCKED"
        seats = [
            seat.player_id for seat in (await front.player(world.players[0]).get(str(world.game_id))).seats
        ]
        assert seats == [*world.players]
        assert await front.edge.lobby.games_of("default", world.players[1]) == {world.game_id}


@pytest.mark.parametrize("method", ["ReconcileTable", "AbortTable"])
async def test_the_grace_counts_only_while_the_table_service_answers(place: Harness, method: str):
    async with place.front(lost_table_grace=0.1, pot_check=0.0) as front:
        world = await world_of(place, front)
        await world.write_pot("locked")
        await front.parts.watch.look()
        await asyncio.sleep(0.15)
        place.tables.unavailable(method)
        await front.parts.watch.look()
        assert await state_of(world) == "LOCKED"
        assert await reasons(front) == ["UNANSWERED"]
        await front.parts.watch.look()
        assert await state_of(world) == "LOCKED", "the grace began anew"
        await asyncio.sleep(0.15)
        await front.parts.watch.look()
        assert await state_of(world) == "REFUNDED"
        assert str(world.match.table_id) in place.tables.fenced


async def test_a_silent_table_service_is_asked_once_in_a_look(place: Harness):
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        for _ in range(12):
            await (await world_of(place, front)).write_pot("locked")
        place.tables.down = True
        await front.parts.watch.look()
        assert place.tables.count("ReconcileTable") <= 4
        assert await reasons(front) == ["UNANSWERED"] * 12


async def test_a_wallet_that_recovers_makes_everything_wait(place: Harness):
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        world = await world_of(place, front)
        await world.write_pot("3")
        place.wallet.refuse("RefundPot", "LEDGER_RECOVERING", recovering)
        await front.parts.watch.look()
        await front.parts.watch.look()
        assert await state_of(world) == "OPEN"
        (each,) = (await stuck(front)).pots
        assert (each.reason, each.detail) == (pb.STUCK_REASON_UNANSWERED, "LEDGER_RECOVERING")
        assert not each.HasField("refund_time")
        place.wallet._refusals.clear()
        await front.parts.watch.look()
        await front.parts.watch.look()
        assert await state_of(world) == "REFUNDED"


def recovering(reason: str, message: str):
    return unavailable(reason, message, retry_after=2.0)


async def test_players_are_told_that_the_ledger_recovers_and_lose_nothing_by_it(place: Harness):
    async with place.front(reservation_ttl=0.1) as front:
        anna, beat, cla, dora = front.players()
        game = await anna.open(100)
        await cla.join(game)
        for method in ("HoldStake", "ReleaseStake", "RefundPot", "LockPot"):
            place.wallet.refuse(method, "LEDGER_RECOVERING", recovering)
        request_id = new_id()
        with refused("LEDGER_RECOVERING", grpc.StatusCode.UNAVAILABLE) as faults:
            await beat.join(game, seat=2, request_id=request_id)
        assert faults[0].retry_after is not None
        assert faults[0].retry_after >= 2.0  # and some more, so that not all come back at once
        with refused("LEDGER_RECOVERING"):
            await cla.leave(game)
        await asyncio.sleep(0.15)
        await front.reconcile()
        with refused("SEAT_TAKEN"):
            await dora.join(game, seat=2)
        place.wallet._refusals.clear()
        await asyncio.sleep(0.15)
        await front.reconcile()
        with refused("RESERVATION_EXPIRED"):
            await beat.join(game, seat=2, request_id=request_id)
        assert (await beat.join(game, seat=2)).seat == 2
        assert place.wallet.balance("cla") == 1000
        await assert_sound(place, front)


@pytest.mark.parametrize(("row", "noted"), [("OPEN", []), ("CLOSED", ["REFUSED"])])
async def test_a_row_that_cannot_be_read_is_no_missing_row(place: Harness, row: str, noted: list[str]):
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        world = await world_of(place, front)
        await world.write_pot("3")
        await world.write_row(row)
        await world._set("rule_set = 'x'")
        for _ in range(3):
            await front.parts.watch.look()
        assert await state_of(world) == "OPEN"
        assert await reasons(front) == noted


async def test_a_lock_for_another_table_is_followed_there(place: Harness, front: Front):
    """The pot was locked for a table in a course of time that this database has forgotten."""
    anna, beat, cla, dora = front.players()
    game = await anna.open(100)
    await beat.join(game)
    await cla.join(game)
    place.wallet.unavailable("LockPot", 50)
    await dora.join(game)
    row = await front.edge.store.get(UUID(game.game_id))
    assert row is not None
    assert row.status is Status.STARTING
    elsewhere = str(uuid4())
    place.wallet._before.clear()
    pot = place.wallet.pot(game.game_id)
    request = type("Lock", (), {"pot_id": game.game_id, "holds": pot.holds, "table_id": elsewhere})
    place.wallet.lock_pot(request)
    await front.reconcile(1)
    found = await anna.get(game)
    assert (found.status, found.table_id) == (PLAYING, elsewhere)
    assert place.wallet.pot(game.game_id).state != REFUNDED


async def test_another_matchs_pot_is_never_refunded(place: Harness):
    async with place.front(lost_table_grace=0.0) as front:
        world = await world_of(place, front)
        await world.write_pot("elsewhere")
        await world.write_row("PLAYING")
        other = (await world.pot()).table_id
        await front.reconcile(1)
        row = await world.row()
        assert row is not None
        assert (row.status, str(row.table_id)) == (Status.PLAYING, other)
        assert await state_of(world) == "LOCKED"


async def test_a_finished_game_is_settled_again_without_its_table(place: Harness):
    async with place.front(pot_check=0.0) as front:
        world = await world_of(place, front)
        await world.write_pot("locked")
        await world.write_row("FINISHED")
        await front.parts.watch.look()
        assert [place.wallet.balance(name) for name in world.players] == [1095, 900, 1095, 900]
        await front.parts.watch.look()
        assert [place.wallet.balance(name) for name in world.players] == [1095, 900, 1095, 900]
        assert front.metric("jasshaus_lobby_reconciler_total", action="settled_again") == 1


async def test_a_table_that_is_lost_with_a_result_pays(place: Harness):
    async with place.front(lost_table_grace=0.0) as front:
        world = await world_of(place, front)
        await world.write_pot("locked")
        await world.write_row("PLAYING")
        await world.write_table("record")
        await front.reconcile(1)
        row = await world.row()
        assert row is not None
        assert row.status is Status.FINISHED
        assert row.result is not None
        assert (row.result.payouts, row.result.points) == ((195, 195), (1000, 700))
        assert await state_of(world) == "SETTLED"


async def test_two_replicas_that_look_at_once_do_everything_once(place: Harness):
    async with (
        place.front(lost_table_grace=0.0, pot_check=0.0) as first,
        place.front(lost_table_grace=0.0, pot_check=0.0) as second,
    ):
        worlds = []
        for pot, row, table in (
            ("3", "missing", "gone"),
            ("locked", "missing", "playing"),
            ("locked", "FINISHED", "gone"),
            ("locked", "CLOSED", "gone"),
            ("4", "VOIDED", "gone"),
            ("locked", "missing", "record"),
            ("elsewhere", "PLAYING", "gone"),
        ):
            world = await world_of(place, first)
            await world.write_pot(pot)
            await world.write_row(row)
            await world.write_table(table)
            worlds.append(world)
        for _ in range(6):
            # Both have the claim, as when one was away for longer than its lease.
            async with first.edge.pool.connection() as connection:
                await connection.execute("UPDATE matchmaking.pot_watch SET due = '-infinity'")
            for front in (first, second):
                front.parts.watch._strays.claim = always
            await asyncio.gather(
                first.parts.watch.look(),
                second.parts.watch.look(),
                first.reconcile(1),
                second.reconcile(1),
            )
        states = [await state_of(world) for world in worlds]
        assert states == ["REFUNDED", "LOCKED", "SETTLED", "REFUNDED", "REFUNDED", "SETTLED", "REFUNDED"]
        assert place.wallet.total() == 0
        assert sum(place.wallet.balance(name) for name in worlds[2].players) == 4 * 1000 - 10


async def always(_seconds: float):
    return datetime.now(UTC) - timedelta(seconds=60)


async def test_one_replica_at_a_time_looks(place: Harness):
    async with place.front(pot_check=60.0) as first, place.front(pot_check=60.0) as second:
        for _ in range(3):
            await first.parts.watch.look()
            await second.parts.watch.look()
        assert place.wallet.count("ListPots") == 1


async def test_stuck_pots_come_in_pages_oldest_first(place: Harness):
    async with place.front(lost_table_grace=600, pot_check=0.0) as front:
        made = []
        for _ in range(5):
            world = await world_of(place, front)
            await world.write_pot("1")
            made.append(str(world.game_id))
            await front.parts.watch.look()
        seen, token = [], ""
        for size in (2, 2, 1):
            page = await stuck(front, page_size=2, page_token=token)
            assert len(page.pots) == size
            seen += [each.pot_id for each in page.pots]
            token = page.next_page_token
        assert (seen, token) == (made, "")
        with refused("INVALID_PAGE_TOKEN"):
            await stuck(front, page_token="x")


async def test_players_see_nothing_of_what_is_stuck(place: Harness, front: Front):
    stub = pb_grpc.OperatorServiceStub(front.channel)
    with refused("ROLE_NOT_ALLOWED"):
        await stub.ListStuckPots(pb.ListStuckPotsRequest(), metadata=front.player("anna").metadata)


# Games whose pot is lost: the wallet alone was restored to before it was opened.


def end_recovery(place: Harness) -> None:
    found = place.wallet.check_ledger(wallet_pb2.CheckLedgerRequest())
    place.wallet.end_recovery(wallet_pb2.EndRecoveryRequest(recovery_id=found.recovery.recovery_id))


@pytest.mark.parametrize("by", ["watch", "audit", "join"])
async def test_an_open_game_whose_pot_is_lost_closes(place: Harness, by: str):
    async with place.front(pot_check=0.0, max_games=1) as front:
        anna, beat, cla, _ = front.players()
        before = place.wallet.backup()
        game = await anna.open(100)
        await beat.join(game)
        place.wallet.restore(before)
        end_recovery(place)
        match by:
            case "watch":
                await front.parts.watch.look()
            case "audit":
                await front.reconcile(1)
            case _:
                with refused("GAME_NOT_OPEN"):
                    await cla.join(game)
        assert (await anna.get(game)).status == CLOSED
        assert await anna.listed() == []
        assert (await beat.open(100)).status == OPEN, "who sat there may sit elsewhere"
        assert [place.wallet.balance(name) for name in ("anna", "beat")] == [1000, 900]
        assert place.wallet.pot(game.game_id).state == REFUNDED, "a late OpenPot opens nothing"
        await assert_sound(place, front)


@pytest.mark.parametrize("silent", ["recovering", "ReleaseStake", "GetPot"])
async def test_no_game_closes_while_the_wallet_cannot_say_that_its_pot_is_lost(place: Harness, silent: str):
    async with place.front(pot_check=0.0) as front:
        anna, beat, *_ = front.players()
        before = place.wallet.backup()
        game = await anna.open(100)
        await beat.join(game)
        place.wallet.restore(before)
        if silent != "recovering":
            end_recovery(place)
            place.wallet.unavailable(silent, 1000)
        await front.parts.watch.look()
        await front.reconcile(2)
        assert (await anna.get(game)).status == OPEN
        if silent == "recovering":
            end_recovery(place)
        place.wallet._before.clear()
        await front.parts.watch.look()
        assert (await anna.get(game)).status == CLOSED


async def test_an_open_game_whose_pot_is_there_stays_open(place: Harness):
    """It is asked for again right before: the list of pots may be older than the pot."""
    async with place.front(pot_check=0.0) as front:
        anna, beat, *_ = front.players()
        game = await anna.open(100)
        await beat.join(game)
        row = await front.edge.store.get(UUID(game.game_id))
        assert row is not None
        await front.parts.watch._lifecycle.close_lost(row)
        assert (await anna.get(game)).status == OPEN
        assert [hold.player_id for hold in place.wallet.pot(game.game_id).holds] == ["anna", "beat"]
        free = await anna.open(0)
        await front.parts.watch.look()
        await front.reconcile(1)
        assert (await anna.get(free)).status == OPEN


# What a table reports.


async def free_world(place: Harness, front: Front):
    world = await world_of(place, front)
    return world, restore_request(world, CLASSIC, None)


async def test_a_lost_row_of_a_game_without_a_stake_is_written_again(place: Harness, front: Front):
    world, request = await free_world(place, front)
    assert await restore(front, request)
    assert not await restore(front, request)
    row = await world.row()
    assert row is not None
    assert (row.status, row.match, row.quote) == (Status.PLAYING, world.match, None)
    pot = await front.edge.free.get(world.game_id)
    assert pot is not None
    assert (pot.state, pot.holds) == ("LOCKED", world.holds)
    game = await front.player(world.players[0]).get(str(world.game_id))
    await front.report(game, result=pb.GameResult(winning_seats=[0, 2], points=[1000, 5]))
    assert (await world.row()).status is Status.FINISHED


async def test_a_game_without_a_stake_that_is_open_again_goes_to_its_table(place: Harness, front: Front):
    anna, beat, cla, dora = front.players()
    game = await anna.open(0)
    for player in (beat, cla, dora):
        game = (await player.join(game)).game
    row = await front.edge.store.get(UUID(game.game_id))
    assert row is not None
    async with front.edge.pool.connection() as connection:
        await connection.execute(
            "UPDATE matchmaking.game SET status = 'OPEN', table_id = NULL, seats = NULL WHERE game_id = %s",
            (row.game_id,),
        )
        await connection.execute(
            "UPDATE matchmaking.free_pot SET state = 'OPEN' WHERE pot_id = %s", (row.game_id,)
        )
        await connection.execute(
            "UPDATE matchmaking.free_hold SET state = 'RELEASED' WHERE player = 'dora' AND pot_id = %s",
            (row.game_id,),
        )
    await front.edge.redis.flushall()
    eva = front.player("eva")
    request = pb.RestoreGameRequest(
        table_id=str(row.table_id),
        game_id=game.game_id,
        tenant="default",
        seats=[
            pb.RestoredSeat(seat=hold.seat, player_id=hold.player, reservation_id=str(hold.reservation))
            for hold in row.holds
        ],
        rule_set=CLASSIC,
    )
    assert (await anna.get(game)).status == OPEN
    assert await restore(front, request)
    found = await anna.get(game)
    assert (found.status, found.table_id) == (PLAYING, str(row.table_id))
    with refused("GAME_FULL"):
        await eva.join(game)
    await front.reconcile()
    await assert_sound(place, front)


async def test_what_a_table_reports_of_another_game_is_refused(place: Harness, front: Front):
    world = await world_of(place, front)
    quote = (await front.player("anna").open(100)).quote
    request = restore_request(world, CLASSIC, quote)
    with refused("GAME_CONFLICT"):
        await restore(front, request)
    await world.write_pot("elsewhere")
    with refused("GAME_CONFLICT"):
        await restore(front, request)
    assert await world.row() is None
    other = await world_of(place, front)
    await other.write_pot("3")
    with refused("WALLET_UNAVAILABLE"):
        await restore(front, restore_request(other, CLASSIC, quote))
    await other.write_row("VOIDED")
    with refused("GAME_CONFLICT"):
        await restore(front, restore_request(other, CLASSIC, quote))
    third = restore_request(other, CLASSIC, quote)
    third.tenant = "alpha"
    with refused("GAME_CONFLICT"):
        await restore(front, third)
    third.seats.pop()
    with refused("INVALID_FIELD"):
        await restore(front, third)


async def test_a_table_set_up_without_reservations_is_known_by_its_seats(place: Harness, front: Front):
    world = await world_of(place, front)
    await world.write_pot("nameless")
    request = restore_request(world, CLASSIC, (await world.pot()).quote)
    for seat in request.seats:
        seat.reservation_id = ""
    assert await restore(front, request)
    row = await world.row()
    assert row is not None
    assert row.holds == world.holds


@pytest.mark.parametrize("stake", [0, 100])
async def test_a_row_written_again_is_newer_than_what_the_lost_one_said(
    place: Harness, front: Front, stake: int
):
    anna, *others = front.players()
    game = await anna.open(stake)
    for player in others:
        game = (await player.join(game)).game
    row = await front.edge.store.get(UUID(game.game_id))
    assert row is not None
    async with front.edge.pool.connection() as connection:
        await connection.execute("DELETE FROM matchmaking.game WHERE game_id = %s", (row.game_id,))
    seats = [
        pb.RestoredSeat(seat=hold.seat, player_id=hold.player, reservation_id=str(hold.reservation))
        for hold in row.holds
    ]
    request = pb.RestoreGameRequest(
        table_id=str(row.table_id),
        game_id=game.game_id,
        tenant="default",
        seats=seats,
        rule_set=game.rule_set,
        quote=game.quote if stake else None,
    )
    assert await restore(front, request)
    again = await anna.get(game)
    assert again.version > game.version
    await front.report(again, voided=True)
    assert (await anna.get(game)).version > again.version
