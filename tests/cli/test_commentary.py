from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from jasshaus.api.common.v1.card_pb2 import Card, Contract
from jasshaus.api.common.v1.rules_pb2 import Announcements, RuleSet, TieRoundEligible, Variant
from jasshaus.api.table.v1.table_pb2 import (
    Decision,
    DeclaredWeis,
    DifferenzlerScore,
    Outcome,
    TableEvent,
    TableView,
    WatchTableResponse,
    Weis,
    WeisKind,
)
from jasshaus.cli.narration.of_streams import Commentary, result
from jasshaus.contracts.rules import rule_set_to_proto
from jasshaus.rules.core.options import PRESETS

PLAYERS = ("Anna", "Beat", "Claudia", "Dario")
RUN = Weis(kind=WeisKind.WEIS_KIND_RUN, length=3, points=20)
SHOWN = Weis(
    kind=WeisKind.WEIS_KIND_RUN,
    length=3,
    points=20,
    cards=[Card.CARD_ROSES_SIX, Card.CARD_ROSES_SEVEN, Card.CARD_ROSES_EIGHT],
)


def told(
    *events: TableEvent,
    view: TableView | None = None,
    terminal: bool = False,
    no_color: bool | None = None,
) -> str:
    text = io.StringIO()
    console = Console(file=text, force_terminal=terminal, no_color=no_color, width=40)
    commentary = Commentary(console, PLAYERS)
    commentary.observe(WatchTableResponse.Snapshot(view=view or TableView(deal=1, dealer=3, forehand=0)))
    commentary.observe(WatchTableResponse.Delta(events=events))
    return text.getvalue()


def trick() -> list[TableEvent]:
    cards = (Card.CARD_ROSES_SIX, Card.CARD_ROSES_ACE, Card.CARD_BELLS_UNDER, Card.CARD_ROSES_BANNER)
    played = [
        TableEvent(card_played=TableEvent.CardPlayed(seat=seat, card=card, by_stand_in=seat == 3))
        for seat, card in enumerate(cards)
    ]
    return [*played, TableEvent(trick_won=TableEvent.TrickWon(seat=2, trick=1))]


def test_a_pushed_contract_and_a_trick() -> None:
    text = told(
        TableEvent(pushed=TableEvent.Pushed(seat=0)),
        TableEvent(
            contract_chosen=TableEvent.ContractChosen(seat=2, contract=Contract.CONTRACT_BELLS, multiplier=2)
        ),
        *trick(),
    )
    assert text.splitlines() == [
        "",
        "Deal 1  dealt by Dario, Anna begins",
        "  Anna pushes, Claudia chooses Bells, x2",
        "  1  Anna R6  Beat RA  Claudia BU  Dario* RT  -> Claudia",
    ]


def declared(seat: int, *weis: Weis) -> TableEvent:
    return TableEvent(weis_declared=TableEvent.WeisDeclared(declared=DeclaredWeis(seat=seat, weis=weis)))


def test_declarations_are_told_in_one_order_whoever_was_first() -> None:
    orders = [
        (declared(1, RUN), declared(3), declared(0, RUN)),
        (declared(0, RUN), declared(1, RUN), declared(3)),
    ]
    texts = {told(*order, *trick()) for order in orders}
    assert len(texts) == 1
    assert "  Weis   Anna run of 3 (20); Beat run of 3 (20)" in texts.pop().splitlines()


def test_what_scores_is_shown_with_its_cards() -> None:
    chosen = TableEvent.ContractChosen(seat=0, contract=Contract.CONTRACT_SHIELDS, multiplier=2)
    scored = TableEvent.WeisScored(side=0, points=40, weis=[DeclaredWeis(seat=2, weis=[SHOWN])])
    from_its_start = told(TableEvent(contract_chosen=chosen), TableEvent(weis_scored=scored))
    rules = rule_set_to_proto(PRESETS["schieber-classic"])
    middle = TableView(deal=1, dealer=3, forehand=0, contract=chosen.contract, rule_set=rules)
    from_the_middle = told(TableEvent(weis_scored=scored), view=middle)
    for text in (from_its_start, from_the_middle):
        assert "  Weis   20 x2 = 40 for Anna and Claudia: Claudia run of 3 (20) R6 R7 R8" in text.splitlines()


def test_the_count_of_a_deal() -> None:
    scored = TableEvent.DealScored(
        deal=1,
        card_points=[100, 57],
        weis=[0, 40],
        stoeck=[0, 0],
        match_bonus=[0, 0],
        multiplier=2,
        score=[200, 154],
        totals=[200, 154],
    )
    assert told(TableEvent(deal_scored=scored)).splitlines()[-2:] == [
        "  Score  cards 100 : 57 x2, Weis 0 : 40 = 200 : 154",
        "  Total  200 : 154",
    ]


