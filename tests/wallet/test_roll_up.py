"""House and cashier accounts: appended by many, counted in by batches, losing nothing. And the gauges."""

from __future__ import annotations

import asyncio

import grpc
import psycopg

from contract.pots_bank import FOUR, refused
from eventually import until
from jasshaus.wallet import store
from wallet.audit import findings
from wallet.harness import WAITING_FOR_LOCKS

COUNTED = """SELECT kind::text, balance::bigint, sequence FROM wallet.account
    WHERE kind IN ('house', 'cashier') ORDER BY account.kind"""


async def test_fees_and_deposits_are_counted_in(wallet, bank, sql):
    pot = await bank.locked(100)
    await bank.settle(pot.pot_id)
    assert sql(COUNTED) == [("house", 0, 0), ("cashier", 0, 0)]
    assert await wallet.books.roll_up() == 5
    assert sql(COUNTED) == [("house", 10, 1), ("cashier", -4000, 1)]
    assert await wallet.books.roll_up() == 0
    await bank.deposit("anna", 50)
    await wallet.books.roll_up()
    assert sql(COUNTED) == [("house", 10, 1), ("cashier", -4050, 2)]
    await bank.assert_sound()


async def test_an_entry_of_a_slower_transaction_is_not_passed_over(wallet, bank, owner, owner_dsn):
    """A lower id that is committed later: reading on from the last id seen would lose it for ever."""
    await bank.deposit("anna", 1)
    await wallet.books.roll_up()
    slow = "SELECT wallet.deposit('default', gen_random_uuid(), 'beat', 'CHF', 20, '', 'cashier', 'default')"
    with psycopg.connect(owner_dsn) as slower:
        slower.execute(slow)
        await bank.deposit("anna", 300)
        assert await wallet.books.roll_up() == 1
        slower.commit()
    assert await wallet.books.roll_up() == 1
    assert owner.execute("SELECT balance FROM wallet.account WHERE kind = 'cashier'").fetchone() == (-321,)
    assert findings(owner) == {}
    await bank.assert_sound()


async def test_many_roll_up_at_once_while_entries_are_written(wallet, bank, owner):
    async def deposits():
        for number in range(60):
            await bank.deposit(FOUR[number % 4], 10)

    async def roll_ups():
        total = 0
        for _ in range(60):
            total += await wallet.ledger.roll_up(5)
        return total

    await asyncio.gather(deposits(), *(roll_ups() for _ in range(4)))
    while await wallet.ledger.roll_up(5):
        pass
    assert owner.execute(
        "SELECT balance, sequence > 3 FROM wallet.account WHERE kind = 'cashier'"
    ).fetchone() == (
        -600,
        True,
    )
    assert findings(owner) == {}
    await bank.assert_sound()


async def test_the_imbalance_is_watched(wallet, bank, postgres_server, database):
    await bank.deposit("anna", 50)
    await wallet.books.watch()
    assert wallet.metric("jasshaus_wallet_imbalance_minor_units") == 0
    assert wallet.metric("jasshaus_wallet_pending_roll_up") == 1
    assert wallet.metric("jasshaus_wallet_imbalance_checked_timestamp_seconds") > 0
    with psycopg.connect(postgres_server.dsn("postgres", database), autocommit=True) as superuser:
        superuser.execute("UPDATE wallet.account SET balance = 43 WHERE owner = 'anna'")
    await wallet.books.watch()
    assert wallet.metric("jasshaus_wallet_imbalance_minor_units") == 7
    response = await wallet.ledger.trial_balance()
    assert (response.balanced, response.totals) == (False, {"CHF": -7})


async def test_a_settlement_conflict_is_counted(wallet, bank):
    pot = await bank.locked()
    await bank.settle(pot.pot_id)
    assert wallet.metric("jasshaus_wallet_settlement_conflicts_total") == 0
    with refused("SETTLEMENT_CONFLICT"):
        await bank.settle(pot.pot_id, (1, 3))
    assert wallet.metric("jasshaus_wallet_settlement_conflicts_total") == 1


async def test_what_a_pot_that_is_over_still_holds_is_an_imbalance(wallet, bank, postgres_server, database):
    """The sum leaves such pots out, so that it does not grow with history."""
    pot = await bank.locked()
    await bank.settle(pot.pot_id)
    await bank.locked()
    await wallet.books.watch()
    assert wallet.metric("jasshaus_wallet_imbalance_minor_units") == 0
    with psycopg.connect(postgres_server.dsn("postgres", database), autocommit=True) as superuser:
        superuser.execute("UPDATE wallet.account SET balance = balance + 3 WHERE owner = %s", (pot.pot_id,))
        superuser.execute("UPDATE wallet.account SET balance = balance - 3 WHERE owner = %s", (FOUR[0],))
    await wallet.books.watch()
    assert wallet.metric("jasshaus_wallet_imbalance_minor_units") == 3


async def test_trial_balances_are_made_one_at_a_time(wallet, bank, owner):
    """And may take longer than other statements: several at once would be all that the database does."""
    await bank.locked()
    with owner.transaction():
        owner.execute("SELECT pg_advisory_xact_lock(hashtext('jasshaus.wallet.audit'))")
        first = asyncio.ensure_future(wallet.ledger.trial_balance())
        second = asyncio.ensure_future(wallet.ledger.trial_balance())
        await until(lambda: owner.execute(WAITING_FOR_LOCKS).fetchone() == (1,))
        # Time for the other to wait there as well, if it did.
        await asyncio.sleep(0.3)
        assert owner.execute(WAITING_FOR_LOCKS).fetchone() == (1,)
        # The rest of the ledger is not held up.
        await bank.deposit(FOUR[0], 5)
    assert (await first).balanced
    assert (await second).balanced


async def test_a_trial_balance_is_given_up_before_long(wallet, bank, owner, monkeypatch):
    """A migration that needs one of its tables waits behind it."""
    assert owner.execute("SELECT %s::interval <= interval '2 min'", (store._AUDIT_TIMEOUT,)).fetchone() == (
        True,
    )
    monkeypatch.setattr(store, "_AUDIT_TIMEOUT", "100ms")
    await bank.locked()
    with owner.transaction():
        owner.execute("LOCK TABLE wallet.entry IN ACCESS EXCLUSIVE MODE")
        with refused("STORE_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE):
            await wallet.ledger.trial_balance()
    assert (await wallet.ledger.trial_balance()).balanced


async def test_pots_that_nobody_ends_are_counted(wallet, bank, owner):
    await bank.open(100)
    await bank.locked()
    over = await bank.locked()
    await bank.settle(over.pot_id)
    await wallet.books.watch()
    assert wallet.metric("jasshaus_wallet_stale_pots") == 0
    owner.execute("UPDATE wallet.pot SET created_at = now() - interval '25 hours' WHERE closed_at IS NULL")
    await wallet.books.watch()
    assert wallet.metric("jasshaus_wallet_stale_pots") == 2
