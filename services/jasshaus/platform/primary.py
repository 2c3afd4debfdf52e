"""Tracks which Redis server this process works on, and that it is the primary.

A demoted server keeps answering on existing connections, possibly with stale data. So does one that the
name no longer leads to, which also accepts writes that nobody sees. So whatever shows on one
connection that the server is the wrong one counts for all of them: none is used again, and each is reopened
to wherever the name then leads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from weakref import WeakKeyDictionary

import structlog
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError

from jasshaus.platform.metrics import STORE_SWITCHES
from jasshaus.platform.readiness import UnusableError

log = structlog.stdlib.get_logger(__name__)

_CONNECT_SECONDS: Final = 2.0
_GREETING_SECONDS: Final = 3.0
_LOOK_SECONDS: Final = 1.0
# Errors sent only by a server that is not (or not now) the one to work on. UNBLOCKED: role changed in a wait.
_WRONG: Final = frozenset(
    {"READONLY", "MASTERDOWN", "LOADING", "CLUSTERDOWN", "NOREPLICAS", "MOVED", "ASK", "UNBLOCKED"}
)
_ONLY_PRIMARY: Final = "cannot be used with replica instances"


class NotPrimaryError(RedisConnectionError):
    """The server is a replica."""


class UnsupportedRedisError(UnusableError, RedisConnectionError):
    """The server is a Sentinel or a Cluster node: this release works on one plain primary."""


def code_of(error: RedisError) -> str:
    """Return the first word of an error; redis-py strips it from errors that it recognises by it."""
    return getattr(error, "status_code", None) or str(error).partition(" ")[0]


class Primary:
    """The Redis at a URL. All connections are created here, and checked here for whether they still count."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._run_id: str | None = None
        self._on_switch: list[Callable[[], None]] = []
        # The epoch of each connection; those of an earlier epoch are dropped.
        self._epochs: WeakKeyDictionary[AbstractConnection, int] = WeakKeyDictionary()
        self._refused = 0
        self.epoch = 0
        """How often all connections were dropped; errors from an earlier epoch no longer count."""

    def on_switch(self, drop: Callable[[], None]) -> None:
        """Register a callback for when all connections are dropped, for those waiting on one."""
        self._on_switch.append(drop)

    def connection(
        self, connect_seconds: float = _CONNECT_SECONDS, greeting_seconds: float = _GREETING_SECONDS
    ) -> AbstractConnection:
        """Return a connection without automatic retries; it is opened on first use."""
        pool = ConnectionPool.from_url(
            self._url,
            protocol=2,
            retry=Retry(NoBackoff(), 0),
            retry_on_error=[],
            socket_connect_timeout=connect_seconds,
            socket_timeout=None,
            health_check_interval=0,
            redis_connect_func=self.greeting(greeting_seconds),
        )
        made: AbstractConnection = pool.make_connection()  # type: ignore[no-untyped-call]
        return made

    def greeting(self, seconds: float = _GREETING_SECONDS) -> Callable[[AbstractConnection], Any]:
        """Return a `redis_connect_func` that logs in and identifies the server, each within `seconds`."""

        async def greet(connection: AbstractConnection) -> None:
            # Commands may wait indefinitely, but the login may not: the server may be suspended.
            usual, connection.socket_timeout = connection.socket_timeout, seconds
            try:
                await connection.on_connect()
                await self._recognize(connection)
            except BaseException:
                # redis-py would consider it open and logged in.
                await connection.disconnect(nowait=True)
                raise
            finally:
                connection.socket_timeout = usual

        return greet

    def holds(self, connection: AbstractConnection) -> bool:
        """Whether a connection may still be used."""
        return self._epochs.get(connection) == self.epoch

    def heard(self, error: BaseException, epoch: int) -> None:
        """Check the answer to a command begun in that epoch: it may end the epoch."""
        if isinstance(error, RedisError) and (code_of(error) in _WRONG or _ONLY_PRIMARY in str(error)):
            self._give_up(epoch, f"{code_of(error)} {error}", refused=True)

    def heard_on(self, connection: AbstractConnection, error: BaseException) -> None:
        """Check an answer on a connection."""
        self.heard(error, self._epochs.get(connection, -1))

    async def look(self) -> None:
        """Open a new connection to see where the name leads now, and drop the old ones if it is elsewhere.

        If it leads nowhere, or to a replica, the old ones are kept. Raises UnsupportedRedisError.
        """
        fresh = self.connection(_LOOK_SECONDS, _LOOK_SECONDS)
        try:
            await fresh.connect()  # type: ignore[no-untyped-call]
        except UnsupportedRedisError:
            raise
        except (RedisError, OSError):
            return
        finally:
            await fresh.disconnect(nowait=True)

    async def _recognize(self, connection: AbstractConnection) -> None:
        begun = self.epoch
        try:
            told = await _identity(connection)
        except ResponseError:
            # No permission, or renamed: then only a refused write shows it.
            told = {}
        if told.get("redis_mode", "standalone") != "standalone":
            raise UnsupportedRedisError(
                f"JASSHAUS_REDIS_URL is of a Redis in {told['redis_mode']} mode, which is not supported yet; "
                "name one primary, or a service or proxy that follows it"
            )
        run_id = told.get("run_id")
        if told.get("role", "master") != "master":
            if run_id == self._run_id:
                self._give_up(begun, "demoted", refused=True)
            raise NotPrimaryError("the server is a replica")
        if run_id is not None and run_id != self._run_id:
            known, self._run_id = self._run_id, run_id
            if known is not None:
                self._give_up(self.epoch, "another server")
            begun = self.epoch
        # Others that found the new server at the same time are fine, unless they were refused before.
        self._epochs[connection] = self.epoch if begun >= self._refused else begun

    def _give_up(self, epoch: int, why: str, *, refused: bool = False) -> None:
        # Without new connections since, there are none to drop: a server that keeps refusing is no news.
        if epoch != self.epoch or epoch not in self._epochs.values():
            return
        self.epoch += 1
        if refused:
            self._refused = self.epoch
        STORE_SWITCHES.labels("redis").inc()
        log.warning("redis_given_up", why=why[:200])
        for drop in self._on_switch:
            drop()


async def _identity(connection: AbstractConnection) -> dict[str, str]:
    told: dict[str, str] = {}
    for section in ("server", "replication"):
        await connection.send_command("INFO", section, check_health=False)
        answer: bytes | str = await connection.read_response()
        text = answer.decode() if isinstance(answer, bytes) else answer
        told.update(line.split(":", 1) for line in text.splitlines() if ":" in line)  # type: ignore[misc]
    return told
