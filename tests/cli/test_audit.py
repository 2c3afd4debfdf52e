from __future__ import annotations

from collections.abc import Callable

import pytest

from jasshaus.api.common.v1.money_pb2 import Amount, Quote
from jasshaus.api.matchmaking.v1.matchmaking_pb2 import Game, GameResult, GameStatus
from jasshaus.api.table.v1.table_pb2 import Outcome, SeatView, TableStatus, TableView
from jasshaus.api.wallet.v1.wallet_pb2 import (
    Balance,
    Entry,
    EntryKind,
    Payout,
    Pot,
    PotState,
    TrialBalanceResponse,
)
from jasshaus.cli.demo.audit import Books, disagreements, paid

PLAYERS = ("anna", "beat", "claudia", "dario")


def chf(units: int) -> Amount:
    return Amount(currency_code="CHF", minor_units=units)


def entry(sequence: int, kind: EntryKind.ValueType, amount: int, after: int) -> Entry:
    return Entry(sequence=sequence, kind=kind, amount=chf(amount), balance_after=chf(after), pot_id="g")


def sound_books() -> Books:
    """Seats 0 and 2 won a pot of 404: fee 10, 197 each; everyone had 1000."""
    payouts = [chf(197), chf(197)]
    after = {"anna": 1096, "beat": 899, "claudia": 1096, "dario": 899}
    entries = {}
    for player in PLAYERS:
        entries[player] = [entry(2, EntryKind.ENTRY_KIND_STAKE, -101, 899)]
        if after[player] > 1000:
            entries[player].insert(0, entry(3, EntryKind.ENTRY_KIND_PAYOUT, 197, 1096))
    return Books(
        view=TableView(
            table_id="t",
            status=TableStatus.TABLE_STATUS_FINISHED,
            seats=[SeatView(seat=seat, player_id=player) for seat, player in enumerate(PLAYERS)],
            outcome=Outcome(winning_seats=[0, 2], points=[500, 300], payouts=payouts, fee=chf(10)),
        ),
        game=Game(
            game_id="g",
            status=GameStatus.GAME_STATUS_FINISHED,
            result=GameResult(winning_seats=[0, 2], points=[500, 300], payouts=payouts, fee=chf(10)),
        ),
        pot=Pot(
            pot_id="g",
            table_id="t",
            state=PotState.POT_STATE_SETTLED,
            quote=Quote(stake=chf(101), pot=chf(404), fee=chf(10)),
            payouts=[Payout(seat=seat, player_id=PLAYERS[seat], amount=chf(197)) for seat in (0, 2)],
            fee_taken=chf(10),
        ),
        before={player: Balance(available=chf(1000), in_pots=chf(0)) for player in PLAYERS},
        after={player: Balance(available=chf(after[player]), in_pots=chf(0)) for player in PLAYERS},
        entries=entries,
        trial=TrialBalanceResponse(totals=[chf(0)], balanced=True),
    )


def test_sound_books_agree() -> None:
    books = sound_books()
    assert disagreements(books) == []
    assert paid(books) == {"anna": 197, "beat": 0, "claudia": 197, "dario": 0}


def test_a_player_who_left_and_came_back_has_paid_once() -> None:
    books = sound_books()
    books.entries["beat"][:] = [  # type: ignore[index]
        entry(4, EntryKind.ENTRY_KIND_STAKE, -101, 899),
        entry(3, EntryKind.ENTRY_KIND_RELEASE, 101, 1000),
        entry(2, EntryKind.ENTRY_KIND_STAKE, -101, 899),
    ]
    assert disagreements(books) == []


def unfinished(books: Books) -> None:
    books.view.status = TableStatus.TABLE_STATUS_SETTLING


def other_winners(books: Books) -> None:
    books.game.result.winning_seats[:] = [1, 3]


def other_points(books: Books) -> None:
    books.game.result.points[:] = [1, 2]


def game_still_on(books: Books) -> None:
    books.game.status = GameStatus.GAME_STATUS_PLAYING


def pot_locked(books: Books) -> None:
    assert books.pot
    books.pot.state = PotState.POT_STATE_LOCKED


def pot_of_another_table(books: Books) -> None:
    assert books.pot
    books.pot.table_id = "u"


def paid_to_another_seat(books: Books) -> None:
    assert books.pot
    books.pot.payouts[0].seat = 1


def more_fee_than_quoted(books: Books) -> None:
    assert books.pot
    books.pot.quote.fee.minor_units = 9


def a_unit_lost(books: Books) -> None:
    assert books.pot
    books.pot.quote.pot.minor_units = 405


def loser_paid_twice(books: Books) -> None:
    books.after["beat"].available.minor_units -= 101


def money_left_in_the_pot(books: Books) -> None:
    books.after["beat"].in_pots.minor_units = 101


def payout_missing_in_the_statement(books: Books) -> None:
    del books.entries["anna"][0]  # type: ignore[attr-defined]


def paid_twice_in_the_statement(books: Books) -> None:
    books.entries["anna"].append(entry(4, EntryKind.ENTRY_KIND_PAYOUT, 197, 1293))  # type: ignore[attr-defined]


def another_balance_in_the_statement(books: Books) -> None:
    books.entries["anna"][0].balance_after.minor_units = 1095


def ledger_not_zero(books: Books) -> None:
    books.trial.totals[0].minor_units = 1


def journal_not_zero(books: Books) -> None:
    books.trial.balanced = False


@pytest.mark.parametrize(
    "spoil",
    [
        unfinished,
        other_winners,
        other_points,
        game_still_on,
        pot_locked,
        pot_of_another_table,
        paid_to_another_seat,
        more_fee_than_quoted,
        a_unit_lost,
        loser_paid_twice,
        money_left_in_the_pot,
        payout_missing_in_the_statement,
        paid_twice_in_the_statement,
        another_balance_in_the_statement,
        ledger_not_zero,
        journal_not_zero,
    ],
)
def test_whatever_does_not_agree_is_said(spoil: Callable[[Books], None]) -> None:
    books = sound_books()
    spoil(books)
    assert disagreements(books)
