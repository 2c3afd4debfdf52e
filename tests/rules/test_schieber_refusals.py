"""Every reason for which a Schieber refuses a command."""

from __future__ import annotations

import pytest

from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.options import rule_set
from jasshaus.rules.core.weis import Weis, WeisKind
from jasshaus.rules.schieber import (
    ChooseContract,
    Claim,
    DeclareWeis,
    Match,
    PlayCard,
    Push,
    Reason,
    StartDeal,
    legal_actions,
    new_match,
)
from rules.layouts import SUITS_APART, card, deck_of, refusal, run
from rules.schieber_layouts import play_round, playing, reaching, started, weis, whole_deal


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
    (Reason.WEIS_ALREADY_DECLARED, run(own_first_card(), PlayCard(0, card("E6"))), DeclareWeis(0)),
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
