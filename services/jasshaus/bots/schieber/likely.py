"""Samples deals in proportion to their plausibility: a random walk that swaps single cards."""

from __future__ import annotations

from random import Random
from typing import Final

from jasshaus.bots.core.knowledge import Knowledge
from jasshaus.bots.core.worlds import Worlds
from jasshaus.bots.schieber.plausible import Plausibility
from jasshaus.rules.core.cards import cards_in
from jasshaus.rules.core.kernel import split

_STARTS: Final = 6  # independent draws, of which the most plausible starts a walk
_SETTLING: Final = 24  # swaps before the first deal of a walk
_BETWEEN: Final = 24  # swaps from one deal to the next, after which they are nearly independent
#: Deals per walk, which are correlated; those of different walks are independent.
WALK: Final = 24


class LikelyWorlds:
    """Samples deals consistent with what is known, in proportion to their plausibility.

    After some tricks few independent draws are plausible, so deals are found by walking (Metropolis and
    others, 1953): a step swaps two cards of two hidden hands; if that makes the two less plausible, it is
    accepted with the ratio of plausibilities as probability. Swaps do not lead from every deal to every
    other, so each walk is short.
    """

    def __init__(self, known: Knowledge, plausible: Plausibility, rng: Random) -> None:
        """Prepare sampling. Raises ValueError if the sizes of the hands do not fit the cards."""
        self._known = known
        self._plausible = plausible
        self._rng = rng
        self._worlds = Worlds(known, rng)
        others = [seat for seat in range(4) if seat != known.seat]
        self._pairs = [(one, other) for one in others for other in others if one < other]
        self._left = 0  # deals until the next walk
        self._hands: list[int] = []
        self._free: list[list[int]] = []  # by seat the cards that it need not hold
        self._chances: list[float] = []

    def draw(self) -> list[list[int]]:
        """Sample four hands, each as four masks of ranks."""
        if not self._left:
            self._begin()
            self._swap(_SETTLING)
            self._left = WALK
        self._left -= 1
        self._swap(_BETWEEN)
        return [split(hand) for hand in self._hands]

    def _begin(self) -> None:
        starts = [self._worlds.draw_masks() for _ in range(_STARTS)]
        judged = [[self._plausible.of(seat, hand) for seat, hand in enumerate(start)] for start in starts]
        weights = [a * b * c * d for a, b, c, d in judged]
        chosen = self._rng.choices(range(_STARTS), weights)[0] if any(weights) else 0
        self._hands, self._chances = starts[chosen], judged[chosen]
        self._free = [
            list(cards_in(hand & ~known)) for hand, known in zip(self._hands, self._known.known, strict=True)
        ]

    def _swap(self, steps: int) -> None:
        random, of, pairs, voids = self._rng.random, self._plausible.of, self._pairs, self._known.voids
        hands, free, chances = self._hands, self._free, self._chances
        for _ in range(steps):
            one, other = pairs[int(random() * 3)]
            from_one, from_other = free[one], free[other]
            if not from_one or not from_other:
                continue
            i, j = int(random() * len(from_one)), int(random() * len(from_other))
            given, taken = from_one[i], from_other[j]
            if voids[one] >> taken & 1 or voids[other] >> given & 1:
                continue
            swapped = 1 << given | 1 << taken
            first, second = of(one, hands[one] ^ swapped), of(other, hands[other] ^ swapped)
            # If the hands are ruled out, accept any: declarations may be inconsistent.
            if random() * chances[one] * chances[other] <= first * second:
                hands[one] ^= swapped
                hands[other] ^= swapped
                from_one[i], from_other[j] = taken, given
                chances[one], chances[other] = first, second