def differenzler(**rules: Any) -> TableView:
    rule_set = RuleSet(variant=Variant.VARIANT_DIFFERENZLER, rounds=4, **rules)
    score = DifferenzlerScore(totals=[9, 9, 9, 30], contenders=[0, 1, 2, 3])
    return TableView(
        deal=4, dealer=3, forehand=0, trump_card=Card.CARD_ROSES_UNDER, rule_set=rule_set, differenzler=score
    )


def announced(*points: int | None) -> list[TableEvent]:
    return [
        TableEvent(points_announced=TableEvent.PointsAnnounced(seat=seat, points=each))
        for seat, each in enumerate(points)
    ]


def scored(*totals: int) -> TableEvent:
    count = TableEvent.DealScored(
        deal=4, announced=[40, 30, 20, 50], card_points=[40, 30, 37, 50], score=[0, 0, 17, 0], totals=totals
    )
    return TableEvent(deal_scored=count)


def dealt(deal: int) -> TableEvent:
    return TableEvent(
        deal_started=TableEvent.DealStarted(deal=deal, dealer=0, forehand=1, trump_card=Card.CARD_BELLS_SIX)
    )


def test_open_announcements_are_told_before_the_first_card() -> None:
    view = differenzler(announcements=Announcements.ANNOUNCEMENTS_OPEN)
    text = told(*announced(40, 30, 20, 50), *trick(), view=view)
    assert text.splitlines()[1:5] == [
        "Deal 4  dealt by Dario, Anna begins",
        "  RU is turned up: Roses are trumps",
        "  Announced  Anna 40  Beat 30  Claudia 20  Dario 50",
        "  1  Anna R6  Beat RA  Claudia BU  Dario* RT  -> Claudia",
    ]


def test_hidden_announcements_are_told_with_the_score() -> None:
    view = differenzler(announcements=Announcements.ANNOUNCEMENTS_HIDDEN)
    text = told(*announced(None), *trick(), scored(9, 9, 26, 30), view=view)
    assert "Announced" not in text
    assert text.splitlines()[-5:] == [
        "  Score  Anna     announced  40, made  40 =   0",
        "         Beat     announced  30, made  30 =   0",
        "         Claudia  announced  20, made  37 =  17",
        "         Dario    announced  50, made  50 =   0",
        "  Total  Anna 9  Beat 9  Claudia 26  Dario 30",
    ]


@pytest.mark.parametrize(
    ("eligible", "again"),
    [
        (TieRoundEligible.TIE_ROUND_ELIGIBLE_ALL, "Claudia and Dario"),
        (TieRoundEligible.TIE_ROUND_ELIGIBLE_TIED_ONLY, "Anna and Beat"),
    ],
)
def test_a_tie_is_told_with_the_deal_that_is_to_decide_it(
    eligible: TieRoundEligible.ValueType, again: str
) -> None:
    view = differenzler(tie_round_eligible=eligible)
    text = told(scored(9, 9, 26, 30), dealt(5), scored(40, 40, 30, 30), dealt(6), view=view)
    lines = text.splitlines()
    assert "  Anna and Beat are tied: one more deal" in lines
    assert (
        f"  {again} are tied: one more deal" == lines[lines.index("Deal 6  dealt by Anna, Beat begins") + 1]
    )


def test_a_commentary_that_begins_in_a_tie_names_it() -> None:
    view = differenzler()
    view.deal = 5
    assert "  Anna, Beat and Claudia are tied: one more deal" in told(view=view).splitlines()


def test_colour_is_for_terminals_that_want_it() -> None:
    assert "\x1b[" not in told(*trick())
    assert "\x1b[31m" in told(*trick(), terminal=True)
    assert "\x1b[31m" not in told(*trick(), terminal=True, no_color=True)


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (
            Outcome(decision=Decision.DECISION_CLAIM, winning_seats=[0, 2], points=[1000, 900]),
            "Anna and Claudia claimed and had enough: 1000 : 900",
        ),
        (
            Outcome(decision=Decision.DECISION_FALSE_CLAIM, winning_seats=[1, 3], points=[990, 20]),
            "Beat and Dario win: the others claimed but did not have enough: 990 : 20",
        ),
        (
            Outcome(decision=Decision.DECISION_DEAL, winning_seats=[1, 3], points=[9, 99], schneider=True),
            "Beat and Dario win: 9 : 99, Schneider",
        ),
        (
            Outcome(decision=Decision.DECISION_ROUNDS, winning_seats=[3], points=[60, 70, 80, 50]),
            "Dario wins: 60 : 70 : 80 : 50",
        ),
        (
            Outcome(decision=Decision.DECISION_ABORTED, abort_reason="idle"),
            "The match was aborted (idle): nobody won.",
        ),
    ],
)
def test_the_result_in_one_sentence(outcome: Outcome, text: str) -> None:
    assert result(outcome, PLAYERS) == text
