"""Requests to the store for a table, and its answers, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from jasshaus.table.decide import NOBODY_ASKED, Asked, Timer
from jasshaus.table.history import FENCED_ETAG, NO_ETAG
from jasshaus.table.table import ALL_HERE, Presences
from jasshaus.table.times import Times


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
    result: bytes | None = None  # the record of a match that is over


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
