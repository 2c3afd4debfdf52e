"""PostgreSQL taken back in time, on real servers: noticed, waited for, put in order; sums stay zero."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import psycopg
import pytest

from contract.pots_bank import (
    FOUR,
    LOCKED,
    OTHER_TABLE,
    REFUNDED,
    SETTLED,
    TABLE,
    Bank,
    Playing,
    Pot,
    new_id,
    not_found,
    refused,
    seats_of,
    won,
)
from jasshaus.devstack.folder import DataFolder
from jasshaus.devstack.install import data_home, programs
from jasshaus.devstack.postgres import OWNER, SUPERUSER, EmbeddedPostgres
from jasshaus.devstack.process import unprivileged_user
from jasshaus.platform.errors import Fault
from jasshaus.platform.migrations import upgrade
from wallet.audit import findings
from wallet.harness import serve_wallet

ANNA, BEAT, CLA, DORA = FOUR
EVA = "eva"


class Server:
    """A PostgreSQL of the test's own whose data folder can be copied and put back."""

    def __init__(self, path: Path) -> None:
        if os.geteuid() == 0:
            path.chmod(0o711)
        self.path = path
        self.folder = DataFolder(path).hold()
        self.postgres = EmbeddedPostgres(self.folder, fsync=False)
        self.postgres.start()
        self.user = unprivileged_user()
        self.cluster = data_home(path, self.user) / "cluster"

    @property
    def dsn(self) -> str:
        return self.postgres.dsn("jasshaus_wallet")

    def sql(self, query: str, *arguments: object) -> Any:
        with psycopg.connect(self.postgres.dsn(SUPERUSER), autocommit=True) as superuser:
            return superuser.execute(query, arguments).fetchone()[0]

    def do(self, command: str) -> None:
        with psycopg.connect(self.postgres.dsn(SUPERUSER), autocommit=True) as superuser:
            superuser.execute(command)

    def copy(self, name: str) -> Path:
        """Stop, copy the data folder, start again."""
        self.postgres.stop()
        copy = self.cluster.parent / name
        subprocess.run(["cp", "-a", self.cluster, copy], check=True)
        self.postgres.start()
        return copy

    def put_back(self, copy: Path) -> None:
        """Replace the data folder by a copy; the server is stopped, and stays so. The copy is used up."""
        shutil.rmtree(self.cluster)
        copy.rename(self.cluster)

    def close(self) -> None:
        self.postgres.stop()
        self.folder.release()


@contextmanager
def own_server() -> Iterator[Server]:
    memory = Path("/dev/shm")
    path = Path(tempfile.mkdtemp(prefix="jasshaus-restore-", dir=memory if memory.is_dir() else None))
    server = Server(path)
    try:
        yield server
    finally:
        server.close()
        shutil.rmtree(path)


@pytest.fixture
def server() -> Iterator[Server]:
    with own_server() as server:
        upgrade(server.postgres.dsn(OWNER), "jasshaus.wallet")
        yield server


def recovering() -> Any:
    return refused("LEDGER_RECOVERING", grpc.StatusCode.UNAVAILABLE)


async def reason_of(call: Any) -> str:
    try:
        await call
    except Fault as fault:
        return fault.reason
    return ""


async def first_refusal(bank: Bank, pot: Pot) -> str:
    """What a player's stake is told once the database answers again."""
    for _ in range(200):
        reason = await reason_of(bank.hold(pot.pot_id, 3, EVA))
        if reason != "STORE_UNAVAILABLE":
            return reason
        await asyncio.sleep(0.05)
    pytest.fail("the database did not come back")


async def assert_in_order(bank: Bank, server: Server) -> None:
    await bank.assert_sound()
    with psycopg.connect(server.postgres.dsn(OWNER), autocommit=True) as owner:
        assert findings(owner) == {}


