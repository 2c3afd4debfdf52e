"""Owns how a service holds its connections to PostgreSQL: what it insists on, and how long it waits."""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress
from typing import Any, Final

import psycopg
from psycopg import sql
from psycopg_pool import AsyncConnectionPool

Connection = psycopg.AsyncConnection[tuple[Any, ...]]
Pool = AsyncConnectionPool[Connection]

_POOL_SECONDS: Final = 2.0
_RECONNECT_SECONDS: Final = 1.0
_CHECK_SECONDS: Final = 2.0
_MAX_WAITING: Final = 5000
# Whatever the server's defaults: what is acknowledged is on disk, and what a transaction reads once it has a
# lock is what was committed by then.
_SETTINGS: Final = {
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "lock_timeout": "5s",
    "statement_timeout": "30s",
}
# A server that vanished without a word is noticed within half a minute.
_OPTIONS: Final = {
    "autocommit": True,
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}


def connection_pool(dsn: str, service: str, *, connections: int, checked: bool = False) -> Pool:
    """Return a pool, not opened yet, of at most `connections` that the server lists under the service's name.

    `checked`: each connection is asked before it is handed out, so that a restart of the database, which
    leaves dead ones behind, costs the caller nothing.
    """
    return AsyncConnectionPool(
        dsn,
        kwargs={**_OPTIONS, "application_name": f"jasshaus-{service}"},
        min_size=min(2, connections),
        max_size=connections,
        timeout=_POOL_SECONDS,
        # Gives up on a connection soon and tries anew for the next caller: after a long outage nobody waits
        # until a long backoff has passed.
        reconnect_timeout=_RECONNECT_SECONDS,
        max_waiting=_MAX_WAITING,
        configure=_configure,
        check=_check if checked else None,
        open=False,
        name=service,
    )


async def _configure(connection: Connection) -> None:
    await connection.execute(
        sql.SQL("SELECT {}").format(
            sql.SQL(", ").join(
                sql.SQL("set_config({}, {}, false)").format(sql.Literal(name), sql.Literal(value))
                for name, value in _SETTINGS.items()
            )
        )
    )


async def _check(connection: Connection) -> None:
    # A cancelled query would wait for the server to confirm it: only the socket's end ends the wait for sure.
    limit = asyncio.get_running_loop().call_later(_CHECK_SECONDS, _hang_up, connection)
    try:
        await AsyncConnectionPool.check_connection(connection)
    finally:
        limit.cancel()


def _hang_up(connection: Connection) -> None:
    with socket.socket(fileno=os.dup(connection.fileno())) as wire, suppress(OSError):
        wire.shutdown(socket.SHUT_RDWR)
