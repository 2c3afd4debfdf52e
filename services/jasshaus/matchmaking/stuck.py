"""Waiting pots as values: why, and until when; no IO."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from jasshaus.matchmaking.domain import Status


class Why(StrEnum):
    """Why a pot waits."""

    NO_GAME = "NO_GAME"
    GAME_OVER = "GAME_OVER"
    NO_TABLE = "NO_TABLE"
    REFUSED = "REFUSED"
    UNANSWERED = "UNANSWERED"
    OTHER_END = "OTHER_END"
    """Game and pot are over with different ends that cannot be reconciled."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A waiting pot to be recorded. `table_id`: the table that was asked for it."""

    pot_id: UUID
    tenant: str
    why: Why
    detail: str = ""
    table_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Stuck:
    """A waiting pot as shown to operators. `refund_time`: when its stakes are refunded automatically."""

    stray: Stray
    since: datetime
    refund_time: datetime | None
    status: Status | None
