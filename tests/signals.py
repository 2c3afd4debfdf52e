"""Sets the signals that children of the tests start with: those of a terminal, whoever runs the tests."""

from __future__ import annotations

import signal
from types import FrameType

#: Ignored in what `nohup` and a script's `&` start, and from there on in all children, except where these
#: set a handler of their own. Tests send them to their children, and expect what a person at a terminal gets.
_SENT = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)


def set_for_children() -> None:
    """Have children start with these signals at their defaults, and neither ignored nor blocked.

    What is ignored here stays without effect here: a handler that does nothing is not inherited.
    """
    for number in _SENT:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _nothing)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SENT)
    # Ignored, it would hide the exit codes of children.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _nothing(_number: int, _frame: FrameType | None) -> None:
    pass
