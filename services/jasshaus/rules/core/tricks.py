"""Tricks: which cards may be played, who wins, what a trick is worth.

Source: docs/rules.md, Legal cards. `trick` is always the cards on the table in order of play, leader first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jasshaus.rules.core.cards import (
    HIGHER_TRUMPS,
    LAST_TRICK_POINTS,
    STRENGTH,
    SUIT_MASKS,
    BySeat,
    Contract,
    Rank,
    UnePoints,
    holds,
    points_table,
)
from jasshaus.rules.core.options import Undertrump
from jasshaus.rules.core.refusals import Reason


@dataclass(frozen=True, slots=True)
class Trick:
    """A completed trick: four cards in order of play from `leader` on, winning seat, points unmultiplied."""

    leader: int
    cards: tuple[int, ...]
    winner: int
    points: int


_UNDERS: Final = tuple(1 << (suit * 9 + Rank.UNDER) for suit in range(4))


def legal_cards(hand: int, trick: Sequence[int], contract: Contract, undertrump: Undertrump) -> int:
    """Return the mask of the cards of `hand` that may be played to `trick` (Legal cards 1 to 5)."""
    if not trick:
        return hand
    led = SUIT_MASKS[trick[0] // 9]
    following = hand & led
    if contract >= Contract.OBENABE:
        return following or hand
    trump = SUIT_MASKS[contract]
    if led == trump:
        return hand if following in (0, _UNDERS[contract]) else following
    plain = hand & ~trump
    if not plain:
        return hand
    trumps = hand & trump & _trumps_allowed(trick, contract, undertrump, follows=bool(following))
    return (following or plain) | trumps


def _trumps_allowed(
    trick: Sequence[int], contract: Contract, undertrump: Undertrump, *, follows: bool
) -> int:
    """Return the trumps that may go on a plain lead: the undertrump rule, whole (Legal cards 5)."""
    if undertrump is Undertrump.ALLOWED or (undertrump is Undertrump.VOID_ONLY and not follows):
        return SUIT_MASKS[contract]
    on_table = [card for card in trick if card // 9 == contract]
    if not on_table:
        return SUIT_MASKS[contract]
    return HIGHER_TRUMPS[max(on_table, key=STRENGTH[contract].__getitem__)]


def why_illegal(
    card: int, hand: int, trick: Sequence[int], contract: Contract, undertrump: Undertrump
) -> Reason | None:
    """Return the reason why a card may not be played, or None; depends only on the player's own hand."""
    if not holds(hand, card):
        return Reason.CARD_NOT_IN_HAND
    if holds(legal_cards(hand, trick, contract, undertrump), card):
        return None
    if card // 9 == contract:
        return Reason.UNDERTRUMP
    return Reason.MUST_FOLLOW_TRUMP if trick[0] // 9 == contract else Reason.MUST_FOLLOW_SUIT


def trick_winner(trick: Sequence[int], contract: Contract) -> int:
    """Return the index of the winning card in `trick`: the highest trump, or else card of the led suit."""
    strength = STRENGTH[contract]
    best = 0
    for index, card in enumerate(trick):
        same_suit = card // 9 == trick[best] // 9
        if (same_suit or card // 9 == contract) and strength[card] > strength[trick[best]]:
            best = index
    return best


def trick_points(
    trick: Sequence[int], contract: Contract, une_points: UnePoints | None, *, last: bool
) -> int:
    """Return a trick's card points before the multiplier, with the 5 for the last trick of a deal."""
    points = points_table(contract, une_points)
    return sum(points[card] for card in trick) + (LAST_TRICK_POINTS if last else 0)


def hands_without(hands: BySeat, seat: int, card: int) -> BySeat:
    """Return the masks of the four hands after a seat has played a card of its own."""
    return (*hands[:seat], hands[seat] & ~(1 << card), *hands[seat + 1 :])
