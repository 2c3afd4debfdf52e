from __future__ import annotations

import io

import pytest
from rich.console import Console

from jasshaus.api.common.v1.card_pb2 import Card, Contract
from jasshaus.api.table.v1.table_pb2 import (
    Decision,
    DeclaredWeis,
    Outcome,
    TableEvent,
    TableView,
    WatchTableResponse,
    Weis,
    WeisKind,
)
from jasshaus.cli.commentary import Commentary, result

PLAYERS = ("Anna", "Beat", "Claudia", "Dario")
RUN = Weis(kind=WeisKind.WEIS_KIND_RUN, length=3, points=20)
SHOWN = Weis(
    kind=WeisKind.WEIS_KIND_RUN,
    length=3,
    points=20,
    cards=[Card.CARD_ROSES_SIX, Card.CARD_ROSES_SEVEN, Card.CARD_ROSES_EIGHT],
)


def told(*events: TableEvent, terminal: bool = False, no_color: bool | None = None) -> str:
    text = io.StringIO()
    console = Console(file=text, force_terminal=terminal, no_color=no_color, width=40)
    commentary = Commentary(console, PLAYERS)
    commentary.observe(WatchTableResponse.Snapshot(view=TableView(deal=1, dealer=3, forehand=0)))
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
    scored = TableEvent.WeisScored(side=0, points=40, weis=[DeclaredWeis(seat=2, weis=[SHOWN])])
    text = told(TableEvent(weis_scored=scored))
    assert "  Weis   40 for Anna and Claudia: Claudia run of 3 (20) R6 R7 R8" in text.splitlines()


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
            "Beat and Dario win: the others claimed and had not enough: 990 : 20",
        ),
        (
            Outcome(decision=Decision.DECISION_DEAL, winning_seats=[1, 3], points=[9, 99], schneider=True),
            "Beat and Dario win: 9 : 99, Schneider",
        ),
        (
            Outcome(decision=Decision.DECISION_ABORTED, abort_reason="idle"),
            "The match was aborted (idle): nobody won.",
        ),
    ],
)
def test_the_result_in_one_sentence(outcome: Outcome, text: str) -> None:
    assert result(outcome, PLAYERS) == text
