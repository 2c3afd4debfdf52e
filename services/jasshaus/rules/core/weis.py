"""Weis: what counts as one, what may be declared together, which is best, who scores.

Source: docs/rules.md, Schieber, Weis. Points here are before the multiplier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from jasshaus.rules.core.cards import SUIT_MASKS, Contract, Rank, cards_in, next_seat, side_of
from jasshaus.rules.core.options import RuleSet, WeisAward, WeisTable, WeisTiebreak
from jasshaus.rules.core.refusals import Reason


class WeisKind(IntEnum):
    """The two kinds of combination, the better one higher."""

    RUN = 0
    QUARTET = 1


@dataclass(frozen=True, slots=True)
class Weis:
    """A combination of cards: its kind and the mask of its cards."""

    kind: WeisKind
    cards: int

    @property
    def length(self) -> int:
        """Count its cards."""
        return self.cards.bit_count()

    @property
    def low_card(self) -> int:
        """Return its lowest card; of a quartet, the one of acorns."""
        return (self.cards & -self.cards).bit_length() - 1

    @property
    def high_card(self) -> int:
        """Return its highest card; of a quartet, the one of bells."""
        return self.cards.bit_length() - 1


@dataclass(frozen=True, slots=True)
class WeisNotice:
    """The public part of a declared Weis: never its cards."""

    kind: WeisKind
    length: int
    points: int


@dataclass(frozen=True, slots=True)
class ShownWeis:
    """A Weis that scored, with its cards, as shown to all after the first trick."""

    seat: int
    weis: Weis
    points: int


_SHORTEST: Final = 3
_RUNS: Final = {
    ((1 << length) - 1) << (suit * 9 + low)
    for suit in range(4)
    for length in range(_SHORTEST, 10)
    for low in range(10 - length)
}
_QUARTETS: Final = {sum(1 << (suit * 9 + rank) for suit in range(4)): rank for rank in Rank}
_RUN_POINTS: Final[Mapping[WeisTable | None, Mapping[int, int]]] = {
    WeisTable.SIMPLE: {3: 20, 4: 50, 5: 100, 6: 100, 7: 100, 8: 100, 9: 100},
    WeisTable.BIG: {3: 20, 4: 50, 5: 100, 6: 150, 7: 200, 8: 250, 9: 300},
}


def weis_of(cards: int) -> Weis | None:
    """Return the Weis that a mask of cards makes, or None if it makes none at any table."""
    if cards in _RUNS:
        return Weis(WeisKind.RUN, cards)
    if cards in _QUARTETS:
        return Weis(WeisKind.QUARTET, cards)
    return None


def weis_points(weis: Weis, rules: RuleSet) -> int:
    """Return a Weis' points before the multiplier; 0 when it is none at this table."""
    if weis.kind is WeisKind.RUN:
        return _RUN_POINTS[rules.weis_table][weis.length] if weis.cards in _RUNS else 0
    rank = _QUARTETS.get(weis.cards)
    if rank is None:
        return 0
    if rank is Rank.UNDER:
        return 200
    if rank is Rank.NINE:
        return rules.four_nines
    return rules.low_quartets if rank < Rank.NINE else 100


def notice_of(weis: Weis, rules: RuleSet) -> WeisNotice:
    """Return the public part of a declared Weis."""
    return WeisNotice(weis.kind, weis.length, weis_points(weis, rules))


def candidates(hand: int, rules: RuleSet) -> tuple[Weis, ...]:
    """List every single Weis in a hand, shorter runs too, in notation order."""
    quartets = [Weis(WeisKind.QUARTET, cards) for cards in _QUARTETS if cards & hand == cards]
    runs = [Weis(WeisKind.RUN, cards) for sequence in _sequences(hand) for cards in _cuts(sequence)]
    return tuple(sorted((weis for weis in runs + quartets if weis_points(weis, rules)), key=_notation_order))


def _notation_order(weis: Weis) -> tuple[int, ...]:
    return cards_in(weis.cards)


def _sequences(hand: int) -> Iterator[int]:
    """Return the masks of a hand's unbroken sequences of three cards and more."""
    for suit in SUIT_MASKS:
        rest = hand & suit
        while rest:
            lowest = rest & -rest
            # Adding the lowest bit carries through the unbroken run of ones above it.
            sequence = rest & ~(rest + lowest)
            rest ^= sequence
            if sequence.bit_count() >= _SHORTEST:
                yield sequence


