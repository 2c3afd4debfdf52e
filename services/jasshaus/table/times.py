"""What the store keeps beside a table: its clock, deadlines, who is there."""

from __future__ import annotations

from dataclasses import dataclass

from jasshaus.table.table import ALL_HERE, Presences, Table


@dataclass(frozen=True, slots=True)
class Times:
    """What the store keeps beside the record: its clock, when time is up (Unix milliseconds), who is there.

    `changes` rises with each of them that changes; with the version it is the revision of a view.
    """

    now: int
    deadlines: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
    lead_after: int | None = None
    idle: int | None = None
    presence: Presences = ALL_HERE
    changes: int = 0


def revision(table: Table, times: Times) -> int:
    """Return what orders the views of a table: it rises with every commit, and with all that `Times` has."""
    return table.version + times.changes
