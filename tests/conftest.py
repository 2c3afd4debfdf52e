"""Real servers for all tests: one Redis and one PostgreSQL a session, emptied or made anew for each test."""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
import structlog
from psycopg import sql

from jasshaus.devstack.folder import DataFolder
from jasshaus.devstack.postgres import OWNER, SUPERUSER, EmbeddedPostgres, create_database
from jasshaus.devstack.redis import EmbeddedRedis
from jasshaus.platform.migrations import upgrade
from leftovers import PREFIX, remove_leftovers
from signals import set_for_children
from tiers import Spread, arrange

TEMPLATE = "migrated"
ENOUGH_BYTES = 2 << 30
PACKAGES = ("jasshaus.wallet", "jasshaus.matchmaking")


def pytest_configure() -> None:
    set_for_children()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    arrange(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Spread:
    return Spread(config, log)


def memory_folder() -> Path | None:
    """A file system in memory makes a fresh database thirty times faster.

    None where there is none to speak of.
    """
    memory = Path("/dev/shm")
    enough = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ENOUGH_BYTES
    return memory if enough else None


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """The command line configures logging for its process: here, to a stream that ends with the test."""
    root, configured = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**configured)


@pytest.fixture(scope="session")
def data_folder() -> Iterator[DataFolder]:
    # Not below pytest's own temporary folder, which is closed to the user that PostgreSQL runs as under root.
    parent = memory_folder() or Path(tempfile.gettempdir())
    remove_leftovers(parent)
    path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    if os.geteuid() == 0:
        path.chmod(0o711)
    folder = DataFolder(path).hold()
    yield folder
    folder.release()
    shutil.rmtree(path)


@pytest.fixture(scope="session")
def redis_server(data_folder: DataFolder) -> Iterator[EmbeddedRedis]:
    server = EmbeddedRedis(data_folder)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def postgres_server(data_folder: DataFolder) -> Iterator[EmbeddedPostgres]:
    server = EmbeddedPostgres(data_folder, fsync=False)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def redis_url(redis_server: EmbeddedRedis) -> str:
    """The URL of an empty Redis."""
    with redis.Redis.from_url(redis_server.url) as client:
        client.flushall()
        client.script_flush()
    return redis_server.url


@pytest.fixture(scope="session")
def migrated_template(postgres_server: EmbeddedPostgres) -> str:
    """The name of a database with the migrations of every service that has some."""
    with psycopg.connect(postgres_server.dsn(SUPERUSER, "postgres"), autocommit=True) as connection:
        create_database(connection, TEMPLATE)
    for package in PACKAGES:
        # A service that is not there yet has no migrations either.
        with contextlib.suppress(ModuleNotFoundError):
            upgrade(postgres_server.dsn(OWNER, TEMPLATE), package)
    return TEMPLATE


_numbers = itertools.count(1)


@pytest.fixture
def database(postgres_server: EmbeddedPostgres, migrated_template: str) -> Iterator[str]:
    """The name of a fresh, migrated database of this test's own.

    See `postgres_server.dsn(role, database)`.
    """
    name = f"test_{next(_numbers)}"
    with psycopg.connect(postgres_server.dsn(SUPERUSER, "postgres"), autocommit=True) as connection:
        create_database(connection, name, migrated_template)
        yield name
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def owner_dsn(postgres_server: EmbeddedPostgres, database: str) -> str:
    """The fresh database as its owner, who may do everything: for sums in SQL."""
    return postgres_server.dsn(OWNER, database)


@pytest.fixture
def wallet_dsn(postgres_server: EmbeddedPostgres, database: str) -> str:
    """The fresh database as the wallet service's role."""
    return postgres_server.dsn("jasshaus_wallet", database)


@pytest.fixture
def matchmaking_dsn(postgres_server: EmbeddedPostgres, database: str) -> str:
    """The fresh database as the matchmaking service's role."""
    return postgres_server.dsn("jasshaus_matchmaking", database)
