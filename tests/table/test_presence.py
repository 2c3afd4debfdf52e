"""Leaving and coming back are no part of the match: no decision is stale by them, no history is lost."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import cycle
from uuid import UUID, uuid4

import grpc
import pytest

from jasshaus.api.internal.v1 import store_pb2
from jasshaus.api.table.v1 import table_pb2
from jasshaus.platform.errors import Fault
from jasshaus.table.feed import FeedPace
from jasshaus.table.stand_in import time_out
from jasshaus.table.store import LEAVE_EVERY, LEAVES_AT_ONCE, Moved
from jasshaus.table.table import awaited
from table.harness import (
    AT_LEISURE,
    PLAYERS,
    Harness,
    Replica,
    any_action,
    deciding,
    play_until,
    step,
    token_of,
    view_of,
)

LEAVE = table_pb2.Action(leave=table_pb2.Action.Leave())
BACK = table_pb2.Action(come_back=table_pb2.Action.ComeBack())
NO_WEIS = table_pb2.Action(declare_weis=table_pb2.Action.DeclareWeis())
CLAIM = table_pb2.Action(claim=table_pb2.Action.Claim())


def announce(points: int) -> table_pb2.Action:
    return table_pb2.Action(announce_points=table_pb2.Action.AnnouncePoints(points=points))


async def test_a_seat_that_leaves_and_returns_without_end_stops_nobody(
    harness: Harness, replica: Replica
) -> None:
    table_id = await harness.table(replica, target=10_000)
    anna, over = replica.as_("anna"), asyncio.Event()
    token = token_of(await replica.as_("beat").watch(table_id).next())
    tried = {"": 0, "RATE_LIMITED": 0, "NOT_AWAY": 0, "ALREADY_AWAY": 0}

    async def attack() -> None:
        for action in cycle((LEAVE, BACK)):
            if over.is_set():
                return
            try:
                await anna.act(table_id, action)
                tried[""] += 1
            except Fault as refused:
                tried[refused.reason] += 1
            await asyncio.sleep(0.015)

    attacking = asyncio.create_task(attack())
    try:
        for _ in range(60):
            spectator = await replica.service.get(table_id)
            seat = next((each for each in deciding(spectator) if each != 0), None)
            if seat is None:
                # Her own moves are hers, or her stand-in's.
                action = any_action(await anna.get(table_id))
                if action is not None:
                    await asyncio.gather(anna.act(table_id, action), return_exceptions=True)
                continue
            player = replica.as_(PLAYERS[seat])
            view = await player.get(table_id)
            action = any_action(view)
            assert action is not None
            # As long as a player who thinks: she comes and goes meanwhile.
            await asyncio.sleep(0.05)
            await player.act(table_id, action, version=view.version)
    finally:
        over.set()
        await attacking
    assert tried["RATE_LIMITED"] > 10
    resumed = await replica.as_("beat").watch(table_id, token=token).next()
    assert resumed.HasField("delta")
    assert replica.metric("jasshaus_table_refusals_total", reason="STALE_VERSION") == 0
    assert replica.metric("jasshaus_table_refusals_total", reason="TABLE_BUSY") == 0


async def test_an_absence_between_view_and_move_makes_no_move_stale(
    harness: Harness, replica: Replica
) -> None:
    table_id = await harness.table(replica)
    for other in (1, 2, 3):
        view = await replica.service.get(table_id)
        seat = deciding(view)[0]
        player = replica.as_(PLAYERS[seat])
        mine = await player.get(table_id)
        for absence in (LEAVE, BACK):
            await replica.as_(PLAYERS[(seat + other) % 4]).act(table_id, absence)
        action = any_action(mine)
        assert action is not None
        assert (await player.act(table_id, action, version=mine.version)).version == mine.version + 1


async def test_coming_back_is_never_refused_for_having_left_too_often(harness: Harness) -> None:
    async with harness.replica(ticking=False) as replica:
        table_id, anna = await harness.table(replica), replica.as_("anna")
        for _ in range(LEAVES_AT_ONCE):
            await anna.act(table_id, LEAVE)
            assert (await anna.get(table_id)).legal_actions.come_back
            await anna.act(table_id, BACK)
        request_id = str(uuid4())
        with pytest.raises(Fault) as refused:
            await anna.act(table_id, LEAVE, request_id=request_id)
        assert (refused.value.code, refused.value.reason) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "RATE_LIMITED",
        )
        assert refused.value.retry_after is not None
        assert 0 < refused.value.retry_after <= 1.5 * LEAVE_EVERY / 1000
        # The budget is this seat's alone; and when it is whole again, so is she.
        await replica.as_("beat").act(table_id, LEAVE)
        await replica.link.call("HSET", replica.store.names.of(UUID(table_id)).table, "b0", 0)
        await anna.act(table_id, LEAVE, request_id=request_id)
        assert (await anna.act(table_id, BACK)).view.legal_actions.leave


async def test_presence_is_not_in_the_history(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    events = replica.store.names.of(UUID(table_id)).events
    first = await replica.as_("beat").watch(table_id).next()
    kept = await replica.link.call("LLEN", events)
    for action in (LEAVE, BACK, LEAVE):
        await replica.as_("anna").act(table_id, action)

    assert await replica.link.call("LLEN", events) == kept
    resumed = await replica.as_("beat").watch(table_id, token=token_of(first)).next()

    assert token_of(resumed) == token_of(first)
    assert not resumed.delta.events
    assert resumed.delta.view.seats[0].away


async def test_who_watches_is_told_who_leaves_and_who_is_back(harness: Harness, replica: Replica) -> None:
    async with harness.replica() as other:
        table_id = await harness.table(replica)
        streams = [other.as_("beat").watch(table_id, device=device) for device in ("phone", "tablet")]
        revisions = [view_of(await stream.next()).revision for stream in streams]
        for away in (True, False):
            await replica.as_("anna").act(table_id, LEAVE if away else BACK)
            for number, stream in enumerate(streams):
                delta = (await stream.next()).delta
                (event,) = delta.events
                assert (event.presence_changed.seat, event.presence_changed.away) == (0, away)
                assert event.version == delta.view.version == 1
                assert delta.view.seats[0].away == away
                assert delta.view.revision > revisions[number]
                revisions[number] = delta.view.revision


async def test_who_goes_away_by_timeouts_is_told_of_before_the_stand_ins_move(harness: Harness) -> None:
    async with harness.replica(pace=replace(AT_LEISURE, turn=60, away_after=1)) as replica:
        table_id = await harness.table(replica)
        stream = replica.as_("beat").watch(table_id)
        first = view_of(await stream.next())
        update = await stream.next()
        kinds = [event.WhichOneof("event") for event in update.delta.events]
        assert kinds[0] == "presence_changed"
        assert kinds[1] in {"pushed", "contract_chosen"}
        assert update.delta.view.seats[first.forehand].away


async def test_four_weis_at_once_count_with_the_version_before_them(
    harness: Harness, replica: Replica
) -> None:
    table_id = await harness.table(replica)
    await play_until(replica, table_id, lambda view: view.phase == table_pb2.PHASE_WEIS)
    async with harness.replica() as other:
        callers = [each.as_(name) for each, name in zip((replica, other) * 2, PLAYERS, strict=True)]
        views = [await caller.get(table_id) for caller in callers]
        assert {view.version for view in views} == {view.decision_version for view in views}
        last = callers.pop()
        await asyncio.gather(*(each.act(table_id, NO_WEIS, version=views[0].version) for each in callers))
        # And one who thinks for longer, and of whom the others have left meanwhile.
        await callers[0].act(table_id, LEAVE)
        assert (await last.get(table_id)).decision_version == views[0].version
        await last.act(table_id, NO_WEIS, version=views[0].version)
    assert (await replica.service.get(table_id)).phase == table_pb2.PHASE_TRICKS


async def test_four_hidden_announcements_count_with_the_version_before_them(
    harness: Harness, replica: Replica
) -> None:
    table_id = await harness.table(replica, "differenzler-classic")
    views = [await replica.as_(player).get(table_id) for player in PLAYERS]
    assert {view.version for view in views} == {1}
    for seat, player in enumerate(PLAYERS):
        await replica.as_(player).act(table_id, announce(40 + seat), version=1)
    assert (await replica.service.get(table_id)).phase == table_pb2.PHASE_TRICKS


async def test_a_decision_is_named_exactly_while_it_is_awaited(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica, target=150)
    asked_at: dict[int, int] = {}
    while (spectator := await replica.service.get(table_id)).status == table_pb2.TABLE_STATUS_PLAYING:
        assert not spectator.HasField("decision_version")
        for seat, player in enumerate(PLAYERS):
            view = await replica.as_(player).get(table_id)
            assert view.HasField("decision_version") == view.seats[seat].deciding
            if view.HasField("decision_version"):
                assert asked_at.setdefault(seat, view.version) == view.decision_version
            else:
                asked_at.pop(seat, None)
        # One that is answered and asked something else by its own commit is asked anew.
        seat = deciding(spectator)[0]
        asked_at.pop(seat)
        await step(replica, table_id)


async def test_a_move_for_an_earlier_decision_is_stale(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    view = await play_until(replica, table_id, lambda view: view.phase == table_pb2.PHASE_WEIS)
    before = view.version
    await play_until(replica, table_id, lambda view: view.phase == table_pb2.PHASE_TRICKS)
    leader = replica.as_(PLAYERS[view.forehand])
    mine = await leader.get(table_id)
    card = any_action(mine)
    assert card is not None
    for version in (0, before, mine.version - 1, mine.version + 1):
        with pytest.raises(Fault) as refused:
            await leader.act(table_id, card, version=version)
        assert refused.value.reason == "STALE_VERSION"
        now = refused.value.detail(table_pb2.TableView)
        assert now is not None
        assert now.decision_version == mine.version
    await leader.act(table_id, card, version=mine.version)


async def test_a_stand_in_that_was_faster_makes_the_move_stale(harness: Harness) -> None:
    async with harness.replica(pace=replace(AT_LEISURE, turn=100)) as replica:
        table_id = await harness.table(replica)
        view = await replica.service.get(table_id)
        forehand = replica.as_(PLAYERS[view.forehand])
        mine = await forehand.get(table_id)
        action = any_action(mine)
        assert action is not None
        async with asyncio.timeout(5):
            while (await replica.service.get(table_id)).version == mine.version:
                await asyncio.sleep(0.01)
        with pytest.raises(Fault) as refused:
            await forehand.act(table_id, action, version=mine.version)
        assert refused.value.reason == "STALE_VERSION"


async def test_a_claim_counts_in_the_pause_it_was_made_in(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica, target=10_000, claim_when="any")

    def in_pause(tricks: int) -> object:
        return lambda view: len(view.tricks) == tricks and not view.HasField("trick")

    first = await play_until(replica, table_id, in_pause(1))  # type: ignore[arg-type]
    claimant = (deciding(first)[0] + 1) % 4
    for seat in range(4):
        if seat != claimant:
            await replica.as_(PLAYERS[seat]).act(table_id, LEAVE)
            await replica.as_(PLAYERS[seat]).act(table_id, BACK)
    await play_until(replica, table_id, in_pause(2))  # type: ignore[arg-type]
    # Meant for the pause after the first trick, it must not lose the match in the one after the second.
    with pytest.raises(Fault) as refused:
        await replica.as_(PLAYERS[claimant]).act(table_id, CLAIM, version=first.version)
    assert refused.value.reason == "STALE_VERSION"
    second = await replica.as_(PLAYERS[claimant]).get(table_id)
    await replica.as_(PLAYERS[(claimant + 1) % 4]).act(table_id, LEAVE)
    claimed = await replica.as_(PLAYERS[claimant]).act(table_id, CLAIM, version=second.version)
    assert claimed.view.outcome.decision == table_pb2.DECISION_FALSE_CLAIM


async def test_who_comes_back_while_the_stand_in_decides_keeps_the_decision(harness: Harness) -> None:
    async with harness.replica(pace=replace(AT_LEISURE, away=0), ticking=False) as replica:
        table_id = await harness.table(replica)
        current = await replica.tables.load(UUID(table_id))
        seat = awaited(current.table)[0].seat
        assert seat is not None
        player = replica.as_(PLAYERS[seat])
        await player.act(table_id, LEAVE)
        current = await replica.tables.load(UUID(table_id))
        change = replica.tables.decide(current.table, time_out(current.table, seat))
        await player.act(table_id, BACK)

        assert isinstance(await replica.tables.write(current, change), Moved)

        action = any_action(await player.get(table_id))
        assert action is not None
        await player.act(table_id, action, version=1)


async def test_a_lane_that_was_down_moves_the_revision_of_its_tables(harness: Harness) -> None:
    async with harness.replica(ticking=False, feed_pace=FeedPace(compare=0.1)) as replica:
        table_id = await harness.table(replica)
        stream = replica.as_("anna").watch(table_id)
        before = (await stream.next()).snapshot.view
        lane = replica.store.names.of(UUID(table_id)).lane
        await replica.link.call("SET", lane.seen, before.clock.server_time.ToMilliseconds() - 60_000)
        await replica.store.look(lane, 10)
        after = (await stream.next()).delta.view
        assert (after.version, after.revision > before.revision) == (before.version, True)


async def test_presence_that_redis_lost_is_told_as_a_reset(harness: Harness) -> None:
    async with harness.replica(feed_pace=FeedPace(compare=0.1)) as replica:
        table_id = await harness.table(replica)
        key = replica.store.names.of(UUID(table_id)).table
        stream = replica.as_("beat").watch(table_id)
        await stream.next()
        dump = await replica.link.call("DUMP", key)
        await replica.as_("anna").act(table_id, LEAVE)
        assert (await stream.next()).delta.view.seats[0].away
        await replica.link.call("RESTORE", key, 0, dump, "REPLACE")
        update = await stream.next()
        assert update.snapshot.reset
        assert not update.snapshot.view.seats[0].away


@pytest.mark.parametrize("first", ["leave", "come_back", "move"])
async def test_a_table_of_the_release_before_keeps_its_presence_and_goes_on(
    harness: Harness, first: str
) -> None:
    async with harness.replica(ticking=False) as old, harness.replica(ticking=False) as new:
        table_id = await harness.table(old)
        forehand = (await old.service.get(table_id)).forehand
        gone, leaving = (forehand + 1) % 4, (forehand + 2) % 4
        await _as_the_release_before_stored_it(old, UUID(table_id), gone)
        away = {gone}
        view = await new.as_(PLAYERS[forehand]).get(table_id)
        assert {seat.seat for seat in view.seats if seat.away} == away
        # When it was asked is not kept: at the latest now.
        assert view.decision_version == view.version

        match first:
            case "leave":
                away.add(leaving)
                after = (await new.as_(PLAYERS[leaving]).act(table_id, LEAVE)).view
            case "come_back":
                away.clear()
                after = (await new.as_(PLAYERS[gone]).act(table_id, BACK)).view
            case _:
                after = await step(new, table_id)

        assert after.revision > view.revision
        for known in (after, await step(new, table_id), await old.service.get(table_id)):
            assert {seat.seat for seat in known.seats if seat.away} == away


async def _as_the_release_before_stored_it(replica: Replica, table_id: UUID, away: int) -> None:
    key = replica.store.names.of(table_id).table
    record = store_pb2.TableRecord.FromString(await replica.link.call("HGET", key, "r"))
    for seat in record.seats:
        seat.decision_version = 0
    record.seats[away].away, record.seats[away].timeouts = True, 2
    etag = record.version.to_bytes(8, "big") + b"?" * 32
    await replica.link.call("HDEL", key, "o", "n", "p")
    await replica.link.call("HSET", key, "r", record.SerializeToString(), "e", etag)
