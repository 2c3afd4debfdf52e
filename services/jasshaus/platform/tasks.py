"""Background tasks: work that continues after the call that started it was cancelled or has returned."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Hashable
from typing import Any, TypeVar

import structlog

from jasshaus.platform.errors import Fault
from jasshaus.platform.stopping import Stopping

T = TypeVar("T")

log = structlog.stdlib.get_logger(__name__)


class Tasks:
    """Holds the background tasks of one owner until they end; the owner finishes them before closing.

    The event loop itself keeps only weak references to tasks. A failure that nobody awaits is logged, unless
    it is a Fault, which is an answer.
    """

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[Any]] = {}

    def __len__(self) -> int:
        """Return the number of running tasks."""
        return len(self._tasks)

    def __contains__(self, key: Hashable) -> bool:
        """Return whether the task with this key is running."""
        return key in self._tasks

    def start(self, work: Coroutine[Any, Any, T], key: Hashable = None) -> asyncio.Task[T]:
        """Start work; at most one task at a time per key, unless the key is None."""
        task = asyncio.create_task(work)
        key = task if key is None else key
        assert key not in self._tasks
        self._tasks[key] = task
        task.add_done_callback(lambda ended: self._ended(key, ended))
        return task

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work to completion, even if the caller is cancelled, and return its result."""
        return await asyncio.shield(self.start(work))

    async def finish(self) -> None:
        """Return when all tasks have ended, including those started meanwhile."""
        while self._tasks:
            await asyncio.wait(self._tasks.values())

    async def drain(self, stopping: Stopping) -> None:
        """Finish once no RPC can start further work: a background loop of a server."""
        await stopping.wait_finished()
        await self.finish()

    def _ended(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        del self._tasks[key]
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Fault):
            log.warning("background_task_failed", error=type(error).__name__, reason=str(error)[:200])
