"""Ports for services that must know each other's addresses before they start.

A port that was free a moment ago may be taken by the time a service listens on it: by another stack, or as
the local end of a connection. So these ports lie below the system's ephemeral range, and on Linux a name in
the abstract socket namespace reserves them against other stacks while the lease is held. It leaves no file
behind, and ends with the process.
"""

from __future__ import annotations

import random
import socket
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from jasshaus.devstack.process import EmbeddedError

_LOWEST: Final = 15_000
_HIGHEST: Final = 32_000
_TRIES: Final = 1_000
_RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")


class PortLease:
    """A number of distinct ports on 127.0.0.1; close it when the services are gone."""

    def __init__(self, count: int) -> None:
        """Reserve the ports. Raises EmbeddedError if there are not enough."""
        self.ports: list[int] = []
        self._names = ExitStack()
        highest = _highest()
        for _ in range(_TRIES):
            if len(self.ports) == count:
                return
            self._try(random.randint(_LOWEST, highest))
        self.close()
        raise EmbeddedError(f"no {count} free ports between {_LOWEST} and {highest}")

    def close(self) -> None:
        """Release the ports."""
        self._names.close()

    def _try(self, port: int) -> None:
        if port in self.ports:
            return
        with ExitStack() as undo:
            try:
                if sys.platform == "linux":
                    name = undo.enter_context(socket.socket(socket.AF_UNIX))
                    name.bind(f"\0jasshaus-port-{port}")
                with socket.socket() as trial:
                    trial.bind(("127.0.0.1", port))
            except OSError:
                return
            self.ports.append(port)
            self._names.push(undo.pop_all())


def _highest() -> int:
    """Return the highest port below the system's ephemeral range."""
    try:
        lowest_given = int(_RANGE.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return _HIGHEST
    return lowest_given - 1 if lowest_given > _LOWEST + _TRIES else _HIGHEST
