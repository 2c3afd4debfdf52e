"""Owns what is asked of Redis for a table: each operation is one script, one round trip, all or nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final
from uuid import UUID

from redis.exceptions import NoScriptError, ResponseError

from jasshaus.table.decide import NOBODY_ASKED, Asked, Open, Stop, Timer
from jasshaus.table.history import FENCED_ETAG, NO_ETAG
from jasshaus.table.keys import Lane, Names
from jasshaus.table.link import Argument, Link
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.table import ALL_HERE, Presence, Presences
from jasshaus.table.views import Times

BUNDLES_KEPT: Final = 256
LANE_GAP: Final = 5_000
"""A lane nobody looked at for longer (milliseconds) was down, or its clock was set: its timers shift."""

LEAVES_AT_ONCE: Final = 5
LEAVE_EVERY: Final = 30_000
"""How often a seat may leave: so many times in a row, then once in so many milliseconds."""

_ENTRY_BYTES: Final = 40
_HEARTBEAT: Final = "jasshaus:heartbeat:table"
_HEARTBEAT_KEPT: Final = 60_000  # ms
_FENCE_KEPT: Final = 30 * 86_400_000  # ms; ids are never used again, but a request may be late
_SCRIPTS: Final = files("jasshaus.table") / "scripts"


@dataclass(frozen=True, slots=True)
class RequestEntry:
    """A request a seat made: id and body digest, 16 bytes each."""

    seat: int
    request_id: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class Remembered:
    """A request a seat made, and the version it led to."""

    request_id: bytes
    body: bytes
    version: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as Redis has it. `record` is None when the reader has that etag already.

    `presence_in_record`: it was stored by the release before, and `times` say nothing of who is there.
    """

    etag: bytes
    record: bytes | None
    times: Times
    requests: tuple[tuple[Remembered, ...], ...] = ((), (), (), ())
    bundles: tuple[bytes, ...] = ()
    presence_in_record: bool = False

    @property
    def exists(self) -> bool:
        """Whether there is a table."""
        return self.etag not in (NO_ETAG, FENCED_ETAG)


@dataclass(frozen=True, slots=True)
class Commit:
    """A change to write: `expected` is the etag it was decided on."""

    table_id: UUID
    expected: bytes
    etag: bytes
    record: bytes
    bundle: bytes
    seats: tuple[Timer, Timer, Timer, Timer]
    idle: Timer
    request: RequestEntry | None = None
    gated: bool = False
    lead_pause: int | None = None
    settle: bool = False
    keep: int | None = None  # the money is moved: out of the outbox, and kept for so long from now
    asked: Asked = NOBODY_ASKED  # what the table waits for then
    seat: int | None = None  # whose decision it is
    stand_in: bool = False  # taken by the stand-in: void unless the seat's time is up
    away_after: int = 1  # timeouts in a row that make a seat away
    presence: Presences = ALL_HERE  # as the record had it, at a table stored by the release before


@dataclass(frozen=True, slots=True)
class Mark:
    """A seat that leaves, or comes back; `etag`, `asked` and `presence` as the caller knows the table."""

    table_id: UUID
    request: RequestEntry
    away: bool
    etag: bytes
    asked: Asked
    presence: Presences


@dataclass(frozen=True, slots=True)
class Written:
    """The change is committed; `times` as they are with it."""

    times: Times


@dataclass(frozen=True, slots=True)
class Known:
    """The request was made before and led to that version."""

    version: int


@dataclass(frozen=True, slots=True)
class Reused:
    """The request id was used for another body."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The table is not the one the change was decided on."""

    stored: Stored


@dataclass(frozen=True, slots=True)
class Early:
    """The pause before the lead lasts for so many milliseconds more."""

    wait: int


Result = Written | Known | Reused | Moved | Early


@dataclass(frozen=True, slots=True)
class Marked:
    """The presence is changed; the table as it is with it."""

    stored: Stored


@dataclass(frozen=True, slots=True)
class Same:
    """The seat is away, or there, already."""


@dataclass(frozen=True, slots=True)
class Over:
    """The match is over."""


@dataclass(frozen=True, slots=True)
class Limited:
    """The seat has left too often; it may again in so many milliseconds."""

    wait: int


Marking = Marked | Known | Reused | Moved | Same | Over | Limited


@dataclass(frozen=True, slots=True)
class DueTimer:
    """A timer whose time has come; `member` and `score` name it for `defer`."""

    table_id: UUID
    name: str
    member: str
    score: str


@dataclass(frozen=True, slots=True)
class Due:
    """What is due in a lane."""

    timers: tuple[DueTimer, ...]
    outbox: tuple[UUID, ...]


