"""Writes the arguments of the scripts and reads their answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from jasshaus.table.decide import Asked, Open, Stop, Timer
from jasshaus.table.operations import DueTimer, Remembered, Stored
from jasshaus.table.table import ALL_HERE, Presence, Presences
from jasshaus.table.times import Times

_ENTRY_BYTES: Final = 40


def timer_argument(timer: Timer) -> str:
    """Return what a script is told to do with a timer."""
    match timer:
        case None:
            return ""
        case Stop():
            return "x"
        case Open(pause, limit):
            return f"o{pause},{'' if limit is None else limit}"


def read_times(reply: Sequence[Any]) -> Times:
    """Return the clock and the times of a script's `state`."""
    first, second, third, fourth = (int(float(due)) if due else None for due in reply[3:7])
    lead_after, idle = (int(float(due)) if due else None for due in reply[7:9])
    return Times(
        now=int(reply[0]),
        deadlines=(first, second, third, fourth),
        lead_after=lead_after,
        idle=idle,
        presence=read_presence(reply[10]),
        changes=int(reply[9]),
    )


def read_stored(reply: Sequence[Any], bundles: tuple[bytes, ...]) -> Stored:
    """Return the table of a script's `state`."""
    requests = tuple(read_requests(each) for each in reply[11:15]) or ((), (), (), ())
    return Stored(reply[1], reply[2] or None, read_times(reply), requests, bundles, not reply[10])


def asked_argument(asked: Asked) -> str:
    """Return what a table waits for as the scripts keep it."""
    limits = ",".join("" if limit is None else str(limit) for limit in asked.limits)
    return f"{asked.playing:d},{limits},{asked.away}"


def presence_argument(presence: Presences) -> str:
    """Return who is there as the scripts keep it."""
    return " ".join(f"{each.away:d},{each.timeouts}" for each in presence)


@lru_cache(maxsize=4096)
def read_presence(field: bytes) -> Presences:
    """Return who is there by the field the scripts keep."""
    if not field:
        return ALL_HERE
    first, second, third, fourth = (
        Presence(each.startswith(b"1"), int(each[2:])) for each in field.split(b" ")
    )
    return first, second, third, fourth


def read_requests(entries: bytes) -> tuple[Remembered, ...]:
    """Return the requests of a seat that the scripts remember."""
    return tuple(
        Remembered(
            entries[start : start + 16],
            entries[start + 16 : start + 32],
            int.from_bytes(entries[start + 32 : start + 40], "big"),
        )
        for start in range(0, len(entries), _ENTRY_BYTES)
    )


def read_due_timer(member: str, score: str) -> DueTimer:
    """Return the timer that a lane names so."""
    table_id, _, name = member.rpartition(":")
    return DueTimer(UUID(table_id), name, member, score)
