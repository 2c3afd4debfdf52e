"""The state of a Differenzler match, and queries about it that need no rules of play.

`Match` is flat: ints, enums, tuples and the small frozen values of events.py, so that a codec can write it
field by field. Everything else is derived from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from jasshaus.rules.core.cards import NO_HANDS, SEATS, BySeat, Contract, holds, next_seat
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.core.tricks import Trick
from jasshaus.rules.differenzler.events import PenaltiesScored, RoundsEnded


class Phase(StrEnum):
    """The phase of a match: what it is waiting for."""

    DEAL = "deal"  # a deck: at the start and between deals
    ANNOUNCE = "announce"
    PLAY = "play"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Match:
    """The complete state of a match. A deal's fields keep their values until the next deal."""

    rules: RuleSet
    phase: Phase
    totals: BySeat  # penalties of the deals scored so far; below 0 by exact hits only
    contenders: tuple[int, ...]  # the seats that can still win; all four but in a tie round of tied_only
    deal: int  # number of the current deal, from 1; 0 before the first
    forehand: int  # seat; -1 before the first deal
    dealt: BySeat  # masks of the hands as dealt
    hands: BySeat  # masks of the cards still held
    trump_card: int | None  # the last card of the deck, shown to all; None before the first deal
    announced: tuple[int | None, int | None, int | None, int | None]  # None = not announced yet
    leader: int  # seat that led, or is to lead, the current trick; -1 before the first deal
    table: tuple[int, ...]  # cards of the current trick in order of play
    tricks: tuple[Trick, ...]  # completed in this deal
    last_deal: PenaltiesScored | None
    outcome: RoundsEnded | None

    @property
    def dealer(self) -> int:
        """The seat before forehand; the last to play to the first trick."""
        return next_seat(self.forehand, 3)

    @property
    def contract(self) -> Contract | None:
        """The trump suit: that of the trump card."""
        return None if self.trump_card is None else Contract(self.trump_card // 9)

    @property
    def trump_holder(self) -> int | None:
        """The seat that was dealt the trump card; public."""
        card = self.trump_card
        return None if card is None else next(seat for seat in SEATS if holds(self.dealt[seat], card))

    @property
    def player(self) -> int:
        """The seat whose card is next."""
        return next_seat(self.leader, len(self.table))


NONE_ANNOUNCED = (None, None, None, None)


def new_match(rules: RuleSet) -> Match:
    """Start a match: nothing dealt, all totals 0."""
    return Match(
        rules=rules,
        phase=Phase.DEAL,
        totals=(0, 0, 0, 0),
        contenders=SEATS,
        deal=0,
        forehand=-1,
        dealt=NO_HANDS,
        hands=NO_HANDS,
        trump_card=None,
        announced=NONE_ANNOUNCED,
        leader=-1,
        table=(),
        tricks=(),
        last_deal=None,
        outcome=None,
    )


def points_made(match: Match) -> BySeat:
    """Count each seat's points of this deal so far."""
    made = [0, 0, 0, 0]
    for trick in match.tricks:
        made[trick.winner] += trick.points
    return made[0], made[1], made[2], made[3]


def winning_seats(match: Match) -> tuple[int, ...]:
    """List the seat that won; empty before the end."""
    return () if match.outcome is None else (match.outcome.winner,)
