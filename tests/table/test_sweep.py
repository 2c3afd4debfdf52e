"""All tables compared once a store may have gone back in time: by one replica, to the end, whatever fails."""

from __future__ import annotations

import asyncio
from uuid import UUID

import grpc
import pytest

from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.platform.backoff import Backoff
from jasshaus.platform.errors import Fault
from table.harness import Harness, Replica, closed, step
from table.restores import (
    BEFORE_FOURTH,
    BEFORE_LOCK,
    BEFORE_OPEN,
    FINISHED,
    LOCKED,
    PLAYING,
    PURSE,
    VOIDED,
    eventually,
    played_out,
    shares,
    staked,
)
from table.test_reconcile import lose_table, settle

SETTLED, REFUNDED = wallet_pb2.POT_STATE_SETTLED, wallet_pb2.POT_STATE_REFUNDED


def ended(harness: Harness, number: int = 1) -> bool:
    """Whether that many recoveries have begun, and all have ended."""
    recoveries = harness.wallet.recoveries
    return len(recoveries) == number and all(each.HasField("end_time") for each in recoveries)


async def witnessed(replica: Replica) -> None:
    """Return once the position of the ledger, and the run of Redis, are kept."""
    position = replica.store.names.ledger.position
    await eventually(lambda: _has(replica, position))


async def _has(replica: Replica, position: str) -> bool:
    return await replica.redis.call("HLEN", position) == 4


@pytest.mark.parametrize("cause", ["timeline", "server", "position"])
async def test_after_a_restore_everything_is_put_in_order_by_itself(harness: Harness, cause: str) -> None:
    wallet = harness.wallet
    async with harness.replica(sweeping=True) as replica, harness.replica(sweeping=True):
        played = await staked(harness, replica)
        over = await played_out(harness, replica)
        gone = await played_out(harness, replica)
        won = {
            table.game_id: list((await replica.service.get(table.table_id)).outcome.winning_seats)
            for table in (over, gone)
        }
        await lose_table(replica, gone)
        wallet.position.flushed = 1000
        await witnessed(replica)
        await eventually(lambda: wallet.calls[-1][1].seen.flushed == 1000 if wallet.calls else False)
        # The latest copy that lacks one thing of each.
        copy = wallet.backup()
        for table in (over, gone):
            pot = copy["pots"][table.game_id]
            pot.state = wallet_pb2.POT_STATE_LOCKED
            for seat, share in pot.payouts.items():
                copy["balances"]["default", pot.holders[seat], "CHF"] -= share
            copy["house"]["CHF"] -= pot.fee
            pot.payouts, pot.holders, pot.winning_seats, pot.digest = {}, {}, (), b""
            for held in copy["reservations"].values():
                held.state = "HELD" if held.pot_id == table.game_id else held.state
        copy["pots"][played.game_id].state = wallet_pb2.POT_STATE_OPEN
        copy["pots"][played.game_id].table = ""
        copy["position"].flushed = 500
        wallet.restore(copy, cause)
        harness.history.results.clear()

        await eventually(lambda: ended(harness))

        assert (over.pot.state, gone.pot.state) == (SETTLED, SETTLED)
        assert (played.pot.state, played.pot.table_id) == (wallet_pb2.POT_STATE_LOCKED, played.table_id)
        # All three sat the same four down.
        expected = [
            sum(shares(table, won[table.game_id])[seat] - PURSE for table in (over, gone))
            for seat in range(4)
        ]
        assert over.balances == [3 * PURSE - 200 + each for each in expected]
        assert (wallet.recoveries[0].cause, wallet.recoveries[0].repaired) == (cause, 3)
        assert wallet.recoveries[0].unmatched == 0
        assert {each.game_id for _, each in _results(harness)} >= {over.game_id, gone.game_id}
        counted = [each.metric("jasshaus_table_sweeps_total", cause=cause) for each in harness.replicas]
        assert sum(counted) == 1
        # It stays ended: the position is the restored ledger's now.
        await asyncio.sleep(0.3)
        assert ended(harness)
    assert wallet.total() == 0


