"""The state of a Schieber match, and queries about it that need no rules of play.

`Match` is flat: ints, enums, tuples and the small frozen values of weis.py and events.py, so a codec can
write it field by field. Everything else is derived from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from jasshaus.rules.core.cards import (
    NO_HANDS,
    SEATS,
    BySeat,
    Contract,
    Rank,
    Suit,
    mask_of,
    next_seat,
    side_of,
)
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.core.tricks import Trick as Trick
from jasshaus.rules.core.weis import ShownWeis, Weis
from jasshaus.rules.schieber.events import DealScored, MatchEnded


class Phase(StrEnum):
    """The phase of a match: what it is waiting for."""

    DEAL = "deal"  # a deck: at the start and between deals
    CONTRACT = "contract"
    WEIS = "weis"  # declarations of weis_when=before_lead
    PLAY = "play"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Match:
    """The complete state of a match. A deal's fields keep their values until the next deal."""

    rules: RuleSet
    phase: Phase
    totals: tuple[int, int]  # by side, after multipliers; mid-deal those before this deal
    deal: int  # number of the current deal, from 1; 0 before the first
    forehand: int  # seat; -1 before the first deal
    dealt: BySeat  # masks of the hands as dealt
    hands: BySeat  # masks of the cards still held
    pushed: bool
    contract: Contract | None
    declared: tuple[tuple[Weis, ...] | None, ...]  # by seat; None = not declared yet
    weis_scored: tuple[ShownWeis, ...]
    stoeck_scored: bool
    leader: int  # seat that led, or is to lead, the current trick; -1 before the first deal
    table: tuple[int, ...]  # cards of the current trick in order of play
    tricks: tuple[Trick, ...]  # completed in this deal
    claimed_by: int | None
    last_deal: DealScored | None
    outcome: MatchEnded | None

    @property
    def dealer(self) -> int:
        """The seat before forehand; the last to play to the first trick."""
        return next_seat(self.forehand, 3)

    @property
    def chooser(self) -> int:
        """The seat that chooses, or chose, the contract."""
        return next_seat(self.forehand, 2) if self.pushed else self.forehand

    @property
    def multiplier(self) -> int:
        """The factor on every point of the deal; 1 while no contract is chosen."""
        return 1 if self.contract is None else self.rules.multipliers[self.contract]

    @property
    def player(self) -> int:
        """The seat whose card is next."""
        return next_seat(self.leader, len(self.table))


#: STOECK[trump]: trump king and ober.
STOECK: Final = tuple(mask_of((suit * 9 + Rank.OBER, suit * 9 + Rank.KING)) for suit in Suit)

NONE_DECLARED: Final = (None, None, None, None)


def new_match(rules: RuleSet) -> Match:
    """Start a match: nothing dealt, both totals 0."""
    return Match(
        rules=rules,
        phase=Phase.DEAL,
        totals=(0, 0),
        deal=0,
        forehand=-1,
        dealt=NO_HANDS,
        hands=NO_HANDS,
        pushed=False,
        contract=None,
        declared=NONE_DECLARED,
        weis_scored=(),
        stoeck_scored=False,
        leader=-1,
        table=(),
        tricks=(),
        claimed_by=None,
        last_deal=None,
        outcome=None,
    )


def tricks_won(match: Match) -> tuple[int, int]:
    """Count this deal's tricks by side."""
    of_side_1 = sum(side_of(trick.winner) for trick in match.tricks)
    return len(match.tricks) - of_side_1, of_side_1


def stoeck_holder(match: Match) -> int | None:
    """Return the seat that was dealt trump king and ober, if any (docs/rules.md, Stöck)."""
    if match.contract is None or match.contract >= Contract.OBENABE:
        return None
    pair = STOECK[match.contract]
    for seat, hand in enumerate(match.dealt):
        if hand & pair == pair:
            return seat
    return None


def stoeck_played(match: Match) -> bool:
    """Return whether both cards of a held Stöck are out."""
    holder = stoeck_holder(match)
    if holder is None or match.contract is None:
        return False
    return not match.hands[holder] & STOECK[match.contract]


def winning_seats(match: Match) -> tuple[int, ...]:
    """List the two seats of the side that won; empty before the end."""
    won = None if match.outcome is None else match.outcome.winner
    return tuple(seat for seat in SEATS if side_of(seat) == won)
