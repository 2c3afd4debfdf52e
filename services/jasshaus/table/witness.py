"""Keeps the highest ledger position seen in Redis, so that a ledger that went back in time is detected.

The position is stored beside the tables, so that a restore of PostgreSQL does not affect it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final

import grpc
import structlog
from redis.exceptions import ResponseError

from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from jasshaus.platform.calls import Undelivered, call
from jasshaus.platform.errors import Fault
from jasshaus.table.keys import Names
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.redis_connection import RedisConnection, StoreAwayError
from jasshaus.table.store import Script

log = structlog.stdlib.get_logger(__name__)

UNKNOWN_RUN: Final = "?"
"""Stored as the run of Redis: its tables may have gone back in time."""

_RUN: Final = b"run_id:"


@dataclass(frozen=True, slots=True)
class Position:
    """A ledger position. Within one system and timeline, `flushed` only grows."""

    system: str
    timeline: int
    flushed: int


@dataclass(frozen=True, slots=True)
class Recovery:
    """The wallet found its ledger at an earlier time, and waits until everything has been compared."""

    recovery_id: int
    cause: str


@dataclass(frozen=True, slots=True)
class Standing:
    """The ledger's position, and the running recovery, if any."""

    position: Position
    recovery: Recovery | None


class Witness:
    """Asks the wallet for its ledger's position, and keeps the highest one seen."""

    def __init__(
        self, redis: RedisConnection, names: Names, wallet: grpc.aio.Channel, metrics: TableMetrics
    ) -> None:
        self._redis = redis
        self._keys = names.ledger
        self._stub = wallet_pb2_grpc.RecoveryServiceStub(wallet)
        self._keep = Script(redis, "witness", metrics)
        self._noting: asyncio.Task[None] | None = None

    async def note(self) -> None:
        """Store a position from after this call, if wallet and Redis answer. Never raises.

        Concurrent calls share one request.
        """
        under_way = self._noting
        if under_way is not None and not under_way.done():
            # Its request may have been answered before our call.
            await asyncio.shield(under_way)
        if self._noting is None or self._noting is under_way or self._noting.done():
            self._noting = asyncio.create_task(self._note())
        await asyncio.shield(self._noting)

    async def _note(self) -> None:
        try:
            await self.look()
        except (Undelivered, StoreAwayError, ResponseError) as error:
            log.warning("ledger_unwitnessed", why=str(error))

    async def look(self, lease: str = "") -> Standing:
        """Report the highest position seen to the wallet; store its position, unless it is recovering.

        With the sweep's lease, also store one of another system or timeline. Raises Undelivered,
        StoreAwayError.
        """
        standing = await self._ask(await self._seen())
        if standing.recovery is None:
            await self._keep_position(standing.position, lease)
        return standing

    async def recovered(self, standing: Standing, repaired: int, unmatched: int, lease: str) -> bool:
        """End a recovery; False when another one has begun since. Raises Undelivered, StoreAwayError."""
        assert standing.recovery is not None
        request = wallet_pb2.EndRecoveryRequest(
            recovery_id=standing.recovery.recovery_id, repaired=repaired, unmatched=unmatched
        )
        try:
            await call(self._stub.EndRecovery, request)
        except Fault as refused:
            if refused.reason != "RECOVERY_NOT_CURRENT":
                raise Undelivered(refused.reason) from refused
            return False
        await self._keep_position(standing.position, lease, back=True)
        return True

    async def _ask(self, seen: Position | None) -> Standing:
        request = wallet_pb2.CheckLedgerRequest()
        if seen is not None:
            request.seen.system_identifier = seen.system
            request.seen.timeline = seen.timeline
            request.seen.flushed = seen.flushed
        try:
            answer = await call(self._stub.CheckLedger, request)
        except Fault as refused:
            raise Undelivered(refused.reason) from refused
        position, recovery = answer.position, None
        if answer.HasField("recovery"):
            recovery = Recovery(answer.recovery.recovery_id, answer.recovery.cause)
        return Standing(Position(position.system_identifier, position.timeline, position.flushed), recovery)

    async def _seen(self) -> Position | None:
        system, timeline, flushed = await self._redis.call("HMGET", self._keys.position, "s", "t", "f")
        if not system:
            return None
        return Position(system.decode(), int(timeline), int(flushed))

    async def _keep_position(self, position: Position, lease: str, *, back: bool = False) -> None:
        await self._keep(
            [self._keys.position, self._keys.lease],
            position.system,
            position.timeline,
            position.flushed,
            lease,
            "1" if back else "",
        )

    async def run_kept(self) -> str:
        """Return the run of Redis whose tables were last compared; empty before the first comparison.

        Raises StoreAwayError.
        """
        kept = await self._redis.call("HGET", self._keys.position, "r")
        return kept.decode() if kept else ""

    async def keep_run(self, run: str) -> None:
        """Store the run of Redis whose tables have been compared. Raises StoreAwayError."""
        await self._redis.call("HSET", self._keys.position, "r", run)

    async def run_now(self) -> str:
        """Return the identity of the answering Redis run; empty if Redis does not report it.

        Raises StoreAwayError.
        """
        try:
            told: Any = await self._redis.call("INFO", "server")
        except ResponseError as refused:
            log.warning("redis_run_unknown", why=str(refused))
            return ""
        return next(
            (line[len(_RUN) :].strip().decode() for line in told.splitlines() if line.startswith(_RUN)), ""
        )