class Evening:
    """Matches before and after the moment that the ledger is taken back to, and what their tables know."""

    async def before(self, bank: Bank) -> None:
        self.over = await bank.locked()
        self.halved = await bank.seated(players=(ANNA, BEAT, CLA))
        self.waiting = await bank.seated(players=(ANNA, BEAT, CLA))
        self.filled = await bank.seated()
        await bank.deposit(EVA, 1000)

    async def after(self, bank: Bank) -> None:
        await bank.settle(self.over.pot_id)
        await bank.hold(self.halved.pot_id, 3, DORA)
        self.halved = await bank.get(self.halved.pot_id)
        await bank.lock(self.halved.pot_id, self.halved.holds)
        await bank.lock(self.filled.pot_id, self.filled.holds)
        self.lost = await bank.locked(table_id=OTHER_TABLE)

    async def sweep(self, bank: Bank) -> tuple[int, int]:
        """Tell what the tables know; returns how many pots were put in order, and how many are unknown."""
        answers = [
            await bank.reconcile(self.over.pot_id, seats_of(self.over), won=won()),
            await bank.reconcile(self.halved.pot_id, seats_of(self.halved), playing=Playing()),
            await bank.reconcile(self.filled.pot_id, seats_of(self.filled), playing=Playing()),
        ]
        assert [(answer.pot.state, answer.repaired) for answer in answers] == [
            (SETTLED, True),
            (REFUNDED, True),
            (LOCKED, True),
        ]
        with not_found():
            await bank.reconcile(self.lost.pot_id, seats_of(self.lost), OTHER_TABLE, playing=Playing())
        return len(answers), 1

    async def recover(self, bank: Bank, server: Server, cause: str) -> None:
        """From the first refusal to the first stake."""
        for call in (
            bank.hold(self.waiting.pot_id, 3, EVA),
            bank.refund(self.waiting.pot_id),
            bank.lock(self.filled.pot_id, self.filled.holds),
            bank.withdraw(EVA, 10),
            bank.correct(EVA, -10),
            bank.force_refund(self.waiting.pot_id),
        ):
            with recovering():
                await call
        recovery = (await bank.check()).recovery
        assert recovery.cause == cause
        repaired, unmatched = await self.sweep(bank)
        await bank.end_recovery(recovery.recovery_id, repaired, unmatched)
        await bank.hold(self.waiting.pot_id, 3, EVA)
        assert (await bank.settle(self.filled.pot_id, (1, 3))).state == SETTLED
        await assert_in_order(bank, server)


async def test_a_copy_of_the_data_folder_put_back_is_noticed_by_who_saw_more(server):
    """Nothing in the database tells; what the table service keeps in Redis does."""
    evening = Evening()
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await evening.before(bank)
    copy = server.copy("copy")
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await evening.after(bank)
        seen = (await bank.check()).position
    server.postgres.stop()
    server.put_back(copy)
    server.postgres.start()
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        assert (await bank.check(seen)).recovery.cause == "position"
        await evening.recover(bank, server, "position")
        assert not (await bank.check(seen)).HasField("recovery")


def position(server: Server) -> int:
    return int(server.sql("SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint"))


async def test_a_copy_under_a_new_wallet_pays_nothing_out_and_is_noticed_however_much_is_written(server):
    """All was restarted: database and wallet know nothing, and the position is soon past what was seen."""
    evening = Evening()
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await evening.before(bank)
    copy = server.copy("copy")
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await evening.after(bank)
        seen = (await bank.check()).position
    server.postgres.stop()
    server.put_back(copy)
    server.postgres.start()
    # Others are faster than the first wallet.
    while position(server) <= seen.flushed:
        server.sql("SELECT pg_logical_emit_message(false, 'others', repeat('x', 100000))::text")
        server.sql("SELECT pg_switch_wal()::text")
    async with serve_wallet(server.dsn, witness=False) as wallet, wallet.bank() as bank:
        for call in (
            bank.withdraw(EVA, 10),
            bank.lock(evening.filled.pot_id, evening.filled.holds),
            bank.refund(evening.waiting.pot_id),
        ):
            with recovering():
                await call
        # Looking by itself makes it no witness.
        await wallet.books.stand()
        assert await reason_of(bank.withdraw(EVA, 10)) == "LEDGER_RECOVERING"
        assert position(server) > seen.flushed
        assert (await bank.check(seen)).recovery.cause == "position"
        await evening.recover(bank, server, "position")
        assert not (await bank.check(seen)).HasField("recovery")


