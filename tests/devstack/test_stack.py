"""The development stack: everything up, everything down, and what happens in between."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import psycopg
import pytest
import redis.asyncio as redis
from grpc_health.v1 import health_pb2, health_pb2_grpc

from jasshaus.devstack.process import EmbeddedError, start_time
from jasshaus.devstack.stack import Stack

# Starts a stack and says which processes it has. argv: data folder.
HOLDER = """
import asyncio, sys
from pathlib import Path
from jasshaus.devstack.stack import Stack
from jasshaus.platform.logging import configure_logging

configure_logging("stack")

async def main():
    async with Stack(Path(sys.argv[1]), fsync=False) as stack:
        pids = [process.pid for process in stack.processes.values()]
        print(*pids, stack.redis.pid, stack.postgres.pid, flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.fixture(autouse=True)
def no_servers_of_the_developers(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("JASSHAUS_REDIS_URL", "JASSHAUS_POSTGRES_DSN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def place() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="jasshaus-test-"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path)


async def until_gone(pids: list[int]) -> None:
    async with asyncio.timeout(10):
        while any(start_time(pid) for pid in pids):
            await asyncio.sleep(0.02)


def pids_of(stack: Stack) -> list[int]:
    assert stack.redis is not None
    assert stack.postgres is not None
    found = [stack.redis.pid, stack.postgres.pid, *(process.pid for process in stack.processes.values())]
    assert all(found)
    return [pid for pid in found if pid is not None]


async def test_up_and_down_leaves_data_and_nothing_else(place: Path) -> None:
    for run in (1, 2):
        async with Stack(place, tables=2, fsync=False) as stack:
            pids = pids_of(stack)
            assert len(pids) == 6
            for address in (stack.endpoints.matchmaking, stack.endpoints.wallet, *stack.endpoints.tables):
                async with grpc.aio.insecure_channel(address) as channel:
                    answer = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
                    assert answer.status == health_pb2.HealthCheckResponse.SERVING
            async with redis.Redis.from_url(stack.redis_url) as store:
                assert await store.incr("runs") == run
        assert [process.exit_code for process in stack.processes.values()] == [0] * 4
        assert not any(start_time(pid) for pid in pids)
        assert not [path for path in place.rglob("*") if path.is_socket()]


@pytest.fixture
def holder(place: Path) -> Iterator[subprocess.Popen[str]]:
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", HOLDER, str(place)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as process:
        yield process
        process.kill()


async def test_kill_9_leaves_nothing_running_and_the_next_start_is_clean(
    place: Path, holder: subprocess.Popen[str]
) -> None:
    assert holder.stdout is not None
    pids = [int(pid) for pid in (await asyncio.to_thread(holder.stdout.readline)).split()]
    assert len(pids) == 5
    with pytest.raises(EmbeddedError, match=f"process {holder.pid}"):
        await Stack(place).start()
    holder.kill()
    await asyncio.to_thread(holder.wait)
    await until_gone(pids)
    async with Stack(place, fsync=False) as stack:
        with psycopg.connect(stack.dsn()) as connection:
            assert connection.execute("SELECT count(*) > 0 FROM wallet.alembic_version").fetchone() == (True,)


async def test_what_dies_is_reported_and_started_again() -> None:
    reports: list[str] = []
    async with Stack(fsync=False, supervise=True, report=reports.append) as stack:
        assert stack.redis is not None
        victims = {stack.processes["table-0"].pid, stack.redis.pid}
        for pid in victims:
            assert pid is not None
            os.kill(pid, 9)
        async with asyncio.timeout(20):
            while {stack.processes["table-0"].pid, stack.redis.pid} & {*victims, None}:
                await asyncio.sleep(0.05)
        await stack.processes["table-0"].ready()
        assert sorted(report.split()[0] for report in reports) == ["redis", "table-0"]
        folder = stack.data_dir
    assert not folder.exists(), "it was a temporary one"


async def test_what_a_test_kills_is_left_alone() -> None:
    reports: list[str] = []
    async with Stack(fsync=False, supervise=True, report=reports.append) as stack:
        wallet = stack.processes["wallet"]
        wallet.kill()
        await asyncio.sleep(1)
        assert not wallet.running
        await wallet.restart()
        assert reports == []


async def test_a_service_that_cannot_start_takes_everything_down_again(place: Path) -> None:
    stack = Stack(place, fsync=False, environment={"table": {"JASSHAUS_LOG_LEVEL": "loud"}})
    started = time.monotonic()
    with pytest.raises(EmbeddedError, match=r"table-0 exited with 2(.|\n)*JASSHAUS_LOG_LEVEL must be one of"):
        await stack.start()
    assert time.monotonic() - started < 30
    assert not any(process.running for process in stack.processes.values())
    assert stack.redis is not None
    assert stack.redis.pid is None
    async with Stack(place, fsync=False) as again:
        assert len(pids_of(again)) == 5
