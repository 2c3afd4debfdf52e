"""PostgreSQL away, killed, and back: the wallet says so, and heals by itself. The process, start to stop."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import grpc
import psycopg
import pytest

from contract.pots_bank import FOUR, SETTLED, Bank, refused
from jasshaus.devstack.folder import DataFolder
from jasshaus.devstack.postgres import EmbeddedPostgres
from jasshaus.platform.errors import Fault
from jasshaus.platform.migrations import upgrade
from jasshaus.platform.probe import ask
from wallet.audit import findings
from wallet.harness import SECRET, serve_wallet, token


@pytest.fixture
def own_postgres() -> Iterator[EmbeddedPostgres]:
    """A migrated PostgreSQL that this test may kill."""
    memory = Path("/dev/shm")
    path = Path(tempfile.mkdtemp(prefix="jasshaus-outage-", dir=memory if memory.is_dir() else None))
    if os.geteuid() == 0:
        path.chmod(0o711)
    folder = DataFolder(path).hold()
    server = EmbeddedPostgres(folder, fsync=False)
    server.start()
    upgrade(server.dsn(), "jasshaus.wallet")
    yield server
    server.stop()
    folder.release()
    shutil.rmtree(path)


async def until_answered(call):
    """The first answer; until then only STORE_UNAVAILABLE is fair."""
    async with asyncio.timeout(30):
        while True:
            try:
                return await call()
            except Fault as fault:
                assert (fault.code, fault.reason) == (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
                assert fault.retry_after
                await asyncio.sleep(0.05)


async def test_a_restart_of_the_database_is_healed(own_postgres):
    async with serve_wallet(own_postgres.dsn("jasshaus_wallet")) as wallet, wallet.bank() as bank:
        pot = await bank.locked()

        own_postgres.stop()
        with refused("STORE_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE):
            await bank.settle(pot.pot_id)
        own_postgres.start()
        assert (await until_answered(lambda: bank.settle(pot.pot_id))).state == SETTLED

        # Nobody was told that the connections are dead: the very next call must not be the one to pay for it.
        own_postgres.stop()
        own_postgres.start()
        assert await bank.balance(FOUR[0]) == 1095
        await bank.assert_sound()


async def test_a_database_killed_under_load_loses_and_doubles_nothing(own_postgres):
    async with serve_wallet(own_postgres.dsn("jasshaus_wallet")) as wallet, wallet.bank() as bank:
        pots = [await bank.locked() for _ in range(30)]
        settling = asyncio.gather(*(until_answered(lambda pot=pot: bank.settle(pot.pot_id)) for pot in pots))
        await asyncio.sleep(0.02)
        own_postgres.kill()
        await asyncio.sleep(0.2)
        own_postgres.start()
        assert {pot.state for pot in await settling} == {SETTLED}
        assert await bank.balance(FOUR[0]) == 30 * (1000 - 100 + 195)
        await wallet.books.roll_up()
        await bank.assert_sound()
        with psycopg.connect(own_postgres.dsn()) as owner:
            assert findings(owner) == {}


def environment(**settings: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "JASSHAUS_MODE": "development",
        "JASSHAUS_DEV_SECRET": SECRET,
        "JASSHAUS_METRICS_PORT": "0",
        "JASSHAUS_SHUTDOWN_PAUSE": "0",
        **settings,
    }


# An outage counts at once: nobody waits the 10 to 20 s.
IMPATIENT = """
import runpy
from jasshaus.platform import readiness
readiness.PACE = readiness.Pace(every=0.1, limit=1, failures=3)
runpy.run_module("jasshaus.wallet", run_name="__main__", alter_sys=True)
"""


async def start_process(settings: dict[str, str], *command: str) -> asyncio.subprocess.Process:
    command = command or ("-m", "jasshaus.wallet")
    return await asyncio.create_subprocess_exec(
        sys.executable, *command, env=settings, stderr=asyncio.subprocess.PIPE
    )


async def until_health(address: str, wanted: str) -> None:
    async with asyncio.timeout(30):
        while await asyncio.to_thread(ask, address) != wanted:
            await asyncio.sleep(0.05)


async def test_the_process_waits_for_its_database_serves_and_stops(own_postgres):
    own_postgres.stop()
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{folder}/wallet"
        process = await start_process(
            environment(
                JASSHAUS_LISTEN=address,
                JASSHAUS_POSTGRES_DSN=own_postgres.dsn("jasshaus_wallet"),
                JASSHAUS_FEE_BPS="500",
                JASSHAUS_FEE_MAX="15",
            )
        )
        await until_health(address, "NOT_SERVING")
        own_postgres.start()
        await until_health(address, "SERVING")
        async with Bank(
            address, service=token("table", "service"), operator=token("cashier", "operator")
        ) as bank:
            assert [quote.fee.minor_units for quote in await bank.quote(50, 100)] == [10, 15]
            pot = await bank.locked()
            await bank.settle(pot.pot_id)
            await bank.assert_sound()
        process.send_signal(signal.SIGTERM)
        _, errors = await asyncio.wait_for(process.communicate(), 20)
        assert process.returncode == 0, errors.decode()
        assert b"Traceback" not in errors


async def test_health_says_that_the_database_is_away_and_that_it_is_back(own_postgres):
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{folder}/wallet"
        dsn = own_postgres.dsn("jasshaus_wallet")
        settings = environment(JASSHAUS_LISTEN=address, JASSHAUS_POSTGRES_DSN=dsn)
        process = await start_process(settings, "-c", IMPATIENT)
        for _ in range(2):
            await until_health(address, "SERVING")
            own_postgres.stop()
            await until_health(address, "NOT_SERVING")
            assert await asyncio.to_thread(ask, address, "live") == "SERVING"
            own_postgres.start()
        await until_health(address, "SERVING")
        async with Bank(
            address, service=token("table", "service"), operator=token("cashier", "operator")
        ) as bank:
            await bank.locked()
        process.send_signal(signal.SIGTERM)
        _, errors = await asyncio.wait_for(process.communicate(), 20)
        assert process.returncode == 0, errors.decode()
        assert b"Traceback" not in errors


async def test_every_mistake_of_the_configuration_is_named_at_once():
    process = await start_process(
        environment(JASSHAUS_FEE_BPS="10001", JASSHAUS_FEE_MIN="-1", JASSHAUS_LISTEN="nowhere")
    )
    _, errors = await asyncio.wait_for(process.communicate(), 20)
    assert process.returncode == 2
    for name in ("JASSHAUS_POSTGRES_DSN", "JASSHAUS_FEE_BPS", "JASSHAUS_FEE_MIN", "JASSHAUS_LISTEN"):
        assert name in errors.decode()


async def test_fees_that_contradict_each_other_are_refused():
    process = await start_process(
        environment(JASSHAUS_POSTGRES_DSN="dbname=x", JASSHAUS_FEE_MIN="10", JASSHAUS_FEE_MAX="5")
    )
    _, errors = await asyncio.wait_for(process.communicate(), 20)
    assert process.returncode == 2
    assert "JASSHAUS_FEE_MAX (5) must not be below JASSHAUS_FEE_MIN (10)" in errors.decode()
