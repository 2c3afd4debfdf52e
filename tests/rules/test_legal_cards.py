"""Legal cards, their refusals, and the winner of a trick against the second reading in literal_cards.py."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from jasshaus.rules.core.cards import Contract, cards_in, format_card, format_contract, mask_of, parse_card
from jasshaus.rules.core.options import Undertrump, UnePoints
from jasshaus.rules.core.refusals import Reason
from jasshaus.rules.core.tricks import legal_cards, trick_points, trick_winner, why_illegal
from rules import literal_cards

MODES = list(itertools.product(Contract, Undertrump))


def drawn(count: int):
    """Draw hands and tricks, under every contract and undertrump option in turn."""
    rng = random.Random(5)
    for contract, undertrump in itertools.islice(itertools.cycle(MODES), count):
        deck = rng.sample(range(36), 36)
        size, on_table = rng.randint(1, 9), rng.randint(0, 3)
        if rng.random() < 0.4:
            # Few suits in hand, so that the rare rules (all trumps, the lone Under) come up.
            suits = rng.sample(range(4), rng.choice([1, 2]))
            deck.sort(key=lambda card: card // 9 not in suits)
            size = min(size, 4)
            deck = rng.sample(deck[:14], 14)
        yield deck[:size], deck[size : size + on_table], contract, undertrump


def test_legal_cards_agree_with_the_literal_reading(positions):
    seen = Counter()
    for hand, trick, contract, undertrump in drawn(positions):
        legal = legal_cards(mask_of(hand), trick, contract, undertrump)
        expected = literal_cards.legal(
            [format_card(card) for card in hand],
            [format_card(card) for card in trick],
            format_contract(contract),
            str(undertrump),
        )
        assert {format_card(card) for card in cards_in(legal)} == expected
        assert legal, "a player can always play"
        seen[legal == mask_of(hand)] += 1
    assert min(seen.values()) > positions // 6


def test_every_illegal_card_has_its_reason_and_no_legal_one(positions):
    seen = Counter()
    for hand, trick, contract, undertrump in drawn(positions):
        held, on_table = ([format_card(card) for card in cards] for cards in (hand, trick))
        mask, name = mask_of(hand), format_contract(contract)
        for card in (*hand, *trick[:1], 35 - hand[0], -1, 36):
            reason = why_illegal(card, mask, trick, contract, undertrump)
            text = format_card(card) if 0 <= card < 36 else "no card"
            assert reason is literal_cards.refusal(text, held, on_table, name, str(undertrump))
            seen[reason] += 1
    assert set(seen) == {
        None,
        Reason.CARD_NOT_IN_HAND,
        Reason.MUST_FOLLOW_SUIT,
        Reason.MUST_FOLLOW_TRUMP,
        Reason.UNDERTRUMP,
    }


def test_winner_and_points_of_a_trick_agree_with_the_literal_reading(positions):
    rng = random.Random(6)
    for contract in itertools.islice(itertools.cycle(Contract), positions):
        trick, une_points, last = rng.sample(range(36), 4), rng.choice(list(UnePoints)), rng.random() < 0.2
        texts, name = [format_card(card) for card in trick], format_contract(contract)
        assert trick_winner(trick, contract) == literal_cards.winner(texts, name)
        worth = sum(literal_cards.points(text, name, une_points) for text in texts)
        assert trick_points(trick, contract, une_points, last=last) == worth + 5 * last


@pytest.mark.parametrize(("second", "third"), [("E7", "EO"), ("EO", "E7")])
def test_the_bar_is_the_highest_trump_not_the_lowest_nor_the_last(second, third):
    hand = mask_of(parse_card(text) for text in ("ET", "EA", "B7", "RK"))
    trick = [parse_card(text) for text in ("RO", second, third)]
    assert (
        why_illegal(parse_card("ET"), hand, trick, Contract.ACORNS, Undertrump.FORBIDDEN) is Reason.UNDERTRUMP
    )
    assert why_illegal(parse_card("EA"), hand, trick, Contract.ACORNS, Undertrump.FORBIDDEN) is None
