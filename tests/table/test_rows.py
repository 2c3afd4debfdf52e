"""Rows of matches that are over, which matchmaking's database has lost: written again from what they left."""

from __future__ import annotations

from uuid import UUID

import grpc
import pytest

from jasshaus.api.matchmaking.v1 import matchmaking_pb2
from jasshaus.platform.errors import Fault
from table.harness import Harness, Replica, closed, play_until
from table.restores import PLAYING, Staked, eventually, played_out, staked
from table.test_results import lose_table


def restored(harness: Harness) -> matchmaking_pb2.RestoreGameRequest:
    """What matchmaking was told of the one game whose row was lost."""
    (request,) = [request for method, request in harness.history.calls if method == "RestoreGame"]
    assert isinstance(request, matchmaking_pb2.RestoreGameRequest)
    return request


async def ended_at(replica: Replica, table_id: str) -> int:
    result = await replica.store.result(UUID(table_id))
    assert result is not None
    return result.ended_at


async def lost(harness: Harness, replica: Replica, table: Staked, *, aborted: bool = False) -> int:
    """Let a match be over, its table gone, and its row lost with nothing else; return when it ended."""
    if aborted:
        await replica.service.abort(table.table_id)
    else:
        await play_until(replica, table.table_id, lambda view: view.status != PLAYING)
    await closed(replica, table.table_id)
    ended = await ended_at(replica, table.table_id)
    await lose_table(replica, table.table_id)
    harness.history.lose(table.game_id, table.table_id)
    return ended


@pytest.mark.parametrize("aborted", [False, True])
async def test_the_row_of_a_staked_match_comes_back_with_its_end(harness, aborted) -> None:
    async with harness.replica(sweeping=True) as replica:
        table = await staked(harness, replica)
        ended = await lost(harness, replica, table, aborted=aborted)
        balances = table.balances
        await eventually(lambda: table.game_id in harness.history.results)

        request, report = restored(harness), harness.history.results[table.game_id]
        assert request.quote == table.pot.quote
        assert [seat.player_id for seat in request.seats] == table.players
        assert [seat.reservation_id for seat in request.seats] == [
            seat.reservation_id for seat in table.request.seats
        ]
        assert request.rule_set.target == 100
        assert request.end_time.ToMilliseconds() == report.result.end_time.ToMilliseconds() == ended
        assert (report.table_id, report.voided) == (table.table_id, aborted)
        assert [paid.minor_units for paid in report.result.payouts] == (
            [] if aborted else [payout.amount.minor_units for payout in table.pot.payouts]
        )
        assert bool(report.result.points) is not aborted
        assert table.balances == balances
        await eventually(lambda: replica.metric("jasshaus_table_rows_restored_total") == 1)


async def test_so_does_the_row_of_a_free_match_however_long_ago_it_ended(harness: Harness) -> None:
    async with harness.replica(sweeping=True) as replica:
        table_id = await harness.table(replica, target=100)
        view = await play_until(replica, table_id, lambda view: view.status != PLAYING)
        await closed(replica, table_id)
        result = await replica.store.result(UUID(table_id))
        assert result is not None
        # As a day later: nothing but the record is left, and it says so.
        keys = replica.store.names.of(UUID(table_id))
        stored = await replica.redis.call("GET", keys.result)
        day_ago = result.ended_at - 86_400_000
        await replica.redis.call("SET", keys.result, day_ago.to_bytes(8, "big") + stored[8:], "KEEPTTL")
        await replica.redis.call("ZINCRBY", keys.lane.results, -86_400_000, table_id)
        await lose_table(replica, table_id)
        harness.history.lose(view.game_id, table_id)
        await eventually(lambda: view.game_id in harness.history.results)
        request = restored(harness)
        assert not request.HasField("quote")
        assert [seat.player_id for seat in request.seats] == [seat.player_id for seat in view.seats]
        assert request.rule_set == view.rule_set
        assert request.end_time.ToMilliseconds() == day_ago


async def test_a_match_whose_pot_is_gone_too_stays_lost_and_is_asked_for_once(harness: Harness) -> None:
    async with harness.replica(sweeping=True) as replica:
        table, other = await played_out(harness, replica), await played_out(harness, replica)
        await lose_table(replica, table.table_id)
        pot = harness.wallet.pots.pop(table.game_id)
        harness.history.lose(table.game_id, table.table_id)
        await eventually(lambda: replica.metric("jasshaus_table_rows_lost") == 1)
        begun = harness.wallet.count("GetPot")
        # Looks go on, and find what is lost after it.
        harness.history.lose(other.game_id, other.table_id)
        await eventually(lambda: other.game_id in harness.history.results)
        asked = [request.pot_id for method, request in harness.wallet.calls if method == "GetPot"][begun:]
        assert table.game_id not in asked
        assert not harness.history.results.get(table.game_id)
        # After a sweep, a ledger put back again may know it.
        harness.wallet.pots[table.game_id] = pot
        harness.wallet.restore(harness.wallet.backup(), "timeline")
        await eventually(lambda: table.game_id in harness.history.results)


async def test_a_record_that_cannot_be_read_keeps_no_other_row_lost(harness: Harness) -> None:
    async with harness.replica(sweeping=True) as replica:
        broken, table = await played_out(harness, replica), await played_out(harness, replica)
        for each in (broken, table):
            await lose_table(replica, each.table_id)
        key = replica.store.names.of(UUID(broken.table_id)).result
        await replica.redis.call("SET", key, b"\0" * 8 + b"\xff", "KEEPTTL")
        for each in (broken, table):
            harness.history.lose(each.game_id, each.table_id)
        await eventually(lambda: table.game_id in harness.history.results)


async def test_looks_go_on_after_matchmaking_was_away(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jasshaus.table.rows._AGAIN_SECONDS", 0.01)
    async with harness.replica(sweeping=True) as replica:
        table = await played_out(harness, replica)
        await lose_table(replica, table.table_id)
        for method in ("CheckMatches", "RestoreGame", "ReportMatch"):
            harness.history.unavailable(method, 2)
        harness.history.lose(table.game_id, table.table_id)
        await eventually(lambda: table.game_id in harness.history.results)


async def test_a_matchmaking_of_the_release_before_is_not_asked_for_more(harness: Harness) -> None:
    def unimplemented(reason: str, message: str) -> Fault:
        return Fault(grpc.StatusCode.UNIMPLEMENTED, reason, message)

    async with harness.replica(sweeping=True) as replica:
        table = await played_out(harness, replica)
        await lose_table(replica, table.table_id)
        begun = len(harness.history.calls)
        harness.history.refuse("CheckMatches", "UNIMPLEMENTED", unimplemented)
        harness.history.lose(table.game_id, table.table_id)
        asked = harness.history.count("CheckMatches")
        await eventually(lambda: harness.history.count("CheckMatches") > asked + 3)
        assert {method for method, _ in harness.history.calls[begun:]} == {"CheckMatches"}
