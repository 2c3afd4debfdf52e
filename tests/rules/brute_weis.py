"""A second Weis evaluator, by brute force: cards as text, combinations as tuples of them, every list tried.

Written from docs/rules.md, Weis, sentence by sentence; it shares no code with the rules. What does not depend
on the hand is made once, so that 100,000 hands take seconds.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from jasshaus.rules.core.options import RuleSet

SUITS, RANKS = "ERSB", "6789TUOKA"
RUN_VALUES = {"simple": [20, 50, 100, 100, 100, 100, 100], "big": [20, 50, 100, 150, 200, 250, 300]}
QUARTET_VALUES = {"T": 100, "U": 200, "O": 100, "K": 100, "A": 100}

Combination = tuple[str, ...]
Declaration = tuple[Combination, ...]
Found = dict[Combination, int]  # every combination in a hand, in notation order, with its points

_RUNS = [
    tuple(suit + rank for rank in RANKS[low:end])
    for suit in SUITS
    for low, end in itertools.combinations(range(10), 2)
    if end - low >= 3
]
_QUARTETS = [tuple(suit + rank for suit in SUITS) for rank in RANKS]


def place(combination: Combination) -> list[tuple[int, int]]:
    """Return a combination's place in notation order: suits E R S B, ranks from the six up."""
    return [(SUITS.index(card[0]), RANKS.index(card[1])) for card in combination]


EVERY = sorted(_RUNS + _QUARTETS, key=place)
_PLACES = {combination: number for number, combination in enumerate(EVERY)}
_SETS = {combination: frozenset(combination) for combination in EVERY}
_HEIGHTS = {combination: [RANKS.index(card[1]) for card in combination] for combination in EVERY}
_IS_RUN = {combination: combination[0][0] == combination[1][0] for combination in EVERY}


def value(combination: Combination, rules: RuleSet) -> int:
    """Return a combination's points, 0 when it is none at this table."""
    if _IS_RUN[combination]:
        return RUN_VALUES[str(rules.weis_table)][len(combination) - 3]
    rank = combination[0][1]
    return QUARTET_VALUES.get(rank, rules.four_nines if rank == "9" else rules.low_quartets)


def combinations(hand: Iterable[str], rules: RuleSet) -> Found:
    """Find every combination in a hand."""
    held = frozenset(hand)
    values = ((each, value(each, rules)) for each in EVERY if _SETS[each] <= held)
    return {each: points for each, points in values if points}


def go_together(one: Combination, other: Combination, hand: Iterable[str], rules: RuleSet) -> bool:
    """Return whether two combinations of a hand may be declared together."""
    crossing = _IS_RUN[one] != _IS_RUN[other]
    if not _SETS[one].isdisjoint(_SETS[other]) and not (rules.weis_shared and crossing):
        return False
    if crossing or not _IS_RUN[one] or one[0][0] != other[0][0] or rules.weis_split_runs:
        return True
    # Two runs of a suit: a card between their outer ends must be missing in the hand.
    ranks = _HEIGHTS[one] + _HEIGHTS[other]
    return any(one[0][0] + rank not in hand for rank in RANKS[min(ranks) : max(ranks) + 1])


def pairs(found: Found, hand: Iterable[str], rules: RuleSet) -> set[tuple[Combination, Combination]]:
    """List the pairs that may be declared together, each in notation order."""
    held = frozenset(hand)
    return {pair for pair in itertools.combinations(found, 2) if go_together(*pair, hand=held, rules=rules)}


def declarations(found: Found, together: set[tuple[Combination, Combination]]) -> Iterator[Declaration]:
    """Return every list that may be declared. Nine cards hold no four combinations that go together."""
    yield ()
    yield from ((each,) for each in found)
    yield from together
    for first, second in together:
        for third in found:
            if (first, third) in together and (second, third) in together:
                yield first, second, third


def merit(combination: Combination, contract: str, rules: RuleSet) -> tuple[int, ...]:
    """Return what compares two combinations but for the seat, higher being better."""
    heights = _HEIGHTS[combination]
    height = -min(heights) if contract == "UNE" and rules.une_weis_reversed else max(heights)
    quartet, length = int(not _IS_RUN[combination]), len(combination)
    order = {
        "kind_rank": (quartet, height),
        "kind_length_rank": (quartet, length, height),
        "length_rank": (length, quartet, height),
    }[str(rules.weis_tiebreak)]
    trump = int(_IS_RUN[combination] and combination[0][0] == contract)
    return value(combination, rules), *order, trump


def best(
    found: Found, together: set[tuple[Combination, Combination]], contract: str, rules: RuleSet
) -> Declaration:
    """Return the list declared under weis_declaration=automatic."""
    merits = {each: merit(each, contract, rules) for each in found}

    def worth(chosen: Declaration) -> tuple[object, ...]:
        total = sum(found[each] for each in chosen)
        named = sum(len(each) for each in chosen)
        return total, max((merits[each] for each in chosen), default=()), -len(chosen), named

    lists = [(worth(chosen), chosen) for chosen in declarations(found, together)]
    top = max(worth for worth, _ in lists)
    tied = (chosen for worth, chosen in lists if worth == top)
    return min(tied, key=lambda chosen: [_PLACES[each] for each in chosen])


def scoring(
    declared: list[Declaration], forehand: int, contract: str, rules: RuleSet
) -> list[tuple[int, Combination]]:
    """Return the seats and combinations that score, of those declared by seats 0..3, from forehand on.

    Of a seat's equal ones the one it declared first is the best.
    """
    order = sorted(range(4), key=lambda seat: (seat - forehand) % 4)
    ranked = [(seat, each) for seat in order for each in declared[seat]]
    if not ranked:
        return []
    top = max(merit(each, contract, rules) for _, each in ranked)
    winner, winning = next(one for one in ranked if merit(one[1], contract, rules) == top)
    if rules.weis_award == "best_only":
        return [(winner, winning)]
    return [one for one in ranked if one[0] % 2 == winner % 2]
