"""An embedded PostgreSQL from a wheel, listening only on a unix socket, with SCRAM passwords."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Final
from urllib.parse import quote

import psycopg
import structlog
from psycopg import sql

from jasshaus.devstack.folder import DataFolder, SocketFolder
from jasshaus.devstack.install import data_home, programs
from jasshaus.devstack.process import (
    EmbeddedError,
    command_line,
    end,
    end_leftover,
    run_as,
    spawn,
    start_time,
    stop_process,
    tail,
    unprivileged_user,
)

DATABASE: Final = "jasshaus"
OWNER: Final = "jasshaus_owner"
SERVICE_ROLES: Final = ("jasshaus_wallet", "jasshaus_matchmaking")
SUPERUSER: Final = "postgres"

_SOCKET: Final = ".s.PGSQL.5432"
_START_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 20.0
_ENVIRON: Final = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}

log = structlog.stdlib.get_logger(__name__)


class EmbeddedPostgres:
    """`start` sets up a database `jasshaus`, its owner and one role per service.

    Data survives `stop` and `kill`.

    `fsync=False` is for tests: faster, and unsafe only if the machine itself goes down.
    """

    def __init__(self, data: DataFolder, *, fsync: bool = True) -> None:
        self._data = data
        self._fsync = fsync
        self._user = unprivileged_user()
        self._process: subprocess.Popen[bytes] | None = None
        self.wanted = False
        self._sockets: SocketFolder | None = None
        self.log_file = data.path / "postgres.log"
        self._record = data.path / "postgres-process.json"

    @property
    def pid(self) -> int | None:
        """The server's process, if running."""
        return None if self._process is None or self._process.poll() is not None else self._process.pid

    def start(self) -> None:
        """Start and wait until it answers, creating the cluster if there is none.

        Ends any server left by a crash.
        """
        binaries, home = programs(self._user), data_home(self._data.path, self._user)
        cluster = home / "cluster"
        end_leftover(self._record, signal.SIGINT)
        _clear(cluster)
        if self._sockets is None:
            record = self._data.path / "postgres-socket-folder"
            self._sockets = SocketFolder(home / "run", record, _SOCKET, self._user)
        sockets = self._sockets.create()
        fresh = not (cluster / "PG_VERSION").exists()
        if fresh:
            self._initialize(binaries, home, cluster)
        self._process = spawn(
            [str(binaries / "postgres"), "-D", str(cluster), *self._settings(sockets)],
            record=self._record,
            log_file=self.log_file,
            environ=_ENVIRON,
            death_signal=signal.SIGINT,
            user=self._user,
        )
        self.wanted = True
        self._await_answer()
        self._create_roles()

    def stop(self) -> None:
        """Fast shutdown: roll back open transactions, write everything, exit."""
        self._end(signal.SIGINT)
        if self._sockets is not None:
            self._sockets.remove()

    def kill(self) -> None:
        """Kill -9, for tests of what is lost (nothing)."""
        self._end(signal.SIGKILL)

    def dsn(self, role: str = OWNER, database: str = DATABASE) -> str:
        """Return a libpq URL for one of the roles."""
        assert self._sockets is not None, "not started"
        host = quote(str(self._sockets.path), safe="")
        return f"postgresql://{role}:{self._data.secret(f'postgres/{role}')}@/{quote(database)}?host={host}"

    def _settings(self, sockets: Path) -> list[str]:
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": '"' + str(sockets).replace('"', '""') + '"',
            "unix_socket_permissions": "0700",
            "password_encryption": "scram-sha-256",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "max_connections": "200",
            "shared_buffers": "64MB",
            # Shared memory as files in the cluster, not in /dev/shm, where a killed server would leave them.
            "dynamic_shared_memory_type": "mmap",
            # A failing statement may contain a password.
            "log_min_error_statement": "panic",
        }
        if not self._fsync:
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        return [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]

    def _initialize(self, binaries: Path, home: Path, cluster: Path) -> None:
        """Run initdb next to the final location.

        An interrupted run is thrown away, never mistaken for a cluster.
        """
        draft, password = home / "cluster.new", home / "password"
        shutil.rmtree(draft, ignore_errors=True)
        password.unlink(missing_ok=True)
        with open(password, "w", opener=lambda path, flags: os.open(path, flags | os.O_EXCL, 0o600)) as file:
            file.write(self._data.secret(f"postgres/{SUPERUSER}"))
        if self._user is not None:
            os.chown(password, self._user.uid, self._user.gid)
        command = [
            str(binaries / "initdb"),
            *("--pgdata", str(draft), "--username", SUPERUSER, "--pwfile", str(password)),
            *("--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-instructions"),
            *(() if self._fsync else ("--no-sync",)),
        ]
        failure = run_as(self._user, command, _ENVIRON)
        password.unlink()
        if failure is not None:
            raise EmbeddedError(f"initdb failed:\n{failure}")
        draft.rename(cluster)

    def _await_answer(self) -> None:
        assert self._process is not None
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            # No socket yet, or still in recovery.
            with contextlib.suppress(psycopg.OperationalError):
                psycopg.connect(self.dsn(SUPERUSER, "postgres"), connect_timeout=5).close()
                return
            time.sleep(0.01)
        self._end(signal.SIGKILL)
        raise EmbeddedError(f"PostgreSQL did not start; {self.log_file} ends with:\n{tail(self.log_file)}")

    def _create_roles(self) -> None:
        """Create roles and database, each if missing.

        An earlier start may have been interrupted in between.
        """
        with psycopg.connect(self.dsn(SUPERUSER, "postgres"), autocommit=True) as connection:
            roles = {str(row[0]) for row in connection.execute("SELECT rolname FROM pg_roles")}
            for role in {OWNER, *SERVICE_ROLES} - roles:
                statement = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
                password = self._data.secret(f"postgres/{role}")
                connection.execute(statement.format(sql.Identifier(role), sql.Literal(password)))
            databases = {str(row[0]) for row in connection.execute("SELECT datname FROM pg_database")}
            if DATABASE not in databases:
                create_database(connection, DATABASE)

    def _end(self, number: signal.Signals) -> None:
        self.wanted = False
        if self._process is not None:
            stop_process(self._process, number, _STOP_SECONDS)
            self._process = None
            self._record.unlink(missing_ok=True)


def create_database(
    connection: psycopg.Connection[tuple[object, ...]], name: str, template: str = "template1"
) -> None:
    """Create a database like `jasshaus`: owned by its owner, open only to the services' roles."""
    database = sql.Identifier(name)
    create = sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {}")
    connection.execute(create.format(database, sql.Identifier(OWNER), sql.Identifier(template)))
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))
    roles = sql.SQL(", ").join(map(sql.Identifier, SERVICE_ROLES))
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, roles))


def _clear(cluster: Path) -> None:
    """End a server still running on this cluster, and remove its pid file.

    We hold the data directory, so nobody else may be using it.
    """
    pid_file = cluster / "postmaster.pid"
    try:
        pid = int(pid_file.read_text().split("\n", 1)[0])
    except FileNotFoundError:
        return
    except ValueError:
        pid = 0
    begun = start_time(pid) if pid > 0 else None
    if begun is not None and str(cluster) in command_line(pid):
        log.warning("ending_leftover", pid=pid, command="postgres")
        end(pid, signal.SIGINT, lambda: start_time(pid) == begun)
    pid_file.unlink(missing_ok=True)
