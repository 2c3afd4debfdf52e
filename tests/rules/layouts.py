"""Hands laid out for a purpose, and how tests of either game go on from them."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from jasshaus.rules.core.cards import FULL_DECK, cards_in, format_card, mask_of, parse_card
from jasshaus.rules.core.dealing import stacked_deck
from jasshaus.rules.core.refusals import Reason, RuleViolation
from jasshaus.rules.core.weis import Weis
from jasshaus.rules.registry import Command, Match, decide, replay

# Dealt by seat 3: all acorns to seat 0, roses to seat 1, shields to seat 2, bells to seat 3, their ace last.
SUITS_APART = stacked_deck([0b1_1111_1111 << 9 * suit for suit in range(4)], dealer=3)

VIEWERS = (0, 1, 2, 3, None)


def card(text: str) -> int:
    return parse_card(text)


def cards(texts: str) -> tuple[int, ...]:
    return tuple(map(parse_card, texts.split()))


def hand(texts: str) -> int:
    return mask_of(cards(texts))


def texts(declaration: Iterable[Weis]) -> list[tuple[str, ...]]:
    """Write the cards of each combination, in notation order."""
    return [tuple(map(format_card, cards_in(weis.cards))) for weis in declaration]


def deck_of(hands: list[str], last: str | None = None) -> tuple[int, ...]:
    """Stack a deck that deals these hands to seats 0..3 when seat 3 deals."""
    return stacked_deck([hand(texts) for texts in hands], 3, None if last is None else card(last))


def run(match: Match, *commands: Command) -> Match:
    for command in commands:
        match = replay(match, decide(match, command))
    return match


def refusal(match: Match, command: Command) -> Reason:
    with pytest.raises(RuleViolation) as refused:
        decide(match, command)
    assert str(refused.value) == refused.value.text
    return refused.value.reason


def filled_up(rng: random.Random, known: list[int]) -> list[int]:
    """Shuffle the cards that are in none of these hands among them, until each has nine."""
    hands = list(known)
    unseen = list(cards_in(FULL_DECK & ~(hands[0] | hands[1] | hands[2] | hands[3])))
    rng.shuffle(unseen)
    for seat in range(4):
        missing = 9 - hands[seat].bit_count()
        hands[seat] |= mask_of(unseen[:missing])
        unseen = unseen[missing:]
    return hands
