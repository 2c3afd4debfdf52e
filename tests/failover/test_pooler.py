"""A pooler in transaction mode is found at the start, in whichever order it hands sessions out."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable
from urllib.parse import urlsplit

import psycopg
import pytest

from failover.pooler import Pooler
from jasshaus.devstack.postgres import EmbeddedPostgres
from jasshaus.platform.postgres import Pool, connection_pool, require_sessions
from jasshaus.platform.readiness import UnusableError
from wallet.test_outage import environment

ThroughPooler = Callable[[Pooler], str]


@pytest.fixture
def socket(postgres_server: EmbeddedPostgres) -> str:
    assert postgres_server._sockets is not None
    return str(postgres_server._sockets.path / ".s.PGSQL.5432")


@pytest.fixture
def through(wallet_dsn: str) -> ThroughPooler:
    url = urlsplit(wallet_dsn)
    return lambda pooler: f"postgresql://{url.username}:{url.password}@127.0.0.1:{pooler.port}{url.path}"


async def test_the_pooler_of_this_test_hands_sessions_round(socket: str, through: ThroughPooler) -> None:
    async with (
        Pooler(socket, oldest=True).serve() as pooler,
        await psycopg.AsyncConnection.connect(through(pooler), autocommit=True) as one,
        await psycopg.AsyncConnection.connect(through(pooler), autocommit=True) as two,
    ):
        await one.execute("SET lock_timeout = '1234ms'")
        seen = [await (await each.execute("SHOW lock_timeout")).fetchone() for each in (one, two, one, two)]
        assert ("1234ms",) in seen
        assert len(set(seen)) == 2


@pytest.mark.parametrize("oldest", [True, False], ids=["oldest session first", "latest session first"])
@pytest.mark.parametrize("others", [0, 3], ids=["alone", "beside others"])
async def test_a_pooler_in_transaction_mode_is_refused(
    socket: str,
    through: ThroughPooler,
    oldest: bool,  # noqa: FBT001 - a parameter of the test
    others: int,
) -> None:
    async with Pooler(socket, oldest=oldest).serve() as pooler:
        clients = [
            await psycopg.AsyncConnection.connect(through(pooler), autocommit=True) for _ in range(others)
        ]
        for client in clients:
            await client.execute("SELECT 1")
        with pytest.raises(UnusableError, match="session mode"):
            await require_sessions(through(pooler))
        for client in clients:
            await client.close()


async def test_a_server_and_a_pooler_in_session_mode_are_fine(
    socket: str, through: ThroughPooler, wallet_dsn: str
) -> None:
    await require_sessions(wallet_dsn)
    async with Pooler(socket, per_client=True).serve() as pooler:
        await require_sessions(through(pooler))


async def beats(pool: Pool) -> None:
    for _ in range(5):
        await pool.beat()


async def test_a_pooler_that_is_put_in_between_later_is_noticed(socket: str, through: ThroughPooler) -> None:
    async with (
        Pooler(socket, oldest=True).serve() as pooler,
        connection_pool(through(pooler), "test", connections=2) as pool,
    ):
        await pool.wait()
        with pytest.raises(UnusableError):
            await beats(pool)


async def test_a_service_does_not_start_behind_one(socket: str, through: ThroughPooler) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with Pooler(socket).serve() as pooler:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "jasshaus.wallet"),
                env=environment(
                    JASSHAUS_LISTEN=f"unix:{folder}/wallet", JASSHAUS_POSTGRES_DSN=through(pooler)
                ),
                stderr=asyncio.subprocess.PIPE,
            )
            _, errors = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode == 2
    assert b"session mode" in errors
    assert b"Traceback" not in errors
