"""Connections to PostgreSQL: what they insist on, and that a server gone silent holds nobody up for long."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress

import psycopg
import pytest
from psycopg_pool import PoolTimeout

from jasshaus.platform import postgres


@pytest.fixture
async def pool(matchmaking_dsn: str):
    async with postgres.connection_pool(matchmaking_dsn, "test", connections=2, checked=True) as pool:
        yield pool


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("synchronous_commit", "on"),
        ("statement_timeout", "30s"),
        ("lock_timeout", "5s"),
        ("application_name", "jasshaus-test"),
    ],
)
async def test_a_connection_has_the_settings_whatever_the_servers_are(pool, name, value):
    async with pool.connection() as connection:
        row = await (await connection.execute("SELECT current_setting(%s)", (name,))).fetchone()
    assert row == (value,)


async def test_a_connection_that_does_not_answer_is_replaced(pool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(postgres, "_CHECK_SECONDS", 0.2)
    async with pool.connection() as connection:
        silent = connection.info.backend_pid
    os.kill(silent, signal.SIGSTOP)
    try:
        async with asyncio.timeout(5):
            for _ in range(4):
                async with pool.connection() as connection:
                    assert connection.info.backend_pid != silent
    finally:
        os.kill(silent, signal.SIGCONT)


async def test_a_heartbeat_of_a_server_gone_silent_fails_in_time_and_comes_back(
    matchmaking_dsn: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(postgres, "_BEAT_SECONDS", 0.2)
    async with postgres.connection_pool(matchmaking_dsn, "test", connections=1) as pool:
        await pool.beat()
        async with pool.connection() as connection:
            silent = connection.info.backend_pid
        os.kill(silent, signal.SIGSTOP)
        try:
            async with asyncio.timeout(10):
                with pytest.raises((psycopg.OperationalError, PoolTimeout)):
                    await pool.beat()
                await pool.wait()
                await pool.beat()
        finally:
            os.kill(silent, signal.SIGCONT)


async def test_a_database_made_read_only_has_no_heartbeat_until_it_is_writable(
    owner_dsn: str, matchmaking_dsn: str
):
    async with postgres.connection_pool(matchmaking_dsn, "test", connections=2) as pool:
        await pool.beat()
        with psycopg.connect(owner_dsn, autocommit=True) as owner:
            name = owner.info.dbname
            owner.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        await pool.drain()
        # A session that was just being made when the setting changed may still be written through.
        async with asyncio.timeout(10):
            with suppress(PoolTimeout):
                while True:
                    await pool.beat()
                    await pool.drain()
        for _ in range(2):
            with pytest.raises(PoolTimeout):
                await pool.beat()
        with psycopg.connect(owner_dsn, autocommit=True) as owner:
            owner.execute("SET default_transaction_read_only = off")
            owner.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        async with asyncio.timeout(10):
            while True:
                with suppress(PoolTimeout):
                    await pool.beat()
                    break