class Script:
    """A script by its digest, known to Redis or loaded into it when it is not."""

    def __init__(self, link: Link, name: str, metrics: TableMetrics) -> None:
        self._link = link
        self._seconds = metrics.store_seconds.labels(name)
        self._source = (_SCRIPTS / "lane.lua").read_text() + (_SCRIPTS / f"{name}.lua").read_text()
        self._digest: str | None = None

    async def __call__(self, keys: Sequence[str], *arguments: Argument) -> Any:
        """Run the script. Raises StoreAwayError."""
        for _ in range(3):
            if self._digest is None:
                self._digest = (await self._link.call("SCRIPT", "LOAD", self._source)).decode()
            started = time.perf_counter()
            try:
                return await self._link.call("EVALSHA", self._digest, len(keys), *keys, *arguments)
            except NoScriptError:
                # A restarted Redis has forgotten it; it has not run.
                self._digest = None
            finally:
                self._seconds.observe(time.perf_counter() - started)
        raise ResponseError("Redis does not keep scripts")


class Store:
    """The tables in Redis."""

    def __init__(self, link: Link, names: Names, metrics: TableMetrics) -> None:
        self.names = names
        self._link = link
        self._load = Script(link, "load", metrics)
        self._commit = Script(link, "commit", metrics)
        self._look = Script(link, "look", metrics)
        self._defer = Script(link, "defer", metrics)
        self._fence = Script(link, "fence", metrics)
        self._attend = Script(link, "attend", metrics)
        self._announce = Script(link, "announce", metrics)
        self._presence = Script(link, "presence", metrics)

    async def ping(self) -> None:
        """Raise StoreAwayError unless Redis answers and takes writes; follow its name where that moved."""
        # The connection at hand says nothing of where the name leads by now.
        await self._link.primary.look()
        await self._link.call("SET", _HEARTBEAT, "1", "PX", _HEARTBEAT_KEPT)

    async def load(
        self, table_id: UUID, *, known: bytes = b"", requests: bool = False, since: int | None = None
    ) -> Stored:
        """Read a table: record, timers, clock at one moment.

        `known` is an etag whose record need not be sent, `requests` asks for the remembered requests, `since`
        for the event bundles from that version on (its own included, as far as they are kept).
        """
        keys = self.names.of(table_id)
        reply, bundles = await self._load(
            [keys.table, keys.events, keys.lane.timers, keys.lane.shifts],
            str(table_id),
            known,
            "1" if requests else "0",
            "" if since is None else since,
        )
        return _stored(reply, tuple(bundles))

    async def commit(self, commit: Commit) -> Result:
        """Write a change, if the table is still as expected and the request is new."""
        # A caller that is cancelled must not leave a commit half known: it runs to its end.
        running = asyncio.ensure_future(self._run_commit(commit))
        running.add_done_callback(_taken_note_of)
        return await asyncio.shield(running)

    async def _run_commit(self, commit: Commit) -> Result:
        keys = self.names.of(commit.table_id)
        request = commit.request
        lane = keys.lane
        answer = await self._commit(
            [keys.table, keys.events, lane.timers, lane.outbox, lane.seen, keys.channel, lane.shifts],
            str(commit.table_id),
            commit.expected,
            commit.etag,
            commit.record,
            commit.bundle,
            "" if request is None else request.seat,
            b"" if request is None else request.request_id,
            b"" if request is None else request.body,
            "1" if commit.gated else "0",
            "" if commit.lead_pause is None else commit.lead_pause,
            *(_timer(each) for each in commit.seats),
            _timer(commit.idle),
            "+" if commit.settle else "-" if commit.keep is not None else "",
            "" if commit.keep is None else commit.keep,
            BUNDLES_KEPT,
            LANE_GAP,
            _asked(commit.asked),
            "" if commit.seat is None else f"{'t' if commit.stand_in else 'a'}{commit.seat}",
            commit.away_after,
            _presence(commit.presence),
        )
        match answer:
            case [b"ok", reply]:
                return Written(_times(reply))
            case [b"known", version]:
                return Known(int.from_bytes(version, "big"))
            case [b"reused"]:
                return Reused()
            case [b"moved", reply]:
                return Moved(_stored(reply, ()))
            case [b"early", wait]:
                return Early(int(wait))
            case _:
                # Not what it says: that may be a record, with hands in it.
                raise AssertionError(f"commit.lua answered a {type(answer).__name__}")

    async def mark(self, mark: Mark) -> Marking:
        """Write that a seat has left or is back, whatever its table's match does meanwhile."""
        running = asyncio.ensure_future(self._run_mark(mark))
        running.add_done_callback(_taken_note_of)
        return await asyncio.shield(running)

    async def _run_mark(self, mark: Mark) -> Marking:  # noqa: PLR0911 - one case an answer
        keys = self.names.of(mark.table_id)
        lane = keys.lane
        answer = await self._presence(
            [keys.table, lane.timers, lane.seen, keys.channel, lane.shifts, lane.outbox],
            str(mark.table_id),
            mark.request.seat,
            mark.request.request_id,
            mark.request.body,
            "1" if mark.away else "0",
            mark.etag,
            _asked(mark.asked),
            _presence(mark.presence),
            LANE_GAP,
            LEAVES_AT_ONCE,
            LEAVE_EVERY,
        )
        match answer:
            case [b"ok", reply]:
                return Marked(_stored(reply, ()))
            case [b"known", version]:
                return Known(int.from_bytes(version, "big"))
            case [b"reused"]:
                return Reused()
            case [b"over"]:
                return Over()
            case [b"same"]:
                return Same()
            case [b"limited", wait]:
                return Limited(int(wait))
            case [b"moved", reply]:
                return Moved(_stored(reply, ()))
            case _:
                raise AssertionError(f"presence.lua answered a {type(answer).__name__}")

    async def look(self, lane: Lane, limit: int) -> Due:
        """Return what is due in a lane, after shifting its timers if it was down."""
        _, timers, outbox = await self._look(
            [lane.timers, lane.outbox, lane.seen, lane.shifts], LANE_GAP, limit
        )
        pairs = zip(timers[::2], timers[1::2], strict=True)
        return Due(
            tuple(_due_timer(member.decode(), score.decode()) for member, score in pairs),
            tuple(UUID(member.decode()) for member in outbox),
        )

    async def defer(self, due: DueTimer, delay: int | None) -> None:
        """Put a timer off by `delay` milliseconds from now, or remove it (None), unless it was set since."""
        keys = self.names.of(due.table_id)
        needed = [keys.lane.timers, keys.table, keys.channel]
        await self._defer(needed, due.member, due.score, "" if delay is None else delay)

    async def fence(self, table_id: UUID) -> bool:
        """Make sure a table that is not there will not be for a month; False when it is there."""
        return bool(await self._fence([self.names.of(table_id).table], FENCED_ETAG, _FENCE_KEPT))

    async def attend(
        self, table_id: UUID, etag: bytes, idle: int | None, asked: Asked, presence: Presences
    ) -> int:
        """Give a table its idle timer and those of its seats, or its place in the outbox (idle: None).

        Only where there are none; in milliseconds from now. Returns how many were missing; 0, too, when the
        etag is another now.
        """
        keys = self.names.of(table_id)
        needed = [keys.table, keys.lane.timers, keys.lane.outbox]
        idle_in = "" if idle is None else idle
        arguments = (str(table_id), etag, idle_in, _asked(asked), _presence(presence))
        return int(await self._attend(needed, *arguments))

    async def announce(self, table_id: UUID, stream: bytes) -> int:
        """Tell all replicas of a new stream at a table; return its stamp, higher for later streams."""
        keys = self.names.of(table_id)
        return int(await self._announce([keys.channel, keys.lane.stamps], stream))


