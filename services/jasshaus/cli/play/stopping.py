"""Handles signals during a terminal match: the match is saved before the process exits."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final, Never

_STOPS: Final = (signal.SIGTERM, signal.SIGHUP)


class Stopped(KeyboardInterrupt):
    """One of these signals arrived; it is treated like Ctrl-C."""

    def __init__(self, number: int) -> None:
        """Store the signal's number."""
        super().__init__(number)
        self.number = number


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """Return the exit code for this signal by shell convention."""
    return 128 + (interrupt.number if isinstance(interrupt, Stopped) else signal.SIGINT)


@contextlib.contextmanager
def stoppable() -> Iterator[Callable[[], None]]:
    """Raise Stopped at the first signal; return a function that makes later ones ignored.

    A signal that is ignored (nohup), or handled by other code, is left alone.
    """
    ours = [number for number in _STOPS if signal.getsignal(number) is signal.SIG_DFL]

    def ignore() -> None:
        for number in ours:
            signal.signal(number, signal.SIG_IGN)

    def stop(number: int, _frame: FrameType | None) -> Never:
        # Once: a terminal that goes away may send it repeatedly.
        ignore()
        raise Stopped(number)

    for number in ours:
        signal.signal(number, stop)
    try:
        yield ignore
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
