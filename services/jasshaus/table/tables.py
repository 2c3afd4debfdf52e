"""Changes a table: load, decide, commit. Clients see a change only after it is committed.

    loaded or kept --decide--> change --commit.lua, etag as expected--> committed
         ^                        |
         |                        '--another change came first (moved)--.
         '---------------------------------------------------------------'

The etag is the version and a digest over the etag before, the record and the event bundle. So it names
one history, not just one version: a table that Redis put back to an earlier time has another etag, and
nothing decided on the later one can be committed.

A decoded table is kept by its etag. What is decided on a kept one is either committed, which checks that
etag, or, if it is a refusal, decided again on a fresh load before anybody hears of it.

- A request is made twice: its id is kept with the table, in the same commit. It gets the version it led
  to, whatever happened since.
- A player and the stand-in decide at once: the commit of a stand-in is void unless the seat's time is up
  by Redis' clock.
- The process dies before the commit: nothing has happened. After it: any replica tells the watchers, by
  `feed`.
- The answer of Redis is lost: the caller repeats the request, whose id says whether it was committed.
- Presence is not part of this: `mark` changes it beside the etag, and holds up no move (docs/adr/0005).
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

import grpc

from jasshaus.platform.errors import Fault, aborted, failed_precondition, not_found, resource_exhausted
from jasshaus.rules.core.refusals import RuleViolation
from jasshaus.table import bundles, codec, events
from jasshaus.table.decide import Change, Command, DeckNeeded, Refusal, answers_since, asked, decide
from jasshaus.table.entropy import Draw
from jasshaus.table.history import NONCE_BYTES, next_etag, settlement_digest
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.result import encode_result, result_of
from jasshaus.table.store import (
    Commit,
    Early,
    Known,
    Limited,
    Mark,
    Marked,
    Moved,
    Over,
    RequestEntry,
    Result,
    Reused,
    Same,
    Store,
    Stored,
    Written,
)
from jasshaus.table.table import Status, Table
from jasshaus.table.times import Times, revision

ATTEMPTS: Final = 8
"""How often a lost race is decided again."""


@dataclass(frozen=True, slots=True)
class Current:
    """A table, what binds it to its history, and the store's clock when it was read or written.

    `nonce` is that of the commit which led to it.
    """

    table: Table
    etag: bytes
    nonce: bytes
    times: Times

    @property
    def revision(self) -> int:
        """What orders views of the table."""
        return revision(self.table, self.times)


@dataclass(frozen=True, slots=True)
class Request:
    """A player's request: id and digest of its body, 16 bytes each, and the version it was made on."""

    request_id: bytes
    body: bytes
    expected_version: int | None


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a change: the version it led to, and the table now."""

    version: int
    current: Current


class StaleVersion(Exception):  # noqa: N818 - an answer, not an error of ours
    """The version the request was made on does not show what it answers, or is none of this table."""

    def __init__(self, current: Current) -> None:
        super().__init__(f"version {current.table.version}")
        self.current = current


class Tables:
    """The tables as this process knows them; `keep` is how many decoded ones it keeps.

    `on_reset` is called with a table that is found with less history than it had.
    """

    def __init__(self, store: Store, draw: Draw, metrics: TableMetrics, keep: int = 10_000) -> None:
        self.store = store
        self._draw = draw
        self._metrics = metrics
        self._kept: OrderedDict[UUID, Current] = OrderedDict()
        self.on_reset: Callable[[Table], None] = lambda _table: None
        self._keep = keep

    def kept(self, table_id: UUID) -> Current | None:
        """Return the table as this process last saw it, if it remembers."""
        return self._kept.get(table_id)

    async def load(self, table_id: UUID) -> Current:
        """Return the table as it is in Redis now. Raises Fault NOT_FOUND."""
        return (await self.load_stored(table_id))[0]

    async def load_stored(
        self, table_id: UUID, *, requests: bool = False, since: int | None = None
    ) -> tuple[Current, Stored]:
        """Return the table as it is in Redis now, with what else was asked for. Raises Fault NOT_FOUND."""
        kept = self._kept.get(table_id)
        known = b"" if kept is None else kept.etag
        stored = await self.store.load(table_id, known=known, requests=requests, since=since)
        return self._current(table_id, stored, kept), stored

    async def change(
        self,
        table_id: UUID,
        command: Callable[[Current], Command],
        *,
        seat: Callable[[Current], int] | None = None,
        request: Request | None = None,
    ) -> Done:
        """Decide a command on the table as it is and commit what it does; again if another change came first.

        `command` may raise Refusal or Fault. Of a player's request, `seat` is whose. Raises Fault, Refusal,
        RuleViolation, StaleVersion.
        """
        kept = self._kept.get(table_id)
        current, stored = (kept, None) if kept else await self.load_stored(table_id, requests=True)
        for _ in range(ATTEMPTS):
            try:
                entry = None if request is None or seat is None else _entry(seat(current), request)
                version = _made_before(stored, entry)
                if version is not None:
                    return Done(version, current)
                what = command(current)
                _must_be_expected(current, what, entry, request)
                change = self.decide(current.table, what)
            except (Fault, Refusal, RuleViolation, StaleVersion):
                if stored is not None:
                    raise
                current, stored = await self.load_stored(table_id, requests=True)
                continue
            match await self.write(current, change, entry):
                case Current() as after:
                    return Done(change.table.version, after)
                case Known(version):
                    return Done(version, await self.load(table_id))
                case Reused():
                    raise _reused()
                case Early(wait):
                    raise _too_early(wait)
                case Moved(moved):
                    self._metrics.conflicts.inc()
                    current, stored = self._current(table_id, moved, current), moved
        raise aborted("TABLE_BUSY", "too many others change this table now")

    async def mark(
        self, table_id: UUID, seat: Callable[[Current], int], request: Request, *, away: bool
    ) -> Done:
        """Take note that a player leaves or is back. Raises Fault, Refusal.

        No other change of the table matters to it, and no change is held up by it.
        """
        current = self._kept.get(table_id) or await self.load(table_id)
        for _ in range(ATTEMPTS):
            table = current.table
            entry = _entry(seat(current), request)
            mark = Mark(table_id, entry, away, current.etag, asked(table), current.times.presence)
            match await self.store.mark(mark):
                case Marked(stored):
                    after = self._current(table_id, stored, current)
                    return Done(after.table.version, after)
                case Known(version):
                    return Done(version, await self.load(table_id))
                case Reused():
                    raise _reused()
                case Over():
                    raise Refusal("TABLE_ENDED", "the match is over")
                case Same():
                    reason = "ALREADY_AWAY" if away else "NOT_AWAY"
                    raise Refusal(reason, f"the seat is {'away already' if away else 'not away'}")
                case Limited(wait):
                    raise resource_exhausted(
                        "RATE_LIMITED", "the seat has been left too often", retry_after=wait / 1000
                    )
                case Moved(moved):
                    # It is gone, or its last commit was one of the release before, and not this one.
                    current = self._current(table_id, moved, current)
        raise aborted("TABLE_BUSY", "too many others change this table now")

    async def write(
        self, before: Current, change: Change, request: RequestEntry | None = None
    ) -> Current | Known | Reused | Moved | Early:
        """Commit a change; return the table after it, or why it is not committed."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        commit = prepare(before, change, request, nonce)
        result: Result = await self.store.commit(commit)
        if not isinstance(result, Written):
            return result
        after = Current(change.table, commit.etag, nonce, result.times)
        self._remember(after)
        return after

    def decide(self, table: Table, command: Command) -> Change:
        """Decide a command, drawing when it deals. Raises Refusal, RuleViolation."""
        try:
            return decide(table, command)
        except DeckNeeded as needed:
            return decide(table, command, self._draw(needed.deal))

    def _current(self, table_id: UUID, stored: Stored, known: Current | None) -> Current:
        """Return the table that was read; `known` is the one whose etag Redis was told."""
        if not stored.exists:
            self._kept.pop(table_id, None)
            raise not_found("TABLE_NOT_FOUND", "no such table")
        if stored.record is None:
            assert known is not None, "Redis leaves the record out only for an etag it was told"
            times = stored.times
            if stored.presence_in_record:
                times = replace(times, presence=known.times.presence)
            current = replace(known, times=times)
        else:
            table, nonce = codec.decode(stored.record)
            times = stored.times
            if stored.presence_in_record:
                times = replace(times, presence=codec.presence_in_record(stored.record))
            current = Current(table, stored.etag, nonce, times)
            if known is not None and table.version <= known.table.version:
                # Another history, or an earlier moment of this one: Redis has lost writes.
                self.on_reset(table)
        self._remember(current)
        return current

    def _remember(self, current: Current) -> None:
        self._kept[current.table.table_id] = current
        self._kept.move_to_end(current.table.table_id)
        if len(self._kept) > self._keep:
            self._kept.popitem(last=False)


