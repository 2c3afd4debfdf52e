"""Owns the moment between fork and exec, as a script: nobody must fork with threads or gRPC alive.

Usage: launcher.py PARENT_PID DEATH_SIGNAL UID GID COMMAND...   (UID and GID -1: unchanged)
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Never

_PR_SET_PDEATHSIG = 1
_EXIT_ORPHANED = 125


def main(arguments: list[str]) -> Never:
    """Become COMMAND, which gets DEATH_SIGNAL when the parent dies, even by kill -9."""
    parent, death_signal, uid, gid = (int(each) for each in arguments[:4])
    command = arguments[4:]
    if uid >= 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    if sys.platform == "linux":
        # After the change of user, which clears it.
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, death_signal)
    if os.getppid() != parent:
        sys.exit(_EXIT_ORPHANED)
    os.execv(command[0], command)  # noqa: S606 - no shell is the point


if __name__ == "__main__":
    main(sys.argv[1:])
