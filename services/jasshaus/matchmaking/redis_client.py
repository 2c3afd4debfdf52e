"""Connections to Redis: pool size, timeouts, and the check that each leads to the primary."""

from __future__ import annotations

from typing import Final

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from jasshaus.platform.primary import NotPrimaryError, Primary

_TIMEOUT_SECONDS: Final = 5.0
_CONNECTIONS: Final = 64
_POOL_SECONDS: Final = 2.0


class _Pool(BlockingConnectionPool):
    """Hands out only connections that still count."""

    primary: Primary

    async def ensure_connection(self, connection: AbstractConnection) -> None:
        if connection.is_connected and not self.primary.holds(connection):
            await connection.disconnect(nowait=True)
        await super().ensure_connection(connection)
        if not self.primary.holds(connection):
            await connection.disconnect(nowait=True)
            raise NotPrimaryError("the server was dropped meanwhile")


def redis_client(url: str, primary: Primary) -> Redis:
    """Return a client without automatic retries, since only callers know whether to repeat a command.

    If the pool is exhausted, callers wait up to 2 s for a connection. `primary` has the same URL.
    """
    pool = _Pool.from_url(
        url,
        max_connections=_CONNECTIONS,
        timeout=_POOL_SECONDS,
        decode_responses=True,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=_TIMEOUT_SECONDS,
        socket_connect_timeout=_TIMEOUT_SECONDS,
        health_check_interval=0,
        redis_connect_func=primary.greeting(),
    )
    pool.primary = primary
    return Redis.from_pool(pool)
