"""Runs one service of a development stack as a process: start, wait until serving, kill, restart."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from jasshaus.devstack.process import EmbeddedError, end_leftover, spawn, stop_process, tail

_POLL_SECONDS: Final = 0.05
_START_SECONDS: Final = 60.0
_TERMINATE_SECONDS: Final = 20.0
_LOG_BYTES: Final = 16 << 20


class ServiceProcess:
    """`python -m jasshaus.<kind>` with its own environment; logs are appended to `log_file`.

    `wanted` tells whether it should be running: an exit while wanted is a failure.
    """

    def __init__(
        self,
        name: str,
        module: str,
        arguments: Sequence[str],
        environ: Mapping[str, str],
        *,
        address: str,
        data: Path,
    ) -> None:
        self.name = name
        self.address = address
        self.wanted = False
        self.log_file = data / "logs" / f"{name}.log"
        self._command = [sys.executable, "-m", module, *arguments]
        self._environ = dict(environ)
        self._record = data / "run" / f"{name}.json"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process, if running."""
        return self._process.pid if self.running and self._process is not None else None

    @property
    def running(self) -> bool:
        """Whether the process exists, serving or not."""
        return self._process is not None and self._process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """The last process's exit code; negative: the signal that ended it."""
        return None if self._process is None else self._process.poll()

    def start(self) -> None:
        """Start the process without waiting for it; ends one left by a crashed run."""
        assert not self.running, f"{self.name} is already running"
        for folder in (self.log_file.parent, self._record.parent):
            folder.mkdir(mode=0o700, exist_ok=True)
        end_leftover(self._record, signal.SIGTERM)
        with suppress(FileNotFoundError):
            if self.log_file.stat().st_size > _LOG_BYTES:
                self.log_file.replace(self.log_file.with_suffix(".log.old"))
        self.wanted = True
        self._process = spawn(
            self._command,
            record=self._record,
            log_file=self.log_file,
            environ=self._environ,
            death_signal=signal.SIGKILL,
        )

    async def ready(self, timeout: float = _START_SECONDS) -> None:  # noqa: ASYNC109 - in the message, too
        """Return when its health is SERVING.

        Raises EmbeddedError with its last log lines if it exits instead.
        """
        deadline = time.monotonic() + timeout
        async with grpc.aio.insecure_channel(self.address) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            while self.running and time.monotonic() < deadline:
                with suppress(grpc.aio.AioRpcError):
                    answer = await health.Check(health_pb2.HealthCheckRequest(), timeout=1)
                    if answer.status == health_pb2.HealthCheckResponse.SERVING:
                        return
                await asyncio.sleep(_POLL_SECONDS)
        how = f"is not ready after {timeout:g} s" if self.running else f"exited with {self.exit_code}"
        raise EmbeddedError(f"{self.name} {how}; {self.log_file} ends with:\n{tail(self.log_file)}")

    def kill(self) -> None:
        """Kill -9; it is no longer wanted."""
        self.wanted = False
        if self._process is not None:
            stop_process(self._process, signal.SIGKILL, _TERMINATE_SECONDS)

    async def terminate(self, timeout: float = _TERMINATE_SECONDS) -> int | None:  # noqa: ASYNC109 - then SIGKILL
        """Ask it to drain and wait for its exit, forced after `timeout` seconds.

        Returns the exit code.
        """
        self.wanted = False
        if self._process is None:
            return None
        self._process.terminate()
        deadline = time.monotonic() + timeout
        while self.running and time.monotonic() < deadline:  # noqa: ASYNC110 - a process sets no event
            await asyncio.sleep(_POLL_SECONDS)
        self.kill()
        self._record.unlink(missing_ok=True)
        return self.exit_code

    async def restart(self) -> None:
        """Drain it if running, start it again on the same port, and wait until it serves."""
        if self.running:
            await self.terminate()
        self.start()
        await self.ready()
