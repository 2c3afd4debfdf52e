"""A second reading of docs/rules.md, Cards and Legal cards: on text, sharing no code with the rules.

`contract` is a suit letter, OBE or UNE; `trick` is the cards on the table, leader first.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from jasshaus.rules.core.refusals import Reason

TRUMP_ORDER = "678TOKA9U"
PLAIN_POINTS = {"A": 11, "K": 4, "O": 3, "U": 2, "T": 10}
TRUMP_POINTS = PLAIN_POINTS | {"U": 20, "9": 14}
NO_TRUMP_POINTS = PLAIN_POINTS | {"8": 8}
SIX11_POINTS = NO_TRUMP_POINTS | {"6": 11, "A": 0}


def points(card: str, contract: str, une_points: str | None) -> int:
    """Read the points off the table of Cards."""
    if contract == "UNE" and une_points == "six11":
        return SIX11_POINTS.get(card[1], 0)
    if contract in {"OBE", "UNE"}:
        return NO_TRUMP_POINTS.get(card[1], 0)
    return (TRUMP_POINTS if card[0] == contract else PLAIN_POINTS).get(card[1], 0)


def legal(hand: Collection[str], trick: Sequence[str], contract: str, undertrump: str) -> set[str]:
    """Follow Legal cards, sentence by sentence."""
    # 1. Leading: any card.
    if not trick:
        return set(hand)
    led = trick[0][0]
    # 2. OBE/UNE: a card of led if H has one, else any.
    if contract in {"OBE", "UNE"}:
        same = {card for card in hand if card[0] == led}
        return same or set(hand)
    trumps = {card for card in hand if card[0] == contract}
    # 3. Trump led.
    if led == contract:
        if not trumps or trumps == {contract + "U"}:
            return set(hand)
        return trumps
    # 4. Plain suit led, H is all trumps.
    if trumps == set(hand):
        return set(hand)
    # 5. Plain suit led otherwise.
    bar = max((TRUMP_ORDER.index(card[1]) for card in trick if card[0] == contract), default=-1)
    above = {card for card in trumps if TRUMP_ORDER.index(card[1]) > bar}
    of_led = {card for card in hand if card[0] == led}
    if undertrump == "forbidden":
        allowed = above
    elif undertrump == "allowed":
        allowed = trumps
    else:
        allowed = above if of_led else trumps
    return (of_led or set(hand) - trumps) | allowed


def refusal(
    card: str, hand: Collection[str], trick: Sequence[str], contract: str, undertrump: str
) -> Reason | None:
    """Say by which sentence a card may not be played."""
    if card not in hand:
        return Reason.CARD_NOT_IN_HAND
    if card in legal(hand, trick, contract, undertrump):
        return None
    # 2. A card of led if H has one.
    if contract in {"OBE", "UNE"}:
        return Reason.MUST_FOLLOW_SUIT
    # 3. Trump led: otherwise any trump.
    if trick[0][0] == contract:
        return Reason.MUST_FOLLOW_TRUMP
    # 5. Of the trumps, those allowed; of the rest, led.
    return Reason.UNDERTRUMP if card[0] == contract else Reason.MUST_FOLLOW_SUIT


def winner(trick: Sequence[str], contract: str) -> int:
    """Return the index of the card a trick goes to: the highest trump in it, else the highest card of led."""
    order = {"UNE": "AKOUT9876"}.get(contract, "6789TUOKA")
    trumps = [card for card in trick if card[0] == contract]
    if trumps:
        return trick.index(max(trumps, key=lambda card: TRUMP_ORDER.index(card[1])))
    of_led = [card for card in trick if card[0] == trick[0][0]]
    return trick.index(max(of_led, key=lambda card: order.index(card[1])))
