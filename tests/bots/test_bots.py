"""The bots: always legal, deterministic, quick, and greedy is worth having as a stand-in."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from functools import partial

import pytest

from jasshaus.bots import BOTS, strong
from jasshaus.bots.schieber.reading import has_certainly_reached
from jasshaus.rules.core.cards import Contract, mask_of, parse_card, parse_contract, side_of
from jasshaus.rules.core.options import PRESETS, FirstForehand, RuleSet, Variant, rule_set
from jasshaus.rules.core.weis import ShownWeis, Weis, WeisKind
from jasshaus.rules.registry import view
from jasshaus.rules.schieber import (
    ChooseContract,
    Claim,
    DeclareWeis,
    EndedBy,
    Match,
    PendingKind,
    Phase,
    PlayCard,
    Push,
    StartDeal,
    Trick,
    claimants,
    decide,
    new_match,
    pending,
    replay,
)

#: Every bot, the strong one held to a number of worlds: it is then quick, and the same everywhere.
ALL = {**BOTS, "strong": partial(strong.choose, budget_ms=None, worlds=2)}
SCHIEBER = [name for name, rules in PRESETS.items() if rules.variant is Variant.SCHIEBER]


def deal(rng: random.Random, match: Match) -> StartDeal:
    drawn = match.deal == 0 and match.rules.first_forehand is FirstForehand.RANDOM
    return StartDeal(tuple(rng.sample(range(36), 36)), rng.randrange(4) if drawn else None)


def nothing(_match, _seen, _command) -> None:
    pass


def play_match(rules: RuleSet, names: tuple[str, str], seed: int, inspect=nothing) -> Match:
    """Let two sides of bots play a match; `decide` refuses whatever is not legal."""
    rng = random.Random(seed)
    match = new_match(rules)
    while match.outcome is None:
        due = rng.choice(pending(match))
        if due.kind is PendingKind.DEAL:
            command = deal(rng, match)
        else:
            seen = view(match, due.seat)
            command = ALL[names[side_of(due.seat)]](seen, rng.getrandbits(32))
            inspect(match, seen, command)
        match = replay(match, decide(match, command))
    return match


@pytest.mark.parametrize("preset", SCHIEBER)
@pytest.mark.parametrize("name", BOTS)
def test_a_bot_has_a_legal_answer_to_everything_it_is_asked(name, preset):
    rules = rule_set(preset, {"target": 500, "schneider_below": None})
    for seed in range(4):
        assert play_match(rules, (name, name), seed).outcome is not None


@pytest.mark.parametrize("finish", ["claim", "automatic"])
@pytest.mark.parametrize("option", ["undertrump", "une_points", "weis_award", "weis_when"])
def test_a_bot_is_legal_under_other_options_too(option, finish):
    value = {
        "undertrump": "void_only",
        "une_points": "ace11",
        "weis_award": "team_all",
        "weis_when": "own_first_card",
    }
    rules = rule_set("schieber-classic", {option: value[option], "finish": finish, "target": 500})
    for seed in range(3):
        play_match(rules, ("greedy", "random"), seed)
        play_match(rules, ("strong", "random"), seed)


@pytest.mark.parametrize("name", BOTS)
def test_the_same_view_and_seed_give_the_same_command(name):
    def inspect(match, seen, command):
        assert ALL[name](seen, 7) == ALL[name](replace(seen), 7)

    play_match(rule_set("schieber-classic", {"target": 500}), (name, name), 1, inspect)


def test_greedy_beats_random_clearly():
    rules = rule_set("schieber-partner")
    won = sum(
        play_match(
            rules, ("greedy", "random") if seed % 2 == 0 else ("random", "greedy"), seed
        ).outcome.winner
        == seed % 2
        for seed in range(60)
    )
    assert won >= 54


def test_greedy_claims_and_never_falsely():
    rules = rule_set("schieber-classic", {"target": 500})
    ends = [play_match(rules, ("greedy", "greedy"), seed).outcome.by for seed in range(40)]
    assert EndedBy.FALSE_CLAIM not in ends
    assert ends.count(EndedBy.CLAIM) > 10


@pytest.mark.parametrize("counts", [True, False])
@pytest.mark.parametrize("timing", ["end", "second_card"])
def test_greedy_claims_exactly_when_a_claim_by_what_it_has_seen_wins(timing, counts):
    rules = rule_set(
        "schieber-classic",
        {
            "target": 500,
            "stoeck_timing": timing,
            "claim_counts_unplayed_stoeck": counts,
            "weis_needs_trick": True,
        },
    )
    claimed = 0
    for seed in range(25):
        rng = random.Random(seed)
        match = new_match(rules)
        while match.outcome is None:
            for seat in claimants(match):
                wins = decide(match, Claim(seat))[0].success
                knows = has_certainly_reached(view(match, seat), seat)
                # It may not know of its partner's Stöck, but what it knows is so.
                assert wins or not knows
                claimed += knows
                if not counts:
                    assert wins == knows
            due = pending(match)[0]
            bot = BOTS["random"]
            command = (
                deal(rng, match) if due.seat is None else bot(view(match, due.seat), rng.getrandbits(32))
            )
            match = replay(match, decide(match, command))
    assert claimed > 10


def test_a_partners_stoeck_in_a_weis_that_all_have_seen_counts():
    held = (mask_of([0]), mask_of([1]), mask_of(map(parse_card, ["EO", "EK", "EA"])), mask_of([3]))
    shown = Weis(WeisKind.RUN, held[2])
    match = replace(
        new_match(rule_set("schieber-classic", {"target": 1000})),
        phase=Phase.PLAY,
        deal=1,
        forehand=0,
        leader=0,
        totals=(955, 0),
        contract=Contract.ACORNS,
        hands=held,
        dealt=held,
        declared=((), (), (shown,), ()),
        weis_scored=(ShownWeis(2, shown, 20),),
        tricks=(Trick(0, (parse_card("RA"), parse_card("R6"), parse_card("R7"), parse_card("R8")), 0, 11),),
    )
    assert decide(match, Claim(0))[0].success
    assert has_certainly_reached(view(match, 0), 0)
    # Nobody saw it, so that nobody but its holder may count on it.
    hidden = replace(match, weis_scored=(), totals=(975, 0))
    assert decide(hidden, Claim(0))[0].success
    assert [has_certainly_reached(view(hidden, seat), seat) for seat in (0, 2)] == [False, True]


def test_greedy_claims_out_of_turn_for_its_side():
    rules = rule_set("schieber-classic", {"target": 1000})
    match = replace(
        new_match(rules),
        phase=Phase.PLAY,
        deal=1,
        forehand=0,
        leader=0,
        totals=(995, 0),
        contract=Contract.ACORNS,
        hands=(mask_of([0]), mask_of([1]), mask_of([2]), mask_of([3])),
        tricks=(Trick(0, (parse_card("RA"), parse_card("R6"), parse_card("R7"), parse_card("R8")), 0, 11),),
    )
    assert BOTS["greedy"](view(match, 2), 0) == Claim(2)
    with pytest.raises(ValueError, match="nothing is asked"):
        BOTS["greedy"](view(match, 3), 0)


@pytest.mark.parametrize("name", BOTS)
def test_a_spectator_gets_no_command(name):
    with pytest.raises(ValueError, match="spectator"):
        BOTS[name](view(new_match(rule_set("schieber-classic")), None), 0)


def test_a_bot_thinks_less_than_a_millisecond():
    spent = []

    def inspect(match, seen, command):
        begun = time.perf_counter()
        BOTS["greedy"](seen, 1)
        spent.append(time.perf_counter() - begun)

    play_match(rule_set("schieber-classic"), ("greedy", "greedy"), 3, inspect)
    # The median: one interrupted call says nothing of the bot.
    assert sorted(spent)[len(spent) // 2] < 0.001


# Single decisions


def facing(contract: Contract, hand: str, table: str = "", seat: int = 0, **fields: object):
    """Return the view of a seat with this hand and these cards on the table, the other hands left empty."""
    cards = mask_of(map(parse_card, hand.split()))
    lying = tuple(map(parse_card, table.split()))
    match = replace(
        new_match(rule_set("schieber-classic")),
        phase=Phase.PLAY,
        deal=1,
        forehand=0,
        contract=contract,
        leader=(seat - len(lying)) % 4,
        table=lying,
        hands=tuple(cards if other == seat else 0 for other in range(4)),
        declared=((), (), (), ()),
        **fields,
    )
    return view(match, seat)


@pytest.mark.parametrize(
    ("contract", "hand", "table", "card"),
    [
        ("R", "S6 ST E7", "S7 SA S8", "ST"),  # the partner wins: give it the most
        ("R", "S6 ST E7", "S8 S7 SA", "S6"),  # an opponent wins: give it the least
        ("R", "R6 ET E7", "SA S7 ST", "R6"),  # a rich trick is trumped by the last hand, cheaply
        ("OBE", "SA S6 E7", "S8", "SA"),  # the boss takes what it can
        ("R", "RU R8 S6", "", "RU"),  # forehand pulls trumps with the highest
    ],
)
def test_greedy_plays(contract, hand, table, card):
    command = BOTS["greedy"](facing(parse_contract(contract), hand, table), 5)
    assert command == PlayCard(0, parse_card(card))


def asked_for_contract(hand: str, *, pushed: bool = False):
    cards = mask_of(map(parse_card, hand.split()))
    match = replace(
        new_match(rule_set("schieber-classic")),
        phase=Phase.CONTRACT,
        deal=1,
        forehand=0,
        leader=0,
        pushed=pushed,
    )
    seat = match.chooser
    held = tuple(cards if other == seat else 0 for other in range(4))
    return view(replace(match, dealt=held, hands=held), seat)


@pytest.mark.parametrize(
    ("hand", "contract"),
    [
        ("RU R9 RA RK R6 EA SA B6 B7", Contract.ROSES),
        ("EA EK RA RK SA SK BA BK BO", Contract.OBENABE),
        ("E6 E7 R6 R7 S6 S7 B6 B7 B8", Contract.UNENUFE),
    ],
)
def test_greedy_names_what_its_hand_is_good_for(hand, contract):
    assert BOTS["greedy"](asked_for_contract(hand), 0) == ChooseContract(0, contract)


def test_greedy_pushes_a_poor_hand_and_names_something_when_pushed_to():
    poor = "E7 E8 ET R8 RT S8 ST B8 BT"
    assert BOTS["greedy"](asked_for_contract(poor), 0) == Push(0)
    assert isinstance(BOTS["greedy"](asked_for_contract(poor, pushed=True), 0), ChooseContract)


def test_greedy_declares_its_best_weis():
    hand = "EK RK SK BK RO RA S6 S7 S8"
    cards = mask_of(map(parse_card, hand.split()))
    held = (cards, 0, 0, 0)
    match = replace(
        new_match(rule_set("schieber-classic")),
        phase=Phase.WEIS,
        deal=1,
        forehand=0,
        leader=0,
        contract=Contract.ACORNS,
        dealt=held,
        hands=held,
    )
    command = BOTS["greedy"](view(match, 0), 0)
    assert isinstance(command, DeclareWeis)
    assert sorted(weis.length for weis in command.weis) == [3, 4]
