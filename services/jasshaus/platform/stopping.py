"""Tells streams and background loops that the process is shutting down."""

from __future__ import annotations

import asyncio


class Stopping:
    """Set once, when draining begins: streams end, and loops finish their current work.

    Helpers of RPCs in flight (a batching writer, a feed) continue until `wait_finished` returns.
    """

    def __init__(self) -> None:
        self._draining = asyncio.Event()
        self._finished = asyncio.Event()

    def is_set(self) -> bool:
        """Whether draining has begun."""
        return self._draining.is_set()

    async def wait(self) -> None:
        """Return when draining begins."""
        await self._draining.wait()

    async def wait_finished(self) -> None:
        """Return when no RPC is in flight."""
        await self._finished.wait()

    async def sleep(self, seconds: float) -> bool:
        """Sleep for `seconds`, or until draining begins; return whether it has.

        A loop is `while not await stopping.sleep(5): ...`.
        """
        try:
            async with asyncio.timeout(seconds):
                await self._draining.wait()
        except TimeoutError:
            return False
        return True

    def drain(self) -> None:
        """Begin draining."""
        self._draining.set()

    def finish(self) -> None:
        """Signal that no RPC is in flight any more."""
        self._draining.set()
        self._finished.set()
