"""Calls whose caller has gone: what becomes of them is nobody's, and no error in the log."""

from __future__ import annotations

import asyncio
import gc
from contextlib import suppress
from typing import Any

from redis.exceptions import ConnectionError as RedisConnectionError

from jasshaus.matchmaking.lobby import Lobby


async def test_a_lobby_call_that_fails_after_its_caller_was_cut_off_is_quiet() -> None:
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    fail = asyncio.Event()

    async def command() -> None:
        await fail.wait()
        raise RedisConnectionError("connection refused")

    caller = asyncio.create_task(Lobby._shielded(command()))
    await asyncio.sleep(0)
    caller.cancel()
    with suppress(asyncio.CancelledError):
        await caller
    fail.set()
    for _ in range(3):
        await asyncio.sleep(0)
    gc.collect()
    assert complaints == []
