"""The wallet's contract on what operators do, held by the real one and by the fake."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from contract.pots import FakeWallet
from contract.pots_bank import (
    FOUR,
    LOCKED,
    REFUNDED,
    SETTLED,
    TABLE,
    Aborted,
    Bank,
    malformed,
    new_id,
    not_found,
    refused,
    seats_of,
)
from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.platform.errors import Fault
from wallet.harness import serve_wallet

ANNA, BEAT, CLA, DORA = FOUR
OPERATOR, SERVICE = "cashier", "matchmaking"


@pytest.fixture(params=["fake", "real"])
async def bank(request: pytest.FixtureRequest) -> AsyncIterator[Bank]:
    if request.param == "fake":
        async with FakeWallet().serve() as address, Bank(address) as bank:
            yield bank
    else:
        async with serve_wallet(request.getfixturevalue("wallet_dsn")) as wallet, wallet.bank() as bank:
            yield bank


def soon(seconds: float) -> Timestamp:
    at = Timestamp()
    at.FromMicroseconds(int((time.time() + seconds) * 1_000_000))
    return at


# Withdraw and Correct.


async def test_money_goes_out_as_it_came_in(bank):
    await bank.deposit(ANNA, 500)
    out = await bank.withdraw(ANNA, 200, reference="payout 1")
    assert (out.kind, out.amount.minor_units, out.balance_after.minor_units, out.reference) == (
        wallet_pb2.ENTRY_KIND_WITHDRAWAL,
        -200,
        300,
        "payout 1",
    )
    up = await bank.correct(ANNA, 7, reference="missed a slip")
    down = await bank.correct(ANNA, -307, reference="booked twice")
    assert [(e.kind, e.amount.minor_units, e.balance_after.minor_units) for e in (up, down)] == [
        (wallet_pb2.ENTRY_KIND_CORRECTION, 7, 307),
        (wallet_pb2.ENTRY_KIND_CORRECTION, -307, 0),
    ]
    await bank.assert_sound()


@pytest.mark.parametrize("player", [ANNA, "nobody"])
async def test_no_balance_goes_below_zero(bank, player):
    pot = await bank.seated(players=(ANNA,), funds=150)
    request_id = new_id()
    for call in (
        bank.withdraw(player, 51, request_id=request_id),
        bank.correct(player, -51, request_id=request_id),
    ):
        with refused("BALANCE_TOO_LOW"):
            await call
    # What was refused left its id free.
    await bank.deposit(player, 1, request_id=request_id)
    await bank.release(pot.pot_id, pot.holds[0].reservation_id)
    assert (await bank.withdraw(ANNA, 150)).balance_after.minor_units == (player == ANNA)
    await bank.assert_sound()


async def test_an_account_has_a_limit_however_it_is_reached(bank):
    for _ in range(1000):
        await bank.deposit("rich", 10**12)
    for call in (bank.deposit("rich", 1), bank.correct("rich", 1)):
        with refused("BALANCE_LIMIT"):
            await call
    await bank.correct("rich", -1)


async def test_the_same_request_again_is_the_same_answer(bank):
    await bank.deposit(ANNA, 500)
    for move in (bank.withdraw, bank.correct):
        request_id, reference = new_id(), new_id()
        first = await move(ANNA, 100, request_id=request_id, reference=reference)
        assert await move(ANNA, 100, request_id=request_id, reference=reference) == first
        for other in (
            move(ANNA, 101, request_id=request_id, reference=reference),
            move(ANNA, 100, request_id=request_id, reference="another"),
            move(BEAT, 100, request_id=request_id, reference=reference),
        ):
            with refused("REQUEST_ID_REUSED"):
                await other
    assert await bank.balance(ANNA) == 500
    await bank.assert_sound()


async def test_a_reference_is_used_once_a_tenant_and_kind(bank):
    first = await bank.deposit(ANNA, 300, reference="slip 17")
    for player in (ANNA, BEAT):
        with refused("REFERENCE_USED") as caught:
            await bank.deposit(player, 300, reference="slip 17")
        assert caught.fault.metadata["journal_id"] == first.journal_id
    # Whoever types it in capitals means the same payment.
    with refused("REFERENCE_USED") as caught:
        await bank.deposit(ANNA, 300, reference="SLIP 17")
    assert caught.fault.metadata["journal_id"] == first.journal_id
    # Whatever the letters.
    written = await bank.deposit(ANNA, 300, reference="Zürich, É-Ђ17")
    with refused("REFERENCE_USED") as caught:
        await bank.deposit(ANNA, 300, reference="ZÜRICH, é-ђ17")
    assert caught.fault.metadata["journal_id"] == written.journal_id
    await bank.deposit(ANNA, 300, reference="slip 17", tenant="red")
    await bank.withdraw(ANNA, 100, reference="slip 17")
    with refused("REFERENCE_USED"):
        await bank.withdraw(ANNA, 100, reference="slip 17")
    await bank.correct(ANNA, 5, reference="slip 17")
    with refused("REFERENCE_USED"):
        await bank.correct(ANNA, -5, reference="slip 17")
    # Without a reference the request id is the guard.
    for _ in range(2):
        await bank.deposit(ANNA, 1)
    assert await bank.balance(ANNA) == 507
    await bank.assert_sound()


async def test_of_many_entries_of_one_reference_at_once_one_is_written(bank):
    results = await asyncio.gather(
        *(bank.deposit(ANNA, 100, reference="slip 18") for _ in range(10)), return_exceptions=True
    )
    assert [r.reason for r in results if isinstance(r, Fault)] == ["REFERENCE_USED"] * 9
    assert await bank.balance(ANNA) == 100
    await bank.assert_sound()


async def test_money_out_needs_a_reason_and_an_amount(bank):
    await bank.deposit(ANNA, 500)
    for move in (bank.withdraw, bank.correct):
        for asked in ({"minor_units": 0}, {"minor_units": 10**12 + 1}, {"minor_units": 5, "reference": ""}):
            with malformed():
                await move(ANNA, **asked)
    with malformed():
        await bank.withdraw(ANNA, -5)
    assert await bank.balance(ANNA) == 500


# Fee schedules.


async def test_a_schedule_is_in_force_from_its_start_on(bank):
    pot = await bank.open(100)
    now = await bank.set_fees(300)
    assert (now.version, now.created_by, now.start_time) == (2, OPERATOR, now.create_time)
    assert (await bank.quote(100))[0].fee.minor_units == 12
    later = await bank.set_fees(500, start_time=soon(4))
    assert (await bank.quote(100))[0].fee_schedule_version == 2
    async with asyncio.timeout(30):
        while (await bank.quote(100))[0].fee_schedule_version == 2:
            await asyncio.sleep(0.1)
    assert (await bank.quote(100))[0].fee_schedule_version == later.version == 3
    assert (await bank.open(100)).quote.fee.minor_units == 20
    assert (await bank.get(pot.pot_id)).quote == pot.quote
    assert [each.fee_bps for each in (await bank.fees()).schedules] == [500, 300, 250]
    page = await bank.fees(size=2)
    assert [each.version for each in (await bank.fees(2, page.next_page_token)).schedules] == [1]


async def test_a_schedule_does_not_start_in_the_past_or_before_another(bank):
    with refused("SCHEDULE_TOO_EARLY"):
        await bank.set_fees(300, start_time=soon(-1))
    planned = await bank.set_fees(300, start_time=soon(3600))
    for start_time in (None, soon(1800)):
        with refused("SCHEDULE_TOO_EARLY"):
            await bank.set_fees(400, start_time=start_time)
    await bank.set_fees(400, start_time=planned.start_time)
    await bank.set_fees(100, tenant="red")
    assert [(await bank.quote(100, tenant=name))[0].fee_bps for name in ("default", "red")] == [250, 100]


async def test_the_same_schedule_again_is_the_same_answer(bank):
    request_id = new_id()
    first = await bank.set_fees(300, fee_min=2, fee_max=50, request_id=request_id)
    assert (first.fee_min, first.fee_max) == (2, 50)
    assert await bank.set_fees(300, fee_min=2, fee_max=50, request_id=request_id) == first
    for other in ({"fee_bps": 301}, {"fee_min": 3}, {"fee_max": 51}, {"start_time": soon(60)}):
        asked = {"fee_bps": 300, "fee_min": 2, "fee_max": 50, "request_id": request_id, **other}
        with refused("REQUEST_ID_REUSED"):
            await bank.set_fees(**asked)
    assert len((await bank.fees()).schedules) == 2
    assert not (await bank.set_fees(300)).HasField("fee_max")


@pytest.mark.parametrize("terms", [{"fee_bps": 10_001}, {"fee_min": -1}, {"fee_min": 5, "fee_max": 4}])
async def test_terms_out_of_range_are_malformed(bank, terms):
    with malformed():
        await bank.set_fees(**{"fee_bps": 250, **terms})


# ForceRefundPot, ForceSettlePot, ListOperatorActs.


async def test_an_operator_refunds_what_is_stuck(bank):
    opened, locked, request_id = await bank.seated(players=(ANNA, BEAT)), await bank.locked(), new_id()
    for pot in (opened, locked):
        answer = await bank.force_refund(pot.pot_id, "table lost", request_id if pot is locked else "")
        assert (answer.state, answer.refund_reason) == (REFUNDED, wallet_pb2.REFUND_REASON_OPERATOR)
        assert len(answer.payouts) == len(pot.holds)
    assert (await bank.force_refund(locked.pot_id, "table lost", request_id)) == answer
    with refused("REQUEST_ID_REUSED"):
        await bank.force_refund(locked.pot_id, "another reason", request_id)
    with refused("POT_REFUNDED"):
        await bank.settle(locked.pot_id)
    assert [(each.kind, each.object, each.reason) for each in (await bank.acts()).acts[:2]] == [
        ("refund_pot", locked.pot_id, "table lost"),
        ("refund_pot", opened.pot_id, "table lost"),
    ]
    await bank.assert_sound()


async def test_an_operator_settles_what_is_stuck(bank):
    for table_id in (TABLE, ""):
        pot, request_id = await bank.locked(table_id=table_id), new_id()
        settled = await bank.force_settle(pot.pot_id, (1, 3), "the log says so", request_id)
        assert (settled.state, [each.player_id for each in settled.payouts]) == (SETTLED, [BEAT, DORA])
        assert await bank.force_settle(pot.pot_id, (1, 3), "the log says so", request_id) == settled
        with refused("REQUEST_ID_REUSED"):
            await bank.force_settle(pot.pot_id, (0, 2), "the log says so", request_id)
        with refused("POT_SETTLED"):
            await bank.force_settle(pot.pot_id, (1, 3), "again")
        with refused("POT_SETTLED"):
            await bank.force_refund(pot.pot_id)
        with refused("SETTLEMENT_CONFLICT"):
            await bank.settle(pot.pot_id, (1, 3), named=seats_of(pot))
    await bank.assert_sound()


async def test_only_a_locked_pot_is_settled_by_an_operator(bank):
    pot = await bank.seated()
    with refused("POT_NOT_LOCKED") as caught:
        await bank.force_settle(pot.pot_id)
    assert caught.pot == pot
    await bank.refund(pot.pot_id)
    with refused("POT_REFUNDED"):
        await bank.force_settle(pot.pot_id)
    with not_found():
        await bank.force_settle(new_id())
    with not_found():
        await bank.force_refund(new_id())
    for reason in ("", "x" * 257):
        with malformed():
            await bank.force_refund(pot.pot_id, reason)
    with malformed():
        await bank.force_settle(pot.pot_id, (2, 1))
    assert not [act for act in (await bank.acts()).acts if act.kind != "deposit"]


async def test_an_operator_decides_on_no_pot_they_play_for(bank):
    pot = await bank.seated(players=(ANNA, BEAT, CLA, OPERATOR))
    with refused("OWN_TABLE") as caught:
        await bank.force_refund(pot.pot_id)
    assert caught.pot == pot
    locked = await bank.lock(pot.pot_id, pot.holds)
    for call in (bank.force_refund(pot.pot_id), bank.force_settle(pot.pot_id, (1, 3))):
        with refused("OWN_TABLE"):
            await call
    assert (await bank.get(pot.pot_id)) == locked
    await bank.assert_sound()


async def test_a_service_moves_no_pot_it_plays_for(bank):
    pot = await bank.seated(players=(ANNA, BEAT, CLA, SERVICE))
    for call in (
        bank.lock(pot.pot_id, pot.holds),
        bank.refund(pot.pot_id),
        bank.reconcile(pot.pot_id, seats_of(pot), aborted=Aborted()),
    ):
        with refused("OWN_TABLE"):
            await call
    assert (await bank.get(pot.pot_id)) == pot
    assert (await bank.force_refund(pot.pot_id)).state == REFUNDED


async def test_every_act_is_listed_newest_first(bank):
    deposit = await bank.deposit(ANNA, 500, reference="slip 1")
    out = await bank.withdraw(ANNA, 100, reference="payout 1")
    change = await bank.correct(ANNA, -1, reference="mistyped")
    await bank.set_fees(300, tenant="red")
    acts = (await bank.acts()).acts
    assert [(act.kind, act.tenant, act.object, act.journal_id) for act in acts] == [
        ("set_fee_schedule", "red", "", ""),
        ("correct", "default", ANNA, change.journal_id),
        ("withdraw", "default", ANNA, out.journal_id),
        ("deposit", "default", ANNA, deposit.journal_id),
    ]
    assert [act.reason for act in acts[1:]] == ["mistyped", "payout 1", "slip 1"]
    assert {(act.subject, act.subject_tenant) for act in acts} == {(OPERATOR, "default")}
    page = await bank.acts(size=3)
    rest = await bank.acts(size=3, token=page.next_page_token)
    assert [*page.acts, *rest.acts] == list(acts)
    assert list((await bank.acts(OPERATOR)).acts) == list(acts)
    assert not (await bank.acts("somebody")).acts


async def test_what_was_refused_is_no_act(bank):
    with refused("BALANCE_TOO_LOW"):
        await bank.withdraw(ANNA, 1)
    with refused("SCHEDULE_TOO_EARLY"):
        await bank.set_fees(300, start_time=soon(-1))
    pot = await bank.locked()
    await bank.settle(pot.pot_id)
    with refused("POT_SETTLED"):
        await bank.force_refund(pot.pot_id)
    assert {act.kind for act in (await bank.acts()).acts} == {"deposit"}
    assert pot.state == LOCKED
