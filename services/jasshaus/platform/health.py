"""Owns what a server says of its health (grpc.health.v1): NOT_SERVING until ready and from the drain on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from grpc_health.v1 import health, health_pb2

from jasshaus.platform.stopping import Stopping


class Health:
    """The status of the whole server ("") and of each of its services, always the same."""

    names = (health.SERVICE_NAME,)

    def __init__(self, services: Sequence[str], stopping: Stopping) -> None:
        self.servicer = _Servicer(stopping)
        self._services = ("", *services, *self.names)
        # Before anybody can ask; the library's own start value is SERVING.
        self.servicer.start_as(health_pb2.HealthCheckResponse.NOT_SERVING, self._services)

    async def enter(self) -> None:
        """Say SERVING."""
        for service in self._services:
            await self.servicer.set(service, health_pb2.HealthCheckResponse.SERVING)

    async def leave(self) -> None:
        """Say NOT_SERVING, for good."""
        await self.servicer.enter_graceful_shutdown()


class _Servicer(health.aio.HealthServicer):  # type: ignore[misc]
    """The library's servicer, whose watchers would hold up a stop for the whole grace.

    Here they end with the drain.
    """

    def __init__(self, stopping: Stopping) -> None:
        super().__init__()
        self._stopping = stopping

    def start_as(self, status: int, services: Sequence[str]) -> None:
        """Set the statuses without telling watchers: for before the server listens."""
        self._server_status.update(dict.fromkeys(services, status))

    async def Watch(self, request: Any, context: Any) -> None:  # noqa: N802 - the contract's name
        watching = asyncio.ensure_future(super().Watch(request, context))
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({watching, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if watching.done():
                watching.result()
        finally:
            for each in (watching, stopping):
                each.cancel()
            await asyncio.gather(watching, stopping, return_exceptions=True)
