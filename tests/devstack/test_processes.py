"""One service of a stack as a process.

Ready, killed, restarted on its port, reported when it cannot start.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from jasshaus.devstack.ports import PortLease
from jasshaus.devstack.process import EmbeddedError, start_time
from jasshaus.devstack.services import ServiceProcess

SECRET = "a secret for tests, of 32 bytes or more"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    lease = PortLease(1)
    (port,) = lease.ports
    process = ServiceProcess(
        "echo",
        "echo_service",
        [],
        {
            **os.environ,
            "JASSHAUS_MODE": "development",
            "JASSHAUS_DEV_SECRET": SECRET,
            "JASSHAUS_LISTEN": f"127.0.0.1:{port}",
            "JASSHAUS_METRICS_PORT": "off",
            "JASSHAUS_SHUTDOWN_PAUSE": "0",
            "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1] / "platform"), *sys.path]),
        },
        address=f"127.0.0.1:{port}",
        data=tmp_path,
    )
    yield process
    process.kill()
    lease.close()


async def test_start_and_drain(service: ServiceProcess) -> None:
    service.start()
    await service.ready()
    assert service.pid is not None
    assert await service.terminate() == 0
    assert not service.running
    assert '"event": "drained"' in service.log_file.read_text()


async def test_kill_and_restart_on_the_same_port(service: ServiceProcess) -> None:
    service.start()
    await service.ready()
    first = service.pid
    service.kill()
    assert service.exit_code == -signal.SIGKILL
    assert not service.wanted
    await service.restart()
    async with grpc.aio.insecure_channel(service.address) as channel:
        await channel.channel_ready()
    assert service.pid not in {first, None}


async def test_restart_of_one_that_runs(service: ServiceProcess) -> None:
    service.start()
    await service.ready()
    await service.restart()
    assert service.running


async def test_one_that_cannot_start_shows_its_last_words(service: ServiceProcess) -> None:
    service._environ["JASSHAUS_LOG_FORMAT"] = "xml"
    service.start()
    started = time.monotonic()
    with pytest.raises(EmbeddedError, match=r"echo exited with 2(.|\n)*JASSHAUS_LOG_FORMAT must be one of"):
        await service.ready()
    assert time.monotonic() - started < 10


async def test_a_crashed_stacks_service_is_ended_first(service: ServiceProcess) -> None:
    service.start()
    await service.ready()
    left = service.pid
    assert left is not None
    again = ServiceProcess(
        "echo",
        "echo_service",
        [],
        service._environ,
        address=service.address,
        data=service.log_file.parent.parent,
    )
    try:
        again.start()
        await again.ready()
        assert start_time(left) is None
    finally:
        again.kill()
