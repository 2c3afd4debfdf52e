"""Facts about the other hands that follow from cards played and shown, whatever the game.

Facts are voids (a suit not followed, a trump below another), cards shown, the seven of roses that made its
holder forehand, and the best Weis a hand can have given its declaration. Each game reads its own view
(schieber/inference.py, differenzler/inference.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jasshaus.rules.core.cards import FULL_DECK, HIGHER, SEATS, STRENGTH, SUIT_MASKS, Contract, Rank, mask_of
from jasshaus.rules.core.dealing import ROSE_SEVEN
from jasshaus.rules.core.options import FirstForehand, RuleSet, Undertrump
from jasshaus.rules.core.view import SeenTrick
from jasshaus.rules.core.weis import WeisNotice, best_declaration, candidates, notice_of


class Plays(NamedTuple):
    """The cards of a trick, begun or complete, in order of play from `leader` on."""

    leader: int
    cards: Sequence[int]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Facts about three hidden hands. Tuples by seat; the own seat's entries do not matter."""

    seat: int
    hand: int  # the own cards, a mask
    unseen: int  # mask of the cards in the other three hands
    sizes: tuple[int, ...]
    voids: tuple[int, ...]  # masks of cards a seat cannot hold
    known: tuple[int, ...]  # masks of cards it must hold
    played: tuple[int, ...]  # masks of the cards it played in this deal
    sets: tuple[tuple[tuple[int, ...], ...], ...] = ((), (), (), ())  # masks that each unshown Weis may be
    rules: RuleSet | None = None
    contract: Contract | None = None
    #: By seat, the best declaration of the hand as dealt; None if it may be anything.
    told: tuple[tuple[WeisNotice, ...] | None, ...] = (None, None, None, None)

    def fits(self, seat: int, dealt: int) -> bool:
        """Return whether a hand as dealt, a mask, would have declared what its seat did."""
        told = self.told[seat]
        if told is None or self.rules is None or self.contract is None:
            return True
        if not told:
            return not has_run(dealt) and not (has_four(dealt) and candidates(dealt, self.rules))
        best = best_declaration(dealt, self.contract, self.rules)
        return told == tuple(notice_of(weis, self.rules) for weis in best)


def first_forehand_holds(rules: RuleSet, deal: int, forehand: int | None, shown: list[int]) -> None:
    """Add the seven of roses to the known cards of the forehand it determined, in the first deal."""
    if deal == 1 and forehand is not None and rules.first_forehand is FirstForehand.ROSE7:
        shown[forehand] |= 1 << ROSE_SEVEN


def plays_of(complete: Iterable[SeenTrick], leader: int | None, table: tuple[int, ...]) -> list[Plays]:
    """Return the tricks of a deal, including the current one, which comes last."""
    tricks = [Plays(trick.leader, trick.cards) for trick in complete]
    return tricks if leader is None else [*tricks, Plays(leader, table)]


def knowledge(
    seat: int,
    hand: Iterable[int],
    sizes: tuple[int, ...],
    tricks: Iterable[Plays],
    voids: Sequence[int],
    shown: Sequence[int],
) -> Knowledge:
    """Combine everything known without Weis; `shown` are, by seat, the masks of cards seen in a hand."""
    played = [0, 0, 0, 0]
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            played[leader + place & 3] |= 1 << card
    own = mask_of(hand)
    unseen = FULL_DECK & ~(own | played[0] | played[1] | played[2] | played[3])
    known = tuple(shown[other] & unseen for other in range(4))
    return Knowledge(seat, own, unseen, sizes, tuple(voids), known, tuple(played))


def shown_voids(tricks: Iterable[Plays], contract: Contract, undertrump: Undertrump) -> list[int]:
    """Return by seat the mask of cards it can no longer hold, according to how it followed."""
    voids = [0, 0, 0, 0]
    for leader, cards in tricks:
        bar = -1
        for place, card in enumerate(cards):
            voids[leader + place & 3] |= _proven(card, cards[0] // 9, bar, contract, undertrump)
            if card // 9 == contract:
                bar = max(bar, STRENGTH[contract][card])
    return voids


def _proven(card: int, led: int, bar: int, contract: Contract, undertrump: Undertrump) -> int:
    suit = card // 9
    if suit == led:
        return 0
    if suit != contract:
        # A player who does not follow trumps may still hold the Under.
        under = 1 << led * 9 + Rank.UNDER if led == contract else 0
        return SUIT_MASKS[led] & ~under
    if STRENGTH[contract][card] > bar or undertrump is Undertrump.ALLOWED:
        return 0
    # Undertrumped: under void_only a player void in the led suit may; otherwise only one with nothing but
    # trumps.
    return SUIT_MASKS[led] if undertrump is Undertrump.VOID_ONLY else FULL_DECK & ~SUIT_MASKS[contract]


def has_run(hand: int) -> bool:
    """Return whether a mask of cards has three of a suit in a row."""
    return any(
        suit & suit >> 1 & suit >> 2 for suit in (hand & 511, hand >> 9 & 511, hand >> 18 & 511, hand >> 27)
    )


def has_four(hand: int) -> bool:
    """Return whether a mask of cards has a rank in all four suits."""
    return bool(hand & hand >> 9 & hand >> 18 & hand >> 27 & (1 << 9) - 1)


def distinct(
    cards: Iterable[int],
    hand: Iterable[int],
    tricks: Sequence[Plays],
    points: Sequence[int],
    contract: Contract,
) -> list[int]:
    """Drop each card equivalent to the next lower one: worth as much, with no other player's card between.

    `tricks` are those of the deal, the one on the table last, whose cards still count as others'.
    """
    complete = tricks if tricks and len(tricks[-1].cards) == len(SEATS) else tricks[:-1]
    gone = mask_of(card for trick in complete for card in trick.cards)
    others = FULL_DECK & ~mask_of(hand) & ~gone
    kept: list[int] = []
    last = -1
    for card in sorted(cards, key=lambda card: (card // 9, STRENGTH[contract][card])):
        twin = last >= 0 and last // 9 == card // 9 and points[last] == points[card]
        if not twin or HIGHER[contract][last] & ~HIGHER[contract][card] & others:
            kept.append(card)
        last = card
    return kept