def prepare(before: Current, change: Change, request: RequestEntry | None, nonce: bytes) -> Commit:
    """Return what to write for a change; `nonce` is drawn for this commit alone."""
    table = change.table
    told = events.told(before.table, change)
    bundle = bundles.encode(bundles.Bundle(table.version, nonce, told.shared, told.own))
    record = codec.encode(table, nonce)
    etag = next_etag(before.etag, table.table_id, table.version, record, bundle)
    return Commit(
        table_id=table.table_id,
        expected=before.etag,
        etag=etag,
        record=record,
        bundle=bundle,
        seats=change.seats,
        idle=change.idle,
        request=request,
        gated=change.gated,
        lead_pause=change.lead_pause,
        settle=change.settle,
        keep=table.pace.keep if change.closed else None,
        asked=asked(table),
        seat=change.seat,
        stand_in=change.stand_in,
        away_after=table.pace.away_after,
        presence=before.times.presence,
        result=_result(before, change, etag),
    )


def _result(before: Current, change: Change, etag: bytes) -> bytes | None:
    """Return the record of a match that ends, or of a table that closes: one a match, the later stands."""
    table = change.table
    if table.outcome is None or not (change.settle or change.closed):
        return None
    # Settled by the commit that ended the match, however often it is closed.
    settling = before.etag if before.table.status is Status.SETTLING else etag
    digest = change.digest or settlement_digest(settling, table.table_id)
    return encode_result(result_of(table, table.outcome, digest))


def _entry(seat: int, request: Request) -> RequestEntry:
    return RequestEntry(seat, request.request_id, request.body)


def _must_be_expected(
    current: Current, command: Command, entry: RequestEntry | None, request: Request | None
) -> None:
    """Raise StaleVersion unless the view that the request was made on showed what it answers."""
    if entry is None or request is None or request.expected_version is None:
        return
    since = answers_since(current.table, entry.seat, command)
    if not since <= request.expected_version <= current.table.version:
        raise StaleVersion(current)


def _made_before(stored: Stored | None, entry: RequestEntry | None) -> int | None:
    """Return the version a request led to when it was made before. Raises Fault when it had another body."""
    if stored is None or entry is None:
        return None
    for remembered in stored.requests[entry.seat]:
        if remembered.request_id == entry.request_id:
            if remembered.body != entry.body:
                raise _reused()
            return remembered.version
    return None


def _reused() -> Fault:
    return failed_precondition("REQUEST_ID_REUSED", "the request id was used with another action")


def _too_early(wait: int) -> Fault:
    return Fault(
        grpc.StatusCode.FAILED_PRECONDITION,
        "LEAD_PAUSE",
        "the pause after the trick is not over",
        retry_after=wait / 1000,
    )
