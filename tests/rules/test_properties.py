"""What holds in every Schieber under every combination of options, by hypothesis and by random play."""

from __future__ import annotations

import random

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule, run_state_machine_as_test

from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.options import (
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
from jasshaus.rules.core.refusals import Reason
from jasshaus.rules.registry import advance, claimants, legal_actions, new_match, pending
from jasshaus.rules.schieber import (
    ChooseContract,
    Claim,
    DealScored,
    DeclareWeis,
    EndedBy,
    Match,
    PendingKind,
    Push,
)
from rules.invariants import SETTINGS, Machine, check_ended, check_offers
from sizes import scaled

OPTIONS = st.fixed_dictionaries(
    {
        "target": st.sampled_from([100, 300, 1000]),
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


#: What the machine must have been refused for, or it has not asked.
MET = {
    Reason.DEAL_NOT_DUE,
    Reason.DECK_INVALID,
    Reason.CANNOT_PUSH_BACK,
    Reason.WEIS_NOT_A_COMBINATION,
    Reason.WEIS_NOT_IN_HAND,
    Reason.WEIS_SHARES_CARD,
    Reason.WEIS_TOO_LATE,
    Reason.CARD_NOT_IN_HAND,
    Reason.CLAIM_NOT_PLAYED,
    Reason.CLAIM_NOT_NOW,
}


def check_score(score: DealScored, match: Match) -> None:
    assert sum(score.card_points) == 157
    assert score.totals == match.totals or match.outcome is not None
    for side in (0, 1):
        parts = score.card_points[side] + score.weis[side] + score.stoeck[side] + score.match_bonus[side]
        assert score.score[side] == parts * score.multiplier
    assert min(score.weis) == min(score.stoeck) == min(score.match_bonus) == 0, (
        "one side alone has each of these"
    )


class SchieberMachine(Machine):
    """Legal commands in any order, under drawn options."""

    @initialize(options=OPTIONS)
    def sit_down(self, options):
        shape = {name: options[name] for name in ("finish", "weis_declaration")}
        meaningful = applicable(rule_set("schieber-classic", shape))
        chosen = {name: options[name] for name in options if name in meaningful}
        self.sit_down_at(rule_set("schieber-classic", chosen))

    def saw(self, event, before):
        if isinstance(event, DealScored):
            check_score(event, self.match)
            assert event.totals == tuple(map(sum, zip(before.totals, event.score, strict=True)))

    @precondition(lambda self: self.due(PendingKind.CONTRACT))
    @rule(contract=st.sampled_from(Contract), push=st.booleans())
    def choose(self, contract, push):
        (seat,) = self.due(PendingKind.CONTRACT)
        self.do(Push(seat) if push and not self.match.pushed else ChooseContract(seat, contract))

    def declarers(self):
        due = [each.seat for each in pending(self.match)]
        return [seat for seat in due if seat is not None and legal_actions(self.match, seat).can_declare_weis]

    @precondition(lambda self: self.declarers())
    @rule(data=st.data())
    def declare(self, data):
        seat = data.draw(st.sampled_from(self.declarers()))
        legal = legal_actions(self.match, seat)
        lists = [(), legal.weis_recommended, *((weis,) for weis in legal.weis)]
        self.do(DeclareWeis(seat, data.draw(st.sampled_from(lists))))

    @precondition(lambda self: claimants(self.match))
    @rule(choice=st.integers(0, 3))
    def claim(self, choice):
        seats = claimants(self.match)
        self.do(Claim(seats[choice % len(seats)]))


def test_any_schieber_ends_and_refuses_what_is_not_legal():
    run_state_machine_as_test(SchieberMachine, settings=SETTINGS)
    assert SchieberMachine.ends.total() >= 80
    assert set(SchieberMachine.ends) >= {EndedBy.DEAL, EndedBy.AUTOMATIC, EndedBy.CLAIM, EndedBy.FALSE_CLAIM}
    assert sum(deals * matches for deals, matches in SchieberMachine.scored.items()) >= 60
    assert max(SchieberMachine.scored) > 1, "no match of more than a deal"
    assert set(SchieberMachine.met) >= MET


def test_random_matches_end_with_one_winner_and_replay_to_the_same_state(random_rules, play):
    ways = set()
    for seed in range(scaled(250, least=60)):
        rng = random.Random(seed)
        rules = random_rules(rng)
        played = play(rng, rules, claims=0.01)
        outcome = played.match.outcome
        check_ended(played)
        if outcome.by is not EndedBy.FALSE_CLAIM:
            assert played.match.totals[outcome.winner] >= rules.target
        for event in played.events:
            if isinstance(event, DealScored):
                check_score(event, played.match)
        ways.add(outcome.by)
    assert ways == set(EndedBy)


def test_what_is_offered_is_what_is_accepted_in_random_play(
    random_rules, random_differenzler_rules, random_command
):
    for seed in range(50):
        rng = random.Random(seed)
        match = new_match(random_rules(rng) if seed % 2 else random_differenzler_rules(rng))
        while match.outcome is None and match.deal < 2:
            match, _ = advance(match, random_command(rng, match, claims=0))
            if rng.random() < 0.25:
                check_offers(match)


def test_points_stay_out_of_every_event_of_a_deal_without_live_points(play, random_rules):
    for seed in range(40):
        rng = random.Random(seed)
        rules = random_rules(rng)
        points = [event.points for event in play(rng, rules).events if type(event).__name__ == "TrickWon"]
        assert all((each is not None) == rules.live_points for each in points)
