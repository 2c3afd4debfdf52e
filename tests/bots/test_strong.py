"""The strong bot's choices, each where one is clearly best, and how long it thinks."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest

from jasshaus.bots import BOTS, strong
from jasshaus.bots.core.search import Budget, race
from jasshaus.bots.schieber.contracts import contract_values
from jasshaus.rules.core.cards import Contract, mask_of, parse_card, parse_contract
from jasshaus.rules.core.options import rule_set
from jasshaus.rules.registry import view
from jasshaus.rules.schieber import (
    ChooseContract,
    Claim,
    DeclareWeis,
    PendingKind,
    Phase,
    PlayCard,
    Push,
    StartDeal,
    Trick,
    decide,
    new_match,
    pending,
    replay,
)

RULES = rule_set("schieber-classic", {"finish": "automatic", "target": 10_000})


def hand(text: str) -> int:
    return mask_of(map(parse_card, text.split()))


def dealt(seed: int, contract: Contract | None = None):
    """Deal a seed's deck to forehand 0, and play by greedy until its first card under a contract."""
    match = new_match(RULES)
    deck = tuple(random.Random(seed).sample(range(36), 36))
    match = replay(match, decide(match, StartDeal(deck, 0)))
    if contract is not None:
        match = replay(match, decide(match, ChooseContract(0, contract)))
        for seat in range(4):
            match = replay(match, decide(match, BOTS["greedy"](view(match, seat), 0)))
    return match


def asked_for_contract(text: str):
    """Return forehand's view with a given hand, the other cards dealt anyhow."""
    match = dealt(1)
    held = hand(text)
    rest = [card for card in range(36) if not held >> card & 1]
    hands = (held, *(mask_of(rest[9 * n : 9 * n + 9]) for n in range(3)))
    return view(replace(match, hands=hands, dealt=hands), 0)


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ("SU S9 SA SK S8 E8 RT R8 BT", "S"),
        ("EA EK EO RA RK SA SK BA BK", "OBE"),
        ("E6 E7 R6 R7 S6 S7 B6 B7 B8", "UNE"),
        ("BU B9 BO BT B8 B7 EA R6 S8", "B"),
    ],
)
def test_it_names_what_a_hand_is_plainly_good_for(text, contract):
    command = strong.choose(asked_for_contract(text), 1, budget_ms=None, worlds=40)
    assert command == ChooseContract(0, parse_contract(contract))


def test_it_pushes_a_poor_hand():
    assert strong.choose(asked_for_contract("E8 ET EK R8 RU ST SO B8 BK"), 1, None, 60) == Push(0)


def test_it_names_something_when_pushed_to():
    match = dealt(4)
    match = replay(match, decide(match, Push(0)))
    assert isinstance(strong.choose(view(match, 2), 1, None, 10), ChooseContract)


def mean(values):
    return sum(values) / len(values)


def test_the_values_of_contracts_tell_a_good_one_from_a_bad_one_and_from_a_push():
    values = contract_values(asked_for_contract("SU S9 SA SK S8 E8 RT R8 BT"), 1, 20)
    assert len(values) == 7
    assert {len(of_choice) for of_choice in values.values()} == {20}
    shields = mean(values[ChooseContract(0, Contract.SHIELDS)])
    assert shields > mean(values[Push(0)]) > mean(values[ChooseContract(0, Contract.OBENABE)])


def test_the_values_of_contracts_leave_out_a_push_where_none_is_allowed():
    match = replay(dealt(4), decide(dealt(4), Push(0)))
    assert set(contract_values(view(match, 2), 1, 2)) == {ChooseContract(2, each) for each in Contract}


def test_there_are_no_values_of_contracts_where_none_is_asked():
    with pytest.raises(ValueError, match="no contract is asked"):
        contract_values(view(dealt(4), 1), 1, 2)


def test_it_declares_its_weis():
    match = replay(dealt(5), decide(dealt(5), ChooseContract(0, Contract.ROSES)))
    for seat in range(4):
        seen = view(match, seat)
        assert strong.choose(seen, 1) == DeclareWeis(seat, seen.legal.weis_recommended)


