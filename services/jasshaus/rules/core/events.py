"""The commands and events shared by all games.

All are frozen values of ints and tuples. Events are complete (private cards included); a game's
`view.project` returns what a viewer may see of one. `seat` is 0..3.
"""

from __future__ import annotations

from dataclasses import dataclass

from jasshaus.rules.core.cards import BySeat


@dataclass(frozen=True, slots=True)
class StartDeal:
    """Deal the next deck. `forehand` is given for a first deal under first_forehand=random, else None."""

    deck: tuple[int, ...]
    forehand: int | None = None


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A deal began; `hands` are masks by seat, 0 where the viewer may not see.

    `trump_card` is the last card of the deck, shown to all in a Differenzler; None in a Schieber.
    """

    deal: int
    dealer: int
    forehand: int
    hands: BySeat
    trump_card: int | None = None


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played to the table."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A trick is complete; `number` 1..9, `points` None when the table shows no points during a deal."""

    seat: int
    number: int
    points: int | None
