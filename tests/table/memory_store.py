"""MemoryStore: what commit.lua and its siblings do, in memory; test_store.py runs against both."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from uuid import UUID

from jasshaus.table.decide import NOBODY_ASKED, Asked, Open, Stop, Timer
from jasshaus.table.history import FENCED_ETAG, NO_ETAG, version_of
from jasshaus.table.keys import IDLE, Lane, Names
from jasshaus.table.result import TIME_BYTES, MatchResult, decode_result, encode_result
from jasshaus.table.store import (
    BUNDLES_KEPT,
    LANE_GAP,
    LEAVE_EVERY,
    LEAVES_AT_ONCE,
    Commit,
    Due,
    DueTimer,
    Early,
    Known,
    Limited,
    Mark,
    Marked,
    Marking,
    Moved,
    Over,
    Remembered,
    RequestEntry,
    Result,
    Reused,
    Same,
    Stored,
    Written,
)
from jasshaus.table.table import ALL_HERE, Presence
from jasshaus.table.times import Times


@dataclass
class _Row:
    etag: bytes = NO_ETAG
    record: bytes = b""
    bundles: list[bytes] = field(default_factory=list)
    requests: dict[int, list[Remembered]] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)  # from when a decision opened to its timer
    gate: int | None = None
    presence: list[Presence] = field(default_factory=lambda: list(ALL_HERE))
    asked: Asked = NOBODY_ASKED
    changes: int = 0
    budget: dict[int, int] = field(default_factory=dict)  # by seat, when it is whole again

    def revise(self, now: int) -> None:
        self.changes = max(self.changes + 1, now)


class MemoryStore:
    """Tables in memory; `told` is what would be published."""

    def __init__(self) -> None:
        self.names = Names()
        self.told: list[UUID] = []
        self.ahead = 0
        self._rows: dict[UUID, _Row] = {}
        self._timers: dict[str, dict[str, int]] = {}
        self._outbox: dict[str, dict[UUID, int]] = {}
        self._seen: dict[str, int] = {}
        self._shifts: dict[str, int] = {}
        self._streams = 0
        self._results: dict[UUID, bytes] = {}

    def now(self) -> int:
        return int(time.time() * 1000) + self.ahead

    async def load(
        self, table_id: UUID, *, known: bytes = b"", requests: bool = False, since: int | None = None
    ) -> Stored:
        row = self._rows.get(table_id, _Row())
        bundles: tuple[bytes, ...] = ()
        if since is not None and version_of(row.etag) >= since and row.bundles:
            bundles = tuple(row.bundles[-(version_of(row.etag) - since) - 1 :])
        return self._stored(table_id, known, requests=requests, bundles=bundles)

    async def commit(self, commit: Commit) -> Result:
        row = self._rows.get(commit.table_id, _Row())
        now, request = self.now(), commit.request
        made = None if request is None else _made_before(row, request)
        if made is not None:
            return made
        if row.etag != commit.expected or (commit.stand_in and not self._is_due(commit, now)):
            return Moved(self._stored(commit.table_id, commit.expected, requests=True, now=now))
        if commit.gated and row.gate is not None and row.gate > now:
            return Early(row.gate - now)
        self._rows[commit.table_id] = row
        row.etag, row.record = commit.etag, commit.record
        row.bundles = [*row.bundles, commit.bundle][-BUNDLES_KEPT:]
        if request is not None:
            _remember(row, request)
        _decided(row, commit)
        row.asked = commit.asked
        row.revise(now)
        if commit.lead_pause is not None:
            row.gate = now + commit.lead_pause if commit.lead_pause else None
        keys = self.names.of(commit.table_id)
        if self._timers.get(keys.lane.timers):
            self._look(keys.lane, now)
        else:
            self._seen[keys.lane.seen] = now
        for name, timer in zip(("0", "1", "2", "3", IDLE), (*commit.seats, commit.idle), strict=True):
            self._set(row, keys.lane, f"{commit.table_id}:{name}", name, timer, now)
        outbox = self._outbox.setdefault(keys.lane.outbox, {})
        if commit.settle:
            outbox[commit.table_id] = now
        elif commit.keep is not None:
            outbox.pop(commit.table_id, None)
        if commit.result is not None:
            kept = self._results.get(commit.table_id)
            ended = kept[:TIME_BYTES] if kept else now.to_bytes(TIME_BYTES, "big")
            self._results[commit.table_id] = ended + commit.result
        self.told.append(commit.table_id)
        return Written(self._times(commit.table_id, row, now))

    async def mark(self, mark: Mark) -> Marking:
        row, seat, now = self._rows.get(mark.table_id, _Row()), mark.request.seat, self.now()
        made = _made_before(row, mark.request)
        if made is not None:
            return made
        if row.etag in (NO_ETAG, FENCED_ETAG):
            return Moved(self._stored(mark.table_id, mark.etag, requests=True, now=now))
        if not row.asked.playing:
            return Over()
        if row.presence[seat].away == mark.away:
            return Same()
        if mark.away:
            most = LEAVE_EVERY * LEAVES_AT_ONCE
            whole = min(max(row.budget.get(seat, 0), now), now + most) + LEAVE_EVERY
            if whole - now > most:
                return Limited(whole - now - most)
            row.budget[seat] = whole
        row.presence[seat] = Presence(mark.away)
        _remember(row, mark.request)
        lane = self.names.of(mark.table_id).lane
        if self._timers.get(lane.timers):
            self._look(lane, now)
        if row.asked.limits[seat] is not None:
            self._retime(row, lane, mark, now)
        row.revise(now)
        self.told.append(mark.table_id)
        return Marked(self._stored(mark.table_id, mark.etag, requests=False, now=now))

    def _retime(self, row: _Row, lane: Lane, mark: Mark, now: int) -> None:
        name, timers = str(mark.request.seat), self._timers.setdefault(lane.timers, {})
        member, limit = f"{mark.table_id}:{name}", row.asked.limits[mark.request.seat]
        due = timers.get(member)
        opened = now if due is None else due - row.spent.get(name, 0)
        if mark.away:
            hurried = max(now, opened) + (_time_of(row, limit or None, away=True) or 0)
            due = hurried if due is None else min(due, hurried)
        elif not limit:
            timers.pop(member, None)
            return
        else:
            due = max(now if due is None else due, opened + limit)
        timers[member], row.spent[name] = due, due - opened

    def _is_due(self, commit: Commit, now: int) -> bool:
        timers = self._timers.get(self.names.of(commit.table_id).lane.timers, {})
        return timers.get(f"{commit.table_id}:{commit.seat}", now + 1) <= now

    async def look(self, lane: Lane, limit: int) -> Due:
        now = self.now()
        if self._timers.get(lane.timers):
            self._look(lane, now)
        timers = sorted(
            (due, member) for member, due in self._timers.get(lane.timers, {}).items() if due <= now
        )
        entries = sorted((due, each) for each, due in self._outbox.get(lane.outbox, {}).items() if due <= now)
        return Due(
            tuple(
                DueTimer(UUID(member.rpartition(":")[0]), member.rpartition(":")[2], member, str(due))
                for due, member in timers[:limit]
            ),
            tuple(each for _, each in entries[:limit]),
        )

    async def defer(self, due: DueTimer, delay: int | None) -> None:
        timers = self._timers.get(self.names.of(due.table_id).lane.timers, {})
        if str(timers.get(due.member)) == due.score:
            if delay is None:
                del timers[due.member]
            else:
                timers[due.member] = self.now() + delay
            if due.table_id in self._rows:
                self._rows[due.table_id].revise(self.now())

    async def fence(self, table_id: UUID) -> bool:
        row = self._rows.setdefault(table_id, _Row())
        if row.etag != NO_ETAG:
            return False
        row.etag = FENCED_ETAG
        return True

    async def result(self, table_id: UUID) -> MatchResult | None:
        kept = self._results.get(table_id)
        return decode_result(kept) if kept else None

    async def amend_result(self, result: MatchResult) -> None:
        if result.table_id in self._results:
            ended = result.ended_at.to_bytes(TIME_BYTES, "big")
            self._results[result.table_id] = ended + encode_result(result)

    async def living(self, lane: Lane) -> list[UUID]:
        timers = self._timers.get(lane.timers, {})
        playing = [UUID(member.rpartition(":")[0]) for member in timers if member.endswith(f":{IDLE}")]
        return list(dict.fromkeys([*playing, *self._outbox.get(lane.outbox, {})]))

    async def ended(self, lane: Lane, within: int | None = None) -> list[UUID]:
        since = 0 if within is None else self.now() - within
        ended = [decode_result(kept) for kept in self._results.values()]
        found = [(each.ended_at, each.table_id) for each in ended if each.ended_at >= since]
        return [each for _, each in sorted(found, reverse=True) if self.names.of(each).lane == lane]

    async def announce(self, _table_id: UUID, _stream: bytes) -> int:
        self._streams += 1
        return self._streams

    def _set(self, row: _Row, lane: Lane, member: str, name: str, timer: Timer, now: int) -> None:
        timers = self._timers.setdefault(lane.timers, {})
        due: int | None = timers.get(member)
        match timer:
            case None:
                return
            case Stop():
                due = None
            case Open(pause, limit):
                limit = _time_of(row, limit, away=name != IDLE and row.presence[int(name)].away)
                row.spent[name] = limit or 0
                due = None if limit is None else now + pause + limit
        if due is None:
            timers.pop(member, None)
        else:
            timers[member] = due

    def _look(self, lane: Lane, now: int) -> None:
        gap = now - self._seen.get(lane.seen, now)
        if gap > LANE_GAP:
            timers = self._timers[lane.timers]
            self._timers[lane.timers] = {member: due + gap for member, due in timers.items()}
            for table_id, row in self._rows.items():
                if row.gate is not None and self.names.of(table_id).lane == lane:
                    row.gate += gap
            self._shifts[lane.shifts] = self._shifts.get(lane.shifts, 0) + 1
        self._seen[lane.seen] = now

    def _times(self, table_id: UUID, row: _Row, now: int) -> Times:
        timers = self._timers.get(self.names.of(table_id).lane.timers, {})
        first, second, third, fourth = (timers.get(f"{table_id}:{seat}") for seat in range(4))
        here, there, across, left = row.presence
        return Times(
            now,
            (first, second, third, fourth),
            row.gate,
            timers.get(f"{table_id}:{IDLE}"),
            (here, there, across, left),
            row.changes + self._shifts.get(self.names.of(table_id).lane.shifts, 0),
        )

    def _stored(
        self,
        table_id: UUID,
        known: bytes,
        *,
        requests: bool,
        bundles: tuple[bytes, ...] = (),
        now: int | None = None,
    ) -> Stored:
        row = self._rows.get(table_id, _Row())
        remembered = [tuple(row.requests.get(seat, ())) if requests else () for seat in range(4)]
        record = row.record if row.etag not in {NO_ETAG, known} and row.record else None
        return Stored(
            row.etag,
            record,
            self._times(table_id, row, self.now() if now is None else now),
            (remembered[0], remembered[1], remembered[2], remembered[3]),
            bundles,
        )


def _made_before(row: _Row, request: RequestEntry) -> Known | Reused | None:
    for each in row.requests.get(request.seat, []):
        if each.request_id == request.request_id:
            return Known(each.version) if each.body == request.body else Reused()
    return None


def _remember(row: _Row, request: RequestEntry) -> None:
    new = Remembered(request.request_id, request.body, version_of(row.etag))
    row.requests[request.seat] = [*row.requests.get(request.seat, []), new][-8:]


def _decided(row: _Row, commit: Commit) -> None:
    if commit.seat is None:
        return
    here = row.presence[commit.seat]
    if not commit.stand_in:
        row.presence[commit.seat] = Presence(here.away)
    elif not here.away:
        timeouts = here.timeouts + 1
        row.presence[commit.seat] = Presence(timeouts >= commit.away_after, timeouts)


def _time_of(row: _Row, limit: int | None, *, away: bool) -> int | None:
    if not away:
        return limit
    return row.asked.away if limit is None else min(limit, row.asked.away)
