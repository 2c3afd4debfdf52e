"""Who did it: every operator's act names its author in the journal, and a lost guard is not the only one."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from contract.pots_bank import FOUR, OTHER_TABLE, TABLE, Bank, new_id, refused, seats_of, won
from jasshaus.platform.errors import Fault
from wallet.audit import findings
from wallet.harness import token

ANNA, BEAT, CLA, DORA = FOUR


async def outcome(call):
    """The reason of a refusal, empty when there is none."""
    try:
        await call
    except Fault as fault:
        return fault.reason
    return ""


async def test_the_journal_names_operator_brand_and_request(wallet, bank, sql):
    boss = Bank(wallet.address, service=bank.service, operator=token("boss", "operator", "headquarters"))
    ids = [new_id() for _ in range(5)]
    async with boss:
        await boss.deposit(ANNA, 500, tenant="red", request_id=ids[0])
        await boss.withdraw(ANNA, 100, tenant="red", request_id=ids[1])
        await boss.correct(ANNA, 5, tenant="red", request_id=ids[2])
        refunded, settled = await bank.locked(), await bank.locked()
        await boss.force_refund(refunded.pot_id, request_id=ids[3])
        await boss.force_settle(settled.pot_id, request_id=ids[4])
    rows = sql(
        "SELECT kind::text, tenant, actor_subject, actor_tenant, request_id::text FROM wallet.journal"
        " WHERE actor_subject = 'boss' ORDER BY created_at"
    )
    tenants = ["red"] * 3 + ["default"] * 2
    kinds = ["deposit", "withdrawal", "correction", "refund", "payout"]
    assert rows == [
        (kind, tenant, "boss", "headquarters", request_id)
        for kind, tenant, request_id in zip(kinds, tenants, ids, strict=True)
    ]
    acts = sql(
        "SELECT subject_tenant, journal_id IS NOT NULL FROM wallet.operator_act WHERE subject = 'boss'"
    )
    assert acts == [("headquarters", True)] * 5


async def test_without_its_idempotency_row_a_deposit_is_still_credited_once(bank, sql):
    request_id = new_id()
    first = await bank.deposit(ANNA, 300, request_id=request_id)
    sql("DELETE FROM wallet.idempotency RETURNING 1")
    with refused("REQUEST_ID_REUSED"):
        await bank.deposit(ANNA, 301, request_id=request_id)
    with refused("REQUEST_ID_REUSED"):
        await bank.withdraw(ANNA, 300, request_id=request_id)
    assert await bank.deposit(ANNA, 300, request_id=request_id) == first
    assert await bank.balance(ANNA) == 300
    await bank.assert_sound()


async def test_the_database_itself_refuses_a_reference_or_request_twice(bank, owner):
    await bank.deposit(ANNA, 300, request_id="3f0e7a3c-1f7a-4d7e-9a53-5a4d9a1d9a10", reference="slip 1")
    for column, value in (
        ("reference", "'slip 1'"),
        ("request_id", "'3f0e7a3c-1f7a-4d7e-9a53-5a4d9a1d9a10'"),
    ):
        with pytest.raises(psycopg.errors.UniqueViolation):
            owner.execute(
                f"INSERT INTO wallet.journal (kind, tenant, {column}) VALUES ('deposit', 'default', {value})"
            )


async def test_the_database_itself_refuses_a_reference_that_reads_like_another(bank, owner):
    await bank.deposit(ANNA, 300, reference="Zürich 1")
    insert = "INSERT INTO wallet.journal (kind, tenant, reference) VALUES ('deposit', 'default', %s)"
    with pytest.raises(psycopg.errors.UniqueViolation):
        owner.execute(insert, ("ZÜRICH 1",))
    for reference in (
        *(" r", "r ", "a  b", "a\tb", "a\nb", "r\u00a0", "a\u00a0b", "a\u3000b"),
        *("a\u200bb", "a\u202eb", "a\u00adb", "\ufeffa", "a\x7fb", "a\x85b", "Zu\u0308rich"),
    ):
        with pytest.raises(psycopg.errors.CheckViolation, match="reference_without_look_alikes"):
            owner.execute(insert, (reference,))


async def test_withdrawals_racing_stakes_take_no_more_than_there_is(bank, owner):
    pots = [await bank.open(100) for _ in range(10)]
    await bank.deposit(ANNA, 1000)

    told = await asyncio.gather(
        *(outcome(bank.hold(pot.pot_id, 0, ANNA)) for pot in pots),
        *(outcome(bank.withdraw(ANNA, 100)) for _ in range(10)),
        *(outcome(bank.correct(ANNA, -100)) for _ in range(10)),
    )
    assert told.count("") == 10
    assert set(told) == {"", "INSUFFICIENT_FUNDS", "BALANCE_TOO_LOW"}
    assert await bank.balance(ANNA) == 0
    await bank.assert_sound()
    assert findings(owner) == {}


async def test_two_tables_and_an_operator_end_one_pot_once(wallet, bank, owner):
    """Two tables settle, one refunds, one reconciles, an operator decides: all at once, one of them pays."""

    for table_id in (TABLE, ""):
        for _ in range(6):
            pot = await bank.locked(table_id=table_id)
            before = sum([await bank.balance(player) for player in FOUR])
            seats = seats_of(pot)
            told = await asyncio.gather(
                outcome(bank.settle(pot.pot_id, (0, 2), named=seats)),
                outcome(bank.settle(pot.pot_id, (1, 3), "other", OTHER_TABLE, seats)),
                outcome(bank.refund(pot.pot_id, table_id=TABLE, named=seats)),
                outcome(bank.reconcile(pot.pot_id, seats, OTHER_TABLE, won=won((1, 3), "other"))),
                outcome(bank.force_settle(pot.pot_id, (1, 3))),
                outcome(bank.force_refund(pot.pot_id)),
            )
            ended = await bank.get(pot.pot_id)
            paid = sum(each.amount.minor_units for each in ended.payouts)
            assert sum([await bank.balance(player) for player in FOUR]) == before + paid
            assert 1 <= told.count("") <= 3
            if table_id:
                assert {told[1], told[3]} <= {"TABLE_MISMATCH"}
    assert wallet.metric("jasshaus_wallet_table_mismatches_total") >= 12
    await bank.assert_sound()
    assert findings(owner) == {}
