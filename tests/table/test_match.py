"""A whole match through the service, from CreateTable to the payout."""

from __future__ import annotations

from jasshaus.api.table.v1 import table_pb2
from table.harness import STAKE, Harness, Replica, closed, play_until


async def test_a_staked_match_is_played_and_paid(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica, stake=STAKE, target=200)

    await play_until(replica, table_id, lambda view: view.status != table_pb2.TABLE_STATUS_PLAYING)
    view = await closed(replica, table_id)

    assert view.status == table_pb2.TABLE_STATUS_FINISHED
    assert [payout.minor_units for payout in view.outcome.payouts] == [390, 390]
    assert view.outcome.fee.minor_units == 20
    winners = [view.seats[seat].player_id for seat in view.outcome.winning_seats]
    assert [harness.wallet.balance(player) for player in winners] == [390, 390]
    assert harness.wallet.total() == 0
    assert [report.voided for report in harness.history.reports] == [False]
    assert harness.history.reports[0].result.winning_seats == view.outcome.winning_seats
