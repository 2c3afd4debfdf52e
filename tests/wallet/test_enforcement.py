"""What the database refuses by itself, to the service's role and to the schema's owner."""

from __future__ import annotations

import psycopg
import pytest

from contract.pots_bank import FOUR

WRITTEN_ONCE = ("journal", "entry", "roll_up", "fee_schedule", "operator_act")
TABLES = (
    *WRITTEN_ONCE,
    *("account", "pot", "hold", "idempotency", "pending_roll_up", "lineage", "recovery", "fenced_pot"),
    "retention",
)


@pytest.fixture
async def played(wallet, bank):
    pot = await bank.locked(100)
    await bank.settle(pot.pot_id)
    await wallet.books.roll_up()
    await bank.locked(50)
    return bank


def rewrites(table):
    """Every way to change what stands in a table."""
    column = {
        "entry": "amount",
        "pending_roll_up": "account_id",
        "lineage": "timeline",
        "recovery": "repaired",
        "fenced_pot": "fenced_on",
    }.get(table, "created_at")
    yield f"UPDATE wallet.{table} SET {column} = {column}"
    yield f"UPDATE wallet.{table} SET {column} = {column} WHERE false"
    yield f"DELETE FROM wallet.{table}"
    yield f"TRUNCATE wallet.{table} CASCADE"


