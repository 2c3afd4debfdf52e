"""Runs sagas to their end even if the RPC that started them is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import structlog

from jasshaus.platform.errors import Fault
from jasshaus.platform.stopping import Stopping

T = TypeVar("T")

log = structlog.stdlib.get_logger(__name__)


class Work:
    """`run` what must not stop halfway; `drain` in the background waits for it before the pools close."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self, saga: Coroutine[Any, Any, T]) -> T:
        """Run to the end, even if the caller is cancelled."""
        task = asyncio.ensure_future(saga)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    async def drain(self, stopping: Stopping) -> None:
        """Wait for all of it once no RPC can begin any more."""
        await stopping.wait_finished()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Fault):
            log.warning("saga_failed", error=type(error).__name__)
