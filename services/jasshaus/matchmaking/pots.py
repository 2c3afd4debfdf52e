"""Owns what the saga asks of a pot: the wallet keeps stakes, PostgreSQL the seats of games without one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from jasshaus.matchmaking.domain import Hold, Quote, Terms


class PotState(StrEnum):
    """OPEN -> LOCKED -> SETTLED, or OPEN/LOCKED -> REFUNDED."""

    OPEN = "OPEN"
    LOCKED = "LOCKED"
    SETTLED = "SETTLED"
    REFUNDED = "REFUNDED"


class RefundReason(StrEnum):
    """Why stakes go back; stands in the players' statements."""

    GAME_CLOSED = "GAME_CLOSED"
    TABLE_ABORTED = "TABLE_ABORTED"
    TABLE_LOST = "TABLE_LOST"


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot as it is. `payouts`: (seat, minor units), once settled; `quote` is None without a stake."""

    state: PotState
    holds: tuple[Hold, ...] = ()
    quote: Quote | None = None
    payouts: tuple[tuple[int, int], ...] = ()
    fee: int = 0


class Refused(Exception):  # noqa: N818 - an answer, not a mistake
    """Another service's final answer: repeating the call does not help. `pot` is from its details."""

    def __init__(self, reason: str, message: str = "", pot: Pot | None = None) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.pot = pot


class Pots(Protocol):
    """Each call may be repeated. Raises `Refused`, or Fault UNAVAILABLE: outcome unknown."""

    async def open(self, terms: Terms) -> Pot:
        """Open the game's pot, or return it as it is."""

    async def hold(self, game_id: UUID, hold: Hold) -> None:
        """Take the stake; a reservation once refused or released never holds."""

    async def release(self, game_id: UUID, reservation: UUID) -> None:
        """Give the stake back, or see to it that a late `hold` is refused."""

    async def lock(self, terms: Terms, holds: tuple[Hold, ...]) -> None:
        """Lock on exactly these four. Refused HOLDS_DIFFER and POT_NOT_OPEN carry the pot."""

    async def refund(self, game_id: UUID, reason: RefundReason) -> None:
        """Give every stake back. Refused POT_SETTLED carries the pot, and so does POT_NOT_OPEN.

        That is the answer to GAME_CLOSED for a locked pot: its match is on, whatever the game's row says.
        """

    async def get(self, game_id: UUID) -> Pot | None:
        """Return the pot, None for an unknown one."""
