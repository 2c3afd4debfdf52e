"""`jasshaus migrate`: upgrades both services' schemas, one after the other."""

from __future__ import annotations

import sys
from typing import Final

import psycopg
import sqlalchemy

from jasshaus.platform.logging import configure_logging
from jasshaus.platform.migrations import MigrationError, upgrade

PACKAGES: Final = ("jasshaus.wallet", "jasshaus.matchmaking")


def migrate_all(dsn: str) -> bool:
    """Upgrade the database and print what was applied; return whether it succeeded."""
    configure_logging("jasshaus", "console", "warning")
    for package in PACKAGES:
        schema = package.rpartition(".")[2]
        try:
            applied = upgrade(dsn, package)
        except (MigrationError, psycopg.Error, sqlalchemy.exc.SQLAlchemyError) as error:
            # SQLAlchemy wraps the driver's message in its own.
            said = getattr(error, "orig", None) or error
            print(f"jasshaus: {schema}: {said}", file=sys.stderr)
            return False
        print(f"{schema}: {'applied ' + ', '.join(applied) if applied else 'up to date'}")
    return True
