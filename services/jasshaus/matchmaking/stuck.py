"""Pots that wait for something, as values: why, and until when; no IO."""

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
    """Game and pot are over, and cannot be brought to tell of the same end."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A pot that waits, to be noted. `table_id`: who was asked for it."""

    pot_id: UUID
    tenant: str
    why: Why
    detail: str = ""
    table_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Stuck:
    """A pot that waits, as an operator sees it. `refund_time`: when its stakes go back by themselves."""

    stray: Stray
    since: datetime
    refund_time: datetime | None
    status: Status | None
