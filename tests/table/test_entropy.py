"""Decks: all cards, by chance or by seed."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

from jasshaus.rules.core.dealing import is_deck
from jasshaus.table.entropy import from_seed, from_system


def test_a_seed_and_a_number_make_the_deal() -> None:
    assert from_seed(7)(1) == from_seed(7)(1)
    assert from_seed(7)(1) != from_seed(7)(2)
    assert from_seed(7)(1) != from_seed(8)(1)


def test_the_generator_is_the_documented_one() -> None:
    stream = b"".join(
        hmac.digest(b"7", f"jasshaus deal 3 block {block}".encode(), hashlib.sha256) for block in range(8)
    )
    position = 0

    def below(bound: int) -> int:
        nonlocal position
        while stream[position] >= 256 - 256 % bound:
            position += 1
        position += 1
        return stream[position - 1] % bound

    forehand, deck = below(4), list(range(36))
    for index in range(35, 0, -1):
        other = below(index + 1)
        deck[index], deck[other] = deck[other], deck[index]
    drawn = from_seed(7)(3)
    assert (drawn.forehand, drawn.deck) == (forehand, tuple(deck))


def test_every_deck_is_complete() -> None:
    for deal in range(1, 200):
        assert is_deck(from_seed(1)(deal).deck)
        assert is_deck(from_system(deal).deck)


def test_no_place_is_favoured() -> None:
    drawn = [from_system(1) for _ in range(7200)]
    first = Counter(each.deck[0] for each in drawn)
    last = Counter(each.deck[35] for each in drawn)
    forehands = Counter(each.forehand for each in drawn)
    assert all(100 < count < 320 for counts in (first, last) for count in counts.values())
    assert len(first) == len(last) == 36
    assert all(1600 < count < 2000 for count in forehands.values())


def test_two_decks_differ() -> None:
    assert from_system(1).deck != from_system(1).deck
