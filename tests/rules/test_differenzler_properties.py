"""What holds in every Differenzler under every combination of options, by hypothesis and by random play."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule, run_state_machine_as_test

from jasshaus.rules.core.options import Announcements, FirstForehand, TieRoundEligible, Undertrump, rule_set
from jasshaus.rules.core.refusals import Reason
from jasshaus.rules.differenzler import (
    Announce,
    PenaltiesScored,
    PendingKind,
    RoundsEnded,
    StartDeal,
    decide,
    new_match,
    replay,
)
from rules.invariants import SETTINGS, Machine, check_ended
from rules.layouts import SUITS_APART
from sizes import scaled

OPTIONS = st.fixed_dictionaries(
    {
        "rounds": st.integers(1, 3),
        "announcements": st.sampled_from(Announcements),
        "undertrump": st.sampled_from(Undertrump),
        "exact_bonus": st.sampled_from([0, 10]),
        "tie_round_eligible": st.sampled_from(TieRoundEligible),
        "live_points": st.booleans(),
        "first_forehand": st.sampled_from(FirstForehand),
    }
)


def check_score(score: PenaltiesScored, before: tuple[int, ...], exact_bonus: int) -> None:
    """Count again, sentence by sentence of docs/rules.md."""
    assert sum(score.made) == 157
    assert all(0 <= points <= 157 for points in score.announced)
    for seat in range(4):
        expected = abs(score.made[seat] - score.announced[seat])
        if expected == 0 and score.announced[seat] != 0:
            expected -= exact_bonus
        assert score.penalties[seat] == expected
        assert score.totals[seat] == before[seat] + expected


class DifferenzlerMachine(Machine):
    """Legal commands in any order, under drawn options."""

    @initialize(options=OPTIONS)
    def sit_down(self, options):
        self.sit_down_at(rule_set("differenzler-classic", options))

    def saw(self, event, before):
        if isinstance(event, PenaltiesScored):
            check_score(event, before.totals, before.rules.exact_bonus)

    @precondition(lambda self: self.due(PendingKind.ANNOUNCEMENT))
    @rule(data=st.data(), points=st.sampled_from([0, 0, 157]) | st.integers(0, 157), rest=st.booleans())
    def announce(self, data, points, rest):
        """Announce, and perhaps let all the others announce the same: that is how ties come about."""
        seat = data.draw(st.sampled_from(self.due(PendingKind.ANNOUNCEMENT)))
        self.do(Announce(seat, points))
        while rest and self.due(PendingKind.ANNOUNCEMENT):
            self.do(Announce(self.due(PendingKind.ANNOUNCEMENT)[0], points))

    @invariant()
    def the_trump_card_is_where_it_was_shown(self):
        if hasattr(self, "match") and self.match.deal:
            assert self.match.dealt[self.match.trump_holder] >> self.match.trump_card & 1


def test_any_differenzler_ends_and_refuses_what_is_not_legal():
    run_state_machine_as_test(DifferenzlerMachine, settings=SETTINGS)
    assert DifferenzlerMachine.ends.total() >= 80
    assert sum(deals * matches for deals, matches in DifferenzlerMachine.scored.items()) >= 120
    assert max(DifferenzlerMachine.scored) > 1, "no match of more than a deal"
    assert {reason for reason in Reason if "announcement" in reason} <= set(DifferenzlerMachine.met)
    assert {Reason.DECK_INVALID, Reason.CARD_NOT_IN_HAND, Reason.DEAL_NOT_DUE} <= set(DifferenzlerMachine.met)


def test_random_matches_end_with_one_winner_and_replay_to_the_same_state(random_differenzler_rules, play):
    for seed in range(scaled(300)):
        rng = random.Random(seed)
        rules = random_differenzler_rules(rng)
        played = play(rng, rules)
        check_ended(played)
        scores = [event for event in played.events if isinstance(event, PenaltiesScored)]
        before = (0, 0, 0, 0)
        for score in scores:
            check_score(score, before, rules.exact_bonus)
            before = score.totals
        assert played.match.outcome == RoundsEnded(literal_winner(scores, rules), scores[-1].totals)


@pytest.mark.parametrize("eligible", TieRoundEligible)
def test_tie_rounds_go_on_until_one_winner_is_left(eligible, random_command):
    tie_rounds = 0
    for seed in range(60):
        rng = random.Random(seed)
        match = new_match(rule_set("differenzler-classic", {"rounds": 1, "tie_round_eligible": eligible}))
        scores = []
        while match.outcome is None:
            command = random_command(rng, match)
            if isinstance(command, StartDeal):
                # The dealer makes all 157 points and the others none, so few totals are possible.
                command = replace(command, deck=SUITS_APART)
            elif isinstance(command, Announce):
                command = replace(command, points=rng.choice([0, 10]))
            events = decide(match, command)
            match = replay(match, events)
            scores += [event for event in events if isinstance(event, PenaltiesScored)]
        assert match.outcome.winner == literal_winner(scores, match.rules)
        tie_rounds += len(scores) - 1
    assert tie_rounds > 40


def literal_winner(scores: list[PenaltiesScored], rules) -> int:
    """Find the winner from the totals alone, and that no deal was played too many."""
    able = {0, 1, 2, 3}
    for score in scores[rules.rounds - 1 :]:
        least = min(score.totals[seat] for seat in able)
        tied = {seat for seat in able if score.totals[seat] == least}
        if len(tied) == 1:
            assert score is scores[-1]
            return tied.pop()
        if rules.tie_round_eligible is TieRoundEligible.TIED_ONLY:
            able = tied
    raise AssertionError("ended without a winner")
