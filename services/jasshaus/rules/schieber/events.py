"""The commands and events of a Schieber match, besides those that every game shares (core/events.py).

All are frozen values of ints, enums and tuples. Events are complete (private cards included); `view.project`
returns what a viewer may see of one. Points are before the multiplier unless stated otherwise. `seat` is
0..3, `side` 0..1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.events import CardPlayed, DealStarted, PlayCard, StartDeal, TrickWon
from jasshaus.rules.core.weis import ShownWeis, Weis, WeisNotice


@dataclass(frozen=True, slots=True)
class Push:
    """Leave the choice of contract to the partner."""

    seat: int


@dataclass(frozen=True, slots=True)
class ChooseContract:
    """Name the contract."""

    seat: int
    contract: Contract


@dataclass(frozen=True, slots=True)
class DeclareWeis:
    """Declare a list of Weis, empty for none."""

    seat: int
    weis: tuple[Weis, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """Say "thank you, enough": my side has reached the target."""

    seat: int


Command = StartDeal | Push | ChooseContract | DeclareWeis | PlayCard | Claim


class EndedBy(StrEnum):
    """What decided a match."""

    DEAL = "deal"  # the count after a whole deal
    CLAIM = "claim"
    FALSE_CLAIM = "false_claim"
    AUTOMATIC = "automatic"  # a trick after the first, under finish=automatic
    STOECK = "stoeck"
    WEIS = "weis"
    STICH = "stich"  # the first trick


@dataclass(frozen=True, slots=True)
class Pushed:
    """Forehand left the choice to its partner."""

    seat: int


@dataclass(frozen=True, slots=True)
class ContractChosen:
    """The contract was chosen, which fixes the multiplier of the deal."""

    seat: int
    contract: Contract
    multiplier: int


@dataclass(frozen=True, slots=True)
class WeisDeclared:
    """A seat declared; `notices` are public, `weis` (the cards, same order) are the seat's own."""

    seat: int
    notices: tuple[WeisNotice, ...]
    weis: tuple[Weis, ...]


@dataclass(frozen=True, slots=True)
class StoeckScored:
    """A side scored trump king and ober."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class WeisScored:
    """After the first trick: the side with the best Weis, and the cards of those that scored."""

    side: int
    points: int
    shown: tuple[ShownWeis, ...]


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat claimed that its side has reached the target."""

    seat: int
    success: bool


@dataclass(frozen=True, slots=True)
class DealScored:
    """A deal is counted. By side: the parts before the multiplier, the score after it, and the new totals."""

    deal: int
    card_points: tuple[int, int]
    weis: tuple[int, int]
    stoeck: tuple[int, int]
    match_bonus: tuple[int, int]
    multiplier: int
    score: tuple[int, int]
    totals: tuple[int, int]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A side won; `totals` after multipliers, `schneider` if the loser stayed under schneider_below."""

    winner: int
    by: EndedBy
    totals: tuple[int, int]
    schneider: bool


Event = (
    DealStarted
    | Pushed
    | ContractChosen
    | WeisDeclared
    | CardPlayed
    | StoeckScored
    | TrickWon
    | WeisScored
    | Claimed
    | DealScored
    | MatchEnded
)
