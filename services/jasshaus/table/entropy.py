"""Draws decks: from the operating system's entropy, or in development from a seed.

The seeded generator, so that it can be repeated elsewhere: for deal n of seed s, block i (from 0) is
HMAC-SHA-256(key = s in decimal, message = "jasshaus deal <n> block <i>"), its bytes one stream. A number
below k is one byte b of the stream, taken again while b >= 256 - 256 mod k, then b mod k. Forehand is the
first number below 4. The deck is the cards 0..35 after a Fisher-Yates shuffle: for i = 35 down to 1, cards i
and (a number below i + 1) change places.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator
from itertools import count
from typing import Final

from jasshaus.rules.core.cards import DECK_SIZE
from jasshaus.table.decide import Drawn

Draw = Callable[[int], Drawn]

_BYTE: Final = 256


def from_system(_deal: int) -> Drawn:
    """Draw a deal from the operating system's entropy."""
    return _shuffled(_system_bytes())


def from_seed(seed: int) -> Draw:
    """Return a generator that depends on the seed and the deal's number alone. For development only."""

    def draw(deal: int) -> Drawn:
        return _shuffled(_seeded_bytes(seed, deal))

    return draw


def _shuffled(stream: Iterator[int]) -> Drawn:
    forehand = _below(4, stream)
    deck = list(range(DECK_SIZE))
    for index in range(DECK_SIZE - 1, 0, -1):
        other = _below(index + 1, stream)
        deck[index], deck[other] = deck[other], deck[index]
    return Drawn(tuple(deck), forehand)


def _below(bound: int, stream: Iterator[int]) -> int:
    # Rejecting the incomplete last range keeps every number equally likely.
    usable = _BYTE - _BYTE % bound
    return next(number for number in stream if number < usable) % bound


def _system_bytes() -> Iterator[int]:
    while True:
        yield from secrets.token_bytes(64)


def _seeded_bytes(seed: int, deal: int) -> Iterator[int]:
    for block in count():
        message = f"jasshaus deal {deal} block {block}".encode()
        yield from hmac.digest(str(seed).encode(), message, hashlib.sha256)
