"""Upgrades a service's schema: numbered SQL files, each once and in order, then its functions.

A service `jasshaus.wallet` has

- `wallet/migrations/0001_ledger.sql`, `0002_....sql`: types, tables, constraints, triggers. Released files
  are frozen: `released.sha256` beside them holds their checksums, which only a release renews.
- `wallet/functions/*.sql`: the operations, replaced as a whole on each migrate, in one transaction. Files
  are read in order of their names and may use each other. A new signature needs a new name; the old one
  stays for one release. Numbered files never call these functions, since a later release may change them.
- `wallet/migrations/compatible.toml`: `oldest`, the latest migration that a program must at least know to
  work with the schema after the last file here. Older programs, and their `migrate`, leave it alone.

This module creates the schema. Alembic keeps its version table in it; `schema_file` has the checksums of the
applied files, and `schema_state` which programs work with it. One migrator works at a time.
"""

from __future__ import annotations

import hashlib
import re
import sys
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any, Final

import psycopg
import sqlalchemy
import structlog
from alembic.runtime.migration import MigrationContext, MigrationStep
from alembic.script import Script
from alembic.script.revision import RevisionMap
from psycopg import sql

from jasshaus.platform.readiness import UnusableError

_NAME: Final = re.compile(r"(?P<number>\d{4})_(?P<title>[a-z0-9_]+)\.sql")
# One lock for all services: migrating is rare, and two at once on one database would gain nothing.
_LOCK: Final = 0x6A617373

LOCK_SECONDS: Final = 1
"""How long a migration waits for a lock before it lets others pass: they queue behind it meanwhile."""

PAUSE_SECONDS: Final = 2.0
PATIENCE_SECONDS: Final = 900.0

# The columns of other roles' sessions may be hidden; the process id is not.
_LOCK_HOLDERS: Final = """
    SELECT activity.pid, coalesce(nullif(application_name, ''), 'unnamed'),
           coalesce(extract(epoch FROM now() - xact_start)::int::text, 'unknown')
    FROM pg_stat_activity AS activity
    WHERE activity.pid <> pg_backend_pid() AND activity.pid IN (
        SELECT pg_locks.pid FROM pg_locks JOIN pg_class ON pg_class.oid = relation
        WHERE granted AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %s)
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
    ORDER BY xact_start NULLS FIRST LIMIT 5
"""

log = structlog.stdlib.get_logger(__name__)


CHECKSUMS: Final = "released.sha256"
COMPATIBLE: Final = "compatible.toml"

_STATE: Final = """
    CREATE TABLE IF NOT EXISTS {schema}.schema_file (
        name text PRIMARY KEY,
        checksum text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE TABLE IF NOT EXISTS {schema}.schema_state (
        only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
        revision text NOT NULL,
        oldest text NOT NULL,
        release text NOT NULL,
        migrated_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    GRANT SELECT ON {schema}.schema_state TO PUBLIC;
"""
_REMEMBER: Final = """
    INSERT INTO {schema}.schema_state (revision, oldest, release) VALUES (%s, %s, %s)
    ON CONFLICT (only_one) DO UPDATE
    SET revision = excluded.revision, oldest = excluded.oldest, release = excluded.release,
        migrated_at = clock_timestamp()
"""


_APPLIED: Final = "SELECT name, checksum FROM {schema}.schema_file"
_RECORD: Final = "INSERT INTO {schema}.schema_file (name, checksum) VALUES (%s, %s)"
_LOOK: Final = "SELECT revision, oldest, release FROM {schema}.schema_state"