async def test_a_start_that_was_first_looked_at_after_a_later_checkpoint_is_compared(server):
    """What tells where the start began is overwritten: it might be a copy, however far it has come."""
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await bank.deposit(EVA, 1000)
        seen = (await bank.check()).position
    copy = server.copy("copy")
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await bank.withdraw(EVA, 1000)
        seen = (await bank.check(seen)).position
    server.postgres.stop()
    server.put_back(copy)
    server.postgres.start()
    while position(server) <= seen.flushed:
        server.sql("SELECT pg_logical_emit_message(false, 'others', repeat('x', 100000))::text")
        server.sql("SELECT pg_switch_wal()::text")
    # However soon it comes.
    server.do("CHECKPOINT")
    async with serve_wallet(server.dsn, witness=False) as wallet, wallet.bank() as bank:
        assert await reason_of(bank.withdraw(EVA, 1000)) == "LEDGER_RECOVERING"
        recovery = (await bank.check(seen)).recovery
        assert recovery.cause == "position"
        await bank.end_recovery(recovery.recovery_id)
        # Once is enough.
        assert not (await bank.check(seen)).HasField("recovery")
        assert not (await bank.check()).HasField("recovery")


async def test_an_operator_opens_the_gate_where_no_table_service_will_ever_be_heard(server):
    """As where Redis and the tables are gone for good: whether it is a copy or a restart, nobody can say."""
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await bank.deposit(EVA, 1000)
        seen = (await bank.check()).position
        with refused("RECOVERY_NOT_CURRENT"):
            await bank.force_end_recovery(0)
    server.postgres.stop()
    server.postgres.start()
    async with serve_wallet(server.dsn, witness=False) as wallet, wallet.bank() as bank:
        await wallet.books.stand()
        assert wallet.metric("jasshaus_wallet_waits_for_tables") == 1
        with recovering():
            await bank.withdraw(EVA, 10)
        with refused("RECOVERY_NOT_CURRENT"):
            await bank.force_end_recovery(1)
        request_id = new_id()
        ended = await bank.force_end_recovery(0, request_id=request_id)
        assert ended.ended_by
        assert ended.HasField("end_time")
        assert await bank.force_end_recovery(0, request_id=request_id) == ended
        with refused("REQUEST_ID_REUSED"):
            await bank.force_end_recovery(0, reason="another", request_id=request_id)
        with refused("RECOVERY_NOT_CURRENT"):
            await bank.force_end_recovery(0)
        act = (await bank.acts()).acts[0]
        assert (act.kind, act.object) == ("end_recovery", str(ended.recovery_id))
        assert list((await bank.recoveries()).recoveries) == [ended]
        await bank.withdraw(EVA, 10)
        await wallet.books.stand()
        assert wallet.metric("jasshaus_wallet_waits_for_tables") == 0
        # Should a table service be heard all the same, it is asked what it saw: this was a restart only.
        assert not (await bank.check(seen)).HasField("recovery")


async def test_an_operators_opening_does_not_hide_a_copy_from_who_saw_more(server):
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await bank.deposit(EVA, 1000)
    copy = server.copy("copy")
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await bank.withdraw(EVA, 1000)
        seen = (await bank.check()).position
    server.postgres.stop()
    server.put_back(copy)
    server.postgres.start()
    async with serve_wallet(server.dsn, witness=False) as wallet, wallet.bank() as bank:
        await bank.force_end_recovery(0)
        await bank.deposit(EVA, 10)
        assert (await bank.check(seen)).recovery.cause == "position"


async def test_an_operator_ends_a_recovery_that_no_table_service_was_heard_in(server):
    base = server.copy("base")
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await bank.deposit(EVA, 1000)
        target = server.sql("SELECT pg_current_wal_flush_lsn()::text")
    point_in_time(server, base, target)
    async with serve_wallet(server.dsn, witness=False) as wallet, wallet.bank() as bank:
        with recovering():
            await bank.withdraw(EVA, 10)
        with refused("RECOVERY_NOT_CURRENT"):
            await bank.force_end_recovery(0)
        (recovery,) = (await bank.recoveries()).recoveries
        assert recovery.cause == "timeline"
        await bank.force_end_recovery(recovery.recovery_id)
        await bank.withdraw(EVA, 10)
        assert len((await bank.recoveries()).recoveries) == 1


