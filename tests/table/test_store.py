"""The store's contract, kept by the real one in Redis and by the one in memory alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from prometheus_client import CollectorRegistry

from jasshaus.table.decide import NOBODY_ASKED, Asked, Open, Stop
from jasshaus.table.history import FENCED_ETAG
from jasshaus.table.keys import LANES, Lane, Names, lane_of
from jasshaus.table.link import Link
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.store import (
    BUNDLES_KEPT,
    LEAVE_EVERY,
    LEAVES_AT_ONCE,
    Commit,
    Early,
    Known,
    Limited,
    Mark,
    Marked,
    Moved,
    Over,
    RequestEntry,
    Reused,
    Same,
    Store,
    Written,
)
from jasshaus.table.table import ALL_HERE, Presence
from jasshaus.table.times import Times
from table.memory_store import MemoryStore

AnyStore = Store | MemoryStore
NONE = (None, None, None, None)


@pytest.fixture(params=["redis", "memory"])
async def store(request: Any) -> AsyncIterator[AnyStore]:
    if request.param == "memory":
        yield MemoryStore()
        return
    link = Link(request.getfixturevalue("redis_url"))
    yield Store(link, Names(), TableMetrics(CollectorRegistry()))
    await link.close()


def etag(version: int, history: str = "a") -> bytes:
    return version.to_bytes(8, "big") + history.encode() * 32


def commit(table_id: UUID, version: int, **changes: Any) -> Commit:
    """The commit that leads to a version."""
    fields: dict[str, Any] = {
        "expected": etag(version - 1) if version > 1 else b"",
        "etag": etag(version),
        "record": f"record {version}".encode(),
        "bundle": f"bundle {version}".encode(),
        "seats": NONE,
        "idle": None,
    }
    return Commit(table_id, **(fields | changes))


async def shift_lane(store: AnyStore, lane: Lane, gap: int) -> None:
    """As if the lane's clock had been looked at last so many milliseconds ago."""
    if isinstance(store, MemoryStore):
        store.ahead += gap
    else:
        seconds, micros = await store._look._link.call("TIME")
        seen = int(seconds) * 1000 + int(micros) // 1000 - gap
        await store._look._link.call("SET", lane.seen, seen)
    await store.look(lane, 10)


def by(seat: int, number: int, body: str = "x") -> RequestEntry:
    return RequestEntry(seat, number.to_bytes(16, "big"), body.encode() * 16)


async def write(store: AnyStore, made: Commit) -> Written:
    result = await store.commit(made)
    assert isinstance(result, Written)
    return result


async def test_what_is_not_there(store: AnyStore) -> None:
    stored = await store.load(uuid4())
    assert not stored.exists
    assert stored.record is None


async def test_what_was_committed_is_there(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1))
    stored = await store.load(table_id)
    assert (stored.exists, stored.etag, stored.record) == (True, etag(1), b"record 1")


async def test_a_record_that_is_known_is_not_sent(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1))
    assert (await store.load(table_id, known=etag(1))).record is None
    assert (await store.load(table_id, known=etag(1, "b"))).record == b"record 1"


async def test_a_table_is_created_once(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1))
    result = await store.commit(commit(table_id, 1, etag=etag(1, "b")))
    assert isinstance(result, Moved)
    assert result.stored.etag == etag(1)


async def test_of_two_commits_on_one_version_the_first_counts(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1))
    results = await asyncio.gather(
        *(store.commit(commit(table_id, 2, record=str(number).encode())) for number in range(5))
    )
    assert [type(result) for result in results].count(Written) == 1
    moved = next(result for result in results if isinstance(result, Moved))
    assert moved.stored.etag == etag(2)
    assert moved.stored.record == (await store.load(table_id)).record


async def test_the_same_version_of_another_history_is_another_table(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1, etag=etag(1, "b")))
    assert isinstance(await store.commit(commit(table_id, 2)), Moved)


