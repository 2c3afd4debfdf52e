"""Runs a whole development stack: stores, migrations, services, tokens, and a clean shutdown."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import structlog

from jasshaus.devstack.folder import DataFolder
from jasshaus.devstack.ports import PortLease
from jasshaus.devstack.postgres import OWNER, EmbeddedPostgres
from jasshaus.devstack.process import tail
from jasshaus.devstack.redis import EmbeddedRedis
from jasshaus.devstack.services import ServiceProcess
from jasshaus.platform.auth import DEFAULT_TENANT, Role, mint_token
from jasshaus.platform.backoff import Backoff
from jasshaus.platform.config import postgres_dsn, read_config, redis_url, setting
from jasshaus.platform.migrations import upgrade

_PACKAGES: Final = ("jasshaus.wallet", "jasshaus.matchmaking")
_SERVICE_TOKEN_SECONDS: Final = 30 * 24 * 3600
_TOKEN_SECONDS: Final = 24 * 3600
_WATCH_SECONDS: Final = 0.1
_BACKOFF: Final = Backoff(0.2, 10.0, jitter=0.0)
_STEADY_SECONDS: Final = 30.0
# Variables a shell may have set for real services, which would make them reject the stack's own tokens.
_NOT_INHERITED: Final = (
    "JASSHAUS_HEALTH_LISTEN",
    "JASSHAUS_JWKS",
    "JASSHAUS_JWT_ISSUER",
    "JASSHAUS_JWT_AUDIENCE",
    "JASSHAUS_SERVICE_TOKEN_FILE",
)

log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Addresses for clients, host:port on loopback; `tables` has one per replica."""

    matchmaking: str
    wallet: str
    tables: tuple[str, ...]

    @property
    def table(self) -> str:
        """The first table replica."""
        return self.tables[0]

    @property
    def any_table(self) -> str:
        """A gRPC target for all replicas."""
        return self.tables[0] if len(self.tables) == 1 else "ipv4:" + ",".join(self.tables)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stores:
    """Real servers replacing the embedded ones, checked before anything is started."""

    postgres_dsn: str = setting("JASSHAUS_POSTGRES_DSN", postgres_dsn, default="", secret=True)
    redis_url: str = setting("JASSHAUS_REDIS_URL", redis_url, default="", secret=True)


