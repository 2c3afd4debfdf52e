"""Pots that no money went through are removed after thirty days; their ids stay taken, and all else stays."""

from __future__ import annotations

import asyncio

import pytest

from contract.pots_bank import FOUR, OPEN, REFUNDED, new_id, not_found, refused
from jasshaus.platform.errors import Fault
from wallet.audit import findings

ANNA = FOUR[0]
OLD = """
    UPDATE wallet.pot SET created_at = created_at - interval '31 days' WHERE id = ANY (%s::uuid[])
    RETURNING id
"""


async def remove(wallet):
    while await wallet.books.remove():
        continue
    return wallet.metric("jasshaus_wallet_removed_pots_total")


@pytest.fixture
async def pots(bank, sql):
    """Old pots: an empty one, one refunded, one with a refused stake, one whose stake came back."""
    empty, closed, refusing, used = [(await bank.open(100)).pot_id for _ in range(4)]
    sql(OLD, [empty, closed, refusing, used])
    await bank.refund(closed)
    with refused("INSUFFICIENT_FUNDS"):
        await bank.hold(refusing, 0, "poor")
    await bank.release(refusing, new_id())
    await bank.deposit(ANNA, 1000)
    hold = await bank.hold(used, 0, ANNA)
    await bank.release(used, hold.reservation_id)
    return empty, closed, refusing, used


async def test_what_was_never_used_goes_and_what_has_a_journal_stays(pots, wallet, bank, sql, owner):
    *unused, used = pots
    young = await bank.open(100)
    assert await remove(wallet) == 3
    assert (await bank.get(used)).state == OPEN
    assert await bank.get(young.pot_id) == young
    for pot_id in unused:
        with not_found():
            await bank.get(pot_id)
    assert sql("SELECT count(*) FROM wallet.account WHERE kind = 'pot'") == [(2,)]
    assert sql("SELECT count(*) FROM wallet.hold") == [(1,)]
    assert await remove(wallet) == 3
    assert findings(owner).keys() <= {"Pots not over after a day"}
    await bank.assert_sound()


async def test_nothing_is_made_anew_of_a_removed_pot(pots, wallet, bank, sql):
    *unused, _ = pots
    await remove(wallet)
    for pot_id in unused:
        with refused("POT_CONFLICT"):
            await bank.open(100, pot_id=pot_id)
        with refused("POT_NOT_OPEN"):
            await bank.hold(pot_id, 0, ANNA)
        assert await bank.release(pot_id, new_id()) is False
        for call in (bank.refund(pot_id), bank.settle(pot_id)):
            with not_found():
                await call
    assert await bank.balances(ANNA) == [(1000, 0, "CHF")]
    assert sql("SELECT count(*) FROM wallet.pot") == [(1,)]


async def test_a_stake_at_the_moment_of_removal_is_in_or_out(wallet, bank, sql):
    await bank.deposit(ANNA, 10_000)
    pot_ids = [(await bank.open(100)).pot_id for _ in range(20)]
    sql(OLD, pot_ids)

    async def hold(pot_id):
        try:
            return (await bank.hold(pot_id, 0, ANNA)).player_id
        except Fault as fault:
            return fault.reason

    *answers, _ = await asyncio.gather(*(hold(pot_id) for pot_id in pot_ids), remove(wallet))
    assert set(answers) <= {ANNA, "POT_NOT_OPEN"}
    held = answers.count(ANNA)
    assert await bank.balances(ANNA) == [(10_000 - 100 * held, 100 * held, "CHF")]
    assert sql("SELECT count(*) FROM wallet.pot") == [(held,)]
    await bank.assert_sound()


async def test_nothing_is_removed_while_the_ledger_recovers(pots, wallet, owner, sql):
    owner.execute("UPDATE wallet.lineage SET timeline = timeline + 1")
    with pytest.raises(Fault) as caught:
        await wallet.books.remove()
    assert caught.value.reason == "LEDGER_RECOVERING"
    assert sql("SELECT count(*) FROM wallet.pot") == [(4,)]


async def test_a_pot_that_is_refunded_later_is_not_forgotten(wallet, bank, sql):
    """Looked at once it is old, whatever its state is then."""
    pot = await bank.open(100)
    sql(OLD, [pot.pot_id])
    assert (await bank.refund(pot.pot_id)).state == REFUNDED
    assert await remove(wallet) == 1
