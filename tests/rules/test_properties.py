"""What holds in every match under every combination of options, by hypothesis and by random play."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from jasshaus.rules.cards import FULL_DECK, Contract, mask_of
from jasshaus.rules.options import (
    ClaimWhen,
    Finish,
    FirstForehand,
    StoeckTiming,
    Undertrump,
    UnePoints,
    WeisAward,
    WeisDeclaration,
    WeisTable,
    WeisTiebreak,
    WeisWhen,
    applicable,
    rule_set,
)
from jasshaus.rules.schieber import (
    ChooseContract,
    Claim,
    DealScored,
    DeclareWeis,
    EndedBy,
    Match,
    MatchEnded,
    PendingKind,
    PlayCard,
    Push,
    RuleViolation,
    StartDeal,
    claimants,
    decide,
    legal_actions,
    new_match,
    pending,
    replay,
)

OPTIONS = st.fixed_dictionaries(
    {
        "target": st.sampled_from([100, 200, 600]),
        "schneider_below": st.sampled_from([None, 100]),
        "multipliers": st.tuples(*[st.integers(1, 6)] * 6),
        "match_bonus": st.sampled_from([0, 100]),
        "undertrump": st.sampled_from(Undertrump),
        "une_points": st.sampled_from(UnePoints),
        "four_nines": st.sampled_from([0, 150]),
        "low_quartets": st.sampled_from([0, 100]),
        "weis_table": st.sampled_from(WeisTable),
        "weis_declaration": st.sampled_from(WeisDeclaration),
        "weis_when": st.sampled_from(WeisWhen),
        "weis_award": st.sampled_from(WeisAward),
        "weis_tiebreak": st.sampled_from(WeisTiebreak),
        "weis_shared": st.booleans(),
        "weis_split_runs": st.booleans(),
        "weis_needs_trick": st.booleans(),
        "une_weis_reversed": st.booleans(),
        "stoeck_timing": st.sampled_from(StoeckTiming),
        "finish": st.sampled_from(Finish),
        "claim_when": st.sampled_from(ClaimWhen),
        "claim_counts_unplayed_stoeck": st.booleans(),
        "live_points": st.booleans(),
        "first_forehand": st.sampled_from(FirstForehand),
    }
)


def check_cards(match: Match) -> None:
    """No card twice, none lost, hands of the right size."""
    if match.deal == 0:
        return
    played = [card for trick in match.tricks for card in trick.cards] + list(match.table)
    held = sum(hand.bit_count() for hand in match.hands)
    assert len(played) + held == 36
    assert mask_of(played) | match.hands[0] | match.hands[1] | match.hands[2] | match.hands[3] == FULL_DECK


def check_legal_is_accepted_and_the_rest_refused(match: Match) -> None:
    """Ask `decide` about every card and action of every seat and compare with what is offered."""
    for seat in range(4):
        legal = legal_actions(match, seat)
        asked = [(PlayCard(seat, card), card in legal.cards) for card in range(36)]
        asked += [(ChooseContract(seat, contract), contract in legal.contracts) for contract in Contract]
        asked += [(Push(seat), legal.can_push), (Claim(seat), legal.can_claim)]
        asked += [(DeclareWeis(seat, weis), legal.can_declare_weis) for weis in ((), legal.weis_recommended)]
        for command, offered in asked:
            if offered:
                assert decide(match, command)
            else:
                with pytest.raises(RuleViolation):
                    decide(match, command)
        assert set(legal.illegal).isdisjoint(legal.cards)
        assert mask_of([*legal.illegal, *legal.cards]) == match.hands[seat]


def check_score(score: DealScored, match: Match) -> None:
    assert sum(score.card_points) == 157
    assert score.totals == match.totals or match.outcome is not None
    for side in (0, 1):
        parts = score.card_points[side] + score.weis[side] + score.stoeck[side] + score.match_bonus[side]
        assert score.score[side] == parts * score.multiplier
    assert min(score.weis) == min(score.stoeck) == min(score.match_bonus) == 0, (
        "one side alone has each of these"
    )


class SchieberMachine(RuleBasedStateMachine):
    """Legal commands in any order, under drawn options."""

    match: Match

    @initialize(options=OPTIONS)
    def sit_down(self, options):
        shape = {name: options[name] for name in ("finish", "weis_declaration")}
        meaningful = applicable(rule_set("schieber-classic", shape))
        rules = rule_set("schieber-classic", {name: options[name] for name in options if name in meaningful})
        self.match = self.start = new_match(rules)
        self.events = []

    def do(self, command):
        events = decide(self.match, command)
        assert events
        self.match = replay(self.match, events)
        self.events += events
        for event in events:
            if isinstance(event, DealScored):
                check_score(event, self.match)

    def due(self, kind):
        return [each.seat for each in pending(self.match) if each.kind is kind]

    @precondition(lambda self: self.due(PendingKind.DEAL))
    @rule(deck=st.permutations(range(36)), forehand=st.integers(0, 3))
    def deal(self, deck, forehand):
        drawn = self.match.deal == 0 and self.match.rules.first_forehand is FirstForehand.RANDOM
        self.do(StartDeal(tuple(deck), forehand if drawn else None))

    @precondition(lambda self: self.due(PendingKind.CONTRACT))
    @rule(contract=st.sampled_from(Contract), push=st.booleans())
    def choose(self, contract, push):
        (seat,) = self.due(PendingKind.CONTRACT)
        self.do(Push(seat) if push and not self.match.pushed else ChooseContract(seat, contract))

    @precondition(lambda self: self.due(PendingKind.WEIS))
    @rule(data=st.data())
    def declare(self, data):
        seat = data.draw(st.sampled_from(self.due(PendingKind.WEIS)))
        legal = legal_actions(self.match, seat)
        lists = [(), legal.weis_recommended, *((weis,) for weis in legal.weis)]
        self.do(DeclareWeis(seat, data.draw(st.sampled_from(lists))))

    @precondition(lambda self: self.due(PendingKind.CARD))
    @rule(choice=st.integers(0, 8), tricks=st.integers(0, 8))
    def play(self, choice, tricks):
        """Play a card, and then so many cards more by the same choice: deals would be too long otherwise."""
        for _ in range(1 + tricks):
            if not self.due(PendingKind.CARD):
                return
            (seat,) = self.due(PendingKind.CARD)
            cards = legal_actions(self.match, seat).cards
            self.do(PlayCard(seat, cards[choice % len(cards)]))

    @precondition(lambda self: claimants(self.match))
    @rule(choice=st.integers(0, 3))
    def claim(self, choice):
        seats = claimants(self.match)
        self.do(Claim(seats[choice % len(seats)]))

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


TestSchieberMachine = SchieberMachine.TestCase
TestSchieberMachine.settings = settings(
    max_examples=80,
    stateful_step_count=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def test_random_matches_end_with_one_winner_and_replay_to_the_same_state(random_rules, play):
    ways = set()
    for seed in range(250):
        rng = random.Random(seed)
        rules = random_rules(rng)
        played = play(rng, rules, claims=0.01)
        match, outcome = played.match, played.match.outcome
        assert replay(played.start, played.events) == match
        assert [event for event in played.events if isinstance(event, MatchEnded)] == [outcome]
        assert played.events[-1] == outcome
        if outcome.by is not EndedBy.FALSE_CLAIM:
            assert match.totals[outcome.winner] >= rules.target
        for event in played.events:
            if isinstance(event, DealScored):
                check_score(event, match)
        check_cards(match)
        assert pending(match) == ()
        assert claimants(match) == ()
        ways.add(outcome.by)
    assert ways == set(EndedBy)


def test_what_is_offered_is_what_is_accepted_in_random_play(random_rules, random_command):
    for seed in range(25):
        rng = random.Random(seed)
        match = new_match(random_rules(rng))
        while match.outcome is None and match.deal < 2:
            match = replay(match, decide(match, random_command(rng, match, claims=0)))
            if rng.random() < 0.25:
                check_legal_is_accepted_and_the_rest_refused(match)


def test_points_stay_out_of_every_event_of_a_deal_without_live_points(play, random_rules):
    for seed in range(40):
        rng = random.Random(seed)
        rules = random_rules(rng)
        points = [event.points for event in play(rng, rules).events if type(event).__name__ == "TrickWon"]
        assert all((each is not None) == rules.live_points for each in points)