async def test_a_refused_commit_leaves_nothing(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1))
    await store.commit(
        commit(table_id, 3, seats=(Open(0, 5), None, None, None), settle=True, request=by(0, 1))
    )
    stored = await store.load(table_id, requests=True, since=1)
    assert stored.bundles == (b"bundle 1",)
    assert stored.times.deadlines == NONE
    assert stored.requests == ((), (), (), ())
    assert not (await store.look(store.names.of(table_id).lane, 10)).outbox


async def test_a_request_made_again_is_known(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1))
    await write(store, commit(table_id, 2, request=by(0, 1)))
    await write(store, commit(table_id, 3))
    # On whatever state it is made again: it is known before that is looked at.
    assert await store.commit(commit(table_id, 2, request=by(0, 1))) == Known(2)
    assert await store.commit(commit(table_id, 4, request=by(0, 1))) == Known(2)


async def test_a_request_id_with_another_body_is_refused(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1))
    await write(store, commit(table_id, 2, request=by(0, 1)))
    assert await store.commit(commit(table_id, 3, request=by(0, 1, "y"))) == Reused()


async def test_request_ids_belong_to_a_seat(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1))
    await write(store, commit(table_id, 2, request=by(0, 1)))
    await write(store, commit(table_id, 3, request=by(1, 1, "y")))
    stored = await store.load(table_id, requests=True)
    assert [[each.version for each in seat] for seat in stored.requests] == [[2], [3], [], []]


async def test_eight_requests_of_a_seat_are_remembered(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1))
    for version in range(2, 12):
        await write(store, commit(table_id, version, request=by(2, version)))
    stored = await store.load(table_id, requests=True)
    assert [each.version for each in stored.requests[2]] == list(range(4, 12))
    assert isinstance(await store.commit(commit(table_id, 2, request=by(2, 3))), Moved)
    assert await store.commit(commit(table_id, 2, request=by(2, 4))) == Known(4)


async def test_no_lead_before_the_pause_is_over(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1, lead_pause=80))
    early = await store.commit(commit(table_id, 2, gated=True))
    assert isinstance(early, Early)
    assert 0 < early.wait <= 80
    await asyncio.sleep(early.wait / 1000 + 0.01)
    await write(store, commit(table_id, 2, gated=True))


async def test_the_pause_holds_up_nothing_but_leads(store: AnyStore) -> None:
    table_id = uuid4()
    written = await write(store, commit(table_id, 1, lead_pause=60_000))
    assert written.times.lead_after == written.times.now + 60_000
    kept = await write(store, commit(table_id, 2))
    assert kept.times.lead_after == written.times.lead_after
    gone = await write(store, commit(table_id, 3, lead_pause=0))
    assert gone.times.lead_after is None


async def test_a_deadline_is_set_by_what_opens_it_and_moved_by_nothing_else(store: AnyStore) -> None:
    table_id = uuid4()
    first = await write(store, commit(table_id, 1, seats=(Open(500, 1_000), Open(0, 3_000), None, None)))
    now = first.times.now
    assert first.times.deadlines == (now + 1_500, now + 3_000, None, None)
    await asyncio.sleep(0.005)
    second = await write(store, commit(table_id, 2, seats=(Stop(), None, Open(0, None), None)))
    assert second.times.deadlines == (None, now + 3_000, None, None)
    assert (await store.load(table_id)).times.deadlines == second.times.deadlines


async def test_when_a_table_will_be_idle_is_known(store: AnyStore) -> None:
    table_id = uuid4()
    opened = await write(store, commit(table_id, 1, idle=Open(0, 5_000)))
    assert opened.times.idle == opened.times.now + 5_000
    assert (await store.load(table_id)).times.idle == opened.times.idle
    assert (await write(store, commit(table_id, 2, idle=Stop()))).times.idle is None


def asked(*limits: int | None, away: int = 1_000) -> Asked:
    """The first seats are asked, with these times."""
    first, second, third, fourth = (*limits, None, None, None, None)[:4]
    return Asked(playing=True, limits=(first, second, third, fourth), away=away)


def mark(table_id: UUID, seat: int, number: int, *, away: bool, version: int = 1, **changes: Any) -> Mark:
    """A seat leaves or comes back, as who knows that version has it done."""
    fields: dict[str, Any] = {
        "request": by(seat, number),
        "etag": etag(version),
        "asked": asked(),
        "presence": ALL_HERE,
    }
    return Mark(table_id, away=away, **(fields | changes))


