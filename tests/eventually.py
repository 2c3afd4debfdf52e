"""Waits for what another task or process does in its own time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PATIENCE_SECONDS = 30.0
_POLL_SECONDS = 0.01


async def until(condition: Callable[[], object]) -> None:
    """Return as soon as the condition holds.

    An answer to a call says what the call did, not that whoever counts or logs beside it has done so. A
    sleep in place of this is too short on a busy machine and too long on a quiet one.
    """
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():
            await asyncio.sleep(_POLL_SECONDS)
