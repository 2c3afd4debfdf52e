"""PostgreSQL is demoted, made read-only, or left by its name, sessions open: work goes on at the new one."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

import psycopg
import pytest
from psycopg_pool import PoolTimeout

from contract.pots_bank import FOUR, SETTLED
from failover.postgres_pair import PostgresPair
from failover.relay import Relay
from jasshaus.platform.errors import Fault
from jasshaus.platform.postgres import Pool, connection_pool
from wallet.audit import findings
from wallet.harness import serve_wallet

T = TypeVar("T")
ROLE = "jasshaus_wallet"


async def soon(call: Callable[[], Awaitable[T]], seconds: float = 10.0) -> T:
    """What a call answers at last; until then only that the store is away."""
    async with asyncio.timeout(seconds):
        while True:
            try:
                return await call()
            except Fault as fault:
                assert fault.reason == "STORE_UNAVAILABLE"
            except (psycopg.Error, PoolTimeout):
                pass
            await asyncio.sleep(0.05)


@pytest.fixture
async def pool(databases: PostgresPair, database_relay: Relay) -> AsyncIterator[Pool]:
    """Two connections through the proxy."""
    async with connection_pool(databases.dsn(database_relay.port, ROLE), "test", connections=2) as pool:
        await pool.wait()
        yield pool


async def is_second(pool: Pool, databases: PostgresPair) -> bool:
    query = "SELECT pg_postmaster_start_time()"
    async with pool.connection() as connection:
        there = await (await connection.execute(query)).fetchone()
    with psycopg.connect(databases.second.dsn()) as owner:
        return owner.execute(query).fetchone() == there


async def all_used(pool: Pool, seconds: float) -> list[asyncio.Task[None]]:
    """Keep all connections busy, in the server, for so long."""

    async def keep_busy() -> None:
        async with pool.connection() as connection:
            await connection.execute("SELECT pg_sleep(%s)", (seconds,))

    busy = [asyncio.create_task(keep_busy()) for _ in range(pool.max_size)]
    while len(pool._used) < pool.max_size:
        await asyncio.sleep(0.01)
    return busy


async def test_money_goes_on_at_the_new_primary(databases: PostgresPair, database_relay: Relay) -> None:
    dsn = databases.dsn(database_relay.port, ROLE)
    async with serve_wallet(dsn) as wallet, wallet.bank() as bank:
        pots = [await bank.locked() for _ in range(4)]
        # All connections of the pool are in use once, so that all of them are old ones.
        await asyncio.gather(*(bank.balance(FOUR[0]) for _ in range(20)))
        await asyncio.to_thread(databases.hand_over)
        database_relay.target = databases.socket(databases.second)

        settled = await asyncio.gather(*(soon(lambda pot=pot: bank.settle(pot.pot_id)) for pot in pots))
        assert {pot.state for pot in settled} == {SETTLED}
        # Nor does any session of before answer a question from then on.
        for _ in range(20):
            assert await soon(lambda: bank.balance(FOUR[0])) == 4 * (1000 - 100 + 195)
        await wallet.books.roll_up()
        await bank.assert_sound()
        with psycopg.connect(databases.second.dsn()) as owner:
            assert findings(owner) == {}


async def test_sessions_left_read_only_are_dropped(pool: Pool, databases: PostgresPair) -> None:
    await soon(pool.beat)
    databases.execute(databases.first, f"ALTER ROLE {ROLE} SET default_transaction_read_only = on")
    databases.execute(
        databases.first, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{ROLE}'"
    )
    await asyncio.sleep(0.2)
    with pytest.raises((psycopg.Error, PoolTimeout)):
        await pool.beat()
    databases.execute(databases.first, f"ALTER ROLE {ROLE} RESET default_transaction_read_only")
    await soon(pool.beat)


async def test_one_refused_write_ends_all_sessions(pool: Pool) -> None:
    async with pool.connection() as one, pool.connection() as two:
        before = {one.info.backend_pid, two.info.backend_pid}

    async def write() -> None:
        async with pool.connection() as connection, connection.transaction():
            await connection.execute("SET TRANSACTION READ ONLY")
            await connection.execute("SELECT wallet.roll_up(1)")

    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        await write()
    async with pool.connection() as one, pool.connection() as two:
        assert before.isdisjoint({one.info.backend_pid, two.info.backend_pid})


async def test_a_session_ended_by_the_server_ends_the_others(pool: Pool, databases: PostgresPair) -> None:
    async with pool.connection() as one, pool.connection() as two:
        before = {one.info.backend_pid, two.info.backend_pid}

    async def be_ended() -> None:
        async with pool.connection() as connection:
            databases.execute(databases.first, f"SELECT pg_terminate_backend({connection.info.backend_pid})")
            await connection.execute("SELECT 1")

    with pytest.raises(psycopg.errors.AdminShutdown):
        await be_ended()
    async with pool.connection() as one, pool.connection() as two:
        assert before.isdisjoint({one.info.backend_pid, two.info.backend_pid})


async def test_a_server_that_the_name_no_longer_leads_to_is_left(
    pool: Pool, databases: PostgresPair, database_relay: Relay
) -> None:
    # The former primary is not told: it takes writes for as long as somebody makes them there.
    databases.promote()
    database_relay.target = databases.socket(databases.second)
    assert not await is_second(pool, databases)
    await soon(pool.beat)
    for _ in range(4):
        assert await is_second(pool, databases)


async def test_a_standby_behind_the_name_changes_nothing(
    pool: Pool, databases: PostgresPair, database_relay: Relay
) -> None:
    database_relay.target = databases.socket(databases.second)
    await pool.beat()
    assert not await is_second(pool, databases)


async def test_a_busy_pool_is_no_outage(pool: Pool) -> None:
    busy = await all_used(pool, 3)
    await pool.beat()
    await pool.beat()
    await asyncio.gather(*busy)


async def test_a_busy_pool_that_answers_is_no_outage_where_nobody_can_connect_any_more(
    pool: Pool, database_relay: Relay
) -> None:
    await pool.beat()
    database_relay.target = "nowhere"

    async def keep_busy() -> None:
        for _ in range(4):
            async with pool.connection() as connection:
                await connection.execute("SELECT pg_sleep(0.5)")

    busy = [asyncio.create_task(keep_busy()) for _ in range(5)]
    await asyncio.sleep(0.1)
    for _ in range(2):
        await pool.beat()
    await asyncio.gather(*busy)


async def test_a_pool_whose_sessions_hang_is_an_outage(pool: Pool, database_relay: Relay) -> None:
    await pool.beat()
    busy = await all_used(pool, 30)
    pids = [connection.info.backend_pid for connection in pool._used]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    database_relay.target = "nowhere"
    try:
        with pytest.raises(PoolTimeout):
            await pool.beat()
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
        database_relay.cut()
        await asyncio.gather(*busy, return_exceptions=True)


async def test_of_two_hosts_the_one_that_takes_writes_is_found(databases: PostgresPair) -> None:
    async with connection_pool(databases.either(ROLE), "test", connections=2) as pool:
        assert not await is_second(pool, databases)
        databases.hand_over()
        await soon(pool.beat, 20)
        assert await is_second(pool, databases)


async def test_a_standby_is_never_worked_on(databases: PostgresPair) -> None:
    async with connection_pool(databases.second.dsn(ROLE), "test", connections=2) as pool:
        with pytest.raises(PoolTimeout):
            await pool.beat()
        databases.promote()
        await soon(pool.beat)


async def test_sessions_end_within_minutes(pool: Pool) -> None:
    assert pool.max_lifetime <= 600
