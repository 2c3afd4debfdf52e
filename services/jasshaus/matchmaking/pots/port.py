"""The pot interface of the saga: staked pots are in the wallet, seats of free games in PostgreSQL."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol
from uuid import UUID

from jasshaus.matchmaking.domain import SEATS, Hold, Match, Quote, Terms, table_of


class PotState(StrEnum):
    """OPEN -> LOCKED -> SETTLED, or OPEN/LOCKED -> REFUNDED."""

    OPEN = "OPEN"
    LOCKED = "LOCKED"
    SETTLED = "SETTLED"
    REFUNDED = "REFUNDED"


class RefundReason(StrEnum):
    """Reason for returning stakes, shown in the players' statements."""

    GAME_CLOSED = "GAME_CLOSED"
    TABLE_ABORTED = "TABLE_ABORTED"
    TABLE_LOST = "TABLE_LOST"


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot. `payouts`: (seat, minor units), once settled; `quote` is None without a stake.

    `table_id` is set once it is locked, unless a release locked it without naming the table. `paid`: the
    stakes of those who were paid or refunded, once it is over, without their reservations.
    """

    state: PotState
    holds: tuple[Hold, ...] = ()
    quote: Quote | None = None
    payouts: tuple[tuple[int, int], ...] = ()
    fee: int = 0
    table_id: UUID | None = None
    paid: tuple[Hold, ...] = ()

    @property
    def over(self) -> bool:
        """Whether it holds no money, permanently."""
        return self.state in _OVER

    def is_for(self, table_id: UUID | None) -> bool:
        """Whether it is locked for this table, or was locked without naming one."""
        return self.state is PotState.LOCKED and self.table_id in {None, table_id}

    def table(self, game_id: UUID) -> UUID | None:
        """Return the table it is, or would be, locked for; None while not all four stakes are in."""
        if self.table_id is None and len(self.holds) == len(SEATS):
            return table_of(game_id, self.holds)
        return self.table_id


_OVER: Final = frozenset({PotState.SETTLED, PotState.REFUNDED})


@dataclass(frozen=True, slots=True)
class ListedPot:
    """A pot as shown in a list of the wallet."""

    game_id: UUID
    tenant: str
    pot: Pot
    open_time: datetime


class Refused(Exception):  # noqa: N818 - an answer, not a mistake
    """Another service's final answer: repeating the call does not help. `pot` is from its details."""

    def __init__(self, reason: str, message: str = "", pot: Pot | None = None) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.pot = pot


class Pots(Protocol):
    """Each call may be repeated. Raises `Refused`, or Fault UNAVAILABLE: outcome unknown."""

    async def open(self, terms: Terms) -> Pot:
        """Open the game's pot, or return it unchanged."""

    async def hold(self, game_id: UUID, hold: Hold) -> None:
        """Take the stake; a reservation once refused or released never holds."""

    async def release(self, game_id: UUID, reservation: UUID) -> None:
        """Return the stake, or ensure that a late `hold` is refused."""

    async def lock(self, terms: Terms, match: Match) -> None:
        """Lock for exactly these four, for this table.

        Refused HOLDS_DIFFER, POT_NOT_OPEN and TABLE_MISMATCH (it is locked for another table) carry the pot.
        """

    async def refund(self, game_id: UUID, reason: RefundReason, match: Match | None = None) -> None:
        """Return every stake; the match must be named once the pot is locked for it.

        Refused, with the pot: POT_SETTLED; POT_NOT_OPEN if it is locked and none is named (the match is
        running, whatever the game's row says); TABLE_MISMATCH if it is locked for another.
        """

    async def get(self, game_id: UUID) -> Pot | None:
        """Return the pot, None for an unknown one."""
