"""Games as frozen values: terms, seats, states, result; no IO, no protobuf."""

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
    """The opener is not seated yet; the game is hidden from everyone else."""
    OPEN = "OPEN"
    STARTING = "STARTING"
    PLAYING = "PLAYING"
    FINISHED = "FINISHED"
    CLOSED = "CLOSED"
    VOIDED = "VOIDED"

    @property
    def over(self) -> bool:
        """Whether the status is final."""
        return self in {Status.FINISHED, Status.CLOSED, Status.VOIDED}


@dataclass(frozen=True, slots=True)
class Quote:
    """A stake's quote, fixed when the pot is opened. All in minor units of one currency."""

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
    """A taken stake (or, in a game without one, a taken seat), as named in LockPot."""

    seat: int
    player: str
    reservation: UUID


@dataclass(frozen=True, slots=True)
class Match:
    """The table that plays a game, and its four stakes: what a locked pot is bound to."""

    table_id: UUID
    holds: tuple[Hold, ...]


def table_of(game_id: UUID, holds: tuple[Hold, ...]) -> UUID:
    """Return the id of the table that plays a game on these four stakes.

    It is derived from them: if the database loses the row's last change, the same start leads to the same
    table, never to a second one.
    """
    return uuid5(_TABLES, f"{game_id}|{'|'.join(str(hold.reservation) for hold in holds)}")


class SeatState(StrEnum):
    """Reserved until its expiry; held; or being released."""

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
        """The hold in the pot if the stake was taken."""
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
        """Whether both describe the same end; points may be missing in one (a pot does not have them)."""
        if self.voided or other.voided:
            return self.voided == other.voided
        same = (self.winning_seats, self.payouts, self.fee) == (other.winning_seats, other.payouts, other.fee)
        return same and (not self.points or not other.points or self.points == other.points)


@dataclass(frozen=True, slots=True)
class Opening:
    """A player's request to open a game; `currency` and `stake` in minor units."""

    preset: str
    rules: RuleSet
    currency: str
    stake: int
    opener_seat: int
    ttl: float
    """Seconds until a game with free seats expires."""
    patience: float
    """Seconds until an unfinished opening is given up."""


@dataclass(frozen=True, slots=True)
class Played:
    """What is known of a played game whose row was lost; money in minor units."""

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
    """The part of a game that never changes once it is opened."""

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
        """Its place among a tenant's open games: sorts by opening time, then id."""
        return f"{round(self.open_time.timestamp() * 1000):015d}:{self.game_id}"


@dataclass(frozen=True, slots=True)
class Game:
    """A game's row: the authoritative part."""

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
        """Whether it is, or was, played at this table."""
        started = self.status in {Status.PLAYING, Status.FINISHED, Status.VOIDED}
        return started and self.table_id == table_id

    @property
    def match(self) -> Match:
        """What its pot is locked for, once it has started."""
        assert self.table_id is not None
        return Match(self.table_id, self.holds)


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as players see it: the row and its seats."""

    game: Game
    seats: tuple[Seat, ...]
    seats_changed_at: int = 0
    """Orders the seatings within one state of the row: `Entry.changed_at`; 0 if the row has the seats."""

    @property
    def version(self) -> int:
        """Orders all states of a game, in 63 bits: first by the row, then by the seats.

        It depends only on the state, not on which replica reads it.
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
    """Return the attempt of a request. Its id is the reservation id if the request takes a seat.

    The id does not depend on the body, so a repeated JoinGame always reaches the first one's hold.
    """
    digest = hashlib.sha256("\x1f".join(map(str, body)).encode()).hexdigest()[:32]
    return Attempt(tenant, player, uuid5(_ATTEMPTS, f"{tenant}|{player}|{request_id}"), digest)
