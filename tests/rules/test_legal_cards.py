"""Legal cards against a second reading of the rules that works on text and shares no code with the first."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from jasshaus.rules.cards import Contract, cards_in, format_card, format_contract, mask_of, parse_card
from jasshaus.rules.options import Undertrump
from jasshaus.rules.refusals import Reason
from jasshaus.rules.tricks import legal_cards, trick_winner, why_illegal

TRUMP_ORDER = "678TOKA9U"


def literal_legal(hand: list[str], trick: list[str], contract: str, undertrump: str) -> set[str]:
    """Follow docs/rules.md, Legal cards, sentence by sentence."""
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


def literal_refusal(
    card: str, hand: list[str], trick: list[str], contract: str, undertrump: str
) -> Reason | None:
    """Say by which sentence a card may not be played."""
    if card not in hand:
        return Reason.CARD_NOT_IN_HAND
    if card in literal_legal(hand, trick, contract, undertrump):
        return None
    # 2. A card of led if H has one.
    if contract in {"OBE", "UNE"}:
        return Reason.MUST_FOLLOW_SUIT
    # 3. Trump led: otherwise any trump.
    if trick[0][0] == contract:
        return Reason.MUST_FOLLOW_TRUMP
    # 5. Of the trumps, those allowed; of the rest, led.
    return Reason.UNDERTRUMP if card[0] == contract else Reason.MUST_FOLLOW_SUIT


def literal_winner(trick: list[str], contract: str) -> int:
    order = {"UNE": "AKOUT9876"}.get(contract, "6789TUOKA")
    trumps = [card for card in trick if card[0] == contract]
    if trumps:
        return trick.index(max(trumps, key=lambda card: TRUMP_ORDER.index(card[1])))
    of_led = [card for card in trick if card[0] == trick[0][0]]
    return trick.index(max(of_led, key=lambda card: order.index(card[1])))


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
        expected = literal_legal(
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
            assert reason is literal_refusal(text, held, on_table, name, str(undertrump))
            seen[reason] += 1
    assert set(seen) == {
        None,
        Reason.CARD_NOT_IN_HAND,
        Reason.MUST_FOLLOW_SUIT,
        Reason.MUST_FOLLOW_TRUMP,
        Reason.UNDERTRUMP,
    }


def test_winner_agrees_with_the_literal_reading(positions):
    rng = random.Random(6)
    for contract in itertools.islice(itertools.cycle(Contract), positions):
        trick = rng.sample(range(36), 4)
        texts = [format_card(card) for card in trick]
        assert trick_winner(trick, contract) == literal_winner(texts, format_contract(contract))


@pytest.mark.parametrize(("second", "third"), [("E7", "EO"), ("EO", "E7")])
def test_the_bar_is_the_highest_trump_not_the_lowest_nor_the_last(second, third):
    hand = mask_of(parse_card(text) for text in ("ET", "EA", "B7", "RK"))
    trick = [parse_card(text) for text in ("RO", second, third)]
    assert (
        why_illegal(parse_card("ET"), hand, trick, Contract.ACORNS, Undertrump.FORBIDDEN) is Reason.UNDERTRUMP
    )
    assert why_illegal(parse_card("EA"), hand, trick, Contract.ACORNS, Undertrump.FORBIDDEN) is None