class MigrationError(Exception):
    """The migrations do not fit together, or do not fit the database."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One SQL file: `revision` is its number, "0001"."""

    revision: str
    title: str
    statements: str

    @property
    def name(self) -> str:
        """The file's name."""
        return f"{self.revision}_{self.title}.sql"

    @property
    def checksum(self) -> str:
        """The SHA-256 of its text, in hexadecimal digits."""
        return hashlib.sha256(self.statements.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Program:
    """A program's part of its schema. `oldest`: see compatible.toml. `functions`: texts by file name."""

    schema: str
    migrations: list[Migration]
    functions: dict[str, str]
    oldest: str
    release: str

    @property
    def newest(self) -> str:
        """The revision of the last migration."""
        return self.migrations[-1].revision


@dataclass(frozen=True, slots=True)
class State:
    """State recorded in a schema: its last migration, which programs work with it, who migrated last."""

    revision: str
    oldest: str
    release: str


def migrations_of(package: str) -> list[Migration]:
    """Return a package's migrations in order; none if it has no such directory.

    Raises MigrationError on a gap, and on a released file that was edited, renamed or removed.
    """
    folder = files(package).joinpath("migrations")
    if not folder.is_dir():
        return []
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    found = []
    for number, name in enumerate(names, start=1):
        match = _NAME.fullmatch(name)
        if match is None or int(match["number"]) != number:
            raise MigrationError(f"{package}: {name} should be {number:04}_name.sql")
        found.append(
            Migration(match["number"], match["title"], folder.joinpath(name).read_text(encoding="utf-8"))
        )
    present = {migration.name: migration.checksum for migration in found}
    for name, checksum in _released(folder).items():
        if present.get(name) != checksum:
            was = "edited" if name in present else "removed"
            raise MigrationError(f"{package}: {name} was released and must not be {was}: add a new file")
    return found


def functions_of(package: str) -> dict[str, str]:
    """Return the texts of a package's replaceable functions by file name, in the order of their names."""
    folder = files(package).joinpath("functions")
    if not folder.is_dir():
        return {}
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return {name: folder.joinpath(name).read_text(encoding="utf-8") for name in names}


def program_of(package: str) -> Program | None:
    """Return a package's part of its schema; None if it has no migrations. Raises MigrationError."""
    migrations = migrations_of(package)
    if not migrations:
        return None
    compatible = files(package).joinpath("migrations", COMPATIBLE)
    oldest = migrations[-1].revision
    if compatible.is_file():
        oldest = str(tomllib.loads(compatible.read_text(encoding="utf-8"))["oldest"])
        if oldest not in {migration.revision for migration in migrations}:
            raise MigrationError(f"{package}: {COMPATIBLE} names {oldest}, which is not a migration here")
    return Program(schema_of(package), migrations, functions_of(package), oldest, version("jasshaus"))


def _released(folder: Traversable) -> dict[str, str]:
    listed = folder.joinpath(CHECKSUMS)
    if not listed.is_file():
        return {}
    lines = listed.read_text(encoding="utf-8").splitlines()
    return {name: checksum for checksum, name in (line.split() for line in lines)}


def schema_of(package: str) -> str:
    """Return the schema of a service's package: the last part of its name."""
    return package.rpartition(".")[2]


def upgrade(dsn: str, package: str) -> list[str]:
    """Bring a database to the package's newest migration and functions; return the revisions applied now.

    `dsn` is any libpq connection string of a role that may create schemas. A second migrator waits for the
    first. A migration that has to wait for a lock lets others pass and retries, because everyone who
    uses the table meanwhile queues behind it. A compatible newer schema is left unchanged.
    Raises MigrationError if a lock takes too long, and for an incompatible schema.
    """
    program = program_of(package)
    if program is None:
        return []
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), poolclass=sqlalchemy.NullPool
    )
    with engine.connect() as connection:
        connection.exec_driver_sql(f"SELECT pg_advisory_lock({_LOCK})")
        try:
            return _upgrade(connection, program)
        finally:
            connection.rollback()
            connection.exec_driver_sql(f"SELECT pg_advisory_unlock({_LOCK})")
            connection.commit()


