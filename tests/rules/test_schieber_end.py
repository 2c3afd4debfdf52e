"""Stöck and the end of a Schieber match, rule by rule, on hands laid out for the purpose."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.options import rule_set
from jasshaus.rules.core.weis import ShownWeis, Weis, WeisKind
from jasshaus.rules.schieber import (
    CardPlayed,
    Claim,
    Claimed,
    DealScored,
    EndedBy,
    Match,
    MatchEnded,
    Phase,
    PlayCard,
    Reason,
    StoeckScored,
    TrickWon,
    claimants,
    decide,
    legal_actions,
    scoring,
)
from rules.layouts import card, hand, refusal, run
from rules.schieber_layouts import between_tricks, play_round, playing, reaching, trick, whole_deal

# Stöck


def stoeck_in_last_trick(**options: object) -> Match:
    """Stop before the last card of a deal: seat 3's acorn king, its ober played before."""
    pair = hand("EO EK")
    tricks = tuple(trick(0, 17) for _ in range(8))
    return between_tricks(
        rule_set("schieber-classic", options),
        Contract.ACORNS,
        tricks,
        dealt=(0, 0, 0, pair),
        hands=(0, 0, 0, hand("EK")),
        table=(card("R6"), card("R7"), card("R8")),
    )


def test_a_stoeck_completed_by_the_last_card_of_the_deal_counts():
    match = stoeck_in_last_trick(stoeck_timing="second_card", finish="automatic")
    events = decide(match, PlayCard(3, card("EK")))
    assert [type(event) for event in events] == [CardPlayed, StoeckScored, TrickWon, DealScored]
    assert events[-1].stoeck == (0, 20)


def test_a_stoeck_in_mid_trick_ends_the_match_and_the_cards_on_the_table_count_nothing():
    match = replace(stoeck_in_last_trick(stoeck_timing="second_card", finish="automatic"), totals=(0, 2480))
    events = decide(match, PlayCard(3, card("EK")))
    assert [type(event) for event in events] == [CardPlayed, StoeckScored, MatchEnded]
    assert (events[-1].winner, events[-1].by, events[-1].totals) == (1, EndedBy.STOECK, (136, 2500))


def test_with_timing_end_the_stoeck_stays_silent_until_the_deal_is_scored():
    events = decide(stoeck_in_last_trick(), PlayCard(3, card("EK")))
    assert [type(event) for event in events] == [CardPlayed, TrickWon, StoeckScored, DealScored]
    ober_before = replace(stoeck_in_last_trick(), tricks=tuple(trick(0, 17) for _ in range(4)))
    assert [type(event) for event in decide(ober_before, PlayCard(3, card("EK")))] == [CardPlayed, TrickWon]


def test_an_unplayed_stoeck_counts_where_it_makes_its_side_reach():
    rules = rule_set(
        "schieber-classic", {"stoeck_timing": "second_card", "finish": "automatic", "target": 1000}
    )
    held = (0, hand("EO EK"), 0, 0)
    match = between_tricks(
        rules, Contract.ACORNS, (trick(0, 10), trick(1, 15)), totals=(0, 970), dealt=held, hands=held
    )
    scored, ended = scoring.ending_after_trick(match)
    assert scored == StoeckScored(1, 20)
    assert (ended.winner, ended.by, ended.totals) == (1, EndedBy.STOECK, (10, 1005))
    far = replace(match, totals=(0, 960))
    assert scoring.ending_after_trick(far) == ()


def test_an_unplayed_stoeck_that_is_not_needed_stays_unscored():
    rules = rule_set(
        "schieber-classic", {"stoeck_timing": "second_card", "finish": "automatic", "target": 1000}
    )
    held = (0, hand("EO EK"), 0, 0)
    match = between_tricks(
        rules, Contract.ACORNS, (trick(0, 10), trick(1, 30)), totals=(0, 970), dealt=held, hands=held
    )
    (ended,) = scoring.ending_after_trick(match)
    assert (ended.by, ended.totals) == (EndedBy.AUTOMATIC, (10, 1000))


@pytest.mark.parametrize("contract", [Contract.OBENABE, Contract.UNENUFE, Contract.ROSES])
def test_king_and_ober_of_no_trump_suit_are_no_stoeck(contract):
    match = between_tricks(
        rule_set("schieber-classic"),
        contract,
        (trick(0, 0),),
        dealt=(hand("EO EK"), hand("RK"), hand("RO"), 0),
    )
    assert scoring.count(match, unplayed_stoeck=True).stoeck == (0, 0)


# The end of a match


@pytest.mark.parametrize("seat", [0, 2])
@pytest.mark.parametrize("score", [10, 999, 1000, 1400])
def test_claim_is_offered_to_both_partners_whatever_the_score(seat, score):
    match = reaching(score)
    assert claimants(match) == (0, 2)
    assert legal_actions(match, seat).can_claim
    assert not legal_actions(match, 1).can_claim


