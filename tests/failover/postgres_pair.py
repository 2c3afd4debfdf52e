"""A real PostgreSQL with a standby, and what can happen to the two."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from urllib.parse import quote

import psycopg

from jasshaus.devstack.folder import DataFolder
from jasshaus.devstack.install import data_home, programs
from jasshaus.devstack.postgres import DATABASE, SUPERUSER, EmbeddedPostgres
from jasshaus.devstack.process import run_as, unprivileged_user
from jasshaus.platform.migrations import upgrade


class PostgresPair:
    """`first` the primary, with the wallet's and the lobby's migrations; `second` its standby."""

    def __init__(self, folder: Path) -> None:
        self._folders = [DataFolder(folder / "first").hold()]
        self.first = EmbeddedPostgres(self._folders[0], fsync=False)
        self.first.start()
        for package in ("jasshaus.wallet", "jasshaus.matchmaking"):
            upgrade(self.first.dsn(), package)
        self.second = self._standby(folder / "second")

    def _standby(self, path: Path) -> EmbeddedPostgres:
        source = self._folders[0].path
        path.mkdir(mode=0o711)
        # The roles are the same ones, so their passwords are.
        for name in ("lock", "secrets.json"):
            shutil.copy(source / name, path / name)
        folder = DataFolder(path).hold()
        self._folders.append(folder)
        user = unprivileged_user()
        binaries, home = programs(user), data_home(path, user)
        command = [str(binaries / "pg_basebackup"), "-d", self.first.dsn(SUPERUSER, "postgres"), "-R"]
        command += ["-D", str(home / "cluster"), "-X", "stream", "-c", "fast", "--no-sync"]
        failure = run_as(user, command, {"PATH": os.defpath, "LC_ALL": "C"})
        assert failure is None, failure
        server = EmbeddedPostgres(folder, fsync=False)
        server.start()
        return server

    def socket(self, server: EmbeddedPostgres) -> str:
        """The path of a server's socket."""
        assert server._sockets is not None
        return str(server._sockets.path / ".s.PGSQL.5432")

    def dsn(self, port: int, role: str) -> str:
        """How a role connects by a port of loopback."""
        secret = self._folders[0].secret(f"postgres/{role}")
        return f"postgresql://{role}:{quote(secret)}@127.0.0.1:{port}/{DATABASE}"

    def either(self, role: str) -> str:
        """A DSN that names both, and takes whichever may be written to."""
        secret = self._folders[0].secret(f"postgres/{role}")
        hosts = ",".join(str(Path(self.socket(server)).parent) for server in (self.first, self.second))
        return f"host={hosts} user={role} password={secret} dbname={DATABASE} target_session_attrs=read-write"

    def execute(self, server: EmbeddedPostgres, *statements: str) -> None:
        with psycopg.connect(server.dsn(SUPERUSER, DATABASE), autocommit=True) as connection:
            connection.execute("SET default_transaction_read_only = off")
            for statement in statements:
                connection.execute(statement)

    def catch_up(self) -> None:
        """Return when the standby has all that the primary has."""
        with (
            psycopg.connect(self.first.dsn(SUPERUSER), autocommit=True) as there,
            psycopg.connect(self.second.dsn(SUPERUSER), autocommit=True) as here,
        ):
            wanted = there.execute("SELECT pg_current_wal_lsn()").fetchone()
            give_up = time.monotonic() + 20
            query = "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn"
            while here.execute(query, wanted).fetchone() != (True,):
                assert time.monotonic() < give_up
                time.sleep(0.01)

    def promote(self) -> None:
        self.execute(self.second, "SELECT pg_promote()")

    def freeze(self) -> None:
        """Make the first one read-only, all its sessions left as they are."""
        self.execute(
            self.first, "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()"
        )

    def hand_over(self) -> None:
        """The first one takes no writes any more, the second has all of them and does; sessions stay open."""
        self.freeze()
        self.catch_up()
        self.promote()

    def close(self) -> None:
        for server in (self.second, self.first):
            server.stop()
        for folder in self._folders:
            folder.release()
