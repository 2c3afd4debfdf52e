"""Runs between fork and exec, as a script, because a process with threads or gRPC must not fork.

Usage: launcher.py PARENT_PID DEATH_SIGNAL UID GID COMMAND...   (UID and GID -1: unchanged)
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from typing import Never

_PR_SET_PDEATHSIG = 1
_EXIT_ORPHANED = 125


def main(arguments: list[str]) -> Never:
    """Become COMMAND, which gets DEATH_SIGNAL when the parent dies, even by kill -9.

    Resets signal handling, whatever was inherited: the servers are stopped by signals.
    """
    parent, death_signal, uid, gid = (int(each) for each in arguments[:4])
    command = arguments[4:]
    if uid >= 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    if sys.platform == "linux":
        # After the change of user, which clears it.
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, death_signal)
    _restore_signals()
    if os.getppid() != parent:
        sys.exit(_EXIT_ORPHANED)
    os.execv(command[0], command)  # noqa: S606 - no shell is the point


def _restore_signals() -> None:
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        # Some are reserved by the C library.
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


if __name__ == "__main__":
    main(sys.argv[1:])
