"""A game as frozen values: terms, seats, states, result; no IO, no protobuf."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID, uuid5

from jasshaus.rules.core.options import RuleSet

SEATS: Final = (0, 1, 2, 3)
_SEATS_BITS: Final = 42
"""Milliseconds since 1970, until 2109."""
_MOST_CHANGES: Final = (1 << 21) - 1
_ATTEMPTS: Final = UUID("6f0e6ab1-2f0f-4d0c-9d1c-4c3f2b6f7a55")
_TABLES: Final = UUID("a1a7f3d2-6f0b-4a7e-9b57-2f5f0f1c8d41")


class Status(StrEnum):
    """State of a game. The row in PostgreSQL decides; changes are compare-and-set."""

    OPENING = "OPENING"
    """The opener is not seated yet; nobody else sees the game."""
    OPEN = "OPEN"
    STARTING = "STARTING"
    PLAYING = "PLAYING"
    FINISHED = "FINISHED"
    CLOSED = "CLOSED"
    VOIDED = "VOIDED"

    @property
    def over(self) -> bool:
        """Whether it never changes again."""
        return self in {Status.FINISHED, Status.CLOSED, Status.VOIDED}


@dataclass(frozen=True, slots=True)
class Quote:
    """What a stake turns into, fixed when the pot is opened. All in minor units of one currency."""

    currency: str
    stake: int
    pot: int
    fee: int
    net: int
    side_payouts: tuple[int, ...]
    fee_schedule_version: int
    fee_bps: int


@dataclass(frozen=True, slots=True)
class Hold:
    """A stake (or, in a game without one, a seat) that is taken: what LockPot names."""

    seat: int
    player: str
    reservation: UUID


@dataclass(frozen=True, slots=True)
class Match:
    """Which table plays a game, and for which four stakes: what a locked pot is bound to."""

    table_id: UUID
    holds: tuple[Hold, ...]


def table_of(game_id: UUID, holds: tuple[Hold, ...]) -> UUID:
    """Return the id of the table that plays a game on these four stakes.

    It follows from them: should the database lose the row's last change, the same start leads to the same
    table, never to a twin beside it.
    """
    return uuid5(_TABLES, f"{game_id}|{'|'.join(str(hold.reservation) for hold in holds)}")


class SeatState(StrEnum):
    """Reserved until its expiry; held; or being given back."""

    RESERVED = "R"
    HELD = "H"
    LEAVING = "L"


@dataclass(frozen=True, slots=True)
class Seat:
    """A taken seat in the lobby. `expires_at` is in milliseconds of Redis's clock; 0 for a held one."""

    seat: int
    player: str
    reservation: UUID
    state: SeatState
    expires_at: int

    @property
    def hold(self) -> Hold:
        """What stands in the pot if the stake was taken."""
        return Hold(self.seat, self.player, self.reservation)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended. `payouts` and `fee` (minor units of the quote's currency) only with a stake."""

    voided: bool
    winning_seats: tuple[int, ...] = ()
    payouts: tuple[int, ...] = ()
    fee: int | None = None
    points: tuple[int, ...] = ()
    end_time: datetime | None = None

    def agrees(self, other: Result) -> bool:
        """Whether both tell the same end; points may be unknown to one (a pot does not know them)."""
        if self.voided or other.voided:
            return self.voided == other.voided
        same = (self.winning_seats, self.payouts, self.fee) == (other.winning_seats, other.payouts, other.fee)
        return same and (not self.points or not other.points or self.points == other.points)


@dataclass(frozen=True, slots=True)
class Opening:
    """What a player asks for who opens a game; `currency` and `stake` in minor units."""

    preset: str
    rules: RuleSet
    currency: str
    stake: int
    opener_seat: int
    ttl: float
    """Seconds until a game that nobody fills expires."""
    patience: float
    """Seconds until an unfinished opening is given up."""


@dataclass(frozen=True, slots=True)
class Played:
    """What is known of a game that was played and whose row was lost; money in minor units."""

    game_id: UUID
    tenant: str
    match: Match
    preset: str
    rules: RuleSet
    currency: str
    stake: int
    quote: Quote | None
    end_time: datetime | None = None
    """When the match ended, if it has; the game was opened no later."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What never changes of a game once it is opened."""

    game_id: UUID
    tenant: str
    opener: str
    opener_seat: int
    request_id: UUID
    preset: str
    rules: RuleSet
    currency: str
    stake: int
    open_time: datetime
    expire_time: datetime

    @property
    def staked(self) -> bool:
        """Whether there is a pot in the wallet."""
        return self.stake > 0

    @property
    def order(self) -> str:
        """Its place among a tenant's open games: sorts by time opened, then id."""
        return f"{round(self.open_time.timestamp() * 1000):015d}:{self.game_id}"


@dataclass(frozen=True, slots=True)
class Game:
    """A game's row: the part that decides."""

    terms: Terms
    status: Status
    digest: bytes
    refusal: str | None
    quote: Quote | None
    table_id: UUID | None
    holds: tuple[Hold, ...]
    """The four stakes as fixed at the start; empty before."""
    result: Result | None
    refund_due: bool
    forget_due: bool
    start_time: datetime | None
    end_time: datetime | None
    missing_since: datetime | None
    asked_at: datetime | None
    changes: int = 1
    """Orders the states of the row."""

    @property
    def game_id(self) -> UUID:
        """The game's id, which is also its pot's."""
        return self.terms.game_id

    def has_been_at(self, table_id: UUID) -> bool:
        """Whether it is played at this table, or was to its end."""
        started = self.status in {Status.PLAYING, Status.FINISHED, Status.VOIDED}
        return started and self.table_id == table_id

    @property
    def match(self) -> Match:
        """What its pot is locked for, once it has started."""
        assert self.table_id is not None
        return Match(self.table_id, self.holds)


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as players see it: the row, and who sits there."""

    game: Game
    seats: tuple[Seat, ...]
    seats_changed_at: int = 0
    """Orders who sits there in one state of the row: `Entry.changed_at`; 0 where the row says it."""

    @property
    def version(self) -> int:
        """Orders all states of a game, in 63 bits: those of the row, and within each those of the seats.

        It depends on the state alone, not on who reads it where.
        """
        rows = min(self.game.changes, _MOST_CHANGES)
        return rows << _SEATS_BITS | min(self.seats_changed_at, (1 << _SEATS_BITS) - 1)

    def has(self, player: str) -> bool:
        """Whether the player sits here."""
        return any(seat.player == player for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request of a player: its id, and a digest of its body."""

    tenant: str
    player: str
    id: UUID
    digest: str


def attempt(tenant: str, player: str, request_id: UUID, *body: object) -> Attempt:
    """Return the attempt of a request. Its id is the reservation's id if the request takes a seat.

    The id does not depend on the body, so a repeated JoinGame reaches the first one's hold in any case.
    """
    digest = hashlib.sha256("\x1f".join(map(str, body)).encode()).hexdigest()[:32]
    return Attempt(tenant, player, uuid5(_ATTEMPTS, f"{tenant}|{player}|{request_id}"), digest)
