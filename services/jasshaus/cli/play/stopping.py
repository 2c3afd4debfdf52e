"""Handles signals during a terminal match: the match is saved before the process exits."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final, Never

_STOPS: Final = (signal.SIGTERM, signal.SIGHUP)


class Stopped(KeyboardInterrupt):
    """One of these signals came; it is taken as Ctrl-C is."""

    def __init__(self, number: int) -> None:
        """Take the signal's number."""
        super().__init__(number)
        self.number = number


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """Give the exit code by which a shell knows the signal."""
    return 128 + (interrupt.number if isinstance(interrupt, Stopped) else signal.SIGINT)


@contextlib.contextmanager
def stoppable() -> Iterator[Callable[[], None]]:
    """Raise Stopped at the first signal; gives a function that has them ignored from then on.

    A signal that is ignored (nohup), or handled by somebody else, is left as it is.
    """
    ours = [number for number in _STOPS if signal.getsignal(number) is signal.SIG_DFL]

    def ignore() -> None:
        for number in ours:
            signal.signal(number, signal.SIG_IGN)

    def stop(number: int, _frame: FrameType | None) -> Never:
        # Once: a terminal that goes away says so more than once.
        ignore()
        raise Stopped(number)

    for number in ours:
        signal.signal(number, stop)
    try:
        yield ignore
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
