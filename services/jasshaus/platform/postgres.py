"""Manages a service's connections to PostgreSQL: required settings, health, and when to drop them all.

A server that was demoted or made read-only keeps answering in existing sessions, and so does one that
the name no longer leads to. Whatever shows this in one session counts for all of them: the pool is refilled
from wherever the name then leads.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

import psycopg
import structlog
from psycopg import errors, sql
from psycopg_pool import AsyncConnectionPool, PoolTimeout, TooManyRequests

from jasshaus.platform.metrics import STORE_SWITCHES
from jasshaus.platform.readiness import UnusableError

Connection = psycopg.AsyncConnection[tuple[Any, ...]]

log = structlog.stdlib.get_logger(__name__)

_POOL_SECONDS: Final = 2.0
_RECONNECT_SECONDS: Final = 1.0
_CHECK_SECONDS: Final = 2.0
_MAX_WAITING: Final = 5000
# Closed periodically, in case a problem went unnoticed; the pool spreads this by a twentieth
_LIFETIME_SECONDS: Final = 300.0
# All within the time limit of a readiness probe.
_LOOK_SECONDS: Final = 1.5
_BEAT_POOL_SECONDS: Final = 0.8
_BEAT_SECONDS: Final = 1.0
# Sent only by a server that is shutting down or accepts no writes: read_only_sql_transaction,
# admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped, idle_session_timeout; and class 08.
_GONE: Final = frozenset({"25006", "57P01", "57P02", "57P03", "57P04", "57P05"})
_CONNECTION_CLASS: Final = "08"
# Reported by the server (from PostgreSQL 14 on), with any answer.
_READ_ONLY: Final = ("in_hot_standby", "default_transaction_read_only")
# Which server answers, whether it accepts writes, and which of its processes.
_WHO: Final = """
    concat_ws(' ', pg_postmaster_start_time(), inet_server_addr(), inet_server_port()),
    current_setting('transaction_read_only'), pg_backend_pid()
