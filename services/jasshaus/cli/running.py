"""Owns how a command runs to its end or to a signal: cleaned up in both cases, and with which exit code."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Coroutine
from typing import Final

from jasshaus.platform.config import ConfigError
from jasshaus.platform.embedded.process import EmbeddedError
from jasshaus.platform.logging import configure_logging

FAILED: Final = 1
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def run(main: Coroutine[None, None, int]) -> int:
    """Run a command and return its exit code: 128 + the signal's number when one ended it early.

    The first SIGINT or SIGTERM cancels the command, which then cleans up; a second one ends it at once.
    """
    configure_logging("jasshaus", "console", "warning")
    try:
        return asyncio.run(_until_signal(main))
    except (EmbeddedError, ConfigError) as error:
        print(f"jasshaus: {error}", file=sys.stderr)
        return FAILED


async def _until_signal(main: Coroutine[None, None, int]) -> int:
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(main)
    received: list[int] = []

    def on_signal(number: int) -> None:
        received.append(number)
        for each in _SIGNALS:
            loop.remove_signal_handler(each)
        task.cancel()

    for number in _SIGNALS:
        loop.add_signal_handler(number, on_signal, number)
    try:
        return await task
    except asyncio.CancelledError:
        if received:
            return 128 + received[0]
        raise