async def marked(store: AnyStore, made: Mark) -> Times:
    result = await store.mark(made)
    assert isinstance(result, Marked)
    return result.stored.times


async def test_who_leaves_is_hurried_and_who_comes_back_has_the_time_of_before(store: AnyStore) -> None:
    table_id = uuid4()
    opens = (Open(0, 10_000), Open(0, 50), Open(0, None), Open(5_000, 10_000))
    opened = await write(
        store, commit(table_id, 1, seats=opens, asked=asked(10_000, 50, 0, 10_000, away=100))
    )
    was = opened.times.deadlines
    now = 0
    for seat in range(4):
        left = await marked(store, mark(table_id, seat, seat, away=True))
        now = left.now
        assert left.presence[seat] == Presence(away=True)
        due = left.deadlines[seat]
        assert due is not None
        if seat in (0, 2):
            assert due == left.now + 100
        elif seat == 1:
            assert due == was[1]
        else:
            # The pause before the decision is not cut short.
            assert due == was[3] - 10_000 + 100 if was[3] else False
    for seat in range(4):
        back = await marked(store, mark(table_id, seat, 10 + seat, away=False))
        assert back.presence[seat] == Presence()
    assert back.deadlines == was
    assert back.now >= now


async def test_what_came_of_leaving_shifts_with_the_timers(store: AnyStore) -> None:
    table_id = uuid4()
    lane = store.names.of(table_id).lane
    opened = await write(
        store, commit(table_id, 1, seats=(Open(0, 10_000), None, None, None), asked=asked(10_000))
    )
    left = await marked(store, mark(table_id, 0, 1, away=True))
    shift = 60_000
    await shift_lane(store, lane, shift)

    assert (await store.load(table_id)).times.changes > left.changes
    back = await marked(store, mark(table_id, 0, 2, away=False))

    assert back.deadlines[0] is not None
    assert opened.times.deadlines[0] is not None
    assert 0 <= back.deadlines[0] - opened.times.deadlines[0] - shift < 1_000


async def test_the_gate_before_a_lead_shifts_with_the_timers(store: AnyStore) -> None:
    table_id = uuid4()
    set_up = await write(store, commit(table_id, 1, idle=Open(0, 600_000), lead_pause=1_500))
    shift = 60_000
    await shift_lane(store, store.names.of(table_id).lane, shift)

    times = (await store.load(table_id)).times
    assert times.lead_after is not None
    assert set_up.times.lead_after is not None
    assert 0 <= times.lead_after - set_up.times.lead_after - shift < 1_000
    assert isinstance(await store.commit(commit(table_id, 2, gated=True)), Early)


async def test_presence_moves_neither_the_etag_nor_the_history(store: AnyStore) -> None:
    table_id = uuid4()
    before = (await write(store, commit(table_id, 1, asked=asked()))).times
    left = await marked(store, mark(table_id, 2, 1, away=True))

    stored = await store.load(table_id, since=1)

    assert (stored.etag, stored.bundles) == (etag(1), (b"bundle 1",))
    assert stored.times.changes == left.changes > before.changes
    # Of a commit decided before, too.
    after = await write(store, commit(table_id, 2, asked=asked()))
    assert after.times.presence == (Presence(), Presence(), Presence(away=True), Presence())
    assert after.times.changes > left.changes


async def test_presence_is_changed_on_whatever_state_the_caller_knows(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1, asked=asked()))
    await write(store, commit(table_id, 2, asked=asked(), seats=(Open(0, 9_000), None, None, None)))
    assert (await marked(store, mark(table_id, 1, 1, away=True, version=1))).presence[1].away


async def test_a_presence_request_made_again_is_known(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1, asked=asked()))
    await marked(store, mark(table_id, 1, 1, away=True))
    await write(store, commit(table_id, 2, asked=asked()))
    assert await store.mark(mark(table_id, 1, 1, away=True)) == Known(1)
    assert await store.mark(mark(table_id, 1, 1, away=True, request=by(1, 1, "y"))) == Reused()
    assert await store.commit(commit(table_id, 3, request=by(1, 1))) == Known(1)


