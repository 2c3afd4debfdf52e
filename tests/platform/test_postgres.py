"""Connections to PostgreSQL: what they insist on, and that a server gone silent holds nobody up for long."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

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
