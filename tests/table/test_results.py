"""Result records: what is left of a match in Redis when its table is gone, for the restore window."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID, uuid4

import grpc
import pytest

from jasshaus.api.internal.v1 import store_pb2
from jasshaus.api.table.v1 import table_pb2
from jasshaus.platform.auth import Role
from jasshaus.platform.errors import Fault
from jasshaus.rules.core.options import PRESETS, Variant, rule_set
from jasshaus.table.codec import decode
from jasshaus.table.games import row_of_result
from jasshaus.table.result import TIME_BYTES, MatchResult, decode_result, encode_result
from jasshaus.table.store import RESTORE_WINDOW
from table.harness import STAKE, Harness, Replica, closed, new_table, play_until
from table.restores import PLAYING, played_out, staked

FOUR = ("anna", "beat", "cla", "dora")


async def result_of(replica: Replica, table_id: str, *roles: Role) -> table_pb2.MatchResult:
    return await replica.as_("somebody", *(roles or (Role.SERVICE,))).result(table_id)


async def lose_table(replica: Replica, table_id: str) -> None:
    keys = replica.store.names.of(UUID(table_id))
    await replica.redis.call("DEL", keys.table, keys.events)
    replica.tables._kept.clear()


def test_a_record_of_players_named_by_uuids_is_under_300_bytes() -> None:
    longest = MatchResult(
        table_id=uuid4(),
        game_id=uuid4(),
        tenant="x" * 20,
        reservations=tuple(uuid4() for _ in range(4)),
        winning_seats=(2, 3),
        points=(-100_000, 100_000, 99_999, -99_999),
        digest=bytes(range(32)),
        staked=True,
        players=tuple(str(uuid4()) for _ in range(4)),
        preset="schieber-classic",
        rules=replace(PRESETS["schieber-classic"], target=2_000),
    )
    stored = (2**62).to_bytes(TIME_BYTES, "big") + encode_result(longest)
    assert len(stored) < 300
    assert decode_result(stored) == replace(longest, ended_at=2**62)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [FOUR, tuple(str(uuid4()).upper() for _ in FOUR)])
def test_players_and_rules_are_kept_as_they_were(preset: str, players: tuple[str, ...]) -> None:
    start = PRESETS[preset]
    changed = (
        rule_set(preset, {"target": 100})
        if start.variant is Variant.SCHIEBER
        else rule_set(preset, {"rounds": 3})
    )
    for rules in (start, changed):
        for name in (preset, "", "no-longer-there", "schieber-partner"):
            known = MatchResult(
                table_id=uuid4(),
                game_id=uuid4(),
                tenant="default",
                reservations=(),
                winning_seats=(0,),
                points=(1, 2),
                digest=b"",
                staked=False,
                players=players,
                preset=name,
                rules=rules,
            )
            assert decode_result(bytes(TIME_BYTES) + encode_result(known)) == known


def test_a_record_of_the_release_before_tells_no_players_and_no_rules() -> None:
    record = store_pb2.ResultRecord(table_id=uuid4().bytes, game_id=uuid4().bytes, tenant="default")
    known = decode_result(bytes(TIME_BYTES) + record.SerializeToString())
    assert (known.players, known.rules) == ((), None)
    assert row_of_result(known) is None


async def test_a_result_outlives_its_table(harness: Harness, replica: Replica) -> None:
    table = await played_out(harness, replica)
    view = await replica.service.get(table.table_id)
    await lose_table(replica, table.table_id)

    result = await result_of(replica, table.table_id, Role.OPERATOR)

    assert (result.table_id, result.game_id, result.tenant) == (table.table_id, table.game_id, "default")
    assert list(result.player_ids) == table.players
    assert list(result.reservation_ids) == [seat.reservation_id for seat in table.request.seats]
    assert list(result.winning_seats) == list(view.outcome.winning_seats)
    assert list(result.points) == list(view.outcome.points)
    assert result.result_digest == table.pot.result_digest
    assert result.staked
    keys = replica.store.names.of(UUID(table.table_id))
    assert RESTORE_WINDOW - 60_000 < await replica.redis.call("PTTL", keys.result) <= RESTORE_WINDOW
    assert await replica.store.ended(keys.lane) == [UUID(table.table_id)]


async def test_it_tells_when_the_match_ended_not_when_it_was_paid(harness: Harness) -> None:
    async with harness.replica(ticking=False) as replica:
        table = await staked(harness, replica)
        await replica.service.abort(table.table_id)
        ended = await result_of(replica, table.table_id)
        async with harness.replica():
            await closed(replica, table.table_id)
        assert await result_of(replica, table.table_id) == ended
        assert not ended.winning_seats


async def test_of_a_table_that_is_played_there_is_none(harness: Harness, replica: Replica) -> None:
    table = await staked(harness, replica)
    for table_id in (table.table_id, str(uuid4())):
        with pytest.raises(Fault) as refused:
            await result_of(replica, table_id)
        assert (refused.value.code, refused.value.reason) == (
            grpc.StatusCode.NOT_FOUND,
            "RESULT_NOT_FOUND",
        )


async def test_players_do_not_see_it(harness: Harness, replica: Replica) -> None:
    table = await played_out(harness, replica)
    with pytest.raises(Fault) as refused:
        await result_of(replica, table.table_id, Role.PLAYER)
    assert refused.value.code is grpc.StatusCode.PERMISSION_DENIED


async def test_a_result_follows_its_pot(harness: Harness) -> None:
    async with harness.replica(ticking=False) as replica:
        table = await staked(harness, replica)
        await play_until(replica, table.table_id, lambda view: view.status != PLAYING)
        assert (await result_of(replica, table.table_id)).winning_seats
        await harness.end_pot(table.game_id, table.table_id)
        async with harness.replica():
            await closed(replica, table.table_id)
        assert not (await result_of(replica, table.table_id)).winning_seats


async def test_one_whose_match_a_release_without_records_ended_is_written_when_it_is_paid(
    harness: Harness,
) -> None:
    async with harness.replica(ticking=False) as replica:
        table = await staked(harness, replica)
        await play_until(replica, table.table_id, lambda view: view.status != PLAYING)
        keys = replica.store.names.of(UUID(table.table_id))
        await replica.redis.call("DEL", keys.result, keys.lane.results)
        async with harness.replica():
            await closed(replica, table.table_id)
        assert (await result_of(replica, table.table_id)).result_digest == table.pot.result_digest
        assert await replica.store.ended(keys.lane) == [UUID(table.table_id)]


async def test_the_list_of_results_loses_those_that_are_gone(harness: Harness, replica: Replica) -> None:
    table = await staked(harness, replica)
    lane = replica.store.names.of(UUID(table.table_id)).lane
    await replica.redis.call("ZADD", lane.results, 1, str(uuid4()))
    await replica.service.abort(table.table_id)
    assert await replica.redis.call("ZRANGE", lane.results, 0, -1) == [table.table_id.encode()]


async def test_only_the_latest_are_listed_when_asked_for(harness: Harness, replica: Replica) -> None:
    table = await staked(harness, replica)
    await replica.service.abort(table.table_id)
    lane = replica.store.names.of(UUID(table.table_id)).lane
    old = uuid4()
    await replica.redis.call("ZINCRBY", lane.results, 0, str(old))
    now, _ = await replica.redis.call("TIME")
    await replica.redis.call("ZADD", lane.results, int(now) * 1000 + RESTORE_WINDOW - 120_000, str(old))
    assert await replica.store.ended(lane, 60_000) == [UUID(table.table_id)]
    assert await replica.store.ended(lane) == [UUID(table.table_id), old]


async def test_reservations_are_kept_with_the_table(harness: Harness, replica: Replica) -> None:
    table = await staked(harness, replica)
    stored = await replica.store.load(UUID(table.table_id))
    assert stored.record is not None
    kept = decode(stored.record)[0].seats
    assert [str(seat.reservation) for seat in kept] == [seat.reservation_id for seat in table.request.seats]


async def test_the_release_before_may_repeat_what_this_one_was_asked_and_the_other_way_round(
    harness: Harness, replica: Replica
) -> None:
    named, unnamed = new_table(), new_table()
    for request in (named, unnamed):
        without = table_pb2.CreateTableRequest()
        without.CopyFrom(request)
        for seat in without.seats:
            seat.reservation_id = ""
        for one in (request, without) if request is named else (without, request):
            assert (await replica.service.create(one)).version == 1


async def test_another_reservation_is_another_table(harness: Harness, replica: Replica) -> None:
    request = new_table()
    await replica.service.create(request)
    request.seats[2].reservation_id = str(uuid4())
    with pytest.raises(Fault) as refused:
        await replica.service.create(request)
    assert refused.value.reason == "TABLE_CONFLICT"


@pytest.mark.parametrize("named", [[0, 1, 2], [0, 0, 1, 2]])
async def test_reservations_are_four_or_none(harness: Harness, replica: Replica, named: list[int]) -> None:
    request, ids = new_table(), [str(uuid4()) for _ in range(4)]
    for seat in request.seats:
        seat.reservation_id = ids[named[seat.seat]] if seat.seat < len(named) else ""
    with pytest.raises(Fault) as refused:
        await replica.service.create(request)
    assert refused.value.code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize("difference", ["reservation", "table"])
async def test_a_pot_of_another_match_makes_no_table(
    harness: Harness, replica: Replica, difference: str
) -> None:
    request = new_table(stake=STAKE)
    await harness.lock_pot(request)
    if difference == "table":
        request.table_id = str(uuid4())
    else:
        request.seats[1].reservation_id = str(uuid4())
    with pytest.raises(Fault) as refused:
        await replica.service.create(request)
    assert refused.value.reason == "POT_MISMATCH"


async def test_a_pot_that_the_release_before_locked_names_no_table(
    harness: Harness, replica: Replica
) -> None:
    request = new_table(stake=STAKE)
    await harness.lock_pot(request, for_table=False)
    await replica.service.create(request)
