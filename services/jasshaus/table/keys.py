"""Names everything the table service keeps in Redis.

A table's lane is the last byte of its id; all keys of a lane share a hash tag, so a script touches one
Cluster slot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

LANES: Final = 256
IDLE: Final = "i"
"""The name of a table's idle timer; those of its seats are 0 to 3."""


@dataclass(frozen=True, slots=True)
class Lane:
    """The keys of one lane: sorted sets by due time; `seen`: when its clock was last checked.

    `shifts` has the number of timer shifts, after an outage or a clock change, and their sum;
    `results` are the tables with a result record, by its expiry; `stamps` has the last
    stamp of a stream.
    """

    timers: str
    outbox: str
    seen: str
    shifts: str
    results: str
    stamps: str


@dataclass(frozen=True, slots=True)
class TableKeys:
    """The keys of one table, and the channel for its commits."""

    table: str
    events: str
    channel: str
    result: str
    lane: Lane


@dataclass(frozen=True, slots=True)
class LedgerKeys:
    """The keys about the wallet's ledger: the position seen, and the lease of the sweep.

    `rows` exists until lost rows are due to be checked again.
    """

    position: str
    lease: str
    rows: str


class Names:
    """Makes keys, all with one prefix (empty in production; tests share a server)."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self.lanes = tuple(self._lane(number) for number in range(LANES))
        self.ledger = LedgerKeys(*(f"{prefix}{{ledger}}:{name}" for name in ("position", "lease", "rows")))

    def of(self, table_id: UUID) -> TableKeys:
        """Return the keys of a table."""
        number = lane_of(table_id)
        tag = self._tag(number)
        return TableKeys(
            f"{tag}:table:{table_id}",
            f"{tag}:events:{table_id}",
            f"{tag}:feed:{table_id}",
            f"{tag}:result:{table_id}",
            self.lanes[number],
        )

    def _tag(self, number: int) -> str:
        return f"{self._prefix}{{t{number:02x}}}"

    def _lane(self, number: int) -> Lane:
        tag = self._tag(number)
        names = ("timers", "outbox", "seen", "shifts", "results", "stamps")
        return Lane(*(f"{tag}:{name}" for name in names))


def lane_of(table_id: UUID) -> int:
    """Return the lane of a table, 0 to 255."""
    return table_id.bytes[-1]