async def test_the_service_writes_to_no_table(played, service):
    for table in TABLES:
        for attack in (*rewrites(table), f"INSERT INTO wallet.{table} DEFAULT VALUES"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                service.execute(attack)
    await played.assert_sound()


async def test_not_even_the_owner_rewrites_history(played, owner):
    for table in WRITTEN_ONCE:
        for attack in rewrites(table):
            with pytest.raises(psycopg.errors.RestrictViolation):
                owner.execute(attack)
    await played.assert_sound()


async def test_the_service_may_not_call_what_lies_below_the_operations(played, service):
    for call in (
        "wallet.post('deposit', NULL, '', ARRAY[1, 2], ARRAY[-5, 5])",
        "wallet.account_of('player', 'default', 'eve', 'CHF')",
        "wallet.lock_accounts(ARRAY[1])",
        "wallet.post_by('deposit', NULL, '', ARRAY[1, 2], ARRAY[-5, 5], NULL, NULL)",
        "wallet.pay(pot, ARRAY[0]::smallint[], sha256(''), NULL) FROM wallet.pot",
        "wallet.give_back(pot, 'OPERATOR', NULL) FROM wallet.pot",
        "wallet.force_pot(NULL, NULL, '', NULL)",
        "wallet.begin_request('default', gen_random_uuid(), sha256(''))",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            service.execute(f"SELECT {call}")


async def test_the_service_cannot_disarm_the_triggers(played, service):
    for attack in (
        "ALTER TABLE wallet.entry DISABLE TRIGGER ALL",
        "SET session_replication_role = replica",
        "DROP TRIGGER refuse_change ON wallet.entry",
        "CREATE TABLE wallet.mine ()",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            service.execute(attack)


async def test_a_function_of_the_callers_cannot_slip_in_between(played, service, owner):
    """The operations' search path is pinned: what the caller puts into a temporary schema is not seen."""
    owner.execute(
        "DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO PUBLIC', current_database()); END $$"
    )
    service.execute("CREATE TEMPORARY TABLE pot AS SELECT * FROM wallet.pot")
    service.execute("SET search_path = pg_temp, wallet")
    pot_id, state = service.execute("SELECT id, state FROM wallet.pot WHERE state = 'LOCKED'").fetchone()
    service.execute("UPDATE pg_temp.pot SET state = 'SETTLED'")
    assert service.execute("SELECT wallet.describe_pot(%s)->>'state'", (pot_id,)).fetchone() == (state,)


async def test_the_databases_other_service_sees_nothing(played, matchmaking_dsn):
    with psycopg.connect(matchmaking_dsn) as other, pytest.raises(psycopg.errors.InsufficientPrivilege):
        other.execute("SELECT * FROM wallet.entry")


def write(connection, *postings, journal="INSERT INTO wallet.journal (kind) VALUES ('deposit') RETURNING id"):
    (journal_id,) = connection.execute(journal).fetchone()
    for account, amount in postings:
        connection.execute(
            "INSERT INTO wallet.entry (journal_id, account_id, currency, amount)"
            " SELECT %s, id, currency, %s FROM wallet.account WHERE id = %s",
            (journal_id, amount, account),
        )
    return journal_id


async def test_a_journal_must_add_to_zero(played, owner):
    for postings in ([(1, -5), (2, 4)], [(1, 5)], [(1, 5), (2, 5)], []):
        with pytest.raises(psycopg.errors.CheckViolation), owner.transaction():
            write(owner, *postings)
    await played.assert_sound()


async def test_each_currency_must_add_to_zero(played, owner):
    await played.deposit("anna", 5, currency="EUR")
    chf, eur = (
        owner.execute(
            "SELECT id FROM wallet.account WHERE kind = 'cashier' AND currency = %s", (code,)
        ).fetchone()[0]
        for code in ("CHF", "EUR")
    )
    with pytest.raises(psycopg.errors.CheckViolation), owner.transaction():
        write(owner, (chf, -5), (eur, 5))


def add(connection, journal, amount, currency="CHF"):
    connection.execute(
        "INSERT INTO wallet.entry (journal_id, account_id, currency, amount) VALUES (%s, 1, %s, %s)",
        (journal, currency, amount),
    )


async def test_an_entry_is_in_its_accounts_currency(played, owner):
    with pytest.raises(psycopg.errors.ForeignKeyViolation), owner.transaction():
        add(owner, write(owner, (1, -5)), 5, "XXX")


async def test_a_check_made_early_is_made_again(played, owner):
    with owner.transaction(force_rollback=True):
        journal = write(owner, (1, -5), (1, 5))
        owner.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(psycopg.errors.CheckViolation):
            add(owner, journal, 7)


async def test_a_committed_journal_is_complete(played, owner):
    (journal,) = owner.execute("SELECT id FROM wallet.journal LIMIT 1").fetchone()
    with pytest.raises(psycopg.errors.RestrictViolation), owner.transaction():
        owner.execute(
            "INSERT INTO wallet.entry (journal_id, account_id, currency, amount)"
            " SELECT %s, id, 'CHF', amount FROM wallet.account, unnest(ARRAY[5, -5]) AS amount WHERE id = 1",
            (journal,),
        )


async def test_no_balance_below_zero(played, owner):
    anna = owner.execute("SELECT id FROM wallet.account WHERE owner = 'anna'").fetchone()[0]
    with pytest.raises(psycopg.errors.CheckViolation):
        owner.execute("UPDATE wallet.account SET balance = -1 WHERE id = %s", (anna,))
    with pytest.raises(psycopg.errors.CheckViolation):
        owner.execute(
            "SELECT wallet.post('stake', pot.id, '', ARRAY[%s, account_id], ARRAY[-100000, 100000])"
            " FROM wallet.pot LIMIT 1",
            (anna,),
        )
    await played.assert_sound()


async def test_a_pot_only_goes_forward(played, owner):
    for attack in (
        "UPDATE wallet.pot SET state = 'LOCKED', closed_at = NULL WHERE state = 'SETTLED'",
        "UPDATE wallet.pot SET state = 'OPEN' WHERE state = 'LOCKED'",
        "UPDATE wallet.pot SET stake = stake + 1 WHERE state = 'LOCKED'",
        "UPDATE wallet.pot SET fee = 0 WHERE state = 'LOCKED'",
        "UPDATE wallet.pot SET table_id = gen_random_uuid() WHERE state = 'LOCKED'",
        "UPDATE wallet.pot SET table_id = NULL WHERE state = 'LOCKED'",
        "UPDATE wallet.pot SET result_digest = sha256('x') WHERE state = 'SETTLED'",
    ):
        with pytest.raises(psycopg.errors.RestrictViolation):
            owner.execute(attack)


async def test_one_stake_a_seat_and_a_player(played, owner):
    for seat, player in ((0, "eva"), (1, FOUR[0])):
        with pytest.raises(psycopg.errors.UniqueViolation):
            owner.execute(
                "INSERT INTO wallet.hold (reservation_id, pot_id, seat, player, account_id, state)"
                " SELECT gen_random_uuid(), id, %s, %s, account_id, 'HELD'"
                " FROM wallet.pot WHERE state = 'LOCKED'",
                (seat, player),
            )
