"""The playout kernel against the primitives it is made from."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from jasshaus.rules.core.cards import (
    DECK_SIZE,
    FULL_DECK,
    Contract,
    UnePoints,
    cards_in,
    mask_of,
    points_table,
)
from jasshaus.rules.core.kernel import (
    NO_TRUMP,
    ORDER,
    OVER,
    PLAY_BITS,
    SHUFFLE_BITS,
    follow_options,
    lead_options,
    play_out,
    shuffled_hands,
    split,
)
from jasshaus.rules.core.options import Undertrump
from jasshaus.rules.core.tricks import legal_cards, trick_points, trick_winner


def trump_of(contract: Contract) -> int:
    return NO_TRUMP if contract >= Contract.OBENABE else int(contract)


def test_options_are_the_legal_cards_in_random_positions(positions):
    rng = random.Random(11)
    for _ in range(positions):
        deck = rng.sample(range(DECK_SIZE), 13)
        size, lying = rng.randint(1, 9), rng.randint(1, 3)
        if rng.random() < 0.5:
            # Few suits in hand, so that the rare rules (all trumps, the lone Under) come up.
            suits = rng.sample(range(4), 2)
            deck.sort(key=lambda card: card // 9 not in suits)
            size = rng.randint(1, 4)
            head = deck[:7]
            rng.shuffle(head)
            deck[:7] = head
        hand, trick = mask_of(deck[:size]), deck[size : size + lying]
        contract, undertrump = rng.choice(list(Contract)), rng.choice(list(Undertrump))
        best = max(ORDER[contract][trick[0] // 9][card] for card in trick)
        options = follow_options(split(hand), trick[0] // 9, best, trump_of(contract), OVER[undertrump])
        assert mask_of(options) == legal_cards(hand, trick, contract, undertrump)
        assert len(options) == len(set(options))


def test_any_card_may_be_led():
    assert lead_options(split(FULL_DECK)) == cards_in(FULL_DECK)


def test_the_greatest_in_order_wins_the_trick():
    rng = random.Random(12)
    for _ in range(10_000):
        trick = rng.sample(range(DECK_SIZE), 4)
        contract = rng.choice(list(Contract))
        order = ORDER[contract][trick[0] // 9]
        assert max(range(4), key=lambda index: order[trick[index]]) == trick_winner(trick, contract)


@pytest.mark.parametrize("undertrump", Undertrump)
@pytest.mark.parametrize("contract", Contract)
def test_a_playout_is_a_deal_by_the_primitives_with_the_same_choices(contract, undertrump):
    rng = random.Random(13)
    points = points_table(contract, UnePoints.SIX11)
    for _ in range(40):
        hands = shuffled_hands(rng.getrandbits(SHUFFLE_BITS))
        leader, entropy = rng.randrange(4), rng.getrandbits(PLAY_BITS)
        assert play_out([list(hand) for hand in hands], leader, contract, undertrump, points, entropy) == (
            literal_play_out(hands, leader, contract, undertrump, entropy)
        )


def literal_play_out(hands, leader, contract, undertrump, entropy):
    """Play the same deal by legal_cards, trick_winner and trick_points; options in the kernel's order."""
    masks = [sum(rank << 9 * suit for suit, rank in enumerate(hand)) for hand in hands]
    taken, tricks = [0, 0], 0
    for number in range(9):
        trick = []
        for place in range(4):
            seat = (leader + place) % 4
            legal = cards_in(legal_cards(masks[seat], trick, contract, undertrump))
            if trick:
                best = max(ORDER[contract][trick[0] // 9][card] for card in trick)
                legal = follow_options(
                    split(masks[seat]), trick[0] // 9, best, trump_of(contract), OVER[undertrump]
                )
            entropy, choice = divmod(entropy, len(legal))
            trick.append(legal[choice])
            masks[seat] &= ~(1 << legal[choice])
        leader = (leader + trick_winner(trick, contract)) % 4
        taken[leader % 2] += trick_points(trick, contract, UnePoints.SIX11, last=number == 8)
        tricks += leader % 2 == 0
    return (*taken, tricks)


def test_a_shuffle_deals_every_card_once_and_evenly():
    rng = random.Random(14)
    holders = Counter()
    for _ in range(4000):
        hands = shuffled_hands(rng.getrandbits(SHUFFLE_BITS))
        cards = [lead_options(hand) for hand in hands]
        assert sorted(sum(cards, ())) == list(range(DECK_SIZE))
        assert {len(held) for held in cards} == {9}
        holders.update((seat, card) for seat, held in enumerate(cards) for card in held)
    # 4000 deals: 1000 expected, standard deviation 27.
    assert 880 < min(holders.values()) <= max(holders.values()) < 1120
