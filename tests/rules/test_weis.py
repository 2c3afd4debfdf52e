"""Weis against a brute-force evaluator, and the comparisons one by one."""

from __future__ import annotations

import itertools
import random

import pytest

from jasshaus.rules.core.cards import Contract, format_card, format_contract, mask_of
from jasshaus.rules.core.options import RuleSet, rule_set
from jasshaus.rules.core.refusals import Reason
from jasshaus.rules.core.weis import (
    award,
    best_declaration,
    candidates,
    notice_of,
    strength,
    weis_of,
    weis_points,
    why_undeclarable,
)
from rules import brute_weis
from rules.brute_weis import RANKS, RUN_VALUES
from rules.layouts import hand as hand_of
from rules.layouts import texts
from rules.schieber_layouts import WEIS, weis

# The options by which combinations, their order or the lists of them differ.
OPTIONS = ("weis_table", "four_nines", "low_quartets", "weis_tiebreak", "une_weis_reversed")
OPTIONS += ("weis_shared", "weis_split_runs", "weis_award")


def chosen_in(rules: RuleSet) -> set[tuple[str, object]]:
    return {(name, getattr(rules, name)) for name in OPTIONS}


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
def test_combinations_lists_and_the_best_list_agree_with_brute_force(
    contract, random_deck, many_rules, positions
):
    several, refused, seen = 0, 0, set()
    for rng, cards in hands(random_deck, positions // len(Contract) + 1):
        rules, hand, mask = rng.choice(many_rules), [format_card(card) for card in cards], mask_of(cards)
        found = brute_weis.combinations(hand, rules)
        together = brute_weis.pairs(found, hand, rules)

        held = candidates(mask, rules)
        assert texts(held) == list(found)
        assert [weis_points(each, rules) for each in held] == list(found.values())
        for one, other in itertools.combinations(zip(found, held, strict=True), 2):
            legal = (one[0], other[0]) in together
            assert (why_undeclarable((one[1], other[1]), mask, rules) is None) == legal
            assert (why_undeclarable((other[1], one[1]), mask, rules) is None) == legal
            refused += not legal

        best = best_declaration(mask, contract, rules)
        assert tuple(texts(best)) == brute_weis.best(found, together, format_contract(contract), rules)
        several += len(best) > 1
        seen |= chosen_in(rules)
    assert several > positions // 100
    assert refused > positions // 2
    assert seen == set().union(*map(chosen_in, many_rules))


def test_the_options_drawn_are_all_there_are(many_rules):
    assert len(set().union(*map(chosen_in, many_rules))) == 2 + 2 + 2 + 3 + 2 + 2 + 2 + 2


def test_the_award_agrees_with_brute_force(random_deck, many_rules, positions):
    rng, seen, by_seat_alone = random.Random(12), set(), 0
    generous = rule_set("schieber-classic", {"low_quartets": 100})
    decks = [[format_card(card) for card in random_deck(rng, lumpy=True)] for _ in range(2000)]
    held = [
        [list(brute_weis.combinations(deck[start : start + 9], generous)) for start in range(0, 36, 9)]
        for deck in decks
    ]
    for _ in range(positions):
        rules, contract, forehand = rng.choice(many_rules), rng.choice(list(Contract)), rng.randrange(4)
        name = format_contract(contract)
        declared = [
            tuple(
                each
                for each in rng.sample(of_seat, min(len(of_seat), rng.randrange(3)))
                if brute_weis.value(each, rules)
            )
            for of_seat in rng.choice(held)
        ]
        shown = award([[WEIS[each] for each in of_seat] for of_seat in declared], forehand, contract, rules)
        expected = brute_weis.scoring(declared, forehand, name, rules)
        assert [(each.seat, *texts((each.weis,))) for each in shown] == expected
        assert all(each.points == weis_points(each.weis, rules) for each in shown)
        seen |= chosen_in(rules)
        merits = sorted(brute_weis.merit(each, name, rules) for of_seat in declared for each in of_seat)
        by_seat_alone += merits[-2:] == merits[-1:] * 2
    assert by_seat_alone > positions // 100
    assert seen == set().union(*map(chosen_in, many_rules))


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


@pytest.mark.parametrize("contract", Contract)
@pytest.mark.parametrize("reversed_order", [True, False])
@pytest.mark.parametrize("tiebreak", ["kind_rank", "kind_length_rank", "length_rank"])
@pytest.mark.parametrize("run", ["R6 R7 R8 R9 RT RU", "R9 RT RU RO RK RA", "R6 R7 R8 R9 RT RU RO RK RA"])
def test_a_run_is_recommended_as_long_as_it_is_held(contract, reversed_order, tiebreak, run):
    """Also where longer runs count no more, and where the comparison looks at its lowest card alone."""
    options = {"weis_table": "simple", "une_weis_reversed": reversed_order, "weis_tiebreak": tiebreak}
    rules = rule_set("schieber-classic", options)
    rest = "E6 E8 BK" if len(run.split()) == 6 else ""
    assert best_declaration(hand_of(f"{run} {rest}"), contract, rules) == (weis(run),)


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