def _cuts(sequence: int) -> Iterator[int]:
    """Return every run of three cards and more within one unbroken sequence, itself included."""
    cards = cards_in(sequence)
    for start in range(len(cards)):
        for end in range(start + _SHORTEST, len(cards) + 1):
            yield (1 << cards[end - 1] + 1) - (1 << cards[start])


def why_undeclarable(declaration: Sequence[Weis], hand: int, rules: RuleSet) -> Reason | None:
    """Return the reason why a list of Weis may not be declared from the dealt hand, or None."""
    for weis in declaration:
        if not weis_points(weis, rules):
            return Reason.WEIS_NOT_A_COMBINATION
        if weis.cards & ~hand:
            return Reason.WEIS_NOT_IN_HAND
    used = {WeisKind.RUN: 0, WeisKind.QUARTET: 0}
    for weis in declaration:
        taken = used[weis.kind] if rules.weis_shared else used[WeisKind.RUN] | used[WeisKind.QUARTET]
        if taken & weis.cards:
            return Reason.WEIS_SHARES_CARD
        used[weis.kind] |= weis.cards
    if not rules.weis_split_runs:
        for sequence in _sequences(hand):
            if sum(weis.kind is WeisKind.RUN and bool(weis.cards & sequence) for weis in declaration) > 1:
                return Reason.WEIS_SPLITS_RUN
    return None


def best_declaration(hand: int, contract: Contract, rules: RuleSet) -> tuple[Weis, ...]:
    """Return the legal list of the highest total, in notation order: the automatic declaration.

    Equal totals: the better best Weis, then fewer Weis, then more cards (a run is named as it is held), then
    the first in notation order.
    """
    best: tuple[Weis, ...] = ()
    best_merit: tuple[int, tuple[int, ...], int, int] = (0, (), 0, 0)
    # Lists come in notation order, so a later one must be strictly better to replace an earlier one.
    for declaration in _declarations(candidates(hand, rules), (), hand, rules):
        total = sum(weis_points(weis, rules) for weis in declaration)
        top = max((strength(weis, contract, rules) for weis in declaration), default=())
        merit = (total, top, -len(declaration), sum(weis.length for weis in declaration))
        if merit > best_merit:
            best, best_merit = declaration, merit
    return best


def _declarations(
    remaining: tuple[Weis, ...], chosen: tuple[Weis, ...], hand: int, rules: RuleSet
) -> Iterator[tuple[Weis, ...]]:
    for index, weis in enumerate(remaining):
        declaration = (*chosen, weis)
        # Each rule that forbids a list forbids every longer one, so a refused branch ends here.
        if why_undeclarable(declaration, hand, rules) is None:
            yield declaration
            yield from _declarations(remaining[index + 1 :], declaration, hand, rules)


def strength(weis: Weis, contract: Contract, rules: RuleSet) -> tuple[int, ...]:
    """Return what compares two Weis, higher being better; equal ones are decided by the seat alone."""
    reversed_order = rules.une_weis_reversed and contract is Contract.UNENUFE
    height = 8 - weis.low_card % 9 if reversed_order else weis.high_card % 9
    trump = int(weis.kind is WeisKind.RUN and weis.low_card // 9 == contract)
    points = weis_points(weis, rules)
    if rules.weis_tiebreak is WeisTiebreak.LENGTH_RANK:
        return points, weis.length, weis.kind, height, trump
    if rules.weis_tiebreak is WeisTiebreak.KIND_LENGTH_RANK:
        return points, weis.kind, weis.length, height, trump
    return points, weis.kind, height, trump


def award(
    declared: Sequence[Iterable[Weis]], forehand: int, contract: Contract, rules: RuleSet
) -> tuple[ShownWeis, ...]:
    """Return the Weis that score, of those declared by seats 0..3; empty when nothing was declared.

    The seat nearer to forehand in order of play wins what is equal otherwise; they are listed in that order.
    """
    ranked = [
        ShownWeis(seat, weis, weis_points(weis, rules))
        for seat in (next_seat(forehand, steps) for steps in range(4))
        for weis in declared[seat]
    ]
    if not ranked:
        return ()
    best = max(ranked, key=lambda shown: strength(shown.weis, contract, rules))
    if rules.weis_award is WeisAward.BEST_ONLY:
        return (best,)
    return tuple(shown for shown in ranked if side_of(shown.seat) == side_of(best.seat))
