"""The set-up of a real database, under other names on the tests' own server."""

from __future__ import annotations

import psycopg
import pytest

from jasshaus.devstack.postgres import DATABASE, OWNER, SERVICE_ROLES, SUPERUSER
from jasshaus.platform.migrations import upgrade

RENAMED = "setup_test"
PASSWORD = "secret"


@pytest.fixture
def connect(root, postgres_server):
    """Runs deploy/postgres.sql as a superuser; gives a DSN for one of its roles."""
    script = (root / "deploy" / "postgres.sql").read_text()
    statements = [
        line.replace(DATABASE, RENAMED) for line in script.splitlines() if line and not line.startswith("--")
    ]
    roles = [role.replace(DATABASE, RENAMED) for role in (OWNER, *SERVICE_ROLES)]
    superuser = postgres_server.dsn(SUPERUSER, "postgres")
    with psycopg.connect(superuser, autocommit=True) as admin:
        for statement in statements:
            admin.execute(statement)
        for role in roles:
            admin.execute(f"ALTER ROLE {role} PASSWORD '{PASSWORD}'")
        # The migrations grant to the roles' real names; here those are groups of the renamed ones.
        for role, renamed in zip(SERVICE_ROLES, roles[1:], strict=True):
            admin.execute(f"GRANT {role} TO {renamed}")
        host = superuser.partition("?")[2]
        yield lambda role: f"postgresql://{RENAMED}_{role}:{PASSWORD}@/{RENAMED}?{host}"
        admin.execute(f"DROP DATABASE {RENAMED} WITH (FORCE)")
        for role in roles:
            admin.execute(f"DROP ROLE {role}")


def test_the_owner_migrates_and_each_service_reaches_its_own_schema_alone(connect):
    for package in ("jasshaus.wallet", "jasshaus.matchmaking"):
        assert upgrade(connect("owner"), package)
    with psycopg.connect(connect("wallet")) as wallet:
        assert wallet.execute("SELECT count(*) FROM wallet.journal").fetchone() == (0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            wallet.execute("SELECT count(*) FROM matchmaking.game")
    with psycopg.connect(connect("matchmaking")) as matchmaking:
        assert matchmaking.execute("SELECT count(*) FROM matchmaking.game").fetchone() == (0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            matchmaking.execute("SELECT count(*) FROM wallet.account")


@pytest.mark.parametrize("role", ["wallet", "matchmaking"])
def test_a_service_cannot_migrate(connect, role):
    with psycopg.connect(connect(role)) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("CREATE SCHEMA more")
