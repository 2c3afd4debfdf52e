"""Keeps in Redis how far the ledger has been seen to go, so that one that was taken back in time is noticed.

The position lies beside the tables: what a restore of PostgreSQL takes away, it does not.
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
from jasshaus.table.link import Link, StoreAwayError
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.store import Script

log = structlog.stdlib.get_logger(__name__)

UNKNOWN_RUN: Final = "?"
"""Kept as the run of Redis: its tables may have gone back in time."""

_RUN: Final = b"run_id:"


@dataclass(frozen=True, slots=True)
class Position:
    """Where the ledger stood. On one system and timeline `flushed` only grows."""

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
    """Where the ledger stands, and the recovery under way, if there is one."""

    position: Position
    recovery: Recovery | None


class Witness:
    """Asks the wallet where its ledger stands, and keeps the highest position seen."""

    def __init__(self, link: Link, names: Names, wallet: grpc.aio.Channel, metrics: TableMetrics) -> None:
        self._link = link
        self._keys = names.ledger
        self._stub = wallet_pb2_grpc.RecoveryServiceStub(wallet)
        self._keep = Script(link, "witness", metrics)
        self._noting: asyncio.Task[None] | None = None

    async def note(self) -> None:
        """Keep a position from after this call, as far as wallet and Redis answer. Never raises.

        Calls at the same time share what they ask.
        """
        under_way = self._noting
        if under_way is not None and not under_way.done():
            # What it asked may have been answered before our call.
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
        """Show the wallet what was seen; keep where it stands, unless it recovers.

        With the sweep's lease also where it stands on another system or timeline. Raises Undelivered,
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
        system, timeline, flushed = await self._link.call("HMGET", self._keys.position, "s", "t", "f")
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
        """Return the run of Redis whose tables were compared last; empty before the first.

        Raises StoreAwayError.
        """
        kept = await self._link.call("HGET", self._keys.position, "r")
        return kept.decode() if kept else ""

    async def keep_run(self, run: str) -> None:
        """Keep the run of Redis whose tables have been compared. Raises StoreAwayError."""
        await self._link.call("HSET", self._keys.position, "r", run)

    async def run_now(self) -> str:
        """Return what names the life of the Redis that answers; empty where it does not say.

        Raises StoreAwayError.
        """
        try:
            told: Any = await self._link.call("INFO", "server")
        except ResponseError as refused:
            log.warning("redis_run_unknown", why=str(refused))
            return ""
        return next(
            (line[len(_RUN) :].strip().decode() for line in told.splitlines() if line.startswith(_RUN)), ""
        )
