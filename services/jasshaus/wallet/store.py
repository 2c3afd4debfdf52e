"""Calls the ledger's SQL functions: one statement each, with safe retries.

Every function is keyed by the ids it is given, so it can be repeated after a lost race or a lost connection:
what was already done returns its first answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final, Self
from weakref import WeakSet

import psycopg
import structlog
from psycopg import sql
from psycopg_pool import PoolTimeout, TooManyRequests

from jasshaus.platform.backoff import Backoff
from jasshaus.platform.errors import Fault, unavailable
from jasshaus.platform.postgres import Connection, connection_pool
from jasshaus.platform.tasks import Tasks
from jasshaus.wallet.metrics import CONFLICT, CONNECTION, WalletMetrics

Answer = Mapping[str, Any]

_CONFLICT_ATTEMPTS: Final = 10
_CONNECTION_ATTEMPTS: Final = 3
_BACKOFF: Final = Backoff(0.01, 5.0, jitter=1.0)
_RETRY_AFTER_SECONDS: Final = 1.0

# Both last until the end of the transaction. Another process's audit counts like any other lock.
_ALONE: Final = """
    SELECT set_config('statement_timeout', %s, true), pg_advisory_xact_lock(hashtext('jasshaus.wallet.audit'))
"""
# It takes only read locks, but a migration cannot begin before it ends.
_AUDIT_TIMEOUT: Final = "2min"

# There is no signal for broken connections: the caller retries.
_NOT_NOW: Final = (
    PoolTimeout,
    TooManyRequests,
    psycopg.errors.QueryCanceled,
)
# The message of wallet.require_standing.
_RECOVERING: Final = "LEDGER_RECOVERING"
_LOOK: Final = "look_again"
_NOTHING_SEEN: Final = (None, None, None)

log = structlog.stdlib.get_logger(__name__)


class Store:
    """The ledger's database. Opens whether or not PostgreSQL is up, and reconnects after an outage."""

    def __init__(self, dsn: str, metrics: WalletMetrics, *, connections: int = 10) -> None:
        self._metrics = metrics
        self._running = Tasks()
        self._auditing = asyncio.Lock()
        self._pool = connection_pool(dsn, "wallet", connections=connections)
        self._greeted: WeakSet[Connection] = WeakSet()
        # Lineage and position, and the server start in which this process saw them.
        self._seen: tuple[str, int, str] | None = None

    async def ping(self) -> None:
        """Raise unless PostgreSQL answers and accepts writes, in the sessions that do the work."""
        await self._pool.beat()

    async def __aenter__(self) -> Self:
        """Start connecting."""
        await self._pool.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let running calls finish, then close."""
        await self._running.finish()
        await self._pool.close()

    async def call(self, function: str, *arguments: object) -> Answer:
        """Call `wallet.<function>` and return its answer. Cancelling the caller does not stop it.

        Raises Fault STORE_UNAVAILABLE if the database does not answer: the call may or may not have run.
        """
        asking = partial(self._once, _query(function, arguments), arguments)
        return await self._running.run(self._until_answered(asking))

    async def stand(self) -> Answer:
        """Compare the database's position with the one this process has seen: wallet.look_again.

        Raises Fault STORE_UNAVAILABLE.
        """
        answer = await self.call(_LOOK, *(self._seen or _NOTHING_SEEN))
        self._remember(answer)
        return answer

    async def audit(self, function: str) -> Answer:
        """Call a function that reads the whole ledger: it may take minutes, and runs one at a time.

        It ends with its caller. Raises Fault STORE_UNAVAILABLE, also while another one is still running.
        """
        async with self._auditing:
            return await self._until_answered(partial(self._at_length, _query(function, ())))

    async def _until_answered(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        conflicts = losses = 0
        while True:
            try:
                return await ask()
            except (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected) as error:
                if conflicts + 1 >= _CONFLICT_ATTEMPTS:
                    raise _unavailable(error) from error
                self._metrics.retries.labels(CONFLICT).inc()
                await asyncio.sleep(_BACKOFF.pause(conflicts))
                conflicts += 1
            except psycopg.errors.LockNotAvailable as error:
                if error.diag.message_primary == _RECOVERING:
                    raise _recovering() from error
                raise _unavailable(error) from error
            except _NOT_NOW as error:
                raise _unavailable(error) from error
            except (psycopg.OperationalError, psycopg.errors.ReadOnlySqlTransaction) as error:
                losses += 1
                if losses >= _CONNECTION_ATTEMPTS:
                    raise _unavailable(error) from error
                # By now the pool has dropped all connections to that server.
                self._metrics.retries.labels(CONNECTION).inc()

    async def _once(self, query: sql.Composed, arguments: tuple[object, ...]) -> Answer:
        async with self._pool.connection() as connection:
            await self._greet(connection)
            return await _answer(connection, query, arguments)

    async def _greet(self, connection: Connection) -> None:
        # A new connection may be to a database that went back in time while nobody was connected.
        if connection not in self._greeted:
            seen = self._seen or _NOTHING_SEEN
            self._remember(await _answer(connection, _query(_LOOK, seen), seen))
            self._greeted.add(connection)

    def _remember(self, answer: Answer) -> None:
        here = answer["position"]["lineage"], answer["position"]["flushed"], answer["boot"]
        # Calls overlap: within one lineage, the highest position counts.
        if self._seen is None or self._seen[0] != here[0] or self._seen[1] < here[1]:
            self._seen = here

    async def _at_length(self, query: sql.Composed) -> Answer:
        async with self._pool.connection() as connection, connection.transaction():
            await connection.execute(_ALONE, (_AUDIT_TIMEOUT,))
            return await _answer(connection, query, ())


def _query(function: str, arguments: tuple[object, ...]) -> sql.Composed:
    return sql.SQL("SELECT {}({})").format(
        sql.Identifier("wallet", function), sql.SQL(", ").join(sql.Placeholder() * len(arguments))
    )


async def _answer(connection: Connection, query: sql.Composed, arguments: tuple[object, ...]) -> Answer:
    row = await (await connection.execute(query, arguments)).fetchone()
    assert row is not None, "a function returns one row"
    answer: Answer = row[0]
    return answer


def _recovering() -> Fault:
    return unavailable(
        _RECOVERING,
        "the ledger is being compared with the tables: it was restarted, or went back in time",
        retry_after=_RETRY_AFTER_SECONDS,
    )


def _unavailable(error: Exception) -> Fault:
    log.warning("store_unavailable", error=type(error).__name__, detail=str(error).partition("\n")[0])
    return unavailable(
        "STORE_UNAVAILABLE", "the ledger's database does not answer", retry_after=_RETRY_AFTER_SECONDS
    )