async def test_nobody_leaves_twice_or_a_match_that_is_over(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1, asked=asked()))
    assert await store.mark(mark(table_id, 1, 1, away=False)) == Same()
    await marked(store, mark(table_id, 1, 2, away=True))
    assert await store.mark(mark(table_id, 1, 3, away=True)) == Same()
    await write(store, commit(table_id, 2, asked=NOBODY_ASKED))
    assert await store.mark(mark(table_id, 1, 4, away=False)) == Over()
    assert isinstance(await store.mark(mark(uuid4(), 1, 4, away=False)), Moved)


async def test_a_seat_may_leave_so_often_and_always_come_back(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1, asked=asked()))
    for number in range(LEAVES_AT_ONCE):
        await marked(store, mark(table_id, 1, 2 * number, away=True))
        await marked(store, mark(table_id, 1, 2 * number + 1, away=False))
    limited = await store.mark(mark(table_id, 1, 50, away=True))
    assert isinstance(limited, Limited)
    assert LEAVE_EVERY - 5_000 < limited.wait <= LEAVE_EVERY
    # The others' budgets are their own.
    await marked(store, mark(table_id, 2, 51, away=True))
    await marked(store, mark(table_id, 2, 52, away=False))


async def test_a_decision_that_opens_for_a_seat_that_is_away_has_little_time(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1, asked=asked()))
    for seat in (0, 1, 2):
        await marked(store, mark(table_id, seat, seat, away=True))
    opens = (Open(500, 10_000), Open(0, 50), Open(0, None), Open(0, 10_000))
    times = (
        await write(store, commit(table_id, 2, seats=opens, asked=asked(10_000, 50, 0, 10_000, away=100)))
    ).times
    # Being away makes no time longer, and there is one where else there is none.
    assert times.deadlines == (times.now + 600, times.now + 50, times.now + 100, times.now + 10_000)
    back = await marked(store, mark(table_id, 0, 9, away=False, version=2))
    assert back.deadlines[0] == times.now + 10_500


async def test_so_many_timeouts_in_a_row_make_a_seat_away(store: AnyStore) -> None:
    table_id = uuid4()
    opened = (Open(0, 0), Open(0, 0), None, None)
    await write(store, commit(table_id, 1, seats=opened, asked=asked(0, 0)))

    async def timeout(version: int, seat: int) -> Presence:
        made = commit(
            table_id, version, seat=seat, stand_in=True, away_after=2, seats=opened, asked=asked(0, 0)
        )
        return (await write(store, made)).times.presence[seat]

    assert await timeout(2, 0) == Presence(timeouts=1)
    acted = await write(store, commit(table_id, 3, seat=0, asked=asked(10, 10)))
    assert acted.times.presence[0] == Presence()
    assert await timeout(4, 0) == Presence(timeouts=1)
    assert await timeout(5, 1) == Presence(timeouts=1)
    assert await timeout(6, 0) == Presence(away=True, timeouts=2)
    # Acting is no return.
    acted = await write(store, commit(table_id, 7, seat=0, asked=asked(10, 10)))
    assert acted.times.presence[0] == Presence(away=True)


async def test_a_stand_in_whose_time_has_not_come_does_nothing(store: AnyStore) -> None:
    table_id = uuid4()
    opened = (Open(0, 60_000), None, None, None)
    await write(store, commit(table_id, 1, seats=opened, asked=asked(60_000, away=0)))
    left = await marked(store, mark(table_id, 0, 1, away=True))
    assert left.deadlines[0] == left.now
    await marked(store, mark(table_id, 0, 2, away=False))
    for seat in (0, 1):
        assert isinstance(await store.commit(commit(table_id, 2, seat=seat, stand_in=True)), Moved)
    assert (await store.load(table_id)).etag == etag(1)


async def test_a_timer_put_off_moves_the_revision(store: AnyStore) -> None:
    table_id = uuid4()
    written = await write(store, commit(table_id, 1, seats=(Open(0, 0), None, None, None)))
    (timer,) = (await store.look(store.names.of(table_id).lane, 10)).timers
    await store.defer(timer, 60_000)
    assert (await store.load(table_id)).times.changes > written.times.changes