@pytest.mark.parametrize(("score", "winner", "by"), [(1000, 0, EndedBy.CLAIM), (999, 1, EndedBy.FALSE_CLAIM)])
def test_a_claim_wins_or_loses_the_match(score, winner, by):
    claimed, ended = decide(reaching(score, other=1200), Claim(2))
    assert claimed == Claimed(2, success=winner == 0)
    assert (ended.winner, ended.by, ended.totals) == (winner, by, (score, 1200))


def test_the_second_of_two_claims_finds_the_match_ended():
    match = run(reaching(1000), Claim(0))
    assert refusal(match, Claim(2)) is Reason.MATCH_ENDED
    assert match.claimed_by == 0


@pytest.mark.parametrize("counts", [True, False])
def test_a_claim_counts_an_unplayed_stoeck_where_the_option_says_so(counts):
    held = (0, 0, hand("EO EK"), 0)
    match = replace(reaching(980, claim_counts_unplayed_stoeck=counts), dealt=held, hands=held)
    events = decide(match, Claim(0))
    assert events[0].success == counts
    assert (StoeckScored(2, 20) in events) == counts
    assert events[-1].totals == ((1000, 0) if counts else (980, 0))


def test_a_claim_counts_the_sides_weis():
    match = replace(reaching(950), weis_scored=(ShownWeis(2, Weis(WeisKind.RUN, 0b1111), 50),))
    assert decide(match, Claim(0))[0].success


def test_claim_when_any_lets_the_other_side_claim_too():
    assert claimants(reaching(500, claim_when="any")) == (0, 1, 2, 3)


def test_the_time_to_claim_is_from_the_end_of_a_trick_to_the_next_lead():
    match = playing()
    assert claimants(match) == ()
    match = play_round(match, "E6", "R6", "S6")
    assert claimants(match) == ()
    match = play_round(match, "B6")
    assert claimants(match) == (0, 2)
    assert refusal(match, Claim(1)) is Reason.CLAIM_AFTER_OTHER_SIDES_TRICK
    match = play_round(match, "E7")
    assert refusal(match, Claim(0)) is Reason.CLAIM_NOT_NOW


def test_no_claim_after_trick_9():
    match = whole_deal(playing())
    assert (match.phase, claimants(match)) == (Phase.DEAL, ())


@pytest.mark.parametrize(
    ("stoeck", "weis_side", "trick_side", "winner", "by"),
    [
        (1, 0, 0, 1, EndedBy.STOECK),
        (None, 1, 0, 1, EndedBy.WEIS),
        (0, 1, 1, 0, EndedBy.STOECK),
    ],
)
@pytest.mark.parametrize("finish", ["claim", "automatic"])
def test_both_over_after_trick_1_goes_stoeck_weis_stich(finish, stoeck, weis_side, trick_side, winner, by):
    rules = rule_set("schieber-classic", {"target": 1000, "finish": finish, "stoeck_timing": "second_card"})
    held = tuple(hand("EO EK") if seat == stoeck else 0 for seat in range(4))
    match = between_tricks(
        rules,
        Contract.ACORNS,
        (trick(trick_side, 20),),
        totals=(985, 985),
        dealt=held,
        hands=held,
        weis_scored=(ShownWeis(weis_side, Weis(WeisKind.RUN, 0b111), 20),),
    )
    events = scoring.ending_after_trick(match)
    assert (events[-1].winner, events[-1].by) == (winner, by)


def test_one_side_over_after_trick_1_ends_nothing_under_claim():
    rules = rule_set("schieber-classic", {"target": 1000})
    match = between_tricks(rules, Contract.ACORNS, (trick(0, 20),), totals=(985, 500))
    assert scoring.ending_after_trick(match) == ()


def test_both_over_after_a_later_trick_ends_nothing_under_claim():
    assert scoring.ending_after_trick(reaching(1000, other=1000)) == ()


@pytest.mark.parametrize(
    ("totals", "last", "winner"),
    [
        ((1000, 999), 1, 0),
        ((1200, 1000), 1, 1),
        ((1000, 1200), 0, 0),
        ((999, 1000), 0, 1),
        ((999, 999), 0, None),
    ],
)
def test_after_a_deal_the_side_of_the_last_trick_is_counted_first(totals, last, winner):
    rules = rule_set("schieber-classic", {"target": 1000})
    match = between_tricks(rules, Contract.ACORNS, (trick(last, 0),), totals=totals)
    ended = scoring.ending_after_deal(match)
    assert (ended.winner if ended else None) == winner


@pytest.mark.parametrize(("loser", "schneider"), [(1499, True), (1500, False)])
def test_schneider_is_below_the_limit(loser, schneider):
    rules = rule_set("schieber-3000")
    match = between_tricks(rules, Contract.ACORNS, (trick(0, 0),), totals=(3000, loser))
    assert scoring.ending_after_deal(match).schneider == schneider