"""
# More than the idle sessions a pooler is likely to have.
_HOLDERS: Final = 4
_PROBE_SECONDS: Final = 2.0
_PROBE_SETTING: Final = "jasshaus.session"
# Independent of the server's defaults: what is acknowledged is on disk, and once a transaction has a lock, it
# reads what was committed by then.
_SETTINGS: Final = {
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "lock_timeout": "5s",
    "statement_timeout": "30s",
}
# A server that vanished silently is detected within half a minute.
_OPTIONS: Final[Mapping[str, Any]] = {
    "autocommit": True,
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}


@dataclass(frozen=True, slots=True)
class _Session:
    """Where a connection led when it was opened."""

    server: str
    pid: int


class Pool(AsyncConnectionPool[Connection]):
    """A pool whose connections all lead to one writable server; otherwise all of them are dropped."""

    def __init__(self, dsn: str, service: str, *, connections: int, checked: bool = False) -> None:
        self._dsn = dsn
        self._service = service
        self._sessions: WeakKeyDictionary[Connection, _Session] = WeakKeyDictionary()
        self._used: set[Connection] = set()
        self._answers = 0
        self._answers_before = 0
        super().__init__(
            dsn,
            kwargs={**_OPTIONS, "application_name": f"jasshaus-{service}"},
            min_size=min(2, connections),
            max_size=connections,
            timeout=_POOL_SECONDS,
            max_lifetime=_LIFETIME_SECONDS,
            # Gives up on a connection soon and retries for the next caller, so that nobody waits out a long
            # backoff after a long outage.
            reconnect_timeout=_RECONNECT_SECONDS,
            max_waiting=_MAX_WAITING,
            configure=self._greet,
            check=self._look_over if checked else None,
            open=False,
            name=service,
        )

    @asynccontextmanager
    async def connection(self, timeout: float | None = None) -> AsyncIterator[Connection]:  # noqa: ASYNC109
        """Hand out a connection, and check what its server answers."""
        async with super().connection(timeout) as connection:
            self._used.add(connection)
            try:
                yield connection
            except psycopg.Error as error:
                await self._judge(connection, error)
                raise
            else:
                await self._take_note(connection)
            finally:
                self._used.discard(connection)

    async def beat(self) -> None:
        """Raise unless the server answers and accepts writes, in the sessions that do the work.

        Follows the server's name if it has moved. Using up all connections is not an outage, as long
        as the server answers on one of them, or on a new one.
        """
        before = self._answers_before
        led, failure = await asyncio.gather(self._look(), self._prove())
        answered, self._answers_before = self._answers != before, self._answers
        if isinstance(failure, (PoolTimeout, TooManyRequests)) and (answered or self._busy_at(led)):
            return
        if failure is not None:
            raise failure

    async def _prove(self) -> Exception | None:
        """Return why the working sessions are unusable, None if one of them works."""
        try:
            async with self.connection(_BEAT_POOL_SECONDS) as connection:
                session = self._sessions.get(connection)
                with _limit(connection, _BEAT_SECONDS):
                    _, read_only, pid = await _ask(connection, _WHO)
                if read_only == "on":
                    await self._give_up(connection, "read-only")
                    return errors.ReadOnlySqlTransaction(_STANDBY)
                if session is not None and session.pid != pid:
                    return UnusableError(_NO_SESSIONS)
        except (psycopg.Error, OSError) as error:
            return error
        return None

    def _busy_at(self, server: str | None) -> bool:
        """Whether connections are in use at the server that the name leads to, and it answers."""
        sessions = (self._sessions.get(connection) for connection in self._used)
        return any(session is not None and session.server == server for session in sessions)

    async def _look(self) -> str | None:
        """Return the server the name leads to now, if it accepts writes; drop connections to any other.

        If it leads nowhere, or to a standby, existing connections are kept.
        """
        name = f"jasshaus-{self._service}-heartbeat"
        try:
            async with asyncio.timeout(_LOOK_SECONDS):
                fresh = await psycopg.AsyncConnection.connect(
                    self._dsn, **{**_OPTIONS, "application_name": name}
                )
                async with fresh:
                    server, read_only, _ = await _ask(fresh, _WHO)
        except (psycopg.Error, OSError):
            return None
        if read_only == "on":
            return None
        for connection, session in list(self._sessions.items()):
            if session.server != server and not connection.closed:
                await self._give_up(connection, "another server")
                break
        return str(server)

    async def _greet(self, connection: Connection) -> None:
        try:
            with _limit(connection):
                server, read_only, pid, *_ = await _ask(connection, _WHO, *_SET)
            _must_be_writable(read_only)
        except BaseException:
            # The pool forgets the connection but leaves it open.
            await connection.close()
            raise
        self._sessions[connection] = _Session(server, pid)

    async def _look_over(self, connection: Connection) -> None:
        # A cancelled query would wait for the server to confirm it: only closing the socket ends the wait.
        with _limit(connection):
            await AsyncConnectionPool.check_connection(connection)
        if _is_read_only(connection):
            await self._give_up(connection, "read-only")
            await connection.close()
            _must_be_writable("on")

    async def _judge(self, connection: Connection, error: psycopg.Error) -> None:
        state = error.sqlstate
        if state in _GONE or (state or "").startswith(_CONNECTION_CLASS):
            await self._give_up(connection, f"{state} {error}")
        elif state is None and connection.closed:
            # The others are most likely gone, too.
            await self._give_up(connection, str(error))
        else:
            await self._take_note(connection)

    async def _take_note(self, connection: Connection) -> None:
        if _is_read_only(connection):
            await self._give_up(connection, "read-only")
        else:
            self._answers += 1

    async def _give_up(self, connection: Connection, why: str) -> None:
        """Drop all connections, those in use once returned; no-op for a connection of an earlier drop."""
        if self._sessions.get(connection) is None:
            return
        self._sessions.clear()
        STORE_SWITCHES.labels("postgres").inc()
        log.warning("postgres_given_up", pool=self._service, why=why.partition("\n")[0][:200])
        await self.drain()


def connection_pool(dsn: str, service: str, *, connections: int, checked: bool = False) -> Pool:
    """Return a pool, not yet opened, of at most `connections`, listed on the server under the service's name.

    `checked`: each connection is checked before it is handed out, so that a restart of the database, which
    leaves dead ones behind, costs the caller nothing.
    """
    return Pool(dsn, service, connections=connections, checked=checked)


_STANDBY: Final = "the server is a standby, or read-only"
_NO_SESSIONS: Final = (
    "JASSHAUS_POSTGRES_DSN leads to a pooler in transaction mode, which keeps no sessions: one client's "
    "settings, prepared statements and locks would be another's. Name the server itself, or put the pooler "
    "into session mode"
)


def _must_be_writable(read_only: str) -> None:
    if read_only == "on":
        raise errors.ReadOnlySqlTransaction(_STANDBY)


async def require_sessions(dsn: str) -> None:
    """Raise UnusableError if a pooler runs each transaction in any of the server's sessions.

    One connection leaves a mark in its session and ends its transaction; others then hold transactions open,
    each of which needs a session. With a pooler, one of them gets the marked one, or the first gets another.
    Raises psycopg.Error if the server does not answer.
    """
    mark = secrets.token_hex(8)
    async with AsyncExitStack() as opened:
        first = await opened.enter_async_context(_plain(dsn))
        with _limit(first, _PROBE_SECONDS):
            _, pid = await _ask(first, *_mark(mark))
        holders = []
        for _ in range(_HOLDERS):
            # One that has to wait for a session says nothing; those already held are enough then.
            with suppress(psycopg.OperationalError, TimeoutError):
                async with asyncio.timeout(_PROBE_SECONDS):
                    holders.append(await opened.enter_async_context(_plain(dsn)))
                    if await _shares(holders[-1], pid, mark):
                        raise UnusableError(_NO_SESSIONS)
        # Once while the others hold theirs, once when they have just released them.
        for statement in ("SELECT", "COMMIT"):
            for holder in holders:
                with _limit(holder, _PROBE_SECONDS), suppress(psycopg.OperationalError):
                    await holder.execute(statement)
            with _limit(first, _PROBE_SECONDS):
                if await _ask(first, "pg_backend_pid()", _marked()) != (pid, mark):
                    raise UnusableError(_NO_SESSIONS)


async def _shares(holder: Connection, pid: int, mark: str) -> bool:
    """Begin a transaction; return whether it runs in someone else's session."""
    try:
        await holder.execute("BEGIN")
    except errors.ProtocolViolation as refused:
        # In statement mode there are no transactions at all.
        raise UnusableError(_NO_SESSIONS) from refused
    held, marked = await _ask(holder, "pg_backend_pid()", _marked())
    return bool(held == pid or marked == mark)


