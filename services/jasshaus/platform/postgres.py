"""Owns how a service holds its connections to PostgreSQL: what it insists on, and how long it waits."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, Self

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
_OPTIONS: Final[Mapping[str, Any]] = {
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


class Heartbeat:
    """Asks the server whether it answers and may be written to.

    On a connection of its own: a busy pool is no outage.
    """

    def __init__(self, dsn: str, service: str) -> None:
        self._dsn = dsn
        self._name = f"jasshaus-{service}-heartbeat"
        self._connection: Connection | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._give_up()

    async def __call__(self) -> None:
        """Raise unless it does."""
        if self._connection is None:
            self._connection = await psycopg.AsyncConnection.connect(
                self._dsn, **{**_OPTIONS, "application_name": self._name}
            )
        try:
            limit = asyncio.get_running_loop().call_later(_CHECK_SECONDS, _hang_up, self._connection)
            try:
                answer = await self._connection.execute("SELECT current_setting('transaction_read_only')")
                row = await answer.fetchone()
            finally:
                limit.cancel()
        except BaseException:
            await self._give_up()
            raise
        if row != ("off",):
            # A name or a balancer may lead elsewhere next time.
            await self._give_up()
            raise psycopg.errors.ReadOnlySqlTransaction("the server is a standby")

    async def _give_up(self) -> None:
        # The next call opens another.
        lost, self._connection = self._connection, None
        if lost is not None:
            await lost.close()


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