async def test_after_a_plain_restart_the_witness_opens_the_gate_of_a_new_wallet(server):
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await bank.deposit(EVA, 1000)
    for end in (server.postgres.stop, server.postgres.kill):
        async with serve_wallet(server.dsn, witness=False) as wallet, wallet.bank() as bank:
            await bank.deposit(EVA, 10)
            seen = (await bank.check()).position
        end()
        server.postgres.start()
        async with serve_wallet(server.dsn, witness=False) as wallet, wallet.bank() as bank:
            await bank.deposit(EVA, 10)
            assert await reason_of(bank.withdraw(EVA, 10)) == "LEDGER_RECOVERING"
            answer = await bank.check(seen)
            assert not answer.HasField("recovery")
            await bank.withdraw(EVA, 10)
            # What was seen since the start lies behind where it began.
            assert not (await bank.check(answer.position)).HasField("recovery")
            await wallet.books.stand()
            await assert_in_order(bank, server)
    assert server.sql("SELECT count(*) FROM wallet.recovery") == 0


async def test_a_wallet_that_saw_more_lets_nothing_through_a_copy_put_back(server):
    """The process itself has seen more: not one call goes through before the gate is closed."""
    evening = Evening()
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await evening.before(bank)
        copy = server.copy("copy")
        await reason_of(bank.balance(ANNA))
        await evening.after(bank)
        await wallet.books.stand()
        server.postgres.stop()
        server.put_back(copy)
        server.postgres.start()
        assert await first_refusal(bank, evening.waiting) == "LEDGER_RECOVERING"
        await evening.recover(bank, server, "position")
        await wallet.books.stand()
        await wallet.books.watch()
        assert wallet.metric("jasshaus_wallet_recovering") == 0
        assert wallet.metric("jasshaus_wallet_recoveries") == 1
        assert wallet.metric("jasshaus_wallet_recovery_unmatched_tables") == 1


def point_in_time(server: Server, base: Path, target: str) -> None:
    """Restore a copy of the data folder, and the log written since up to a position: a new timeline."""
    server.postgres.stop()
    archive = server.cluster.parent / "archive"
    subprocess.run(["cp", "-a", server.cluster / "pg_wal", archive], check=True)
    server.put_back(base)
    with (server.cluster / "postgresql.auto.conf").open("a") as settings:
        settings.write(
            f'restore_command = \'cp "{archive}/%f" "%p"\'\n'
            f"recovery_target_lsn = '{target}'\nrecovery_target_action = 'promote'\n"
        )
    (server.cluster / "recovery.signal").touch()
    server.postgres.start()
    deadline = time.monotonic() + 30
    while server.sql("SELECT pg_is_in_recovery()"):
        assert time.monotonic() < deadline
        time.sleep(0.02)


async def test_a_restore_to_a_point_in_time_closes_the_gate_from_the_first_call_on(server):
    evening = Evening()
    base = server.copy("base")
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await evening.before(bank)
        target = server.sql("SELECT pg_current_wal_flush_lsn()::text")
        await evening.after(bank)
        seen = (await bank.check()).position
    point_in_time(server, base, target)
    with psycopg.connect(server.dsn, autocommit=True) as earlier:
        for call in (
            f"wallet.hold_stake('{evening.waiting.pot_id}', gen_random_uuid(), 3, 'eva')",
            f"wallet.refund_pot('{evening.waiting.pot_id}', 'GAME_CLOSED', NULL, '[]', '')",
        ):
            with pytest.raises(psycopg.errors.LockNotAvailable, match="LEDGER_RECOVERING"):
                earlier.execute(f"SELECT {call}")
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await evening.recover(bank, server, "timeline")
        # The position of before is of a stretch that the ledger knows.
        assert not (await bank.check(seen)).HasField("recovery")


async def test_a_dump_restored_into_another_cluster_closes_the_gate(server):
    evening = Evening()
    dump = server.path / "ledger.dump"
    tools = programs(server.user)
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await evening.before(bank)
        command = [tools / "pg_dump", "--format=custom", f"--file={dump}", server.postgres.dsn(SUPERUSER)]
        subprocess.run(command, check=True)
        await evening.after(bank)
        seen = (await bank.check()).position
    with own_server() as other:
        restore = [tools / "pg_restore", f"--dbname={other.postgres.dsn(SUPERUSER)}", dump]
        subprocess.run(restore, check=True)
        async with serve_wallet(other.dsn) as wallet, wallet.bank() as bank:
            await evening.recover(bank, other, "server")
            assert not (await bank.check(seen)).HasField("recovery")


