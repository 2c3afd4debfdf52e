"""Checks the ledger against a table's result: every sum that must agree after a match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.matchmaking.v1.matchmaking_pb2 import Game, GameStatus
from jasshaus.api.table.v1.table_pb2 import TableStatus, TableView
from jasshaus.api.wallet.v1.wallet_pb2 import Balance, Entry, EntryKind, Pot, PotState, TrialBalanceResponse


@dataclass(frozen=True, slots=True)
class Books:
    """The services' answers after one match; balances and entries are by player.

    Only entries of this game's pot are included. `pot` is None for a game without a stake.
    """

    view: TableView
    game: Game
    pot: Pot | None
    before: Mapping[str, Balance]
    after: Mapping[str, Balance]
    entries: Mapping[str, Sequence[Entry]]
    trial: TrialBalanceResponse


def disagreements(books: Books) -> list[str]:
    """Return one line per discrepancy; none if the ledger is right."""
    return [*_result(books), *_pot(books), *_players(books), *_trial(books)]


def paid(books: Books) -> dict[str, int]:
    """Return each player's payout according to the table's result, in minor units."""
    outcome = books.view.outcome
    payouts = dict(zip(outcome.winning_seats, outcome.payouts, strict=False))
    return {
        seat.player_id: payouts[seat.seat].minor_units if seat.seat in payouts else 0
        for seat in books.view.seats
    }


def _result(books: Books) -> Iterator[str]:
    outcome, result = books.view.outcome, books.game.result
    if books.view.status != TableStatus.TABLE_STATUS_FINISHED:
        yield f"the table is {TableStatus.Name(books.view.status)}, not finished"
    if books.game.status != GameStatus.GAME_STATUS_FINISHED:
        yield f"the game is {GameStatus.Name(books.game.status)}, not finished"
    if list(outcome.winning_seats) != list(result.winning_seats):
        yield "table and game name different winners"
    if list(outcome.points) != list(result.points):
        yield "table and game name different points"
    if list(outcome.payouts) != list(result.payouts) or outcome.fee != result.fee:
        yield "table and game name different payouts"


def _pot(books: Books) -> Iterator[str]:
    outcome, pot = books.view.outcome, books.pot
    if pot is None:
        if outcome.payouts:
            yield "nothing was staked, but something was paid"
        return
    if pot.state != PotState.POT_STATE_SETTLED:
        yield f"the pot is {PotState.Name(pot.state)}, not settled"
    if pot.table_id != books.view.table_id:
        yield "the pot belongs to another table"
    if [(each.seat, each.amount) for each in pot.payouts] != list(
        zip(outcome.winning_seats, outcome.payouts, strict=False)
    ):
        yield "the payouts do not match the table's result"
    if pot.fee_taken != outcome.fee or pot.fee_taken != pot.quote.fee:
        yield "the fee differs from the quote"
    total = sum(each.amount.minor_units for each in pot.payouts) + pot.fee_taken.minor_units
    if total != pot.quote.pot.minor_units or total != 4 * pot.quote.stake.minor_units:
        yield "payouts and fee do not add up to the stakes"


def _players(books: Books) -> Iterator[str]:
    stake = books.pot.quote.stake.minor_units if books.pot else 0
    for player, payout in paid(books).items():
        before, after = books.before[player].available, books.after[player].available
        if after.minor_units != before.minor_units - stake + payout:
            yield f"{player}'s balance is not the previous one - stake + payout"
        if books.after[player].in_pots.minor_units != books.before[player].in_pots.minor_units:
            yield f"{player} still has money in the pot"
        if books.pot is not None:
            yield from _statement(player, books.entries[player], after, stake, payout)


def _statement(
    player: str, entries: Sequence[Entry], after: Amount, stake: int, payout: int
) -> Iterator[str]:
    expected = [(EntryKind.ENTRY_KIND_STAKE, -stake)]
    if payout:
        expected.append((EntryKind.ENTRY_KIND_PAYOUT, payout))
    # A player who left and came back also has a released stake: those come in pairs.
    found = [
        (entry.kind, entry.amount.minor_units) for entry in sorted(entries, key=lambda entry: entry.sequence)
    ]
    while (release := (EntryKind.ENTRY_KIND_RELEASE, stake)) in found:
        found.remove(release)
        found.remove((EntryKind.ENTRY_KIND_STAKE, -stake))
    if found != expected:
        yield f"{player}'s statement does not show this match"
    elif max(entries, key=lambda entry: entry.sequence).balance_after != after:
        yield f"{player}'s statement ends with a different balance"


def _trial(books: Books) -> Iterator[str]:
    if not books.trial.balanced or any(total.minor_units for total in books.trial.totals):
        yield "the trial balance is not zero"