def _upgrade(connection: sqlalchemy.Connection, program: Program) -> list[str]:
    _create_schema(connection, program.schema)
    connection.commit()
    before = max(_heads(connection, program.schema), default="")
    _must_be_made_of_these_files(connection, program, before)
    state = _state(connection, program.schema)
    if before > program.newest:
        _must_work_with(state, program)
        log.info("schema_is_newer", schema=program.schema, revision=before, program=program.newest)
        return []
    _apply(connection, program.schema, program.migrations)
    applied = [
        migration.revision for migration in program.migrations if not before or migration.revision > before
    ]
    if state is not None and not applied and _older(program.release, state.release):
        # A rollback: the functions of the newer release serve both.
        log.info("functions_are_newer", schema=program.schema, release=state.release, program=program.release)
        return []
    _retried(connection, program.schema, lambda: _replace_functions(connection, program))
    log.info("migrated", schema=program.schema, applied=applied, newest=program.newest)
    return applied


def _older(release: str, than: str) -> bool:
    return [int(number) for number in re.findall(r"\d+", release)] < [
        int(number) for number in re.findall(r"\d+", than)
    ]


def _must_be_made_of_these_files(connection: sqlalchemy.Connection, program: Program, head: str) -> None:
    """Raise MigrationError unless the applied files equal the program's files."""
    rows = connection.exec_driver_sql(_APPLIED.format(schema=program.schema)).fetchall()
    connection.commit()
    if head and not rows:
        raise MigrationError(
            f"schema {program.schema} was made by a release before 0.2.0, which cannot be upgraded"
        )
    here = {migration.name: migration.checksum for migration in program.migrations}
    for name, checksum in rows:
        if name[:4] <= program.newest and here.get(name) != checksum:
            raise MigrationError(
                f"schema {program.schema} was made by another {name} than this program's: it was edited since"
            )


def _must_work_with(state: State | None, program: Program) -> None:
    if state is None or state.oldest > program.newest:
        raise MigrationError(_too_new(state, program))


def _too_new(state: State | None, program: Program) -> str:
    what = "is newer" if state is None else f"is at {state.revision} (release {state.release})"
    needs = "" if state is None else f", which needs programs that know {state.oldest}"
    return f"schema {program.schema} {what}{needs}; this one ({program.release}) ends at {program.newest}"


def _state(connection: sqlalchemy.Connection, schema: str) -> State | None:
    row = connection.exec_driver_sql(_LOOK.format(schema=schema)).fetchone()
    connection.commit()
    return None if row is None else State(*row)


def _replace_functions(connection: sqlalchemy.Connection, program: Program) -> None:
    """Replace all functions in the open transaction, and record which programs work with the schema now."""
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
    # Functions may call later ones; on the second pass all exist, and are checked.
    for checked in ("off", "on"):
        _execute(connection, f"SET LOCAL check_function_bodies = {checked}")
        for text in program.functions.values():
            _execute(connection, text)
    _execute(
        connection,
        f"REVOKE ALL ON ALL FUNCTIONS IN SCHEMA {program.schema} FROM PUBLIC",
    )
    connection.exec_driver_sql(
        _REMEMBER.format(schema=program.schema), (program.newest, program.oldest, program.release)
    )


async def require_schema(dsn: str, package: str) -> None:
    """Raise unless this program works with a service's schema.

    MigrationError for one that `jasshaus migrate` still has to upgrade; UnusableError for a newer,
    incompatible one. Raises psycopg.Error if the server does not answer.
    """
    program = program_of(package)
    assert program is not None
    state = None
    async with await psycopg.AsyncConnection.connect(dsn, connect_timeout=5, autocommit=True) as connection:
        query = sql.SQL(_LOOK).format(schema=sql.Identifier(program.schema))
        try:
            row = await (await connection.execute(query)).fetchone()
        except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
            row = None
        state = None if row is None else State(*row)
    if state is None or state.revision < program.newest:
        found = "has no migrations" if state is None else f"is at {state.revision}"
        raise MigrationError(
            f"schema {program.schema} {found}, this release needs {program.newest}: run `jasshaus migrate`"
        )
    if state.oldest > program.newest:
        raise UnusableError(_too_new(state, program))


