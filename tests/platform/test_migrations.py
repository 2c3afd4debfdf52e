"""Migrations: applied once, in order, by one migrator at a time."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from jasshaus.platform import migrations
from jasshaus.platform.migrations import (
    MigrationError,
    functions_of,
    migrations_of,
    require_schema,
    upgrade,
)
from jasshaus.platform.readiness import UnusableError

GREET = "CREATE OR REPLACE FUNCTION example.greet() RETURNS text LANGUAGE sql AS $$ SELECT '{}' $$;"


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


async def test_a_rollback_leaves_a_newer_schema_that_the_program_works_with(
    package: Path, owner_dsn: str
) -> None:
    (package.parent / "functions").mkdir()
    function = package.parent / "functions" / "greet.sql"
    function.write_text(GREET.format("new"))
    (package / "compatible.toml").write_text('oldest = "0001"')
    upgrade(owner_dsn, "example")
    (package / "0002_second.sql").unlink()
    function.write_text(GREET.format("old"))
    assert upgrade(owner_dsn, "example") == []
    with psycopg.connect(owner_dsn) as connection:
        assert connection.execute("SELECT version_num FROM example.alembic_version").fetchall() == [("0002",)]
        assert connection.execute("SELECT example.greet()").fetchone() == ("new",)
    await require_schema(owner_dsn, "example")


async def test_refuses_a_newer_schema_that_has_left_the_program_behind(package: Path, owner_dsn: str) -> None:
    (package / "compatible.toml").write_text('oldest = "0002"')
    upgrade(owner_dsn, "example")
    (package / "0002_second.sql").unlink()
    (package / "compatible.toml").write_text('oldest = "0001"')
    message = r"is at 0002 .*needs programs that know 0002; this one .* ends at 0001"
    with pytest.raises(MigrationError, match=message):
        upgrade(owner_dsn, "example")
    with pytest.raises(UnusableError, match=message):
        await require_schema(owner_dsn, "example")


async def test_a_service_says_what_its_schema_lacks(package: Path, owner_dsn: str) -> None:
    with pytest.raises(MigrationError, match=r"has no migrations, .* needs 0002: run `jasshaus migrate`"):
        await require_schema(owner_dsn, "example")
    upgrade(owner_dsn, "example")
    await require_schema(owner_dsn, "example")
    (package / "0003_third.sql").write_text("SELECT 1")
    with pytest.raises(MigrationError, match=r"is at 0002, .* needs 0003"):
        await require_schema(owner_dsn, "example")


def test_functions_are_replaced_as_a_whole(package: Path, owner_dsn: str) -> None:
    folder = package.parent / "functions"
    folder.mkdir()
    # The first one calls the second.
    (folder / "a.sql").write_text(GREET.replace("'{}'", "example.name()"))
    (folder / "b.sql").write_text(GREET.format("one").replace("greet", "name"))
    upgrade(owner_dsn, "example")
    (folder / "b.sql").write_text(GREET.format("two").replace("greet", "name"))
    assert upgrade(owner_dsn, "example") == []
    with psycopg.connect(owner_dsn, autocommit=True) as connection:
        assert connection.execute("SELECT example.greet()").fetchone() == ("two",)
        (folder / "a.sql").write_text(GREET.format("three"))
        (folder / "b.sql").write_text(GREET.replace("'{}'", "example.nobody()").replace("greet", "name"))
        with pytest.raises(psycopg.errors.UndefinedFunction):
            upgrade(owner_dsn, "example")
        # All of them or none.
        assert connection.execute("SELECT example.greet()").fetchone() == ("two",)


def test_the_functions_of_a_later_release_stay(
    package: Path, owner_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = package.parent / "functions"
    folder.mkdir()
    monkeypatch.setattr(migrations, "version", lambda _: "1.10.0")
    (folder / "greet.sql").write_text(GREET.format("1.10"))
    upgrade(owner_dsn, "example")
    monkeypatch.setattr(migrations, "version", lambda _: "1.9.2")
    (folder / "greet.sql").write_text(GREET.format("1.9"))
    assert upgrade(owner_dsn, "example") == []
    with psycopg.connect(owner_dsn) as connection:
        assert connection.execute("SELECT example.greet()").fetchone() == ("1.10",)


def test_a_file_that_was_applied_must_not_be_edited(package: Path, owner_dsn: str) -> None:
    upgrade(owner_dsn, "example")
    (package / "0002_second.sql").write_text("INSERT INTO example.note VALUES ('edited');")
    with pytest.raises(MigrationError, match=r"made by another 0002_second\.sql"):
        upgrade(owner_dsn, "example")


@pytest.mark.parametrize("change", ["edited", "removed"])
def test_a_released_file_must_not_be_changed(package: Path, change: str) -> None:
    released = [f"{each.checksum}  {each.name}" for each in migrations_of("example")]
    (package / "released.sha256").write_text("\n".join(released) + "\n")
    assert len(migrations_of("example")) == 2
    if change == "edited":
        (package / "0002_second.sql").write_text("SELECT 2")
    else:
        (package / "0002_second.sql").unlink()
    with pytest.raises(MigrationError, match=rf"0002_second\.sql was released and must not be {change}"):
        migrations_of("example")


def test_a_database_from_before_the_baseline_is_refused(package: Path, owner_dsn: str) -> None:
    upgrade(owner_dsn, "example")
    with psycopg.connect(owner_dsn, autocommit=True) as connection:
        connection.execute("DROP TABLE example.schema_file, example.schema_state")
    with pytest.raises(MigrationError, match=r"made by a release before 0\.2\.0"):
        upgrade(owner_dsn, "example")


@pytest.mark.parametrize("package", ["jasshaus.wallet", "jasshaus.matchmaking"])
def test_numbered_files_call_no_replaceable_function(package: str) -> None:
    defined = {
        name
        for text in functions_of(package).values()
        for name in re.findall(r"CREATE OR REPLACE FUNCTION \w+\.(\w+)\(", text)
    }
    for migration in migrations_of(package):
        code = re.sub(r"--[^\n]*|(CREATE TABLE|ON) [\w.]+ \(", "", migration.statements)
        assert not {name for name in defined if re.search(rf"\b{name}\s*\(", code)}


def test_every_operation_has_one_home() -> None:
    homes = [
        name
        for text in functions_of("jasshaus.wallet").values()
        for name in re.findall(r"CREATE OR REPLACE FUNCTION (\w+\.\w+)\(", text)
    ]
    assert len(homes) == len(set(homes)) > 50
    assert not [text for text in functions_of("jasshaus.wallet").values() if "CREATE FUNCTION" in text]


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
