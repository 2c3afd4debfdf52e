"""The commands and events of a Differenzler match, besides those that every game shares (core/events.py).

All are frozen values of ints and tuples, and complete (hidden announcements included); `view.project` returns
what a viewer may see of one. Tuples by seat have four items.
"""

from __future__ import annotations

from dataclasses import dataclass

from jasshaus.rules.core.cards import BySeat
from jasshaus.rules.core.events import CardPlayed, DealStarted, PlayCard, StartDeal, TrickWon


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce how many of the deal's 157 points one will make."""

    seat: int
    points: int


Command = StartDeal | Announce | PlayCard


@dataclass(frozen=True, slots=True)
class Announced:
    """A seat announced; `points` is None for a viewer from whom they are hidden until the deal is scored."""

    seat: int
    points: int | None
    hidden: bool


@dataclass(frozen=True, slots=True)
class PenaltiesScored:
    """A deal is counted. By seat: announced, made, what the deal adds to the totals, and the new totals."""

    deal: int
    announced: BySeat
    made: BySeat
    penalties: BySeat  # below 0 for an exact hit with exact_bonus
    totals: BySeat


@dataclass(frozen=True, slots=True)
class RoundsEnded:
    """A seat won: the least total after the last round, or after a tie round."""

    winner: int
    totals: BySeat


Event = DealStarted | Announced | CardPlayed | TrickWon | PenaltiesScored | RoundsEnded
