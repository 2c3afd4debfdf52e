"""Migrations: applied once, in order, by one migrator at a time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from jasshaus.platform import migrations
from jasshaus.platform.migrations import MigrationError, migrations_of, upgrade


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package `example_<name>` with two migrations; returns their folder."""
    folder = tmp_path / "example" / "migrations"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "0001_first.sql").write_text(
        "CREATE TABLE example.note (text text NOT NULL);\n"
        "CREATE FUNCTION example.hundred() RETURNS text LANGUAGE plpgsql\n"
        "AS $$ BEGIN RETURN '100%s :name'; END $$;\n"
    )
    (folder / "0002_second.sql").write_text("SELECT pg_sleep(0.2); INSERT INTO example.note VALUES ('once');")
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("example", None)
    return folder


@pytest.mark.usefixtures("package")
def test_applies_in_order_and_once(owner_dsn: str) -> None:
    assert upgrade(owner_dsn, "example") == ["0001", "0002"]
    assert upgrade(owner_dsn, "example") == []
    with psycopg.connect(owner_dsn) as connection:
        assert connection.execute("SELECT version_num FROM example.alembic_version").fetchall() == [("0002",)]
        assert connection.execute("SELECT example.hundred()").fetchone() == ("100%s :name",)


@pytest.mark.usefixtures("package")
def test_a_second_migrator_waits_for_the_first(owner_dsn: str) -> None:
    with ThreadPoolExecutor(3) as pool:
        applied = list(pool.map(lambda _: upgrade(owner_dsn, "example"), range(3)))
    assert sorted(map(len, applied)) == [0, 0, 2]
    with psycopg.connect(owner_dsn) as connection:
        assert connection.execute("SELECT text FROM example.note").fetchall() == [("once",)]


def test_later_files_are_added_to_what_is_there(package: Path, owner_dsn: str) -> None:
    upgrade(owner_dsn, "example")
    (package / "0003_third.sql").write_text("INSERT INTO example.note VALUES ('later');")
    assert upgrade(owner_dsn, "example") == ["0003"]


def test_a_failing_file_leaves_the_one_before(package: Path, owner_dsn: str) -> None:
    (package / "0003_third.sql").write_text("INSERT INTO example.note VALUES ('half'); SELECT 1 / 0;")
    with pytest.raises(Exception, match="division by zero"):
        upgrade(owner_dsn, "example")
    with psycopg.connect(owner_dsn) as connection:
        assert connection.execute("SELECT text FROM example.note").fetchall() == [("once",)]
    (package / "0003_third.sql").write_text("INSERT INTO example.note VALUES ('whole');")
    assert upgrade(owner_dsn, "example") == ["0003"]


def test_refuses_a_database_newer_than_the_program(package: Path, owner_dsn: str) -> None:
    upgrade(owner_dsn, "example")
    (package / "0002_second.sql").unlink()
    with pytest.raises(MigrationError, match="0002, newer"):
        upgrade(owner_dsn, "example")


def test_refuses_a_gap(package: Path) -> None:
    (package / "0004_fourth.sql").write_text("SELECT 1")
    with pytest.raises(MigrationError, match=r"0004_fourth\.sql should be 0003_name\.sql"):
        migrations_of("example")


def test_a_package_without_migrations_has_none() -> None:
    assert migrations_of("jasshaus.platform") == []


@pytest.fixture
def locked_note(package: Path, owner_dsn: str) -> Iterator[psycopg.Connection]:
    """A transaction that reads the table which the third migration is to change, and does not end."""
    upgrade(owner_dsn, "example")
    (package / "0003_third.sql").write_text("ALTER TABLE example.note ADD COLUMN more text;")
    with psycopg.connect(owner_dsn, application_name="long audit") as audit:
        audit.execute("SELECT * FROM example.note")
        yield audit


def test_a_migration_behind_a_long_reader_lets_others_pass(
    locked_note: psycopg.Connection, owner_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes later queues behind a lock that is waited for: without a limit, until the audit ends."""
    waits = threading.Event()
    monkeypatch.setattr(migrations.log, "warning", lambda *_, **__: waits.set())
    with ThreadPoolExecutor(1) as pool, psycopg.connect(owner_dsn, autocommit=True) as service:
        migrating = pool.submit(upgrade, owner_dsn, "example")
        try:
            assert waits.wait(30)
            service.execute("SET lock_timeout = '5s'")
            for _ in range(3):
                service.execute("INSERT INTO example.note VALUES ('money')")
            assert not migrating.done()
        finally:
            locked_note.rollback()
        assert migrating.result() == ["0003"]


def test_a_migration_that_never_gets_its_lock_says_who_has_it(
    locked_note: psycopg.Connection, owner_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "PATIENCE_SECONDS", 0.0)
    with pytest.raises(MigrationError, match=rf"pid {locked_note.info.backend_pid} \(long audit"):
        upgrade(owner_dsn, "example")
    locked_note.rollback()
    assert upgrade(owner_dsn, "example") == ["0003"]
