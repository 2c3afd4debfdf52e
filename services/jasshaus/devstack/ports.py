"""Ports for services that must know each other's addresses before they start.

A port that was free a moment ago can be somebody else's by the time a service listens on it: another stack's,
or the local end of any connection. So these ports lie below those that the system hands out, and a lock keeps
other stacks of this user from them for as long as the lease is held.
"""

from __future__ import annotations

import fcntl
import os
import random
import socket
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from jasshaus.devstack.process import EmbeddedError

_LOWEST: Final = 15_000
_HIGHEST: Final = 32_000
_TRIES: Final = 1_000
_RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")


class PortLease:
    """So many ports of 127.0.0.1, all different; close it when the services are gone."""

    def __init__(self, count: int) -> None:
        """Take the ports. Raises EmbeddedError when there are none."""
        self.ports: list[int] = []
        self._locks = ExitStack()
        highest = _highest()
        for _ in range(_TRIES):
            if len(self.ports) == count:
                return
            self._try(random.randint(_LOWEST, highest))
        self.close()
        raise EmbeddedError(f"no {count} free ports between {_LOWEST} and {highest}")

    def close(self) -> None:
        """Let others have the ports."""
        self._locks.close()

    def _try(self, port: int) -> None:
        folder = Path(tempfile.gettempdir()) / f"jasshaus-ports-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        with ExitStack() as undo:
            lock = undo.enter_context((folder / str(port)).open("w"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                with socket.socket() as trial:
                    trial.bind(("127.0.0.1", port))
            except OSError:
                return
            self.ports.append(port)
            self._locks.push(undo.pop_all())


def _highest() -> int:
    """Return the highest port that the system gives to nobody by itself."""
    try:
        lowest_given = int(_RANGE.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return _HIGHEST
    return lowest_given - 1 if lowest_given > _LOWEST + _TRIES else _HIGHEST
