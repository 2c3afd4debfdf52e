"""The audit queries of docs/ledger.md: they find nothing in a sound ledger, and each finds what it is for."""

from __future__ import annotations

import psycopg
import pytest

from contract.pots_bank import FOUR, TABLE
from wallet.audit import audit_queries, findings

TAMPERED = {
    "Currencies that do not add to zero": "UPDATE wallet.entry SET amount = amount + 1 WHERE id = 2",
    "Journals that do not add to zero": "UPDATE wallet.entry SET amount = amount + 1 WHERE id = 2",
    "Accounts that do not hold what their entries say": (
        "UPDATE wallet.account SET balance = balance + 1 WHERE owner = 'anna'"
    ),
    "Pots whose account differs from the stakes held in them": (
        "DELETE FROM wallet.hold WHERE seat = 1 AND state = 'HELD'"
    ),
    "Settled pots that did not pay out exactly what was staked": (
        "UPDATE wallet.hold SET payout = payout + 1 WHERE payout > 0"
    ),
    "Statements with a gap, or a balance that does not follow from the one before": (
        "DELETE FROM wallet.entry WHERE id = (SELECT min(id) FROM wallet.entry WHERE sequence = 2)"
    ),
    "Entries whose hash does not fit (player and pot accounts)": (
        "UPDATE wallet.journal SET reference = 'never mind' WHERE kind = 'stake'"
    ),
    "Accounts whose newest hash is not that of their last entry or batch": (
        "UPDATE wallet.account SET chain = sha256('') WHERE owner = 'beat'"
    ),
    "Batches whose hash, sum or balance does not fit (house and cashier accounts)": (
        "UPDATE wallet.journal SET reference = 'never mind' WHERE kind = 'payout'"
    ),
    "House and cashier entries neither rolled up nor waiting, or twice": "DELETE FROM wallet.pending_roll_up",
    "Operators' entries that the record of their acts does not show": (
        "UPDATE wallet.operator_act SET subject = 'somebody' WHERE kind = 'deposit'"
    ),
    "Locked pots without their four stakes": "DELETE FROM wallet.hold WHERE seat = 1 AND state = 'HELD'",
    "Pots not over after a day": "UPDATE wallet.pot SET created_at = created_at - interval '2 days'",
}


@pytest.fixture
async def played(wallet, bank):
    """Pots settled and rolled up, refunded, and locked, and entries that wait to be rolled up."""
    settled = await bank.locked(101)
    await bank.settle(settled.pot_id)
    await wallet.books.roll_up()
    refunded = await bank.locked(50)
    await bank.refund(refunded.pot_id, table_id=TABLE)
    second = await bank.locked(33)
    await bank.settle(second.pot_id)
    await wallet.books.roll_up()
    await bank.locked(10)
    await bank.deposit(FOUR[0], 5)
    await bank.withdraw(FOUR[0], 3)
    await bank.correct(FOUR[1], -3)
    forced = await bank.locked(10)
    await bank.force_settle(forced.pot_id)
    return wallet


async def test_a_sound_ledger_shows_nothing(played, owner):
    assert findings(owner) == {}


def test_every_query_is_tried():
    assert audit_queries().keys() == TAMPERED.keys()


@pytest.mark.parametrize("name", TAMPERED)
async def test_each_query_finds_what_it_is_for(played, name, postgres_server, database):
    # Only a superuser gets past the tables' own refusals.
    with psycopg.connect(postgres_server.dsn("postgres", database), autocommit=True) as superuser:
        superuser.execute("SET session_replication_role = replica")
        superuser.execute(TAMPERED[name])
        assert name in findings(superuser)


async def test_who_did_it_is_part_of_the_hash(played, postgres_server, database):
    with psycopg.connect(postgres_server.dsn("postgres", database), autocommit=True) as superuser:
        superuser.execute("SET session_replication_role = replica")
        superuser.execute("UPDATE wallet.journal SET actor_subject = 'somebody' WHERE kind = 'deposit'")
        assert "Entries whose hash does not fit (player and pot accounts)" in findings(superuser)


async def test_the_service_reads_what_the_audit_needs(played, owner, service):
    owner.execute("GRANT EXECUTE ON FUNCTION wallet.link TO jasshaus_wallet")
    assert findings(service) == {}