async def test_a_dump_restored_into_the_same_cluster_closes_the_gate_too(server):
    """Same server, same timeline, a position further on: but other tables."""
    evening = Evening()
    dump = server.path / "ledger.dump"
    tools = programs(server.user)
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await evening.before(bank)
        command = [tools / "pg_dump", "--format=custom", f"--file={dump}", server.postgres.dsn(SUPERUSER)]
        subprocess.run(command, check=True)
        await evening.after(bank)
    restore = [tools / "pg_restore", "--clean", f"--dbname={server.postgres.dsn(SUPERUSER)}", dump]
    subprocess.run(restore, check=True)
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await evening.recover(bank, server, "server")


async def test_a_restart_and_a_crash_are_no_restore(server):
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        pot = await bank.seated(players=(ANNA, BEAT, CLA))
        await bank.deposit(EVA, 1000)
        for end in (server.postgres.stop, server.postgres.kill):
            seen = (await bank.check()).position
            end()
            server.postgres.start()
            assert await first_refusal(bank, pot) in {"", "PLAYER_ALREADY_HOLDS"}
            answer = await bank.check(seen)
            assert not answer.HasField("recovery")
            assert answer.position.flushed >= seen.flushed
            assert answer.position.system_identifier == seen.system_identifier
        await assert_in_order(bank, server)


async def test_a_server_killed_while_tables_settle_refund_and_reconcile_pays_once(server):
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        pots = [await (bank.locked if number % 2 else bank.seated)() for number in range(12)]
        before = sum([await bank.balance(player) for player in FOUR])

        async def insist(call: Any) -> str:
            while True:
                reason = await reason_of(call())
                if reason != "STORE_UNAVAILABLE":
                    return reason
                await asyncio.sleep(0.05)

        calls = []
        for pot in pots:
            seats = seats_of(pot)
            calls += [
                insist(lambda pot=pot, seats=seats: bank.reconcile(pot.pot_id, seats, won=won())),
                insist(lambda pot=pot, seats=seats: bank.settle(pot.pot_id, named=seats)),
                insist(lambda pot=pot: bank.settle(pot.pot_id, table_id=OTHER_TABLE)),
                insist(lambda pot=pot: bank.refund(pot.pot_id, table_id=TABLE)),
            ]
        running = asyncio.gather(*calls)
        await asyncio.sleep(0.03)
        server.postgres.kill()
        await asyncio.sleep(0.2)
        server.postgres.start()
        told = await running
        ended = [await bank.get(pot.pot_id) for pot in pots]
        assert {pot.state for pot in ended} <= {SETTLED, REFUNDED}
        assert set(told) <= {
            *("", "POT_SETTLED", "POT_REFUNDED", "POT_NOT_LOCKED", "TABLE_MISMATCH", "POT_NOT_OPEN"),
        }
        returned = sum(payout.amount.minor_units for pot in ended for payout in pot.payouts)
        assert sum([await bank.balance(player) for player in FOUR]) == before + returned
        await assert_in_order(bank, server)


async def test_deposits_after_the_point_of_the_restore_are_entered_again_by_their_reference(server):
    base = server.copy("base")
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        await bank.deposit(ANNA, 100, reference="slip 1")
        target = server.sql("SELECT pg_current_wal_flush_lsn()::text")
        await bank.deposit(ANNA, 200, reference="slip 2")
    point_in_time(server, base, target)
    async with serve_wallet(server.dsn) as wallet, wallet.bank() as bank:
        for number in (1, 2):
            reason = await reason_of(bank.deposit(ANNA, number * 100, reference=f"slip {number}"))
            assert reason == ("REFERENCE_USED" if number == 1 else "")
        assert await bank.balance(ANNA) == 300
        assert await reason_of(bank.hold(new_id(), 0, ANNA)) == "LEDGER_RECOVERING"
        await assert_in_order(bank, server)
