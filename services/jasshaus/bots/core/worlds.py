"""Deals consistent with what a player knows, sampled uniformly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import comb, factorial
from random import Random
from typing import Final

from jasshaus.bots.core.knowledge import Knowledge
from jasshaus.rules.core.cards import cards_in, mask_of
from jasshaus.rules.core.kernel import split

_PLAIN_TRIES: Final = 4
_COMBINATION_TRIES: Final = 20


class Worlds:
    """Samples deals consistent with what is known."""

    def __init__(self, knowledge: Knowledge, rng: Random) -> None:
        """Prepare sampling. Raises ValueError if the sizes of the hands do not fit the cards."""
        self._known = knowledge
        self._rng = rng
        self._others = tuple(seat for seat in range(4) if seat != knowledge.seat)
        if sum(knowledge.sizes[seat] for seat in self._others) != knowledge.unseen.bit_count():
            raise ValueError("the hidden cards do not fill the hidden hands")
        self._splits: dict[tuple[int, ...], _Split | None] = {}

    def draw(self) -> list[list[int]]:
        """Sample four hands, each as four masks of ranks."""
        return [split(mask) for mask in self.draw_masks()]

    def draw_masks(self) -> list[int]:
        """Sample four hands, each as a mask of cards."""
        for _ in range(_PLAIN_TRIES):
            masks = self._try_masks()
            if all(self._known.fits(seat, masks[seat] | self._known.played[seat]) for seat in self._others):
                break
        return masks

    def _try_masks(self) -> list[int]:
        known = self._known
        for _ in range(_COMBINATION_TRIES):
            required = self._draw_sets()
            if required is None:
                continue
            chosen = self._split(required)
            if chosen is not None:
                return self._fill(chosen, required)
        # The declarations are inconsistent (a player may declare less than it holds, never more).
        shown = known.known
        chosen = self._split(shown) or _Split.of(known, self._others, shown, heed_voids=False)
        assert chosen is not None
        return self._fill(chosen, shown)

    def _fill(self, chosen: _Split, required: Sequence[int]) -> list[int]:
        masks = list(required)
        masks[self._known.seat] = self._known.hand
        chosen.deal(masks, self._rng)
        return masks

    def _draw_sets(self) -> tuple[int, ...] | None:
        """Choose the cards of unshown Weis; return all cards that each seat must then hold."""
        known = self._known
        required = list(known.known)
        taken = 0
        for seat in self._others:
            for choices in known.sets[seat]:
                if not choices:
                    continue
                cards = self._rng.choice(choices)
                if cards & taken:
                    return None
                taken |= cards
                required[seat] |= cards & ~known.played[seat]
        return tuple(required)

    def _split(self, required: tuple[int, ...]) -> _Split | None:
        if required not in self._splits:
            self._splits[required] = _Split.of(self._known, self._others, required, heed_voids=True)
        return self._splits[required]


class _Split:
    """The ways to distribute free cards among three seats, each with its number of deals."""

    def __init__(
        self,
        seats: tuple[int, int, int],
        classes: list[list[int]],
        shares: list[tuple[int, ...]],
        ways: list[int],
    ) -> None:
        self._seats = seats
        self._classes = classes
        self._shares = shares
        self._ways = list(accumulate(ways))

    @classmethod
    def of(
        cls, known: Knowledge, seats: tuple[int, ...], required: Sequence[int], *, heed_voids: bool
    ) -> _Split | None:
        """Count the ways; None if there are none."""
        first, second, third = seats
        held = required[first] | required[second] | required[third]
        overlap = held.bit_count() != sum(required[seat].bit_count() for seat in seats)
        if overlap or held & ~known.unseen:
            return None
        free = [known.sizes[seat] - required[seat].bit_count() for seat in seats]
        classes: list[list[int]] = [[] for _ in range(8)]
        for card in cards_in(known.unseen & ~held):
            able = sum(
                1 << place
                for place, seat in enumerate(seats)
                if not heed_voids or not known.voids[seat] >> card & 1
            )
            classes[able].append(card)
        if classes[0]:
            return None
        for place in range(3):
            free[place] -= len(classes[1 << place])
        shares, ways = _share_out(free, [len(each) for each in classes])
        return cls((first, second, third), classes, shares, ways) if ways else None

    def deal(self, masks: list[int], rng: Random) -> None:
        """Add the free cards to three of four masks, in one of all the ways."""
        if len(self._ways) == 1:
            share = self._shares[0]
        else:
            draw = rng.randrange(self._ways[-1])
            share = self._shares[next(i for i, upto in enumerate(self._ways) if draw < upto)]
        for place, seat in enumerate(self._seats):
            masks[seat] |= mask_of(self._classes[1 << place])
        for able, takers in _TAKERS:
            cards = self._classes[able]
            if cards:
                # Drawing in random order is as good as shuffling, and faster.
                cards = rng.sample(cards, len(cards))
                start = 0
                for place in takers:
                    seat, count = self._seats[place], share[able * 3 + place]
                    for card in cards[start : start + count]:
                        masks[seat] |= 1 << card
                    start += count


#: The classes of cards that more than one of the three seats may hold, with the places of those seats.
_TAKERS: Final = ((0b011, (0, 1)), (0b101, (0, 2)), (0b110, (1, 2)), (0b111, (0, 1, 2)))


def _share_out(free: Sequence[int], sizes: Sequence[int]) -> tuple[list[tuple[int, ...]], list[int]]:
    """List how many cards of each class each place may take, and in how many deals it does.

    A share has at [class * 3 + place] how many cards of the class go to the place.
    """
    shares, ways = [], []
    for low in range(sizes[0b011] + 1):
        for mid in range(sizes[0b101] + 1):
            for top in range(sizes[0b110] + 1):
                rest = (
                    free[0] - low - mid,
                    free[1] - (sizes[0b011] - low) - top,
                    free[2] - (sizes[0b101] - mid) - (sizes[0b110] - top),
                )
                if min(rest) < 0:
                    continue
                share = [0] * 24
                share[0b011 * 3], share[0b011 * 3 + 1] = low, sizes[0b011] - low
                share[0b101 * 3], share[0b101 * 3 + 2] = mid, sizes[0b101] - mid
                share[0b110 * 3 + 1], share[0b110 * 3 + 2] = top, sizes[0b110] - top
                share[0b111 * 3 : 0b111 * 3 + 3] = rest
                shares.append(tuple(share))
                ways.append(
                    comb(sizes[0b011], low)
                    * comb(sizes[0b101], mid)
                    * comb(sizes[0b110], top)
                    * factorial(sizes[0b111])
                    // (factorial(rest[0]) * factorial(rest[1]) * factorial(rest[2]))
                )
    return shares, ways