def _heads(connection: sqlalchemy.Connection, schema: str) -> tuple[str, ...]:
    context = MigrationContext.configure(connection, opts={"version_table_schema": schema})
    heads = context.get_current_heads()
    connection.commit()
    return heads


def _apply(connection: sqlalchemy.Connection, schema: str, migrations: list[Migration]) -> None:
    revisions = RevisionMap(lambda: _scripts(schema, migrations))

    def steps(current: Any, _context: MigrationContext) -> list[MigrationStep]:
        pending = list(revisions.iterate_revisions("heads", tuple(current) or "base"))[::-1]
        return [
            MigrationStep.upgrade_from_script(revisions, script)
            for script in pending
            if isinstance(script, Script)
        ]

    opts = {"fn": steps, "version_table_schema": schema, "transaction_per_migration": True}
    _retried(
        connection,
        schema,
        lambda: MigrationContext.configure(connection, opts=opts).run_migrations(connection=connection),
    )


def _retried(connection: sqlalchemy.Connection, schema: str, work: Callable[[], None]) -> None:
    """Run work in a transaction of its own, retrying while others hold the locks it needs."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            work()
            connection.commit()
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected) as error:
            connection.rollback()
            holders = _lock_holders(connection, schema)
            if time.monotonic() > give_up:
                raise MigrationError(
                    f"schema {schema} was in use for {PATIENCE_SECONDS:g} s; its locks are held by: {holders}"
                ) from error
            log.warning("migration_waits", schema=schema, blocked_by=holders)
            time.sleep(PAUSE_SECONDS)
        else:
            return


def _lock_holders(connection: sqlalchemy.Connection, schema: str) -> str:
    """Return the sessions that have locked tables of the schema for longest: process, name and seconds."""
    rows = connection.exec_driver_sql(_LOCK_HOLDERS, (schema,)).fetchall()
    connection.commit()
    return ", ".join(f"pid {pid} ({name}, {seconds} s)" for pid, name, seconds in rows) or "nobody any more"


def _create_schema(connection: sqlalchemy.Connection, schema: str) -> None:
    exists = "SELECT count(*) FROM pg_namespace WHERE nspname = %s"
    if not connection.exec_driver_sql(exists, (schema,)).scalar_one():
        _execute(connection, sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
    _execute(connection, _STATE.format(schema=schema))


def _scripts(schema: str, migrations: list[Migration]) -> list[Script]:
    """Wrap SQL files as the Python modules that Alembic expects."""
    scripts, previous = [], None
    for migration in migrations:
        module = ModuleType(f"{migration.revision}_{migration.title}", migration.title)
        module.revision = migration.revision  # type: ignore[attr-defined]
        module.down_revision = previous  # type: ignore[attr-defined]
        module.upgrade = _upgrade_step(schema, migration)  # type: ignore[attr-defined]
        scripts.append(Script(module, migration.revision, module.__name__))
        previous = migration.revision
    return scripts


def _upgrade_step(schema: str, migration: Migration) -> Any:
    def upgrade_step(connection: sqlalchemy.Connection) -> None:
        log.info("migrating", revision=migration.revision, title=migration.title)
        _execute(connection, f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
        _execute(connection, migration.statements)
        connection.exec_driver_sql(_RECORD.format(schema=schema), (migration.name, migration.checksum))

    return upgrade_step


def _execute(connection: sqlalchemy.Connection, statements: str | sql.Composed) -> None:
    """Run several statements at once in the open transaction; percent signs are taken literally."""
    raw = connection.connection.driver_connection
    assert isinstance(raw, psycopg.Connection)
    raw.execute(statements)


def _check(packages: list[str]) -> int:
    """Check the files of packages, as `make lint` does; returns the exit code."""
    try:
        for package in packages:
            program_of(package)
    except MigrationError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_check(sys.argv[1:]))
