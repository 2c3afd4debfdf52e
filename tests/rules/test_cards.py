"""Notation, points and order of the cards."""

from __future__ import annotations

import random

import pytest

from jasshaus.rules.core.cards import (
    DECK_SIZE,
    FULL_DECK,
    STRENGTH,
    Contract,
    UnePoints,
    card_of,
    cards_in,
    format_card,
    format_cards,
    format_contract,
    holds,
    mask_of,
    parse_card,
    parse_contract,
    points_table,
    rank_of,
    suit_of,
)
from jasshaus.rules.core.dealing import deal, is_deck


def order(text: str, contract: Contract) -> str:
    """Write one suit's ranks from high to low under a contract."""
    cards = [parse_card(text + rank) for rank in "6789TUOKA"]
    return "".join(format_card(card)[1] for card in sorted(cards, key=lambda c: -STRENGTH[contract][c]))


@pytest.mark.parametrize("card", range(DECK_SIZE))
def test_a_card_survives_notation_and_its_parts(card):
    assert parse_card(format_card(card)) == card
    assert card_of(suit_of(card), rank_of(card)) == card


@pytest.mark.parametrize("contract", Contract)
def test_a_contract_survives_notation(contract):
    assert parse_contract(format_contract(contract)) is contract


@pytest.mark.parametrize("text", ["", "R", "7R", "RX", "XU", "ru", "R10", "R7 "])
def test_what_is_no_card_is_refused(text):
    with pytest.raises(ValueError, match="not a card"):
        parse_card(text)


@pytest.mark.parametrize("text", ["", "X", "obe", "ERSB"])
def test_what_is_no_contract_is_refused(text):
    with pytest.raises(ValueError, match="not a contract"):
        parse_contract(text)


def test_a_mask_lists_its_cards_in_notation_order():
    mask = mask_of(parse_card(text) for text in ("BA", "E6", "RU", "R7"))
    assert format_cards(mask) == "E6 R7 RU BA"
    assert mask_of(cards_in(mask)) == mask


@pytest.mark.parametrize("card", [-1, 36, 1000])
def test_what_is_no_card_is_in_no_hand(card):
    assert not holds(FULL_DECK, card)


@pytest.mark.parametrize("une_points", UnePoints)
@pytest.mark.parametrize("contract", Contract)
def test_card_points_of_a_deal_are_152(contract, une_points):
    assert sum(points_table(contract, une_points)) == 152


def test_order_of_a_plain_suit_and_of_trumps():
    assert order("R", Contract.ACORNS) == "AKOUT9876"
    assert order("R", Contract.ROSES) == "U9AKOT876"
    assert order("R", Contract.OBENABE) == "AKOUT9876"
    assert order("R", Contract.UNENUFE) == "6789TUOKA"


def test_points_under_unenufe_depend_on_the_option():
    ace, six = parse_card("SA"), parse_card("S6")
    assert points_table(Contract.UNENUFE, UnePoints.SIX11)[ace] == 0
    assert points_table(Contract.UNENUFE, UnePoints.SIX11)[six] == 11
    assert points_table(Contract.UNENUFE, UnePoints.ACE11)[ace] == 11
    assert points_table(Contract.UNENUFE, UnePoints.ACE11)[six] == 0


@pytest.mark.parametrize("dealer", range(4))
def test_a_deal_gives_each_card_to_one_seat(dealer):
    deck = random.Random(dealer).sample(range(36), 36)
    hands = deal(deck, dealer)
    assert [hand.bit_count() for hand in hands] == [9, 9, 9, 9]
    assert hands[0] | hands[1] | hands[2] | hands[3] == FULL_DECK
    assert mask_of(deck[:3]) & hands[(dealer + 1) % 4] == mask_of(deck[:3])


@pytest.mark.parametrize(
    "deck", [(), tuple(range(35)), (0, *range(35)), tuple(range(1, 37)), (-1, *range(35))]
)
def test_what_is_no_deck(deck):
    assert not is_deck(deck)
