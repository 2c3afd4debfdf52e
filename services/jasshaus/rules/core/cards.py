"""Cards, hands and contracts as small integers, with the tables of points and strength.

A card is an int 0..35, `suit * 9 + rank`; a hand is a 36-bit mask with bit `card` set for each card in it.
Source: docs/rules.md, Cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import Final


class Suit(IntEnum):
    """A canonical suit; the Swiss name is in the comment."""

    ACORNS = 0  # Eicheln
    ROSES = 1  # Rosen
    SHIELDS = 2  # Schilten
    BELLS = 3  # Schellen


class Rank(IntEnum):
    """A rank in plain order, low to high."""

    SIX = 0
    SEVEN = 1
    EIGHT = 2
    NINE = 3
    BANNER = 4
    UNDER = 5
    OBER = 6
    KING = 7
    ACE = 8


class Contract(IntEnum):
    """The contract of a deal; the first four are trump suits and equal that suit's number."""

    ACORNS = 0
    ROSES = 1
    SHIELDS = 2
    BELLS = 3
    OBENABE = 4
    UNENUFE = 5


class UnePoints(StrEnum):
    """Which cards count under Unenufe."""

    SIX11 = "six11"
    ACE11 = "ace11"


SEATS: Final = (0, 1, 2, 3)
#: One number for each of the four seats. Not a tuple of four types, which would be unpacked when compiled.
BySeat = tuple[int, ...]
#: The masks of four empty hands.
NO_HANDS: Final = (0, 0, 0, 0)

DECK_SIZE: Final = 36
HAND_SIZE: Final = 9
LAST_TRICK_POINTS: Final = 5
DEAL_POINTS: Final = 157

FULL_DECK: Final = (1 << DECK_SIZE) - 1
SUIT_MASKS: Final = tuple(0b1_1111_1111 << (9 * suit) for suit in Suit)

_SUIT_LETTERS: Final = "ERSB"
_RANK_LETTERS: Final = "6789TUOKA"
_CONTRACT_NAMES: Final = ("E", "R", "S", "B", "OBE", "UNE")
_CARD_NAMES: Final = tuple(suit + rank for suit in _SUIT_LETTERS for rank in _RANK_LETTERS)
_CARD_NUMBERS: Final = {name: card for card, name in enumerate(_CARD_NAMES)}

#                    6  7  8  9   T  U   O  K  A
_PLAIN_POINTS: Final = (0, 0, 0, 0, 10, 2, 3, 4, 11)
_TRUMP_POINTS: Final = (0, 0, 0, 14, 10, 20, 3, 4, 11)
_NO_TRUMP_POINTS: Final = (0, 0, 8, 0, 10, 2, 3, 4, 11)
_SIX11_POINTS: Final = (11, 0, 8, 0, 10, 2, 3, 4, 0)

_TRUMP_ORDER: Final = (0, 1, 2, 7, 3, 8, 4, 5, 6)


def _points(contract: Contract, une_points: UnePoints) -> tuple[int, ...]:
    if contract is Contract.UNENUFE and une_points is UnePoints.SIX11:
        return _SIX11_POINTS * 4
    if contract >= Contract.OBENABE:
        return _NO_TRUMP_POINTS * 4
    suits = (_TRUMP_POINTS if suit == int(contract) else _PLAIN_POINTS for suit in Suit)
    return tuple(points for suit in suits for points in suit)


def _strength(contract: Contract) -> tuple[int, ...]:
    if contract is Contract.UNENUFE:
        return tuple(8 - rank for _ in Suit for rank in Rank)
    return tuple(
        9 + _TRUMP_ORDER[rank] if suit == int(contract) else int(rank) for suit in Suit for rank in Rank
    )


_POINTS_SIX11: Final = tuple(_points(contract, UnePoints.SIX11) for contract in Contract)
_POINTS_ACE11: Final = tuple(_points(contract, UnePoints.ACE11) for contract in Contract)

#: STRENGTH[contract][card]: compares cards of one suit, and a trump above every plain card.
STRENGTH: Final = tuple(_strength(contract) for contract in Contract)

#: HIGHER[contract][card]: the cards of its suit that beat a card.
HIGHER: Final = tuple(
    tuple(
        sum(
            1 << other
            for other in range(DECK_SIZE)
            if other // 9 == card // 9 and STRENGTH[contract][other] > STRENGTH[contract][card]
        )
        for card in range(DECK_SIZE)
    )
    for contract in Contract
)

#: HIGHER_TRUMPS[card]: the cards of its suit that beat it when that suit is trumps.
HIGHER_TRUMPS: Final = tuple(
    sum(1 << (card - card % 9 + rank) for rank in range(9) if _TRUMP_ORDER[rank] > _TRUMP_ORDER[card % 9])
    for card in range(DECK_SIZE)
)


def points_table(contract: Contract, une_points: UnePoints | None) -> tuple[int, ...]:
    """Return the 36 card points under a contract; their sum is 152."""
    return (_POINTS_SIX11 if une_points is UnePoints.SIX11 else _POINTS_ACE11)[contract]


def card_of(suit: Suit, rank: Rank) -> int:
    """Return the card's number."""
    return suit * 9 + rank


def suit_of(card: int) -> Suit:
    """Return the suit of a card 0..35."""
    return Suit(card // 9)


def rank_of(card: int) -> Rank:
    """Return the rank of a card 0..35."""
    return Rank(card % 9)


def mask_of(cards: Iterable[int]) -> int:
    """Return the mask of a set of cards 0..35."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: int) -> tuple[int, ...]:
    """List a mask's cards in notation order: by suit E R S B, then from the six up."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(cards)


def holds(hand: int, card: int) -> bool:
    """Return whether a hand has a card; an invalid number is in no hand."""
    return 0 <= card < DECK_SIZE and bool(hand >> card & 1)


def side_of(seat: int) -> int:
    """Return the side of a seat: 0 for seats 0 and 2, 1 for seats 1 and 3."""
    return seat & 1


def next_seat(seat: int, steps: int = 1) -> int:
    """Return the seat `steps` further in order of play."""
    return (seat + steps) & 3


def parse_card(text: str) -> int:
    """Read a card in text notation, e.g. `RU`. Raises ValueError."""
    try:
        return _CARD_NUMBERS[text]
    except KeyError:
        message = f"not a card: {text!r}"
        raise ValueError(message) from None


def format_card(card: int) -> str:
    """Write a card in text notation."""
    return _CARD_NAMES[card]


def format_cards(mask: int) -> str:
    """Write a mask's cards in notation order, separated by spaces."""
    return " ".join(_CARD_NAMES[card] for card in cards_in(mask))


def parse_contract(text: str) -> Contract:
    """Read a contract: a suit letter, `OBE` or `UNE`. Raises ValueError."""
    try:
        return Contract(_CONTRACT_NAMES.index(text))
    except ValueError:
        message = f"not a contract: {text!r}"
        raise ValueError(message) from None


def format_contract(contract: Contract) -> str:
    """Write a contract in text notation."""
    return _CONTRACT_NAMES[contract]
