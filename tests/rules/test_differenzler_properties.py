"""What holds in every Differenzler under every combination of options, by hypothesis and by random play."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from jasshaus.rules.cards import FULL_DECK, mask_of
from jasshaus.rules.differenzler import (
    Announce,
    Match,
    PenaltiesScored,
    PendingKind,
    PlayCard,
    RoundsEnded,
    RuleViolation,
    StartDeal,
    decide,
    legal_actions,
    new_match,
    pending,
    points_made,
    replay,
)
from jasshaus.rules.options import Announcements, FirstForehand, TieRoundEligible, Undertrump, rule_set
from rules.layouts import SUITS_APART

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


def check_cards(match: Match) -> None:
    """No card twice, none lost; the trump card where it was shown; never more than 157 points."""
    if match.deal == 0:
        return
    played = [card for trick in match.tricks for card in trick.cards] + list(match.table)
    held = sum(hand.bit_count() for hand in match.hands)
    assert len(played) + held == 36
    assert mask_of(played) | match.hands[0] | match.hands[1] | match.hands[2] | match.hands[3] == FULL_DECK
    assert match.dealt[match.trump_holder] >> match.trump_card & 1
    assert sum(points_made(match)) <= 157


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


def check_legal_is_accepted_and_the_rest_refused(match: Match) -> None:
    for seat in range(4):
        legal = legal_actions(match, seat)
        asked = [(PlayCard(seat, card), card in legal.cards) for card in range(36)]
        asked += [(Announce(seat, points), legal.can_announce) for points in (0, 80, 157)]
        asked += [(Announce(seat, points), False) for points in (-1, 158)]
        for command, offered in asked:
            if offered:
                assert decide(match, command)
            else:
                with pytest.raises(RuleViolation):
                    decide(match, command)
        assert set(legal.illegal).isdisjoint(legal.cards)
        assert mask_of([*legal.illegal, *legal.cards]) == match.hands[seat]


class DifferenzlerMachine(RuleBasedStateMachine):
    """Legal commands in any order, under drawn options."""

    match: Match

    @initialize(options=OPTIONS)
    def sit_down(self, options):
        self.match = self.start = new_match(rule_set("differenzler-classic", options))
        self.events = []

    def do(self, command):
        before = self.match.totals
        events = decide(self.match, command)
        assert events
        self.match = replay(self.match, events)
        self.events += events
        for event in events:
            if isinstance(event, PenaltiesScored):
                check_score(event, before, self.match.rules.exact_bonus)

    def due(self, kind):
        return [each.seat for each in pending(self.match) if each.kind is kind]

    @precondition(lambda self: self.due(PendingKind.DEAL))
    @rule(deck=st.permutations(range(36)), forehand=st.integers(0, 3))
    def deal(self, deck, forehand):
        drawn = self.match.deal == 0 and self.match.rules.first_forehand is FirstForehand.RANDOM
        self.do(StartDeal(tuple(deck), forehand if drawn else None))

    @precondition(lambda self: self.due(PendingKind.ANNOUNCEMENT))
    @rule(data=st.data(), points=st.sampled_from([0, 0, 157]) | st.integers(0, 157), rest=st.booleans())
    def announce(self, data, points, rest):
        """Announce, and perhaps let all the others announce the same: that is how ties come about."""
        seat = data.draw(st.sampled_from(self.due(PendingKind.ANNOUNCEMENT)))
        self.do(Announce(seat, points))
        while rest and self.due(PendingKind.ANNOUNCEMENT):
            self.do(Announce(self.due(PendingKind.ANNOUNCEMENT)[0], points))

    @precondition(lambda self: self.due(PendingKind.CARD))
    @rule(choice=st.integers(0, 8), tricks=st.integers(0, 35))
    def play(self, choice, tricks):
        """Play a card, and then so many cards more by the same choice: deals would be too long otherwise."""
        for _ in range(1 + tricks):
            if not self.due(PendingKind.CARD):
                return
            (seat,) = self.due(PendingKind.CARD)
            cards = legal_actions(self.match, seat).cards
            self.do(PlayCard(seat, cards[choice % len(cards)]))

    @rule()
    def ask_everything(self):
        check_legal_is_accepted_and_the_rest_refused(self.match)

    @invariant()
    def cards_are_conserved(self):
        if hasattr(self, "match"):
            check_cards(self.match)

    def teardown(self):
        if hasattr(self, "match"):
            assert replay(self.start, self.events) == self.match


TestDifferenzlerMachine = DifferenzlerMachine.TestCase
TestDifferenzlerMachine.settings = settings(
    max_examples=80,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def test_random_matches_end_with_one_winner_and_replay_to_the_same_state(random_differenzler_rules, play):
    for seed in range(300):
        rng = random.Random(seed)
        rules = random_differenzler_rules(rng)
        played = play(rng, rules)
        match, outcome = played.match, played.match.outcome
        assert replay(played.start, played.events) == match
        assert [event for event in played.events if isinstance(event, RoundsEnded)] == [outcome]
        scores = [event for event in played.events if isinstance(event, PenaltiesScored)]
        before = (0, 0, 0, 0)
        for score in scores:
            check_score(score, before, rules.exact_bonus)
            before = score.totals
        assert outcome == RoundsEnded(literal_winner(scores, rules), scores[-1].totals)
        check_cards(match)
        assert pending(match) == ()


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


def test_what_is_offered_is_what_is_accepted_in_random_play(random_differenzler_rules, random_command):
    for seed in range(25):
        rng = random.Random(seed)
        match = new_match(random_differenzler_rules(rng))
        while match.outcome is None and match.deal < 2:
            match = replay(match, decide(match, random_command(rng, match)))
            if rng.random() < 0.25:
                check_legal_is_accepted_and_the_rest_refused(match)
