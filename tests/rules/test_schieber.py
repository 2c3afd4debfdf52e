"""The course of a Schieber deal, rule by rule, on hands laid out for the purpose."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.options import rule_set
from jasshaus.rules.core.weis import ShownWeis, Weis, WeisKind
from jasshaus.rules.schieber import (
    CardPlayed,
    ChooseContract,
    DeclareWeis,
    Pending,
    PendingKind,
    Phase,
    PlayCard,
    Push,
    Reason,
    StartDeal,
    TrickWon,
    WeisDeclared,
    WeisScored,
    decide,
    legal_actions,
    new_match,
    pending,
    replay,
    scoring,
)
from rules.layouts import SUITS_APART, card, deck_of, hand, refusal, run
from rules.schieber_layouts import between_tricks, play_round, playing, started, trick, weis, whole_deal

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
        assert pending(match) == (Pending(seat, PendingKind.CARD),)
        assert legal_actions(match, seat).can_declare_weis
        match = run(match, DeclareWeis(seat))
        assert pending(match) == (Pending(seat, PendingKind.CARD),)
        assert not legal_actions(match, seat).can_declare_weis
        match = run(match, PlayCard(seat, card(text)))
    assert len(match.tricks) == 1


#: Seats 0 and 3 hold a Weis, 1 and 2 hold none.
TWO_WITHOUT_WEIS = deck_of(
    [
        "E6 E7 E8 R9 RT S6 S7 B9 BA",
        "E9 ET EO R6 R8 RK B6 B8 SK",
        "EU EK EA RO RU RA SO SU S9",
        "S8 ST SA B7 BU BT R7 BO BK",
    ]
)


def test_who_holds_nothing_is_not_asked_at_the_own_first_card():
    match = run(started(rule_set("schieber-partner"), TWO_WITHOUT_WEIS), ChooseContract(0, Contract.BELLS))
    asked = []
    for seat, text in enumerate(("E6", "E9", "EU", "R7")):
        legal = legal_actions(match, seat)
        asked.append(legal.can_declare_weis)
        assert legal.can_declare_weis == bool(legal.weis)
        assert card(text) in legal.cards
        match = run(match, PlayCard(seat, card(text)))
    assert asked == [True, False, False, True]


def test_who_plays_without_declaring_has_declared_nothing_whatever_the_hand():
    match = run(started(rule_set("schieber-partner"), TWO_WITHOUT_WEIS), ChooseContract(0, Contract.BELLS))
    for seat, text in enumerate(("E6", "E9", "EU", "R7")):
        first, played, *_ = decide(match, PlayCard(seat, card(text)))
        assert first == WeisDeclared(seat, (), ())
        assert played == CardPlayed(seat, card(text))
        match = run(match, PlayCard(seat, card(text)))
        assert refusal(match, DeclareWeis(seat)) in {Reason.WEIS_ALREADY_DECLARED, Reason.WEIS_TOO_LATE}
    assert match.declared == ((), (), (), ())
    assert not match.weis_scored


def test_before_the_lead_all_are_asked_whatever_they_hold():
    match = run(started(rule_set("schieber-classic"), TWO_WITHOUT_WEIS), ChooseContract(0, Contract.BELLS))
    assert [legal_actions(match, seat).can_declare_weis for seat in range(4)] == [True] * 4
    assert [bool(legal_actions(match, seat).weis) for seat in range(4)] == [True, False, False, True]


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