@asynccontextmanager
async def _plain(dsn: str) -> AsyncIterator[Connection]:
    connection = await psycopg.AsyncConnection.connect(
        dsn, **{**_OPTIONS, "application_name": "jasshaus-sessions"}
    )
    try:
        yield connection
    finally:
        await connection.close()


def _set(name: str, value: str) -> sql.Composed:
    return sql.SQL("set_config({}, {}, false)").format(sql.Literal(name), sql.Literal(value))


_SET: Final = tuple(_set(name, value) for name, value in _SETTINGS.items())


def _mark(mark: str) -> tuple[sql.Composed, str]:
    return _set(_PROBE_SETTING, mark), "pg_backend_pid()"


def _marked() -> sql.Composed:
    return sql.SQL("current_setting({}, true)").format(sql.Literal(_PROBE_SETTING))


async def _ask(connection: Connection, *columns: str | sql.Composed) -> tuple[Any, ...]:
    parts = (sql.SQL(each) if isinstance(each, str) else each for each in columns)
    row = await (await connection.execute(sql.SQL("SELECT {}").format(sql.SQL(", ").join(parts)))).fetchone()
    assert row is not None
    return row


def _is_read_only(connection: Connection) -> bool:
    return any(connection.info.parameter_status(name) == "on" for name in _READ_ONLY)


@contextmanager
def _limit(connection: Connection, seconds: float | None = None) -> Iterator[None]:
    """Close the connection unless it has answered by then."""
    after = _CHECK_SECONDS if seconds is None else seconds
    limit = asyncio.get_running_loop().call_later(after, _hang_up, connection)
    try:
        yield
    finally:
        limit.cancel()


def _hang_up(connection: Connection) -> None:
    with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as wire:
        wire.shutdown(socket.SHUT_RDWR)
