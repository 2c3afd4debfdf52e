"""One set of names for both games."""

from __future__ import annotations

import random

import pytest

from jasshaus.rules import differenzler, registry, schieber
from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.options import PRESETS, rule_set
from jasshaus.rules.core.refusals import Reason, RuleViolation
from jasshaus.rules.differenzler import View as DifferenzlerView
from jasshaus.rules.schieber import View

FOREIGN = {
    "schieber-classic": [differenzler.Announce(0, 40)],
    "differenzler-classic": [
        schieber.Push(0),
        schieber.ChooseContract(0, Contract.ACORNS),
        schieber.DeclareWeis(0),
        schieber.Claim(0),
    ],
}


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rule_set_decides_which_game_it_is(preset):
    match = registry.new_match(rule_set(preset))
    assert isinstance(match, differenzler.Match if "differenzler" in preset else schieber.Match)
    assert isinstance(registry.view(match, 0), DifferenzlerView if "differenzler" in preset else View)
    assert registry.winning_seats(match) == ()


@pytest.mark.parametrize(("preset", "command"), [(p, c) for p, commands in FOREIGN.items() for c in commands])
def test_an_action_of_the_other_game_is_refused(preset, command):
    with pytest.raises(RuleViolation) as refused:
        registry.decide(registry.new_match(rule_set(preset)), command)
    assert refused.value.reason is Reason.ACTION_NOT_PLAYED


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_goes_through_these_names_to_its_winners(preset, play):
    played = play(random.Random(3), rule_set(preset), claims=0)
    assert registry.replay(played.start, played.events) == played.match
    winner = played.match.outcome.winner
    assert registry.winning_seats(played.match) == (
        (winner,) if "differenzler" in preset else (winner, winner + 2)
    )
    match = played.start
    for command in played.commands:
        match = registry.replay(match, registry.decide(match, command))
    assert match == played.match
    assert (registry.pending(played.match), registry.claimants(played.match)) == ((), ())
