"""Owns schema upgrades: numbered SQL files, applied in order by Alembic, by one migrator at a time.

A service `jasshaus.wallet` has `jasshaus/wallet/migrations/0001_ledger.sql`, `0002_....sql` and nothing
else; its schema is `wallet`, made here, and keeps Alembic's version table. A file is one transaction: all
of it or nothing.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from importlib.resources import files
from types import ModuleType
from typing import Any, Final

import psycopg
import sqlalchemy
import structlog
from alembic.runtime.migration import MigrationContext, MigrationStep
from alembic.script import Script
from alembic.script.revision import RevisionMap
from psycopg import sql

_NAME: Final = re.compile(r"(?P<number>\d{4})_(?P<title>[a-z0-9_]+)\.sql")
# One lock for all services: migrating is rare, and two at once on one database gain nothing.
_LOCK: Final = 0x6A617373

LOCK_SECONDS: Final = 1
"""How long a migration waits for a lock before it lets others pass: they wait as long."""

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


class MigrationError(Exception):
    """The migrations do not fit together, or not with the database."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One SQL file: `revision` is its number, "0001"."""

    revision: str
    title: str
    statements: str


def migrations_of(package: str) -> list[Migration]:
    """Return a package's migrations in order, none when it has no such folder.

    Raises MigrationError on a gap.
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
    return found


def schema_of(package: str) -> str:
    """Return the schema of a service's package: its last name."""
    return package.rpartition(".")[2]


def upgrade(dsn: str, package: str) -> list[str]:
    """Bring a database to the package's newest migration; returns the revisions applied now, oldest first.

    `dsn` is any libpq connection string of a role that may create schemas. A second migrator waits for the
    first. A migration that must wait for somebody's lock lets others pass and tries again, since whoever
    uses the table meanwhile queues behind it. Raises MigrationError when that takes too long.
    """
    migrations = migrations_of(package)
    if not migrations:
        return []
    schema = schema_of(package)
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), poolclass=sqlalchemy.NullPool
    )
    with engine.connect() as connection:
        connection.exec_driver_sql(f"SELECT pg_advisory_lock({_LOCK})")
        _create_schema(connection, schema)
        connection.commit()
        before = _heads(connection, schema)
        _apply(connection, schema, migrations)
        applied = [
            migration.revision for migration in migrations if not before or migration.revision > max(before)
        ]
        connection.exec_driver_sql(f"SELECT pg_advisory_unlock({_LOCK})")
        connection.commit()
    log.info("migrated", schema=schema, applied=applied, newest=migrations[-1].revision)
    return applied


def _heads(connection: sqlalchemy.Connection, schema: str) -> tuple[str, ...]:
    context = MigrationContext.configure(connection, opts={"version_table_schema": schema})
    heads = context.get_current_heads()
    connection.commit()
    return heads


def _apply(connection: sqlalchemy.Connection, schema: str, migrations: list[Migration]) -> None:
    revisions = RevisionMap(lambda: _scripts(migrations))

    def steps(current: Any, _context: MigrationContext) -> list[MigrationStep]:
        unknown = set(current) - {migration.revision for migration in migrations}
        if unknown:
            raise MigrationError(f"schema {schema} is at {', '.join(unknown)}, newer than this program")
        pending = list(revisions.iterate_revisions("heads", tuple(current) or "base"))[::-1]
        return [
            MigrationStep.upgrade_from_script(revisions, script)
            for script in pending
            if isinstance(script, Script)
        ]

    opts = {"fn": steps, "version_table_schema": schema, "transaction_per_migration": True}
    give_up = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            MigrationContext.configure(connection, opts=opts).run_migrations(connection=connection)
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
    """Return who has locked tables of the schema for longest: process, name and seconds."""
    rows = connection.exec_driver_sql(_LOCK_HOLDERS, (schema,)).fetchall()
    connection.commit()
    return ", ".join(f"pid {pid} ({name}, {seconds} s)" for pid, name, seconds in rows) or "nobody any more"


def _create_schema(connection: sqlalchemy.Connection, schema: str) -> None:
    exists = "SELECT count(*) FROM pg_namespace WHERE nspname = %s"
    if not connection.exec_driver_sql(exists, (schema,)).scalar_one():
        _execute(connection, sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))


def _scripts(migrations: list[Migration]) -> list[Script]:
    """Dress SQL files as the Python modules that Alembic knows."""
    scripts, previous = [], None
    for migration in migrations:
        module = ModuleType(f"{migration.revision}_{migration.title}", migration.title)
        module.revision = migration.revision  # type: ignore[attr-defined]
        module.down_revision = previous  # type: ignore[attr-defined]
        module.upgrade = _upgrade_step(migration)  # type: ignore[attr-defined]
        scripts.append(Script(module, migration.revision, module.__name__))
        previous = migration.revision
    return scripts


def _upgrade_step(migration: Migration) -> Any:
    def upgrade_step(connection: sqlalchemy.Connection) -> None:
        log.info("migrating", revision=migration.revision, title=migration.title)
        _execute(connection, f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
        _execute(connection, migration.statements)

    return upgrade_step


def _execute(connection: sqlalchemy.Connection, statements: str | sql.Composed) -> None:
    """Run several statements at once in the open transaction; a percent sign in them is just that."""
    raw = connection.connection.driver_connection
    assert isinstance(raw, psycopg.Connection)
    raw.execute(statements)
