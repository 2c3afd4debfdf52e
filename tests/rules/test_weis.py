"""Weis against a brute-force evaluator, and the comparisons one by one."""

from __future__ import annotations

import itertools
import random

import pytest

from jasshaus.rules.cards import Contract, format_card, mask_of, parse_card
from jasshaus.rules.options import RuleSet, rule_set
from jasshaus.rules.refusals import Reason
from jasshaus.rules.weis import (
    Weis,
    award,
    best_declaration,
    candidates,
    notice_of,
    strength,
    weis_of,
    weis_points,
    why_undeclarable,
)

RANKS = "6789TUOKA"
RUN_VALUES = {"simple": [20, 50, 100, 100, 100, 100, 100], "big": [20, 50, 100, 150, 200, 250, 300]}
QUARTET_VALUES = {"T": 100, "U": 200, "O": 100, "K": 100, "A": 100}


def hand_of(text: str) -> int:
    return mask_of(parse_card(card) for card in text.split())


def weis(text: str) -> Weis:
    made = weis_of(hand_of(text))
    assert made is not None
    return made


def texts(declaration: tuple[Weis, ...]) -> list[str]:
    return [
        " ".join(format_card(card) for card in range(36) if each.cards >> card & 1) for each in declaration
    ]


# The second evaluator: cards as text, combinations as tuples of them, every legal subset tried. What does not
# depend on the hand is made once, so that 100,000 hands take seconds.

Combination = tuple[str, ...]

RUNS: list[Combination] = [
    tuple(suit + RANKS[rank] for rank in range(low, high + 1))
    for suit in "ERSB"
    for low, high in itertools.combinations(range(9), 2)
    if high - low >= 2
]
QUARTETS: list[Combination] = [tuple(suit + rank for suit in "ERSB") for rank in RANKS]
CARDS_OF = {combination: frozenset(combination) for combination in RUNS + QUARTETS}
NUMBERS = {combination: [parse_card(card) for card in combination] for combination in CARDS_OF}
NAMES = ["E", "R", "S", "B", "OBE", "UNE"]


def brute_combinations(hand: list[str], rules: RuleSet) -> dict[Combination, int]:
    """Find every combination in a hand, in notation order, with its points."""
    held, found = set(hand), {}
    run_values = RUN_VALUES[str(rules.weis_table)]
    quartet_values = QUARTET_VALUES | {"9": rules.four_nines} | dict.fromkeys("678", rules.low_quartets)
    for combination, cards in CARDS_OF.items():
        if cards <= held:
            run = is_run(combination)
            found[combination] = run_values[len(cards) - 3] if run else quartet_values[combination[0][1]]
    return {each: found[each] for each in sorted(found, key=NUMBERS.__getitem__) if found[each]}


def is_run(combination: Combination) -> bool:
    return combination[0][0] == combination[1][0]


def brute_legal(chosen: tuple[Combination, ...], hand: list[str], rules: RuleSet) -> bool:
    return all(brute_pair(one, other, hand, rules) for one, other in itertools.combinations(chosen, 2))


def brute_pair(one: Combination, other: Combination, hand: list[str], rules: RuleSet) -> bool:
    """Say whether two combinations of a hand go together."""
    common = CARDS_OF[one] & CARDS_OF[other]
    if common and not (rules.weis_shared and is_run(one) != is_run(other)):
        return False
    if is_run(one) and is_run(other) and one[0][0] == other[0][0] and not rules.weis_split_runs:
        ranks = sorted(RANKS.index(card[1]) for card in one + other)
        return any(one[0][0] + RANKS[rank] not in hand for rank in range(ranks[0], ranks[-1] + 1))
    return True


def brute_merit(combination: Combination, value: int, contract: str, rules: RuleSet) -> tuple[int, ...]:
    ranks = [RANKS.index(card[1]) for card in combination]
    height = max(ranks)
    if contract == "UNE" and rules.une_weis_reversed:
        height = -min(ranks)
    kind, length = int(not is_run(combination)), len(combination)
    trump = int(is_run(combination) and combination[0][0] == contract)
    order = {
        "kind_rank": (kind, height),
        "kind_length_rank": (kind, length, height),
        "length_rank": (length, kind, height),
    }[str(rules.weis_tiebreak)]
    return (value, *order, trump)


def brute_best(hand: list[str], contract: str, rules: RuleSet) -> list[Combination]:
    found = brute_combinations(hand, rules)
    merits = {each: brute_merit(each, value, contract, rules) for each, value in found.items()}
    together = {
        pair for pair in itertools.combinations(found, 2) if brute_pair(*pair, hand=hand, rules=rules)
    }
    lists = [(), *((each,) for each in found), *together]
    lists += [
        three
        for three in itertools.combinations(found, 3)
        if all(pair in together for pair in itertools.combinations(three, 2))
    ]

    def merit(chosen):
        total = sum(found[each] for each in chosen)
        return total, max((merits[each] for each in chosen), default=()), -len(chosen)

    top = max(map(merit, lists))
    best = (chosen for chosen in lists if merit(chosen) == top)
    return list(min(best, key=lambda chosen: [NUMBERS[each] for each in chosen]))


