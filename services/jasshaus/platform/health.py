"""The health service (grpc.health.v1): SERVING while the server can serve, until the drain."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from jasshaus.platform.stopping import Stopping

Answer = health_pb2.HealthCheckResponse

#: A name that is SERVING as long as the process answers at all, since restarting it repairs no store.
LIVE: Final = "live"


class Health:
    """The status of the whole server ("") and of each of its services, always equal; and of LIVE."""

    names = (health.SERVICE_NAME,)

    def __init__(self, services: Sequence[str], stopping: Stopping) -> None:
        self.servicer = _Servicer(("", *services, *self.names), stopping)
        self._closed = False

    def enter(self) -> None:
        """Report SERVING, unless closed."""
        if not self._closed:
            self.servicer.say(Answer.SERVING)

    def leave(self) -> None:
        """Report NOT_SERVING."""
        self.servicer.say(Answer.NOT_SERVING)

    def close(self) -> None:
        """Report NOT_SERVING permanently."""
        self._closed = True
        self.leave()


class _Servicer(health_pb2_grpc.HealthServicer):  # type: ignore[misc]
    """Replaces the library's servicer, which writes to watchers under a lock needed for changing the status.

    There, a client without a token that reads nothing would keep the server from ever becoming ready, and
    watchers would delay a shutdown by the whole grace period; here they end with the drain.
    """

    def __init__(self, names: Sequence[str], stopping: Stopping) -> None:
        self._names: Final = frozenset((*names, LIVE))
        self._stopping = stopping
        self._status = Answer.NOT_SERVING
        self._changed = asyncio.Event()

    def say(self, status: Any) -> None:
        """Change the status and wake watchers, without waiting for any."""
        self._status = status
        self._changed.set()
        self._changed = asyncio.Event()

    async def Check(self, request: Any, context: Any) -> Any:  # noqa: N802 - the contract's name
        if request.service not in self._names:
            await context.abort(grpc.StatusCode.NOT_FOUND)
        return Answer(status=self._status_of(request.service))

    async def List(self, _request: Any, _context: Any) -> Any:  # noqa: N802 - the contract's name
        return health_pb2.HealthListResponse(
            statuses={name: Answer(status=self._status_of(name)) for name in self._names}
        )

    async def Watch(self, request: Any, _context: Any) -> AsyncIterator[Any]:  # noqa: N802 - the contract's name
        known, told = request.service in self._names, None
        while True:
            changed = self._changed
            status = self._status_of(request.service) if known else Answer.SERVICE_UNKNOWN
            if status != told:
                # The status may change again meanwhile; `changed` remembers that.
                yield Answer(status=status)
                told = status
            if self._stopping.is_set() or not await self._until(changed):
                return

    def _status_of(self, name: str) -> Any:
        return Answer.SERVING if name == LIVE else self._status

    async def _until(self, changed: asyncio.Event) -> bool:
        """Wait for the change or the drain; return False at the drain."""
        waits = [asyncio.ensure_future(each.wait()) for each in (changed, self._stopping)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()
        return changed.is_set()
