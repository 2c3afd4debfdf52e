"""The end of a match: money moved once, whatever goes wrong on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from uuid import UUID

import pytest
from redis.exceptions import ResponseError

from jasshaus.api.table.v1 import table_pb2
from jasshaus.platform.backoff import Backoff
from jasshaus.platform.errors import Fault, failed_precondition, not_found
from jasshaus.table.redis_connection import Argument
from jasshaus.table.store import RESTORE_WINDOW
from table.harness import PLAYERS, STAKE, Harness, Replica, closed, play_until, step

OVER = (table_pb2.TABLE_STATUS_SETTLING, table_pb2.TABLE_STATUS_FINISHED, table_pb2.TABLE_STATUS_VOIDED)


async def play_out(harness: Harness, replica: Replica, **options: object) -> str:
    table_id = await harness.table(replica, target=100, **({"stake": STAKE} | options))
    await play_until(replica, table_id, lambda view: view.status in OVER)
    return table_id


def assert_paid_once(harness: Harness, view: table_pb2.TableView) -> None:
    assert view.status == table_pb2.TABLE_STATUS_FINISHED
    for seat, player in enumerate(PLAYERS):
        assert harness.wallet.balance(player) == (390 if seat in view.outcome.winning_seats else 0)
    assert harness.wallet.house["CHF"] == 20
    assert harness.wallet.total() == 0


async def test_without_a_stake_nobody_is_paid(harness: Harness, replica: Replica) -> None:
    table_id = await play_out(harness, replica, stake=0)
    view = await closed(replica, table_id)
    assert view.status == table_pb2.TABLE_STATUS_FINISHED
    assert not view.outcome.payouts
    assert not [method for method, _ in harness.wallet.calls if method != "CheckLedger"]
    assert len(harness.history.reports) == 1


async def test_a_wallet_that_is_away_at_the_end_pays_once_when_it_is_back(
    harness: Harness, replica: Replica
) -> None:
    harness.wallet.unavailable("SettlePot", times=3)
    table_id = await play_out(harness, replica)
    assert (await replica.service.get(table_id)).status == table_pb2.TABLE_STATUS_SETTLING

    view = await closed(replica, table_id, timeout=20)

    assert_paid_once(harness, view)
    assert harness.wallet.count("SettlePot") == 4


@pytest.mark.parametrize(
    ("refusal", "delivered"),
    [
        ("unknown command 'WAITAOF', with args beginning with: '1' '0' '2000' ", True),
        ("NOPERM User matches has no permissions to run the 'waitaof' command", False),
        ("WAITAOF cannot be used with replica instances.", False),
    ],
)
async def test_only_where_redis_cannot_say_what_is_on_disk_it_is_not_asked(
    harness: Harness, replica: Replica, monkeypatch: pytest.MonkeyPatch, refusal: str, *, delivered: bool
) -> None:
    redis = replica.outbox._redis
    call = redis.call

    async def refuse(*arguments: Argument) -> object:
        if arguments[0] == "WAITAOF":
            raise ResponseError(refusal)
        return await call(*arguments)

    monkeypatch.setattr(redis, "call", refuse)
    table_id = await harness.table(replica, stake=STAKE)
    await replica.service.abort(table_id)
    if not delivered:
        async with asyncio.timeout(5):
            while not replica.metric("jasshaus_table_settle_failures_total"):
                await asyncio.sleep(0.01)
        assert not harness.wallet.count("RefundPot")
        monkeypatch.undo()
    await closed(replica, table_id)
    assert harness.wallet.count("RefundPot") == 1


async def test_a_lost_answer_does_not_pay_twice(harness: Harness, replica: Replica) -> None:
    harness.wallet.lose_answer("SettlePot")
    view = await closed(replica, await play_out(harness, replica))
    assert harness.wallet.count("SettlePot") == 2
    assert_paid_once(harness, view)


async def test_a_report_that_fails_does_not_pay_twice(harness: Harness, replica: Replica) -> None:
    harness.history.down = True
    table_id = await play_out(harness, replica)
    async with asyncio.timeout(10):
        while len(harness.history.reports) < 2:
            await asyncio.sleep(0.02)
    assert (await replica.service.get(table_id)).status == table_pb2.TABLE_STATUS_SETTLING
    harness.history.down = False
    assert_paid_once(harness, await closed(replica, table_id))


@pytest.mark.parametrize(
    ("kind", "reason"), [(not_found, "GAME_NOT_FOUND"), (failed_precondition, "RESULT_CONFLICT")]
)
async def test_a_report_that_is_refused_does_not_hold_up_the_table(
    harness: Harness, replica: Replica, kind: Callable[..., Fault], reason: str
) -> None:
    harness.history.refuse("ReportMatch", reason, kind)
    assert_paid_once(harness, await closed(replica, await play_out(harness, replica)))
    assert replica.metric("jasshaus_table_settle_refusals_total") == 1


async def test_a_pot_that_was_refunded_voids_the_table(harness: Harness) -> None:
    async with harness.replica(ticking=False) as replica:
        table_id = await play_out(harness, replica)
        game_id = (await replica.service.get(table_id)).game_id
        await harness.end_pot(game_id, table_id)
        async with harness.replica() as other:
            view = await closed(other, table_id)

    assert view.status == table_pb2.TABLE_STATUS_VOIDED
    assert view.outcome.decision == table_pb2.DECISION_ABORTED
    assert view.outcome.abort_reason == "pot_refunded"
    assert not view.outcome.winning_seats
    assert [report.voided for report in harness.history.reports] == [True]
    assert [harness.wallet.balance(player) for player in PLAYERS] == [STAKE] * 4


async def test_a_pot_settled_otherwise_is_the_outcome(harness: Harness) -> None:
    async with harness.replica(ticking=False) as replica:
        table_id = await play_out(harness, replica)
        played = await replica.service.get(table_id)
        losers = [seat for seat in range(4) if seat not in played.outcome.winning_seats]
        await harness.end_pot(played.game_id, table_id, losers)
        async with harness.replica() as other:
            view = await closed(other, table_id)

    assert list(view.outcome.winning_seats) == losers
    assert_paid_once(harness, view)


async def test_an_abort_after_the_wallet_settled_takes_the_wallets_word(harness: Harness) -> None:
    async with harness.replica(ticking=False) as replica:
        table_id = await harness.table(replica, stake=STAKE)
        game_id = (await replica.service.get(table_id)).game_id
        await harness.end_pot(game_id, table_id, [0, 2])
        await replica.service.abort(table_id)
        async with harness.replica() as other:
            view = await closed(other, table_id)
    assert list(view.outcome.winning_seats) == [0, 2]
    assert_paid_once(harness, view)


async def test_one_table_that_cannot_be_settled_does_not_hold_up_another(
    harness: Harness, replica: Replica
) -> None:
    gate = harness.wallet.pause("SettlePot")
    stuck = await play_out(harness, replica)
    free = await play_out(harness, replica, stake=0)
    assert (await closed(replica, free)).status == table_pb2.TABLE_STATUS_FINISHED
    assert (await replica.service.get(stuck)).status == table_pb2.TABLE_STATUS_SETTLING
    gate.set()
    assert (await closed(replica, stuck)).status == table_pb2.TABLE_STATUS_FINISHED


async def test_a_winner_that_is_known_cannot_be_aborted(harness: Harness) -> None:
    async with harness.replica(ticking=False) as replica:
        table_id = await play_out(harness, replica)
        with pytest.raises(Fault) as refused:
            await replica.service.abort(table_id)
        assert refused.value.reason == "TABLE_ENDED"


async def test_many_replicas_settle_once(harness: Harness) -> None:
    async with harness.replica(ticking=False) as replica:
        tables = [await play_out(harness, replica, stake=0) for _ in range(5)]
        async with harness.replica() as one, harness.replica(), harness.replica():
            for table_id in tables:
                await closed(one, table_id)
    assert len(harness.history.reports) == 5


async def test_a_closed_table_is_kept_for_a_while_only(harness: Harness, replica: Replica) -> None:
    table_id = await play_out(harness, replica)
    await closed(replica, table_id)
    keys = [key.decode() for key in await replica.redis.call("KEYS", f"*{table_id}*")]
    left = [await replica.redis.call("PTTL", key) for key in keys]
    assert len(keys) == 3
    assert all(
        0 < each <= (RESTORE_WINDOW if ":result:" in key else 60_000)
        for key, each in zip(keys, left, strict=True)
    )


@pytest.mark.parametrize("failures", [1, 40])
async def test_a_table_that_comes_back_after_its_stakes_went_back_is_voided(
    harness: Harness, replica: Replica, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    # However long the wallet is away.
    monkeypatch.setattr("jasshaus.table.reset_check._BACKOFF", Backoff(0.01, 0.02))
    table_id = await harness.table(replica, stake=STAKE)
    keys = replica.store.names.of(UUID(table_id))
    dump = await replica.redis.call("DUMP", keys.table)
    view = await step(replica, table_id)
    await harness.end_pot(view.game_id, table_id)
    harness.wallet.unavailable("ReconcilePot", times=failures)
    await replica.redis.call("RESTORE", keys.table, 0, dump, "REPLACE")

    view = await closed(replica, table_id)

    assert view.status == table_pb2.TABLE_STATUS_VOIDED
    assert view.outcome.abort_reason == "pot_refunded"
    assert harness.wallet.total() == 0