def hands(random_deck, count: int):
    """Draw hands full of Weis, one in seven with quartets on purpose."""
    rng = random.Random(11)
    for index in range(count):
        if index % 7 == 0:
            ranks, suit = rng.sample(range(9), 2), rng.randrange(4)
            wanted = (
                [9 * s + ranks[0] for s in range(4)]
                + [9 * suit + r for r in range(9)]
                + [9 * s + ranks[1] for s in range(4)]
            )
            wanted = list(dict.fromkeys(wanted))
            yield rng, tuple(sorted(rng.sample(wanted[:12], 9)))
        else:
            yield rng, tuple(sorted(random_deck(rng, lumpy=index % 3 > 0)[:9]))


@pytest.fixture(scope="module", name="many_rules")
def _many_rules(random_rules):
    """Draw rule sets once: making one takes longer than comparing a hand."""
    rng = random.Random(13)
    return [random_rules(rng) for _ in range(1000)]


@pytest.mark.parametrize("contract", Contract)
def test_best_declaration_agrees_with_brute_force(contract, random_deck, many_rules, positions):
    several, seen = 0, set()
    for rng, cards in hands(random_deck, positions // len(Contract) + 1):
        rules = rng.choice(many_rules)
        hand = [format_card(card) for card in cards]
        best = best_declaration(mask_of(cards), contract, rules)
        assert texts(best) == [" ".join(each) for each in brute_best(hand, NAMES[contract], rules)]
        several += len(best) > 1
        seen |= {
            (name, getattr(rules, name))
            for name in ("weis_table", "weis_tiebreak", "four_nines", "low_quartets")
        } | {(name, getattr(rules, name)) for name in ("weis_shared", "weis_split_runs", "une_weis_reversed")}
    assert several > positions // 100
    assert len(seen) == 2 + 3 + 2 + 2 + 2 + 2 + 2


def test_candidates_and_legal_lists_agree_with_brute_force(random_deck, random_rules):
    refused = 0
    for rng, cards in hands(random_deck, 1500):
        rules, hand = random_rules(rng), [format_card(card) for card in cards]
        held = candidates(mask_of(cards), rules)
        assert texts(held) == [" ".join(each) for each in brute_combinations(hand, rules)]
        for size in (1, 2):
            for chosen in itertools.islice(itertools.combinations(held, size), 40):
                legal = brute_legal(tuple(tuple(text.split()) for text in texts(chosen)), hand, rules)
                assert (why_undeclarable(chosen, mask_of(cards), rules) is None) == legal
                refused += not legal
    assert refused > 200


def test_the_award_agrees_with_brute_force(random_deck, random_rules):
    rng = random.Random(12)
    for _ in range(1500):
        rules, contract, forehand = random_rules(rng), rng.choice(list(Contract)), rng.randrange(4)
        name = NAMES[contract]
        deck = random_deck(rng, lumpy=True)
        declared = [
            best_declaration(mask_of(deck[9 * seat : 9 * seat + 9]), contract, rules) for seat in range(4)
        ]
        shown = award(declared, forehand, contract, rules)
        ranked = [
            (
                brute_merit(tuple(text.split()), weis_points(each, rules), name, rules),
                -((seat - forehand) % 4),
                seat,
            )
            for seat in range(4)
            for each, text in zip(declared[seat], texts(declared[seat]), strict=True)
        ]
        if not ranked:
            assert shown == ()
            continue
        side = max(ranked)[2] % 2
        assert {each.seat % 2 for each in shown} == {side}
        if rules.weis_award == "best_only":
            assert [each.points for each in shown] == [max(ranked)[0][0]]
        else:
            assert sum(each.points for each in shown) == sum(
                weis_points(each, rules) for seat in (side, side + 2) for each in declared[seat]
            )


CLASSIC = rule_set("schieber-classic")


@pytest.mark.parametrize(
    ("table", "length", "points"),
    [("simple", n, p) for n, p in zip(range(3, 10), RUN_VALUES["simple"], strict=True)]
    + [("big", n, p) for n, p in zip(range(3, 10), RUN_VALUES["big"], strict=True)],
)
def test_points_of_runs(table, length, points):
    rules = rule_set("schieber-classic", {"weis_table": table})
    assert weis_points(weis(" ".join("S" + rank for rank in RANKS[:length])), rules) == points


@pytest.mark.parametrize(
    "text", ["", "E6", "E6 E7", "E6 E7 E9", "EA R6 R7", "E6 R6 S6", "E6 R6 S6 B7", "E8 E9 ET R8"]
)
def test_what_is_no_weis(text):
    assert weis_of(hand_of(text)) is None


def test_four_nines_worth_nothing_are_no_weis():
    rules = rule_set("schieber-classic", {"four_nines": 0})
    nines = hand_of("E9 R9 S9 B9")
    assert candidates(nines, rules) == ()
    assert why_undeclarable((weis("E9 R9 S9 B9"),), nines, rules) is Reason.WEIS_NOT_A_COMBINATION


def test_a_shorter_run_may_be_declared():
    assert why_undeclarable((weis("R7 R8 R9"),), hand_of("R6 R7 R8 R9 RT"), CLASSIC) is None


def test_a_cross_of_run_and_quartet_needs_weis_shared():
    hand = hand_of("EK RK SK BK RO RA E6 E7 S9")
    both = (weis("RO RK RA"), weis("EK RK SK BK"))
    assert why_undeclarable(both, hand, CLASSIC) is Reason.WEIS_SHARES_CARD
    assert why_undeclarable(both, hand, rule_set("schieber-classic", {"weis_shared": True})) is None


def test_two_runs_through_one_card_stay_forbidden_under_weis_shared():
    hand, rules = (
        hand_of("R6 R7 R8 R9 RT"),
        rule_set("schieber-classic", {"weis_shared": True, "weis_split_runs": True}),
    )
    assert why_undeclarable((weis("R6 R7 R8"), weis("R8 R9 RT")), hand, rules) is Reason.WEIS_SHARES_CARD


def test_a_run_cut_in_two_needs_weis_split_runs():
    hand = hand_of("R6 R7 R8 R9 RT RU E6 E7 S9")
    both = (weis("R6 R7 R8"), weis("R9 RT RU"))
    assert why_undeclarable(both, hand, CLASSIC) is Reason.WEIS_SPLITS_RUN
    assert why_undeclarable(both, hand, rule_set("schieber-classic", {"weis_split_runs": True})) is None


def test_a_list_with_one_weis_twice_is_refused():
    hand = hand_of("R6 R7 R8")
    assert why_undeclarable((weis("R6 R7 R8"),) * 2, hand, CLASSIC) is Reason.WEIS_SHARES_CARD


@pytest.mark.parametrize(
    ("tiebreak", "better", "worse"),
    [
        ("kind_rank", "EK RK SK BK", "S6 S7 S8 S9 ST"),
        ("kind_length_rank", "EK RK SK BK", "S6 S7 S8 S9 ST"),
        ("length_rank", "S6 S7 S8 S9 ST", "EK RK SK BK"),
        ("kind_rank", "BT BU BO BK BA", "S6 S7 S8 S9 ST SU"),
        ("kind_length_rank", "S6 S7 S8 S9 ST SU", "BT BU BO BK BA"),
        ("length_rank", "S6 S7 S8 S9 ST SU", "BT BU BO BK BA"),
        ("kind_rank", "EA RA SA BA", "EK RK SK BK"),
        ("kind_rank", "R8 R9 RT", "S7 S8 S9"),
        ("kind_rank", "S7 S8 S9", "R7 R8 R9"),
    ],
)
def test_which_of_two_equal_in_points_is_better(tiebreak, better, worse):
    rules = rule_set("schieber-classic", {"weis_tiebreak": tiebreak})
    assert strength(weis(better), Contract.SHIELDS, rules) > strength(weis(worse), Contract.SHIELDS, rules)


@pytest.mark.parametrize("kings_win", [True, False])
def test_unenufe_turns_the_height_round_where_the_option_says_so(kings_win):
    rules = rule_set("schieber-classic", {"une_weis_reversed": kings_win})
    kings, aces = weis("EK RK SK BK"), weis("EA RA SA BA")
    assert (strength(kings, Contract.UNENUFE, rules) > strength(aces, Contract.UNENUFE, rules)) == kings_win
    low, high = weis("R6 R7 R8"), weis("RO RK RA")
    assert (strength(low, Contract.UNENUFE, rules) > strength(high, Contract.UNENUFE, rules)) == kings_win


@pytest.mark.parametrize("forehand", range(4))
def test_equal_weis_go_to_the_seat_nearer_to_forehand(forehand):
    declared = [(weis("R7 R8 R9"),), (weis("S7 S8 S9"),), (weis("B7 B8 B9"),), ()]
    (best,) = award(declared, forehand, Contract.ACORNS, CLASSIC)
    assert best.seat == {0: 0, 1: 1, 2: 2, 3: 0}[forehand]


def test_a_notice_tells_kind_length_and_points_only():
    notice = notice_of(weis("R7 R8 R9 RT"), CLASSIC)
    assert (notice.kind, notice.length, notice.points) == (0, 4, 50)
    assert not hasattr(notice, "cards")