class Stack:
    """Redis, PostgreSQL, wallet, matchmaking and `tables` table replicas on loopback.

    Use it as `async with Stack(...) as stack`. `data_dir` keeps everything between runs; None means a
    temporary directory, removed at the end. `environment` and `arguments` add to a kind of service ("table")
    or to one process ("table-1"). `ports` fixes ports by process name. A process that exits although it
    should be running is reported, and restarted if `supervise` is set. JASSHAUS_REDIS_URL and
    JASSHAUS_POSTGRES_DSN in the environment replace the embedded servers. Start it from the main thread:
    its processes die with the thread that started them.
    """

    def __init__(
        self,
        data_dir: Path | None = None,
        *,
        tables: int = 1,
        environment: Mapping[str, Mapping[str, str]] | None = None,
        arguments: Mapping[str, Sequence[str]] | None = None,
        ports: Mapping[str, int] | None = None,
        fsync: bool = True,
        supervise: bool = False,
        report: Callable[[str], None] | None = None,
    ) -> None:
        self._folder = data_dir
        self._names = ("wallet", *(f"table-{number}" for number in range(tables)), "matchmaking")
        self._environment = environment or {}
        self._arguments = arguments or {}
        self._ports = ports or {}
        self._fsync = fsync
        self._supervise = supervise
        self._report = report or (lambda text: log.warning("stack", text=text))
        self._data: DataFolder | None = None
        self._undo = AsyncExitStack()
        self._external_postgres = os.environ.get("JASSHAUS_POSTGRES_DSN", "")
        self.redis_url = os.environ.get("JASSHAUS_REDIS_URL", "")
        self.redis: EmbeddedRedis | None = None
        self.postgres: EmbeddedPostgres | None = None
        self.processes: dict[str, ServiceProcess] = {}
        self.metrics_ports: dict[str, int] = {}
        self.endpoints = Endpoints("", "", ("",))

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def data_dir(self) -> Path:
        """The directory with data, logs and secrets."""
        assert self._data is not None, "not started"
        return self._data.path

    def dsn(self, role: str = OWNER) -> str:
        """Return the DSN for a role; with a real PostgreSQL always its own DSN."""
        return self.postgres.dsn(role) if self.postgres is not None else self._external_postgres

    def token(
        self,
        subject: str,
        roles: Iterable[str] = (Role.PLAYER,),
        tenant: str = DEFAULT_TENANT,
        ttl: float = _TOKEN_SECONDS,
    ) -> str:
        """Return a token that this stack's services accept."""
        assert self._data is not None, "not started"
        return mint_token(self._data.secret("tokens"), subject, roles, tenant, ttl=ttl)

    async def start(self) -> None:
        """Start everything; returns when all services serve, and leaves nothing behind if one cannot."""
        read_config(_Stores, os.environ)
        async with AsyncExitStack() as undo:
            self._take_folder(undo)
            self._start_stores(undo)
            for package in _PACKAGES:
                await asyncio.to_thread(upgrade, self.dsn(), package)
            self._plan_services(undo)
            undo.push_async_callback(self._end_services)
            for process in self.processes.values():
                process.start()
            await asyncio.gather(*(process.ready() for process in self.processes.values()))
            watcher = asyncio.create_task(self._watch())
            undo.push_async_callback(_cancelled, watcher)
            self._undo = undo.pop_all()

    async def stop(self) -> None:
        """Stop everything cleanly, front to back.

        Data is kept unless the directory was a temporary one.
        """
        await self._undo.aclose()

    async def _end_services(self) -> None:
        """Stop callers before callees: matchmaking, tables (they settle with the wallet), wallet."""
        for kind in ("matchmaking", "table", "wallet"):
            group = [process for name, process in self.processes.items() if _kind(name) == kind]
            await asyncio.gather(*(process.terminate() for process in group))

    def _take_folder(self, undo: AsyncExitStack) -> None:
        folder = self._folder
        if folder is None:
            folder = Path(tempfile.mkdtemp(prefix="jasshaus-"))
            undo.callback(shutil.rmtree, folder)
            if os.geteuid() == 0:
                folder.chmod(0o711)  # PostgreSQL then runs as another user
        self._data = DataFolder(folder).hold()
        undo.callback(self._data.release)

    def _start_stores(self, undo: AsyncExitStack) -> None:
        assert self._data is not None
        if not self.redis_url:
            self.redis = EmbeddedRedis(self._data)
            undo.callback(self.redis.stop)
            self.redis_url = self.redis.start()
        if not self._external_postgres:
            self.postgres = EmbeddedPostgres(self._data, fsync=self._fsync)
            undo.callback(self.postgres.stop)
            self.postgres.start()

    def _plan_services(self, undo: AsyncExitStack) -> None:
        lease = PortLease(2 * len(self._names))
        undo.callback(lease.close)
        free = lease.ports
        addresses = {name: f"127.0.0.1:{self._ports.get(name) or free.pop()}" for name in self._names}
        self.metrics_ports = {name: free.pop() for name in self._names}
        tables = tuple(address for name, address in addresses.items() if _kind(name) == "table")
        self.endpoints = Endpoints(addresses["matchmaking"], addresses["wallet"], tables)
        for name, address in addresses.items():
            kind = _kind(name)
            self.processes[name] = ServiceProcess(
                name,
                f"jasshaus.{kind}",
                [*self._arguments.get(kind, ()), *(self._arguments.get(name, ()) if name != kind else ())],
                self._environ(name, kind, address),
                address=address,
                data=self.data_dir,
            )

    def _environ(self, name: str, kind: str, address: str) -> dict[str, str]:
        assert self._data is not None
        inherited = {key: value for key, value in os.environ.items() if key not in _NOT_INHERITED}
        own = {
            "JASSHAUS_MODE": "development",
            "JASSHAUS_LISTEN": address,
            "JASSHAUS_METRICS_PORT": str(self.metrics_ports[name]),
            "JASSHAUS_DEV_SECRET": self._data.secret("tokens"),
            "JASSHAUS_SERVICE_TOKEN": self.token(kind, [Role.SERVICE], ttl=_SERVICE_TOKEN_SECONDS),
            "JASSHAUS_SHUTDOWN_PAUSE": "0",
            "JASSHAUS_SHUTDOWN_GRACE": "10",
            "JASSHAUS_REDIS_URL": self.redis_url,
            "JASSHAUS_WALLET_ADDRESS": self.endpoints.wallet,
            "JASSHAUS_TABLE_ADDRESS": self.endpoints.any_table,
            "JASSHAUS_MATCHMAKING_ADDRESS": self.endpoints.matchmaking,
        }
        if kind != "table":  # tables do not use the database
            own["JASSHAUS_POSTGRES_DSN"] = self.dsn(f"jasshaus_{kind}")
        return {**inherited, **own, **self._environment.get(kind, {}), **self._environment.get(name, {})}

    async def _watch(self) -> None:
        """Watch for processes that exit although they should be running.

        If requested, they are restarted, with growing delays while they keep exiting.
        """
        failures = dict.fromkeys(self.processes, 0)
        due: dict[str, float] = {}
        started: dict[str, float] = {}
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            self._revive_stores()
            for name, process in self.processes.items():
                now = time.monotonic()
                if process.running or not process.wanted:
                    due.pop(name, None)
                    if now - started.get(name, now) > _STEADY_SECONDS:
                        failures[name] = 0
                elif name not in due:
                    delay = _BACKOFF.pause(failures[name])
                    failures[name] += 1
                    due[name] = now + delay
                    again = f"; again in {delay:g} s" if self._supervise else ""
                    last = tail(process.log_file, 5)
                    self._report(f"{name} ended with {process.exit_code}{again}; {process.log_file}:\n{last}")
                elif self._supervise and now >= due[name]:
                    started[name] = now
                    process.start()

    def _revive_stores(self) -> None:
        for name, store in (("redis", self.redis), ("postgres", self.postgres)):
            if store is not None and store.pid is None and store.wanted:
                self._report(f"{name} ended; {store.log_file}:\n{tail(store.log_file, 5)}")
                store.wanted = self._supervise
                if self._supervise:
                    store.start()


def _kind(name: str) -> str:
    return name.partition("-")[0]


async def _cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
