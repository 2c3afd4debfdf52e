"""Time: stand-ins, leaving and returning, pauses, idle tables, outages of a lane."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest

from jasshaus.api.table.v1 import table_pb2
from jasshaus.platform.errors import Fault
from jasshaus.rules.schieber import Match
from jasshaus.table import stand_in
from jasshaus.table.keys import LANES
from table.harness import (
    AT_LEISURE,
    PLAYERS,
    STAKE,
    Harness,
    Replica,
    closed,
    deadline,
    deciding,
    play_until,
    step,
)

BRISK = replace(AT_LEISURE, turn=150, weis=150, away=20)
NO_LIMIT = replace(AT_LEISURE, turn=0, weis=0)

LEAVE = table_pb2.Action(leave=table_pb2.Action.Leave())
RETURN = table_pb2.Action(come_back=table_pb2.Action.ComeBack())


def milliseconds(timestamp: object) -> int:
    return timestamp.ToMilliseconds()  # type: ignore[attr-defined]


def time_left(view: table_pb2.TableView, seat: int) -> int:
    return milliseconds(deadline(view, seat)) - milliseconds(view.clock.server_time)


async def until(
    replica: Replica,
    table_id: str,
    wanted: object,
    timeout: float = 5.0,  # noqa: ASYNC109
) -> table_pb2.TableView:
    async with asyncio.timeout(timeout):
        while not wanted(view := await replica.service.get(table_id)):  # type: ignore[operator]
            await asyncio.sleep(0.01)
    return view


async def test_a_stand_in_decides_when_time_is_up(harness: Harness) -> None:
    async with harness.replica(pace=BRISK) as replica:
        table_id = await harness.table(replica)
        view = await until(replica, table_id, lambda view: view.version > 1)
        assert replica.metric("jasshaus_table_timeouts_total") >= 1
        assert view.phase in {table_pb2.PHASE_CONTRACT, table_pb2.PHASE_WEIS}


async def test_players_who_are_gone_play_to_the_end_and_are_paid(harness: Harness) -> None:
    pace = replace(BRISK, turn=20, weis=20, away=0)
    async with harness.replica(pace=pace) as replica:
        table_id = await harness.table(replica, stake=STAKE, target=150)
        view = await closed(replica, table_id, timeout=30)
        assert view.status == table_pb2.TABLE_STATUS_FINISHED
        assert all(seat.away for seat in view.seats)
        assert view.outcome.decision != table_pb2.DECISION_FALSE_CLAIM


async def test_a_seat_is_away_after_so_many_timeouts_in_a_row(harness: Harness) -> None:
    async with harness.replica(pace=replace(BRISK, turn=60_000, weis=100, away_after=1)) as replica:
        table_id = await harness.table(replica)
        await play_until(replica, table_id, lambda view: view.phase == table_pb2.PHASE_WEIS)
        view = await until(replica, table_id, lambda view: view.phase == table_pb2.PHASE_TRICKS)
        assert [seat.away for seat in view.seats] == [True] * 4


async def test_only_the_event_that_opens_a_decision_sets_its_deadline(
    harness: Harness, replica: Replica
) -> None:
    table_id = await harness.table(replica)
    await play_until(replica, table_id, lambda view: view.phase == table_pb2.PHASE_WEIS)
    before = await replica.service.get(table_id)
    await asyncio.sleep(0.02)
    declaring = deciding(before)[0]
    nothing = table_pb2.Action(declare_weis=table_pb2.Action.DeclareWeis())
    await replica.as_(PLAYERS[declaring]).act(table_id, nothing)
    await replica.as_(PLAYERS[declaring]).act(table_id, LEAVE)
    await replica.as_(PLAYERS[declaring]).act(table_id, RETURN)

    after = await replica.service.get(table_id)

    assert deciding(after) == [seat for seat in range(4) if seat != declaring]
    for seat in deciding(after):
        assert deadline(after, seat) == deadline(before, seat)
    assert declaring not in [each.seat for each in after.clock.deadlines]


async def test_leaving_hurries_ones_own_decision_only(harness: Harness) -> None:
    async with harness.replica(pace=replace(AT_LEISURE, away=5_000)) as replica:
        table_id = await harness.table(replica)
        view = await replica.service.get(table_id)
        await replica.as_(PLAYERS[view.forehand]).act(table_id, LEAVE)
        view = await replica.service.get(table_id)
        assert view.seats[view.forehand].away
        assert 4_000 < time_left(view, view.forehand) <= 5_000


async def test_who_returns_has_the_time_he_had_when_he_was_asked(harness: Harness) -> None:
    async with harness.replica(pace=replace(AT_LEISURE, away=5_000)) as replica:
        table_id = await harness.table(replica)
        view = await replica.service.get(table_id)
        due, player = deadline(view, view.forehand), replica.as_(PLAYERS[view.forehand])
        for _ in range(3):
            await asyncio.sleep(0.02)
            await player.act(table_id, LEAVE)
            await player.act(table_id, RETURN)

        view = await replica.service.get(table_id)

        # To the millisecond: leaving and returning in a loop wins nothing.
        assert deadline(view, view.forehand) == due
        assert not view.seats[view.forehand].away


async def test_who_returns_has_a_full_turn_next_time(harness: Harness) -> None:
    async with harness.replica(pace=replace(AT_LEISURE, away=10)) as replica:
        table_id = await harness.table(replica)
        view = await play_until(replica, table_id, lambda view: view.phase == table_pb2.PHASE_TRICKS)
        away = (deciding(view)[0] + 1) % 4
        player = replica.as_(PLAYERS[away])
        await player.act(table_id, LEAVE)
        await step(replica, table_id)
        await until(replica, table_id, lambda view: deciding(view) == [(away + 1) % 4])
        mine = await player.get(table_id)
        assert mine.legal_actions.come_back
        assert not mine.legal_actions.leave
        await player.act(table_id, RETURN)
        view = await play_until(replica, table_id, lambda view: deciding(view) == [away])
        assert time_left(view, away) > 59_000


async def test_one_leaves_and_returns_once(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    anna = replica.as_("anna")
    with pytest.raises(Fault) as refused:
        await anna.act(table_id, RETURN)
    assert refused.value.reason == "NOT_AWAY"
    await anna.act(table_id, LEAVE)
    with pytest.raises(Fault) as refused:
        await anna.act(table_id, LEAVE)
    assert refused.value.reason == "ALREADY_AWAY"


async def test_without_a_limit_there_is_no_deadline(harness: Harness) -> None:
    async with harness.replica(pace=NO_LIMIT) as replica:
        table_id = await harness.table(replica)
        view = await replica.service.get(table_id)
        assert not view.clock.deadlines
        player = replica.as_(PLAYERS[view.forehand])
        await player.act(table_id, LEAVE)
        await until(replica, table_id, lambda now: now.version > 1)


async def test_an_idle_table_is_aborted_and_the_stakes_go_back(harness: Harness) -> None:
    async with harness.replica(pace=replace(NO_LIMIT, idle_limit=2_000)) as replica:
        table_id = await harness.table(replica, stake=STAKE)
        await asyncio.sleep(1.2)
        await step(replica, table_id)
        # Progress starts the limit again; leaving and returning are none.
        await asyncio.sleep(1.2)
        view = await replica.service.get(table_id)
        assert view.status == table_pb2.TABLE_STATUS_PLAYING
        bystander = PLAYERS[(deciding(view)[0] + 1) % 4]
        await replica.as_(bystander).act(table_id, LEAVE)

        view = await closed(replica, table_id)

        assert view.status == table_pb2.TABLE_STATUS_VOIDED
        assert view.outcome.abort_reason == "idle"
        assert [harness.wallet.balance(player) for player in PLAYERS] == [STAKE] * 4


async def test_a_table_that_moved_since_it_was_seen_idle_is_not_aborted(harness: Harness) -> None:
    async with harness.replica(pace=replace(NO_LIMIT, idle_limit=300), ticking=False) as replica:
        table_id = await harness.table(replica)
        lane = replica.store.names.of(UUID(table_id)).lane
        await asyncio.sleep(0.35)
        (seen,) = (await replica.store.look(lane, 10)).timers
        await step(replica, table_id)

        await replica.clock._idle(seen)

        view = await replica.service.get(table_id)
        assert (view.status, view.version) == (table_pb2.TABLE_STATUS_PLAYING, 2)


async def test_no_lead_before_the_pause_is_over(harness: Harness) -> None:
    async with harness.replica(pace=replace(AT_LEISURE, lead_pause=400)) as replica:
        table_id = await harness.table(replica)
        view = await play_until(
            replica, table_id, lambda view: len(view.tricks) == 1 and not view.HasField("trick")
        )
        leader = replica.as_(PLAYERS[deciding(view)[0]])
        mine = await leader.get(table_id)
        assert 0 < milliseconds(mine.clock.lead_after) - milliseconds(mine.clock.server_time) <= 400
        lead = table_pb2.Action(play_card=table_pb2.Action.PlayCard(card=mine.legal_actions.cards[0]))

        with pytest.raises(Fault) as refused:
            await leader.act(table_id, lead)
        assert refused.value.reason == "LEAD_PAUSE"
        assert refused.value.retry_after is not None
        await asyncio.sleep(refused.value.retry_after)

        assert len((await leader.act(table_id, lead)).view.trick.cards) == 1


async def test_the_pause_is_there_whoever_may_claim(harness: Harness) -> None:
    """Its length says nothing: not of the score, not of who won the trick."""
    async with harness.replica(pace=replace(AT_LEISURE, lead_pause=60_000)) as replica:
        for when in ("own_trick", "any"):
            table_id = await harness.table(replica, claim_when=when)
            view = await play_until(
                replica, table_id, lambda view: len(view.tricks) == 1 and not view.HasField("trick")
            )
            views = [await replica.as_(player).get(table_id) for player in PLAYERS]
            leader = deciding(view)[0]
            assert all(each.clock.HasField("lead_after") for each in views)
            claimants = [seat for seat, each in enumerate(views) if each.legal_actions.claim]
            assert claimants == ([0, 1, 2, 3] if when == "any" else sorted((leader, (leader + 2) % 4)))


async def test_tables_that_end_by_themselves_have_no_lead_pause(harness: Harness) -> None:
    async with harness.replica(pace=replace(AT_LEISURE, lead_pause=60_000)) as replica:
        table_id = await harness.table(replica, "schieber-partner")
        await play_until(replica, table_id, lambda view: len(view.tricks) == 3)


async def test_the_pause_after_a_trick_is_added_to_the_deadline(harness: Harness) -> None:
    async with harness.replica(pace=replace(AT_LEISURE, trick_pause=7_000)) as replica:
        table_id = await harness.table(replica)
        view = await play_until(
            replica, table_id, lambda view: len(view.tricks) == 1 and not view.HasField("trick")
        )
        assert 66_000 < time_left(view, deciding(view)[0]) <= 67_000
        view = await step(replica, table_id)
        assert 59_000 < time_left(view, deciding(view)[0]) <= 60_000


async def test_timers_of_a_lane_that_was_down_shift_by_the_gap(harness: Harness) -> None:
    async with harness.replica(ticking=False) as replica:
        table_id = await harness.table(replica)
        before = await replica.service.get(table_id)
        lane = replica.store.names.of(UUID(table_id)).lane
        # As if the clock had been looked at last a minute ago.
        await replica.link.call("SET", lane.seen, milliseconds(before.clock.server_time) - 60_000)
        due = await replica.store.look(lane, 10)
        assert not due.timers
        after = await replica.service.get(table_id)
        seat = deciding(after)[0]
        shift = milliseconds(deadline(after, seat)) - milliseconds(deadline(before, seat))
        assert 60_000 <= shift < 61_000
        await replica.store.look(lane, 10)
        assert deadline(await replica.service.get(table_id), seat) == deadline(after, seat)


async def test_a_lane_that_was_empty_was_not_down(harness: Harness) -> None:
    async with harness.replica(ticking=False) as replica:
        table_id = await harness.table(replica)
        lane = replica.store.names.of(UUID(table_id)).lane
        await replica.link.call("DEL", lane.timers)
        await replica.link.call("SET", lane.seen, 1)
        await step(replica, table_id)
        await replica.store.look(lane, 10)
        view = await replica.service.get(table_id)
        assert time_left(view, deciding(view)[0]) <= 60_000


@pytest.mark.parametrize("what", ["match", "rules"])
async def test_a_table_that_cannot_be_read_is_aborted_and_the_others_go_on(
    harness: Harness, what: str
) -> None:
    async with harness.replica(pace=replace(BRISK, idle_limit=1_500)) as replica:
        sick = await harness.table(replica, stake=STAKE)
        await _make_unreadable(replica, UUID(sick), what)
        well = await harness.table(replica, stake=0, target=100)
        async with harness.replica(pace=BRISK) as other:
            view = await closed(other, well, timeout=20)
            assert view.status == table_pb2.TABLE_STATUS_FINISHED
            view = await closed(other, sick, timeout=20)
        assert view.status == table_pb2.TABLE_STATUS_VOIDED
        assert view.outcome.abort_reason == "idle"
        assert [harness.wallet.balance(player) for player in PLAYERS] == [STAKE] * 4


async def test_a_bot_that_fails_at_one_table_plays_on_at_the_others(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, sick_rules = stand_in.choose, []

    def choose(match: Match, seat: int) -> object:
        if match.rules.target in sick_rules:
            raise ZeroDivisionError
        return real(match, seat)

    monkeypatch.setattr(stand_in, "choose", choose)
    async with harness.replica(pace=replace(BRISK, idle_limit=2_000)) as replica:
        sick_rules.append(9_999)
        sick = await harness.table(replica, stake=STAKE, target=9_999)
        well = await harness.table(replica, target=100)
        assert (await closed(replica, well, timeout=20)).status == table_pb2.TABLE_STATUS_FINISHED
        view = await closed(replica, sick, timeout=20)
        assert view.outcome.abort_reason == "idle"
        # It was tried again, ever more rarely.
        assert 1 <= replica.metric("jasshaus_table_clock_failures_total") <= 4
        assert [harness.wallet.balance(player) for player in PLAYERS] == [STAKE] * 4


async def _make_unreadable(replica: Replica, table_id: UUID, what: str) -> None:
    from jasshaus.api.internal.v1 import store_pb2  # noqa: PLC0415 - only here

    key = replica.store.names.of(table_id).table
    record = store_pb2.TableRecord.FromString(await replica.link.call("HGET", key, "r"))
    if what == "match":
        record.match = b"\xff\xff"
    else:
        record.rule_set.finish = 77  # type: ignore[assignment]
    # Another etag, so that no replica goes on with what it has decoded before.
    etag = record.version.to_bytes(8, "big") + b"?" * 32
    await replica.link.call("HSET", key, "r", record.SerializeToString(), "e", etag)


async def test_two_replicas_clocks_act_once(harness: Harness) -> None:
    async with (
        harness.replica(pace=replace(BRISK, turn=50, weis=50)) as one,
        harness.replica(pace=BRISK) as two,
    ):
        table_id = await harness.table(one, target=100, stake=STAKE)
        view = await closed(one, table_id, timeout=30)
        acted = [each.metric("jasshaus_table_timeouts_total") for each in (one, two)]
        # Every version but the first and the last is one decision of a stand-in.
        assert sum(acted) == view.version - 2


async def test_all_lanes_are_looked_at(harness: Harness) -> None:
    async with harness.replica(ticking=False) as replica:
        assert len(replica.store.names.lanes) == LANES
        assert len({lane.timers for lane in replica.store.names.lanes}) == LANES