def test_it_claims_exactly_as_greedy_does():
    match = replace(
        new_match(rule_set("schieber-classic", {"target": 1000})),
        phase=Phase.PLAY,
        deal=1,
        forehand=0,
        leader=0,
        totals=(995, 0),
        contract=Contract.ACORNS,
        hands=(1, 2, 4, 8),
        tricks=(Trick(0, (parse_card("RA"), parse_card("R6"), parse_card("R7"), parse_card("R8")), 0, 11),),
    )
    assert strong.choose(view(match, 2), 0) == Claim(2)
    with pytest.raises(ValueError, match="nothing is asked"):
        strong.choose(view(match, 3), 0)


def test_a_view_that_makes_no_deal_still_gets_a_legal_card():
    match = dealt(6, Contract.ROSES)
    broken = view(replace(match, hands=(match.hands[0], 0, 0, 0)), 0)
    assert strong.choose(broken, 1, None, 5).card in broken.legal.cards


def test_it_overtakes_with_certainty_rather_than_hope():
    # Last to play on a rich trick of the opponents', with a boss that wins it and a low card that does not.
    match = dealt(7, Contract.OBENABE)
    hands = (hand("SA S6 E7"), hand("E6 E8 E9"), hand("ET EU B6"), hand("EO B8 B9"))
    lying = tuple(map(parse_card, ("SK", "ST", "S9")))
    hands = (hands[0], hand("E6 E8"), hand("ET EU"), hand("EO B8"))
    seen = set(lying) | {card for held in hands for card in range(36) if held >> card & 1}
    gone = [card for card in range(36) if card not in seen]
    tricks = tuple(Trick(1, tuple(gone[4 * n : 4 * n + 4]), 1, 0) for n in range(6))
    match = replace(match, hands=hands, table=lying, leader=1, tricks=tricks)
    assert strong.choose(view(match, 0), 1, None, 20) == PlayCard(0, parse_card("SA"))


def test_with_a_number_of_worlds_it_is_the_same_everywhere():
    seen = view(dealt(8, Contract.BELLS), 0)
    answers = {strong.choose(seen, 3, budget_ms=None, worlds=12) for _ in range(3)}
    assert len(answers) == 1


@pytest.mark.parametrize("budget_ms", [2, 10])
def test_it_keeps_to_its_budget(budget_ms):
    spent = []
    match = dealt(9)
    while match.phase is not Phase.DEAL and len(spent) < 25:
        due = pending(match)[0]
        seen = view(match, due.seat)
        begun = time.thread_time()
        command = strong.choose(seen, 1, budget_ms=budget_ms)
        if due.kind is not PendingKind.WEIS:
            spent.append(1000 * (time.thread_time() - begun))
        match = replay(match, decide(match, command))
    # The median, for one garbage collection says nothing of the bot.
    assert sorted(spent)[len(spent) // 2] < 2 * budget_ms


def test_a_race_drops_who_is_clearly_behind_and_stops_when_one_is_left():
    tried = []

    def value(world, candidate):
        tried.append(candidate)
        return candidate + world

    rng = random.Random(1)
    best, means = race([1, 5, 3], rng.random, value, Budget(worlds=500))
    assert best == 5
    assert means[1] > means[2] > means[0]
    assert len(tried) == 3 * 16, "the gap is the same in every world, so the first cut decides"


def test_a_race_without_time_still_tries_each_once():
    tried = []
    race("ab", lambda: None, lambda _, each: tried.append(each) or 0.0, Budget(cpu_ms=0))
    assert tried == ["a", "b"]


@pytest.mark.parametrize(("budget_ms", "worlds"), [(-1.0, None), (float("nan"), None), (None, 0), (50.0, -3)])
def test_a_budget_that_is_none_is_refused(budget_ms, worlds):
    with pytest.raises(ValueError, match="a budget is"):
        strong.choose(view(dealt(1), 0), 1, budget_ms, worlds)


def test_without_a_limit_one_deal_is_looked_at():
    drawn: list[None] = []
    race("ab", lambda: drawn.append(None), lambda _, each: float(each == "b"), Budget())
    assert len(drawn) == 1
