"""The course of a Schieber match, rule by rule, on hands laid out for the purpose."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from jasshaus.rules import scoring
from jasshaus.rules.cards import Contract
from jasshaus.rules.options import RuleSet, rule_set
from jasshaus.rules.schieber import (
    CardPlayed,
    ChooseContract,
    Claim,
    Claimed,
    DealScored,
    DeclareWeis,
    EndedBy,
    Match,
    MatchEnded,
    Pending,
    PendingKind,
    Phase,
    PlayCard,
    Push,
    Reason,
    StartDeal,
    StoeckScored,
    Trick,
    TrickWon,
    WeisDeclared,
    WeisScored,
    claimants,
    decide,
    legal_actions,
    new_match,
    pending,
    replay,
)
from jasshaus.rules.weis import ShownWeis, Weis, WeisKind, weis_of
from rules.layouts import SUITS_APART, card, deck_of, hand, refusal, run


def weis(text: str) -> Weis:
    made = weis_of(hand(text))
    assert made is not None
    return made


def started(rules: RuleSet | None = None, deck: tuple[int, ...] = SUITS_APART) -> Match:
    return run(new_match(rules or rule_set("schieber-classic")), StartDeal(deck, 0))


def playing(
    contract: Contract = Contract.ACORNS, deck: tuple[int, ...] = SUITS_APART, **options: object
) -> Match:
    """Start a deal with forehand 0 and nothing declared, ready for the first lead."""
    match = run(started(rule_set("schieber-classic", options), deck), ChooseContract(0, contract))
    return run(match, *(DeclareWeis(seat) for seat in range(4)))


def play_round(match: Match, *texts: str) -> Match:
    for text in texts:
        match = run(match, PlayCard(match.player, card(text)))
    return match


def trick(seat: int, points: int) -> Trick:
    return Trick(leader=seat, cards=(0, 1, 2, 3), winner=seat, points=points)


def between_tricks(rules: RuleSet, contract: Contract, tricks: tuple[Trick, ...], **fields: object) -> Match:
    match = replace(new_match(rules), phase=Phase.PLAY, deal=1, forehand=0, contract=contract)
    return replace(match, tricks=tricks, leader=tricks[-1].winner, **fields)


# Dealing and contract


def test_the_first_forehand_is_data_and_later_ones_follow():
    match = run(new_match(rule_set("schieber-classic")), StartDeal(SUITS_APART, 2))
    assert (match.forehand, match.dealer, match.deal) == (2, 1, 1)
    assert match.hands[2] == hand("E6 E7 E8 E9 ET EU EO EK EA"), "the dealer's successor is dealt first"
    between = replace(match, phase=Phase.DEAL, tricks=(trick(0, 0),))
    assert run(between, StartDeal(SUITS_APART)).forehand == 3


@pytest.mark.parametrize("holder", range(4))
def test_rose7_is_forehand_wherever_it_lies(holder):
    rules = rule_set("schieber-3000")
    deck = list(SUITS_APART)
    place = deck.index(card("R7"))
    deck[place], deck[3 * holder] = deck[3 * holder], deck[place]
    match = run(new_match(rules), StartDeal(tuple(deck)))
    assert (match.forehand, match.leader, match.dealer) == (holder, holder, (holder + 3) % 4)


def test_forehand_leads_after_a_push_too():
    match = run(started(), Push(0))
    assert pending(match) == (Pending(2, PendingKind.CONTRACT),)
    assert not legal_actions(match, 2).can_push
    match = run(match, ChooseContract(2, Contract.BELLS))
    assert (match.leader, match.chooser, match.multiplier) == (0, 2, 2)


# Weis


def test_all_four_declare_before_the_lead_in_any_order():
    match = run(started(), ChooseContract(0, Contract.ACORNS))
    match = run(match, DeclareWeis(2), DeclareWeis(0), DeclareWeis(3))
    assert pending(match) == (Pending(1, PendingKind.WEIS),)
    assert refusal(match, PlayCard(0, card("E6"))) is Reason.WEIS_DUE
    match = run(match, DeclareWeis(1))
    assert pending(match) == (Pending(0, PendingKind.CARD),)


def test_each_declares_at_its_own_first_card():
    match = run(started(rule_set("schieber-partner")), ChooseContract(0, Contract.ACORNS))
    for seat, text in enumerate(("E6", "R6", "S6", "B6")):
        assert pending(match) == (Pending(seat, PendingKind.WEIS),)
        assert refusal(match, PlayCard(seat, card(text))) is Reason.WEIS_DUE
        match = run(match, DeclareWeis(seat))
        assert pending(match) == (Pending(seat, PendingKind.CARD),)
        match = run(match, PlayCard(seat, card(text)))
    assert len(match.tricks) == 1


def test_automatic_declarations_come_with_the_contract():
    rules = rule_set("schieber-3000", {"first_forehand": "random"})
    events = decide(started(rules), ChooseContract(0, Contract.ACORNS))
    declared = [event for event in events if isinstance(event, WeisDeclared)]
    assert [event.seat for event in declared] == [0, 1, 2, 3]
    assert [event.notices[0].points for event in declared] == [100] * 4
    match = replay(started(rules), events)
    assert pending(match) == (Pending(0, PendingKind.CARD),)
    assert refusal(match, DeclareWeis(0)) is Reason.WEIS_AUTOMATIC


def test_the_cards_of_the_weis_that_scored_are_shown_after_the_first_trick():
    match = run(started(), ChooseContract(0, Contract.ACORNS))
    match = run(match, DeclareWeis(0, (weis("E6 E7 E8"),)), DeclareWeis(1, (weis("RO RK RA"),)))
    match = run(match, DeclareWeis(2), DeclareWeis(3))
    match = play_round(match, "E6", "R6", "S6")
    events = decide(match, PlayCard(3, card("B6")))
    assert [type(event) for event in events] == [CardPlayed, TrickWon, WeisScored]
    scored = events[-1]
    assert (scored.side, scored.points) == (1, 20)
    assert scored.shown == (ShownWeis(1, weis("RO RK RA"), 20),)


def test_undeclared_weis_count_nothing():
    match = play_round(playing(), "E6", "R6", "S6", "B6")
    assert match.weis_scored == ()
    assert scoring.count(match).weis == (0, 0)


def test_recommended_and_single_candidates_are_offered_to_who_may_declare():
    match = run(started(), ChooseContract(0, Contract.ACORNS))
    legal = legal_actions(match, 1)
    assert legal.can_declare_weis
    assert legal.weis_recommended in {(each,) for each in legal.weis}
    assert len(legal.weis) == 28
    assert legal_actions(run(match, DeclareWeis(1)), 1).weis == ()


# Tricks, deal score


def whole_deal(match: Match) -> Match:
    rng = random.Random(3)
    while match.phase is Phase.PLAY:
        match = run(match, PlayCard(match.player, rng.choice(legal_actions(match, match.player).cards)))
    return match


def test_the_winner_of_a_trick_leads_the_next():
    deck = deck_of(
        [
            "E6 E7 E8 R9 RT RU S6 S7 S8",
            "E9 ET EU R6 R7 R8 SO SK SA",
            "EO EK EA RO RK RA BT BU B9",
            "S9 ST SU B6 B7 B8 BO BK BA",
        ]
    )
    match = play_round(playing(Contract.BELLS, deck), "E6", "E9", "EA", "B6")
    assert (match.leader, pending(match)) == (3, (Pending(3, PendingKind.CARD),))


def test_a_side_with_all_tricks_gets_the_match_bonus_whatever_the_points():
    match = whole_deal(playing())
    score = match.last_deal
    assert (score.card_points, score.match_bonus, score.stoeck) == ((157, 0), (100, 0), (20, 0))
    assert score.score == score.totals == (277, 0)


def test_a_side_with_one_trick_of_no_points_denies_the_match_bonus():
    rules = rule_set("schieber-classic")
    tricks = (trick(1, 0), *(trick(0, 19) for _ in range(7)), trick(0, 24))
    score = scoring.deal_score(between_tricks(rules, Contract.ACORNS, tricks))
    assert (score.card_points, score.match_bonus) == ((157, 0), (0, 0))


def test_weis_needs_trick_takes_the_weis_of_a_side_without_one():
    shown = (ShownWeis(1, Weis(WeisKind.RUN, 0b11111), 100),)
    tricks = tuple(trick(0, 17) for _ in range(9))
    for option, counted in ((False, (0, 100)), (True, (0, 0))):
        rules = rule_set("schieber-classic", {"weis_needs_trick": option})
        match = between_tricks(rules, Contract.ACORNS, tricks, weis_scored=shown)
        assert scoring.deal_score(match).weis == counted


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


def reaching(own: int, other: int = 0, **options: object) -> Match:
    """Stop after a trick of side 0, with these totals counted so far and a target of 1000."""
    rules = rule_set("schieber-classic", {"target": 1000, **options})
    return between_tricks(rules, Contract.ACORNS, (trick(1, 5), trick(0, 10)), totals=(own - 10, other - 5))


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


# Every refusal


def dealt_and_declared() -> Match:
    return playing(
        Contract.BELLS,
        deck_of(
            [
                "E6 E7 E8 R9 RT RU S6 S7 B9",
                "E9 ET EU R6 R7 B8 SO SK SA",
                "EO EK EA RO RK RA S8 BU BA",
                "S9 ST SU B6 B7 R8 BT BO BK",
            ]
        ),
    )


def own_first_card() -> Match:
    return run(started(rule_set("schieber-partner")), ChooseContract(0, Contract.ACORNS))


FRESH = new_match(rule_set("schieber-classic"))
CHOSEN = run(started(), ChooseContract(0, Contract.ACORNS))
AUTOMATIC = run(
    started(rule_set("schieber-3000", {"first_forehand": "random"})), ChooseContract(0, Contract.ACORNS)
)

REFUSALS = [
    (Reason.MATCH_ENDED, run(reaching(1000), Claim(0)), PlayCard(0, 0)),
    (Reason.MATCH_ENDED, run(reaching(1000), Claim(0)), StartDeal(SUITS_APART)),
    (Reason.NO_SUCH_SEAT, started(), Push(4)),
    (Reason.NO_SUCH_SEAT, playing(), PlayCard(-1, 0)),
    (Reason.NO_SUCH_SEAT, reaching(1000), Claim(4)),
    (Reason.DEAL_NOT_DUE, started(), StartDeal(SUITS_APART)),
    (Reason.DEAL_DUE, FRESH, Push(0)),
    (Reason.DEAL_DUE, FRESH, PlayCard(0, 0)),
    (Reason.DEAL_DUE, FRESH, DeclareWeis(0)),
    (Reason.DECK_INVALID, FRESH, StartDeal(SUITS_APART[:35], 0)),
    (Reason.DECK_INVALID, FRESH, StartDeal((*SUITS_APART[:35], SUITS_APART[0]), 0)),
    (Reason.FOREHAND_INVALID, FRESH, StartDeal(SUITS_APART)),
    (Reason.FOREHAND_INVALID, FRESH, StartDeal(SUITS_APART, 4)),
    (Reason.FOREHAND_INVALID, new_match(rule_set("schieber-3000")), StartDeal(SUITS_APART, 0)),
    (Reason.FOREHAND_INVALID, whole_deal(playing()), StartDeal(SUITS_APART, 1)),
    (Reason.NOT_YOUR_TURN, started(), ChooseContract(1, Contract.ACORNS)),
    (Reason.NOT_YOUR_TURN, playing(), PlayCard(1, card("R6"))),
    (Reason.NOT_YOUR_TURN, own_first_card(), DeclareWeis(1)),
    (Reason.CONTRACT_DUE, started(), PlayCard(0, card("E6"))),
    (Reason.CONTRACT_DUE, started(), DeclareWeis(0)),
    (Reason.CONTRACT_ALREADY_CHOSEN, CHOSEN, ChooseContract(0, Contract.ROSES)),
    (Reason.CONTRACT_ALREADY_CHOSEN, playing(), Push(0)),
    (Reason.CANNOT_PUSH_BACK, run(started(), Push(0)), Push(2)),
    (Reason.WEIS_AUTOMATIC, AUTOMATIC, DeclareWeis(0)),
    (Reason.WEIS_DUE, CHOSEN, PlayCard(0, card("E6"))),
    (Reason.WEIS_DUE, own_first_card(), PlayCard(0, card("E6"))),
    (Reason.WEIS_TOO_LATE, play_round(playing(), "E6", "R6", "S6", "B6"), DeclareWeis(0)),
    (Reason.WEIS_ALREADY_DECLARED, run(CHOSEN, DeclareWeis(1)), DeclareWeis(1)),
    (Reason.WEIS_NOT_A_COMBINATION, CHOSEN, DeclareWeis(0, (Weis(WeisKind.RUN, 0b1011),))),
    (Reason.WEIS_NOT_A_COMBINATION, CHOSEN, DeclareWeis(0, (Weis(WeisKind.QUARTET, 0b111),))),
    (Reason.WEIS_NOT_A_COMBINATION, CHOSEN, DeclareWeis(0, (Weis(WeisKind.RUN, 1 << 99),))),
    (Reason.WEIS_NOT_IN_HAND, CHOSEN, DeclareWeis(0, (weis("R6 R7 R8"),))),
    (Reason.WEIS_SHARES_CARD, CHOSEN, DeclareWeis(0, (weis("E6 E7 E8"), weis("E8 E9 ET")))),
    (Reason.WEIS_SPLITS_RUN, CHOSEN, DeclareWeis(0, (weis("E6 E7 E8"), weis("E9 ET EU")))),
    (Reason.CARD_NOT_IN_HAND, playing(), PlayCard(0, card("R6"))),
    (Reason.CARD_NOT_IN_HAND, playing(), PlayCard(0, 36)),
    (Reason.MUST_FOLLOW_SUIT, play_round(dealt_and_declared(), "E6"), PlayCard(1, card("R6"))),
    (Reason.MUST_FOLLOW_TRUMP, play_round(dealt_and_declared(), "B9"), PlayCard(1, card("R6"))),
    (Reason.UNDERTRUMP, play_round(dealt_and_declared(), "R9", "B8", "RA"), PlayCard(3, card("B7"))),
    (Reason.CLAIM_NOT_PLAYED, reaching(1000, finish="automatic"), Claim(0)),
    (Reason.CLAIM_NOT_NOW, playing(), Claim(0)),
    (Reason.CLAIM_NOT_NOW, FRESH, Claim(0)),
    (Reason.CLAIM_AFTER_OTHER_SIDES_TRICK, reaching(1000), Claim(1)),
]


@pytest.mark.parametrize(("reason", "match", "command"), REFUSALS)
def test_refusal(reason, match, command):
    assert refusal(match, command) is reason


def test_every_reason_is_refused_above():
    of_differenzler = {reason for reason in Reason if reason.startswith("announcement")}
    assert {reason for reason, _, _ in REFUSALS} == set(Reason) - of_differenzler - {Reason.ACTION_NOT_PLAYED}


def test_the_reason_of_an_illegal_card_is_offered_before_it_is_played():
    match = play_round(dealt_and_declared(), "R9", "B8", "RA")
    legal = legal_actions(match, 3)
    # R8 must be followed or trumped above the eight.
    assert set(legal.cards) == {card(text) for text in ("R8", "BT", "BO", "BK")}
    assert legal.illegal[card("B7")] is Reason.UNDERTRUMP
    assert legal.illegal[card("S9")] is Reason.MUST_FOLLOW_SUIT
    assert set(legal_actions(match, 0).illegal.values()) == {Reason.NOT_YOUR_TURN}
