"""A table as frozen values: seats, stake, pace, status, outcome and its match.

All times are in milliseconds. Nothing here knows Redis, protobuf or a clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.core.tricks import Trick
from jasshaus.rules.differenzler import PenaltiesScored, RoundsEnded
from jasshaus.rules.registry import Match, Pending, pending
from jasshaus.rules.schieber import DealScored, EndedBy, MatchEnded


class Status(StrEnum):
    """Where a table is in its life."""

    PLAYING = "playing"
    SETTLING = "settling"  # the match is over, its money is being moved
    FINISHED = "finished"
    VOIDED = "voided"


class Decision(StrEnum):
    """How a match was decided."""

    UNSPECIFIED = "unspecified"  # not known any more: the store had lost the end, the pot tells who was paid
    CLAIM = "claim"
    FALSE_CLAIM = "false_claim"
    DEAL = "deal"
    STOECK = "stoeck"
    WEIS = "weis"
    TRICK = "trick"
    ROUNDS = "rounds"
    ABORTED = "aborted"


_DECISIONS: Final = {
    EndedBy.DEAL: Decision.DEAL,
    EndedBy.CLAIM: Decision.CLAIM,
    EndedBy.FALSE_CLAIM: Decision.FALSE_CLAIM,
    EndedBy.AUTOMATIC: Decision.TRICK,
    EndedBy.STOECK: Decision.STOECK,
    EndedBy.WEIS: Decision.WEIS,
    EndedBy.STICH: Decision.TRICK,
}


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in a currency's smallest units."""

    currency: str
    minor_units: int


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. `decision_version`: of the commit that opened the decision it is asked for; 0 without one.

    It is 0, too, at a table stored before it was kept: see `decision_version`. `reservation` is what the
    stake was taken for, None at a table set up by a release that did not name it.
    """

    player_id: str
    decision_version: int = 0
    reservation: UUID | None = None


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether a player is there; `timeouts` counts those since they last acted. No part of the match."""

    away: bool = False
    timeouts: int = 0


Presences = tuple[Presence, Presence, Presence, Presence]

ALL_HERE: Final[Presences] = (Presence(), Presence(), Presence(), Presence())


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a table is, pinned when it is created. `turn` and `weis` are 0 for no limit."""

    turn: int
    weis: int
    away: int
    away_after: int
    lead_pause: int
    trick_pause: int
    idle_limit: int
    keep: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. Payouts are one a winning seat, set with the fee once the pot is paid."""

    decision: Decision
    winning_seats: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    schneider: bool = False
    payouts: tuple[Money, ...] = ()
    fee: Money | None = None
    abort_reason: str = ""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands for a stored match that cannot be decoded: such a table can be aborted and nothing else."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class Table:
    """A table at one version."""

    table_id: UUID
    game_id: UUID
    tenant: str
    version: int
    status: Status
    seats: tuple[Seat, ...]
    preset: str
    rules: RuleSet
    stake: Money | None
    pace: Pace
    match: Match | Unreadable
    outcome: Outcome | None
    created_by: bytes  # digest of the request that made it
    deals: tuple[DealScored | PenaltiesScored, ...] = ()  # scored so far, as far as they were kept
    last_trick: Trick | None = None  # of the deal before


@dataclass(frozen=True, slots=True)
class NewTable:
    """What a table is made of; `digest` is of the whole request."""

    table_id: UUID
    game_id: UUID
    tenant: str
    players: tuple[str, ...]
    reservations: tuple[UUID | None, ...]
    preset: str
    rules: RuleSet
    stake: Money | None
    digest: bytes


def seat_of(table: Table, tenant: str, player_id: str) -> int | None:
    """Return the seat of a player of that tenant, or None."""
    if tenant != table.tenant:
        return None
    return next((index for index, seat in enumerate(table.seats) if seat.player_id == player_id), None)


def awaited(table: Table) -> Sequence[Pending]:
    """List the decisions of seats that the table waits for; none once it is over."""
    if table.status is not Status.PLAYING or isinstance(table.match, Unreadable):
        return ()
    return tuple(each for each in pending(table.match) if each.seat is not None)


def decision_version(table: Table, seat: int) -> int | None:
    """Return the version that opened the decision a seat is asked for; None when it is asked for none.

    Of a table stored before that was kept it is the version now: that one surely shows the decision.
    """
    if all(each.seat != seat for each in awaited(table)):
        return None
    return table.seats[seat].decision_version or table.version


def outcome_of(ended: MatchEnded | RoundsEnded) -> Outcome:
    """Return the outcome of a match the rules decided: a side's two seats in seat order, or the winner."""
    if isinstance(ended, RoundsEnded):
        return Outcome(Decision.ROUNDS, winning_seats=(ended.winner,), points=ended.totals)
    return Outcome(
        decision=_DECISIONS[ended.by],
        winning_seats=(ended.winner, ended.winner + 2),
        points=ended.totals,
        schneider=ended.schneider,
    )