def _results(harness: Harness) -> list[tuple[str, object]]:
    return list(harness.history.results.items())


async def test_what_does_not_match_is_counted(harness: Harness) -> None:
    async with harness.replica(sweeping=True) as replica:
        table = await staked(harness, replica)
        await witnessed(replica)
        table.take_back(BEFORE_OPEN)
        await eventually(lambda: ended(harness))
        assert (harness.wallet.recoveries[0].repaired, harness.wallet.recoveries[0].unmatched) == (0, 1)
        assert (await replica.service.get(table.table_id)).status == VOIDED


@pytest.mark.parametrize("away", ["wallet", "history"])
async def test_the_ledger_waits_until_every_table_could_be_compared(
    harness: Harness, away: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jasshaus.table.sweep._BACKOFF", Backoff(0.01, 0.02))
    async with harness.replica(sweeping=True) as replica:
        table = await staked(harness, replica)
        await witnessed(replica)
        fault = (harness.wallet, "ReconcilePot") if away == "wallet" else (harness.history, "RestoreGame")
        fault[0].unavailable(fault[1], times=20)
        table.take_back(LOCKED)
        await eventually(lambda: fault[0].count(fault[1]) >= 10)
        assert harness.wallet.recovering
        await eventually(lambda: ended(harness))
        assert fault[0].count(fault[1]) == 21


async def test_a_table_that_cannot_be_read_does_not_keep_the_ledger_waiting_for_good(
    harness: Harness,
) -> None:
    async with harness.replica(sweeping=True) as replica:
        broken = await staked(harness, replica)
        table = await staked(harness, replica)
        await witnessed(replica)
        replica.tables._kept.clear()
        await replica.redis.call(
            "HSET", replica.store.names.of(UUID(broken.table_id)).table, "e", b"\0" * 40, "r", b"\xff"
        )
        table.take_back(BEFORE_FOURTH)
        await eventually(lambda: ended(harness))
        assert harness.wallet.recoveries[0].unmatched == 1
        assert table.pot.state == REFUNDED


async def test_a_killed_sweeper_is_replaced(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jasshaus.table.sweep._LEASE", 200)
    monkeypatch.setattr("jasshaus.table.sweep._RENEW_SECONDS", 0.05)
    async with harness.replica(sweeping=True) as replica:
        table = await staked(harness, replica)
        await witnessed(replica)
        gate = harness.wallet.pause("ReconcilePot")
        table.take_back(BEFORE_LOCK)
        await eventually(lambda: harness.wallet.count("ReconcilePot") == 1)
        # Somebody else has the lease: the first, when it comes back, gives the sweep up.
        await replica.redis.call("SET", replica.store.names.ledger.lease, "another", "PX", 600)
        await asyncio.sleep(0.2)
        gate.set()
        async with harness.replica(sweeping=True):
            await eventually(lambda: ended(harness))
        assert table.pot.state == wallet_pb2.POT_STATE_LOCKED


async def test_who_drains_lets_another_sweep_at_once(harness: Harness) -> None:
    async with harness.replica(sweeping=True) as first:
        await witnessed(first)
    async with harness.replica() as replica:
        assert not await replica.redis.call("EXISTS", replica.store.names.ledger.lease)


async def test_a_second_restore_begins_the_comparison_again(harness: Harness) -> None:
    async with harness.replica(sweeping=True) as replica:
        table = await staked(harness, replica)
        await witnessed(replica)
        gate = harness.wallet.pause("EndRecovery")
        table.take_back(LOCKED)
        await eventually(lambda: harness.wallet.count("EndRecovery") == 1)
        table.take_back(BEFORE_LOCK)
        gate.set()
        await eventually(lambda: ended(harness))
        assert table.pot.state == wallet_pb2.POT_STATE_LOCKED


async def test_a_redis_of_another_life_has_its_tables_compared(harness: Harness) -> None:
    async with harness.replica(sweeping=True) as replica:
        table = await staked(harness, replica)
        over = await played_out(harness, replica)
        await witnessed(replica)
        await settle(table, [1, 3])
        asked = harness.wallet.count("GetPot")
        await replica.redis.call("HSET", replica.store.names.ledger.position, "r", "before")
        view = await closed(replica, table.table_id)
        assert (view.status, list(view.outcome.winning_seats)) == (FINISHED, [1, 3])
        assert not harness.wallet.recoveries
        # Only a ledger that went back makes results worth comparing.
        assert harness.wallet.count("GetPot") == asked
        assert (await replica.service.get(over.table_id)).status == FINISHED
        await eventually(lambda: replica.metric("jasshaus_table_sweeps_total", cause="redis") == 1)
        await eventually(lambda: _same_run(replica))


async def _same_run(replica: Replica) -> bool:
    kept = await replica.redis.call("HGET", replica.store.names.ledger.position, "r")
    return b"run_id:" + kept in await replica.redis.call("INFO", "server")


async def test_one_table_that_went_back_makes_all_be_compared(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jasshaus.table.sweep._RESETS_APART", 0.0)
    async with harness.replica(sweeping=True) as replica:
        seen, unseen = await staked(harness, replica), await staked(harness, replica)
        await witnessed(replica)
        keys = replica.store.names.of(UUID(seen.table_id))
        dump = await replica.redis.call("DUMP", keys.table)
        await step(replica, seen.table_id)
        await settle(unseen, [0, 2])
        replica.tables._kept.pop(UUID(unseen.table_id))
        await replica.redis.call("RESTORE", keys.table, 0, dump, "REPLACE")
        await replica.service.get(seen.table_id)
        assert (await closed(replica, unseen.table_id)).status == FINISHED
        assert (await replica.service.get(seen.table_id)).status == PLAYING


async def test_a_ledger_that_did_not_answer_is_compared_with_what_ended_lately(harness: Harness) -> None:
    async with harness.replica(sweeping=True) as replica:
        table = await played_out(harness, replica)
        await lose_table(replica, table)
        await witnessed(replica)
        harness.wallet.down = True
        await eventually(lambda: harness.wallet.calls[-1][0] == "CheckLedger")
        await asyncio.sleep(0.2)
        # Taken back, and nothing gives it away.
        table.take_back(LOCKED, "position")
        harness.wallet.down = False
        await eventually(lambda: table.pot.state == SETTLED)
        assert not harness.wallet.recoveries


async def test_what_was_settled_is_witnessed_before_its_table_closes(harness: Harness) -> None:
    # Whoever is shown a closed table can rely on it that its ledger is missed when it goes back.
    async with harness.replica() as replica:
        table = await played_out(harness, replica)
        methods = [method for method, _ in harness.wallet.calls]
        settled = methods.index("SettlePot")
        assert "CheckLedger" in methods[settled:]
        position = await replica.redis.call("HGET", replica.store.names.ledger.position, "s")
        assert position.decode() == harness.wallet.position.system_identifier
        assert (await replica.service.get(table.table_id)).status == FINISHED


async def test_a_position_only_grows_until_everything_was_compared(harness: Harness) -> None:
    wallet = harness.wallet
    async with harness.replica() as replica:
        position = replica.store.names.ledger.position
        wallet.position.flushed = 50
        await staked(harness, replica)
        assert await replica.redis.call("HGET", position, "f") == b"50"
        wallet.position.flushed = 40
        await staked(harness, replica)
        # The wallet was shown 50, and recovers.
        assert wallet.recovering
        assert await replica.redis.call("HGET", position, "f") == b"50"
        async with harness.replica(sweeping=True):
            await eventually(lambda: ended(harness))
            await eventually(lambda: _is(replica, position, wallet.position))


async def _is(replica: Replica, key: str, position: wallet_pb2.LedgerPosition) -> bool:
    kept = await replica.redis.call("HMGET", key, "s", "f")
    return kept == [position.system_identifier.encode(), str(position.flushed).encode()]


async def test_free_tables_are_swept_as_well(harness: Harness) -> None:
    async with harness.replica(sweeping=True) as replica:
        table_id = await harness.table(replica)
        game_id = (await replica.service.get(table_id)).game_id
        await witnessed(replica)
        harness.history.lose(game_id, table_id)
        harness.wallet.restore(harness.wallet.backup(), "timeline")
        await eventually(lambda: ended(harness))
        assert not harness.history.lost


async def test_results_whose_pots_ended_so_are_checked_many_at_once(harness: Harness) -> None:
    async with harness.replica(sweeping=True) as replica:
        tables = [await played_out(harness, replica) for _ in range(3)]
        for table in tables[1:]:
            await lose_table(replica, table)
        await witnessed(replica)
        begun = len(harness.wallet.calls)
        harness.wallet.restore(harness.wallet.backup(), "timeline")
        await eventually(lambda: ended(harness))
        asked = [method for method, _ in harness.wallet.calls[begun:] if method != "CheckLedger"]
        assert asked.pop() == "EndRecovery"
        assert set(asked) == {"CheckPots"}
        assert (harness.wallet.recoveries[0].repaired, harness.wallet.recoveries[0].unmatched) == (0, 0)
        assert replica.metric("jasshaus_table_reconciled_total", finding="in_order") == len(tables)


async def test_what_differs_among_many_results_is_compared(harness: Harness) -> None:
    async with harness.replica(sweeping=True) as replica:
        fine, unknown, unpaid = [await played_out(harness, replica) for _ in range(3)]
        for table in (fine, unknown, unpaid):
            await lose_table(replica, table)
        await witnessed(replica)
        begun = len(harness.wallet.calls)
        copy = harness.wallet.backup()
        copy["pots"].pop(unknown.game_id)
        copy["pots"][unpaid.game_id] = unpaid.copies[LOCKED]["pots"][unpaid.game_id]
        for key, held in unpaid.copies[LOCKED]["reservations"].items():
            if held.pot_id == unpaid.game_id:
                copy["reservations"][key] = held
        harness.wallet.restore(copy, "timeline")
        await eventually(lambda: ended(harness))
        assert unpaid.pot.state == SETTLED
        assert (harness.wallet.recoveries[0].repaired, harness.wallet.recoveries[0].unmatched) == (1, 1)
        looked_at = {request.pot_id for method, request in harness.wallet.calls[begun:] if method == "GetPot"}
        assert looked_at == {unknown.game_id, unpaid.game_id}


async def test_a_wallet_of_the_release_before_has_every_result_compared(harness: Harness) -> None:
    def unimplemented(reason: str, message: str) -> Fault:
        return Fault(grpc.StatusCode.UNIMPLEMENTED, reason, message)

    async with harness.replica(sweeping=True) as replica:
        table = await played_out(harness, replica)
        await lose_table(replica, table)
        await witnessed(replica)
        harness.wallet.refuse("CheckPots", "UNIMPLEMENTED", unimplemented)
        table.take_back(LOCKED)
        await eventually(lambda: ended(harness))
        assert table.pot.state == SETTLED


async def test_results_that_could_not_be_checked_are_checked_again(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jasshaus.table.sweep._BACKOFF", Backoff(0.01, 0.02))
    async with harness.replica(sweeping=True) as replica:
        table = await played_out(harness, replica)
        await lose_table(replica, table)
        await witnessed(replica)
        harness.wallet.unavailable("CheckPots", times=10)
        table.take_back(LOCKED)
        await eventually(lambda: harness.wallet.count("CheckPots") >= 5)
        assert harness.wallet.recovering
        await eventually(lambda: ended(harness))
        assert table.pot.state == SETTLED


async def test_a_result_that_cannot_be_read_does_not_keep_the_ledger_waiting_for_good(
    harness: Harness,
) -> None:
    async with harness.replica(sweeping=True) as replica:
        broken, table = await played_out(harness, replica), await played_out(harness, replica)
        for each in (broken, table):
            await lose_table(replica, each)
        await witnessed(replica)
        key = replica.store.names.of(UUID(broken.table_id)).result
        await replica.redis.call("SET", key, b"\0" * 8 + b"\xff", "KEEPTTL")
        table.take_back(LOCKED)
        await eventually(lambda: ended(harness))
        assert harness.wallet.recoveries[0].unmatched == 1
        assert table.pot.state == SETTLED
