"""Ports that no other stack, and no connection, can take meanwhile."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from jasshaus.devstack import ports
from jasshaus.devstack.ports import PortLease
from jasshaus.devstack.process import EmbeddedError


def test_leases_share_no_port_while_they_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_highest", lambda: ports._LOWEST + 9)
    first, second = PortLease(4), PortLease(4)
    assert not set(first.ports) & set(second.ports)
    with pytest.raises(EmbeddedError, match="no 4 free ports"):
        PortLease(4)
    first.close()
    third = PortLease(4)
    second.close()
    third.close()


def test_another_process_gets_other_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_highest", lambda: ports._LOWEST + 3)
    lease = PortLease(3)
    lines = (
        "from jasshaus.devstack import ports",
        "ports._highest = lambda: ports._LOWEST + 3",
        "print(ports.PortLease(1).ports[0])",
    )
    taken = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(taken.stdout) not in lease.ports
    lease.close()


def test_a_port_in_use_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_highest", lambda: ports._LOWEST)
    with socket.socket() as used:
        used.bind(("127.0.0.1", ports._LOWEST))
        with pytest.raises(EmbeddedError, match="no 1 free ports"):
            PortLease(1)


@pytest.mark.skipif(not Path("/proc/sys/net/ipv4/ip_local_port_range").exists(), reason="Linux only")
def test_the_system_gives_none_of_them_away_by_itself() -> None:
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    assert ports._highest() < lowest or lowest <= ports._LOWEST + ports._TRIES