async def test_what_is_due_is_found(store: AnyStore) -> None:
    table_id = uuid4()
    lane = store.names.of(table_id).lane
    await write(
        store,
        commit(table_id, 1, seats=(Open(0, 0), Open(0, 60_000), None, None), idle=Open(0, 0), settle=True),
    )
    due = await store.look(lane, 10)
    assert sorted(timer.name for timer in due.timers) == ["0", "i"]
    assert {timer.table_id for timer in due.timers} == {table_id}
    assert due.outbox == (table_id,)
    assert len((await store.look(lane, 1)).timers) == 1


async def test_the_outbox_is_empty_after_the_closing_commit(store: AnyStore) -> None:
    table_id = uuid4()
    await write(store, commit(table_id, 1, settle=True))
    await write(store, commit(table_id, 2, keep=60_000))
    assert not (await store.look(store.names.of(table_id).lane, 10)).outbox
    assert (await store.load(table_id)).exists


async def test_a_timer_is_put_off_and_removed(store: AnyStore) -> None:
    table_id = uuid4()
    lane = store.names.of(table_id).lane
    await write(store, commit(table_id, 1, seats=(Open(0, 0), None, None, None)))
    (timer,) = (await store.look(lane, 10)).timers
    await store.defer(timer, 30)
    assert not (await store.look(lane, 10)).timers
    await asyncio.sleep(0.04)
    # The name it had before it was put off removes nothing.
    await store.defer(timer, None)
    (again,) = (await store.look(lane, 10)).timers
    await store.defer(again, None)
    assert not (await store.look(lane, 10)).timers


async def test_the_history_kept_ends_somewhere(store: AnyStore) -> None:
    table_id = uuid4()
    last = BUNDLES_KEPT + 10
    for version in range(1, last + 1):
        await write(store, commit(table_id, version))
    assert (await store.load(table_id, since=last)).bundles == (f"bundle {last}".encode(),)
    assert len((await store.load(table_id, since=last - 3)).bundles) == 4
    assert len((await store.load(table_id, since=1)).bundles) == BUNDLES_KEPT
    assert (await store.load(table_id, since=last + 1)).bundles == ()


async def test_a_fence_is_for_what_is_not_there(store: AnyStore) -> None:
    fenced, created = uuid4(), uuid4()
    assert await store.fence(fenced)
    assert not await store.fence(fenced)
    stored = await store.load(fenced)
    assert (stored.etag, stored.exists) == (FENCED_ETAG, False)
    assert isinstance(await store.commit(commit(fenced, 1)), Moved)
    await write(store, commit(created, 1))
    assert not await store.fence(created)


async def test_a_fence_does_not_stand_for_ever(redis_url: str) -> None:
    link = Link(redis_url)
    store, fenced, created = Store(link, Names(), TableMetrics(CollectorRegistry())), uuid4(), uuid4()
    await write(store, commit(created, 1))
    for table_id in (fenced, created):
        await store.fence(table_id)
    day = 86_400_000
    assert 29 * day < await link.call("PTTL", store.names.of(fenced).table) <= 30 * day
    assert await link.call("PTTL", store.names.of(created).table) == -1
    await link.close()


async def test_later_streams_have_higher_stamps(store: AnyStore) -> None:
    table_id = uuid4()
    stamps = [await store.announce(table_id, b"stream") for _ in range(3)]
    assert stamps == sorted(stamps)


def test_a_table_is_in_the_lane_of_its_last_byte() -> None:
    names = Names()
    table_id = UUID("00000000-0000-4000-8000-0000000000ab")
    assert lane_of(table_id) == 0xAB
    keys = names.of(table_id)
    everything = (
        keys.table,
        keys.events,
        keys.channel,
        keys.lane.timers,
        keys.lane.outbox,
        keys.lane.seen,
        keys.lane.shifts,
        keys.lane.stamps,
    )
    assert all(key.startswith("{tab}:") for key in everything)
    assert len(names.lanes) == LANES
