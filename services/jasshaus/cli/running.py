"""Runs a command to completion or until a signal, cleans up, and chooses the exit code."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Coroutine
from types import FrameType
from typing import Final

from jasshaus.devstack.process import EmbeddedError
from jasshaus.platform.config import ConfigError
from jasshaus.platform.logging import configure_logging

FAILED: Final = 1
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_STDERR: Final = 2
_STILL_STOPPING: Final = (
    b"jasshaus: shutting down; press Ctrl-C again to force quit (temporary files will remain)\n"
)


def run(main: Coroutine[None, None, int]) -> int:
    """Run a command and return its exit code: 128 + the signal's number if one ended it early.

    The first SIGINT, SIGTERM or SIGHUP cancels the command, which then cleans up. A second does not interrupt
    the cleanup; a third ends the process at once. An ignored SIGHUP stays ignored, since nohup is deliberate.
    An ignored SIGINT does not: scripts ignore it for everything they start with `&`, which is not.
    """
    configure_logging("jasshaus", "console", "warning")
    ending = _Ending()
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number in _SIGNALS:
        if number != signal.SIGHUP or before[number] is not signal.SIG_IGN:
            signal.signal(number, ending.on_signal)
    try:
        return asyncio.run(_until_signal(main, ending))
    except (EmbeddedError, ConfigError) as error:
        print(f"jasshaus: {error}", file=sys.stderr)
        return FAILED
    except OSError:
        # After SIGHUP there is no terminal to print to.
        if ending.exit_code is None:
            raise
        return ending.exit_code
    finally:
        # After a signal the handlers stay, so that interpreter shutdown is not interrupted either.
        if ending.exit_code is None:
            for number, handler in before.items():
                signal.signal(number, handler)


async def _until_signal(main: Coroutine[None, None, int], ending: _Ending) -> int:
    task = asyncio.create_task(main)
    ending.cancels(task)
    try:
        return await task
    except asyncio.CancelledError:
        if ending.exit_code is not None:
            return ending.exit_code
        raise
    finally:
        ending.cancels(None)


class _Ending:
    """The signals received so far.

    Uses Python's handlers rather than the event loop's, which only run when the loop turns, and it does not
    while a server is being started or stopped.
    """

    def __init__(self) -> None:
        self.exit_code: int | None = None
        self._signals = 0
        self._task: asyncio.Task[int] | None = None

    def cancels(self, task: asyncio.Task[int] | None) -> None:
        """Register what the first signal cancels; cancels at once if there already was one."""
        self._task = task
        if self._signals:
            self._cancel()

    def on_signal(self, number: int, _frame: FrameType | None) -> None:
        self._signals += 1
        if self._signals == 1:
            self.exit_code = 128 + number
            self._cancel()
        elif self._signals == 2:  # noqa: PLR2004 - the second, as described above
            # Not with print, which this may be interrupting.
            with contextlib.suppress(OSError):
                os.write(_STDERR, _STILL_STOPPING)
        else:
            os._exit(128 + number)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.get_loop().call_soon_threadsafe(self._task.cancel)
