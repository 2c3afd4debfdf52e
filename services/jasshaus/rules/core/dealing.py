"""Dealing: which card of a deck goes to which seat. The caller provides the order as entropy.

Source: docs/rules.md, Deal and order of play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jasshaus.rules.core.cards import (
    DECK_SIZE,
    FULL_DECK,
    HAND_SIZE,
    SEATS,
    BySeat,
    Rank,
    Suit,
    card_of,
    cards_in,
    holds,
    mask_of,
    next_seat,
)
from jasshaus.rules.core.events import DealStarted, StartDeal
from jasshaus.rules.core.options import FirstForehand
from jasshaus.rules.core.refusals import Reason, RuleViolation

_PACKET: Final = 3
ROSE_SEVEN: Final = card_of(Suit.ROSES, Rank.SEVEN)

#: Under rose7 the first deal starts from seat 0, so this seat deals, whoever then counts as dealer.
ROSE7_DEALER: Final = 3


def is_deck(deck: Sequence[int]) -> bool:
    """Return whether a sequence contains each of the 36 cards once."""
    in_range = all(0 <= card < DECK_SIZE for card in deck)
    return in_range and len(deck) == DECK_SIZE and mask_of(deck) == FULL_DECK


def deal(deck: Sequence[int], dealer: int) -> BySeat:
    """Deal a full deck in three packets of three from the dealer's successor on; the masks by seat."""
    hands = [0, 0, 0, 0]
    for start in range(0, DECK_SIZE, _PACKET):
        hands[next_seat(dealer, 1 + start // _PACKET)] |= mask_of(deck[start : start + _PACKET])
    return hands[0], hands[1], hands[2], hands[3]


def stacked_deck(hands: Sequence[int], dealer: int, last: int | None = None) -> tuple[int, ...]:
    """Return a deck that deals these four hands of nine; `last` is its last card, of the dealer's hand."""
    held = [sorted(cards_in(hand), key=lambda card: card == last) for hand in hands]
    order = [next_seat(dealer, steps) for steps in (1, 2, 3, 4)]
    return tuple(
        card
        for start in range(0, HAND_SIZE, _PACKET)
        for seat in order
        for card in held[seat][start : start + _PACKET]
    )


def last_card(deck: Sequence[int]) -> int:
    """Return the dealer's last card, the 36th: the one whose suit a Differenzler plays as trumps."""
    return deck[-1]


def rose_seven_holder(hands: Sequence[int]) -> int:
    """Return the seat that holds the seven of roses, the first forehand under first_forehand=rose7."""
    return next(seat for seat in SEATS if holds(hands[seat], ROSE_SEVEN))


def start_deal(command: StartDeal, deals: int, forehand: int, first_forehand: FirstForehand) -> DealStarted:
    """Deal the next cards of a match that has had `deals` deals, the last one with this forehand.

    Raises RuleViolation for an invalid deck, or for a forehand that is not to be drawn.
    """
    if not is_deck(command.deck):
        raise RuleViolation(Reason.DECK_INVALID)
    drawn = deals == 0 and first_forehand is FirstForehand.RANDOM
    if not (command.forehand in SEATS if drawn else command.forehand is None):
        raise RuleViolation(Reason.FOREHAND_INVALID)
    if command.forehand is not None:
        forehand = command.forehand
    elif deals > 0:
        forehand = next_seat(forehand)
    else:
        # rose7: dealt from seat 0 on; only then does the seven of roses determine forehand.
        hands = deal(command.deck, ROSE7_DEALER)
        forehand = rose_seven_holder(hands)
        return DealStarted(1, next_seat(forehand, 3), forehand, hands)
    dealer = next_seat(forehand, 3)
    return DealStarted(deals + 1, dealer, forehand, deal(command.deck, dealer))
