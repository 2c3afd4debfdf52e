"""Result records: what is kept of a match for the restore window, longer than its table.

When PostgreSQL is restored to an earlier time they are the only witness of who won.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from jasshaus.api.internal.v1 import store_pb2
from jasshaus.table.table import Outcome, Table

FORMAT: Final = 1
TIME_BYTES: Final = 8
"""The store puts the time of its own clock in front of a record: Unix milliseconds, big-endian."""

_UUID_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What is kept of a match. `winning_seats` is empty when it was aborted.

    `reservations` are those of the four seats, or empty; `digest` is 32 bytes, as SettlePot carries it;
    `ended_at` is in Unix milliseconds of the store's clock, 0 before the store has set it.
    """

    table_id: UUID
    game_id: UUID
    tenant: str
    reservations: tuple[UUID, ...]
    winning_seats: tuple[int, ...]
    points: tuple[int, ...]
    digest: bytes
    staked: bool
    ended_at: int = 0


def result_of(table: Table, outcome: Outcome, digest: bytes) -> MatchResult:
    """Return what is kept of a table's match."""
    reservations = tuple(seat.reservation for seat in table.seats if seat.reservation is not None)
    return MatchResult(
        table_id=table.table_id,
        game_id=table.game_id,
        tenant=table.tenant,
        reservations=reservations if len(reservations) == len(table.seats) else (),
        winning_seats=outcome.winning_seats,
        points=outcome.points,
        digest=digest,
        staked=table.stake is not None,
    )


def encode_result(result: MatchResult) -> bytes:
    """Return a result as a serialized ResultRecord, without its time."""
    record = store_pb2.ResultRecord(
        format=FORMAT,
        table_id=result.table_id.bytes,
        game_id=result.game_id.bytes,
        tenant=result.tenant,
        reservations=b"".join(each.bytes for each in result.reservations),
        winning_seats=result.winning_seats,
        points=result.points,
        digest=result.digest,
        staked=result.staked,
    )
    return record.SerializeToString(deterministic=True)


def decode_result(stored: bytes) -> MatchResult:
    """Return the result of a stored record, which begins with its time."""
    record = store_pb2.ResultRecord.FromString(stored[TIME_BYTES:])
    named = record.reservations
    result = MatchResult(
        table_id=UUID(bytes=record.table_id),
        game_id=UUID(bytes=record.game_id),
        tenant=record.tenant,
        reservations=tuple(
            UUID(bytes=named[start : start + _UUID_BYTES]) for start in range(0, len(named), _UUID_BYTES)
        ),
        winning_seats=tuple(record.winning_seats),
        points=tuple(record.points),
        digest=record.digest,
        staked=record.staked,
    )
    return replace(result, ended_at=int.from_bytes(stored[:TIME_BYTES], "big"))