def _taken_note_of(running: asyncio.Future[Any]) -> None:
    # Where the caller is gone, nobody else asks for the error.
    if not running.cancelled():
        running.exception()


def _timer(timer: Timer) -> str:
    match timer:
        case None:
            return ""
        case Stop():
            return "x"
        case Open(pause, limit):
            return f"o{pause},{'' if limit is None else limit}"


def _times(reply: Sequence[Any]) -> Times:
    first, second, third, fourth = (int(float(due)) if due else None for due in reply[3:7])
    lead_after, idle = (int(float(due)) if due else None for due in reply[7:9])
    changes, shifts = (int(count or 0) for count in reply[9:11])
    return Times(
        now=int(reply[0]),
        deadlines=(first, second, third, fourth),
        lead_after=lead_after,
        idle=idle,
        presence=_read_presence(reply[11:15]),
        changes=changes + shifts,
    )


def _stored(reply: Sequence[Any], bundles: tuple[bytes, ...]) -> Stored:
    requests = tuple(_remembered(each) for each in reply[15:19]) or ((), (), (), ())
    return Stored(reply[1], reply[2] or None, _times(reply), requests, bundles, not reply[11])


def _asked(asked: Asked) -> str:
    limits = ",".join("" if limit is None else str(limit) for limit in asked.limits)
    return f"{asked.playing:d},{limits},{asked.away}"


def _presence(presence: Presences) -> str:
    return " ".join(f"{each.away:d},{each.timeouts}" for each in presence)


def _read_presence(fields: Sequence[bytes]) -> Presences:
    if not fields[0]:
        return ALL_HERE
    first, second, third, fourth = (Presence(each.startswith(b"1"), int(each[2:])) for each in fields)
    return first, second, third, fourth


def _remembered(entries: bytes) -> tuple[Remembered, ...]:
    return tuple(
        Remembered(
            entries[start : start + 16],
            entries[start + 16 : start + 32],
            int.from_bytes(entries[start + 32 : start + 40], "big"),
        )
        for start in range(0, len(entries), _ENTRY_BYTES)
    )


def _due_timer(member: str, score: str) -> DueTimer:
    table_id, _, name = member.rpartition(":")
    return DueTimer(UUID(table_id), name, member, score)
