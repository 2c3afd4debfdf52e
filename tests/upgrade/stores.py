"""The contents of Redis and PostgreSQL as files, and back: how the state of a release is kept.

A state does not age: loading moves every time in it forward by the time since it was taken. So games expire,
results are forgotten and old rows are deleted when they would have been on the day of the release.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
from redis import Redis

from jasshaus.devstack.install import programs
from jasshaus.devstack.process import unprivileged_user

POSTGRES = "postgres.sql"
REDIS = "redis.jsonl"
TAKEN = "taken"

# Times: all columns of this type; in Redis all scores and values that are nothing but Unix milliseconds.
_TIMES = """
    SELECT format('%I.%I', table_schema, table_name) AS relation,
           string_agg(format('%1$I = %1$I + make_interval(secs => %%(seconds)s)', column_name), ', ') AS moved
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema IN ('wallet', 'matchmaking') AND table_type = 'BASE TABLE'
        AND data_type = 'timestamp with time zone' AND is_generated = 'NEVER'
    GROUP BY table_schema, table_name
"""
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00")
_MILLISECONDS = re.compile(rb"1\d{12}(\.0)?")


def mark_taken(folder: Path) -> None:
    """Write when the state is taken, in Unix milliseconds."""
    (folder / TAKEN).write_text(f"{round(time.time() * 1000)}\n")


def age(folder: Path) -> int:
    """Return how long ago a state was taken, in milliseconds."""
    return round(time.time() * 1000) - int((folder / TAKEN).read_text())


def copy_older(source: Path, target: Path, *, days: int) -> None:
    """Copy a state with all its times put back, to see that it does not age."""
    back = timedelta(days=days)

    def earlier(found: re.Match[str]) -> str:
        return str(datetime.fromisoformat(found[0]) - back)

    (target / POSTGRES).write_text(_TIMESTAMP.sub(earlier, (source / POSTGRES).read_text()))
    rows = map(json.loads, (source / REDIS).read_text().splitlines())
    older = -round(back.total_seconds() * 1000)
    with (target / REDIS).open("w") as file:
        for row in rows:
            moved = [_moved(bytes.fromhex(each), older).hex() for each in row["arguments"]]
            file.write(f"{json.dumps({**row, 'arguments': moved})}\n")
    (target / TAKEN).write_text(f"{int((source / TAKEN).read_text()) + older}\n")


def dump_postgres(dsn: str, folder: Path) -> None:
    """Write schema and data, owned by whoever loads them."""
    program = programs(unprivileged_user()) / "pg_dump"
    arguments = ["--no-owner", "--rows-per-insert=100", "--no-comments", f"--dbname={dsn}"]
    environ = {"PATH": os.defpath, "TZ": "UTC", "LC_ALL": "C"}
    made = subprocess.run([program, *arguments], check=True, capture_output=True, text=True, env=environ)
    lines = made.stdout.splitlines(keepends=True)
    # Commands to psql itself, and remarks with the version of the program.
    kept = "".join(line for line in lines if not line.startswith(("\\", "--", "SET transaction_timeout")))
    (folder / POSTGRES).write_text(kept)


def load_postgres(dsn: str, superuser_dsn: str, folder: Path) -> None:
    """Load what `dump_postgres` wrote into an empty database, as if it had been written just now."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute((folder / POSTGRES).read_text())  # type: ignore[call-overload]
    with psycopg.connect(superuser_dsn) as connection:
        # No trigger: most of the ledger may not be updated.
        connection.execute("SET session_replication_role = replica")
        for relation, moved in connection.execute(_TIMES).fetchall():
            connection.execute(f"UPDATE {relation} SET {moved}", {"seconds": age(folder) / 1000})


def dump_redis(url: str, folder: Path) -> None:
    """Write every key with its kind, its value and the milliseconds it has left."""
    with Redis.from_url(url) as client:
        lines = [json.dumps(each) for each in _keys(client)]
    (folder / REDIS).write_text("\n".join(sorted(lines)) + "\n")


def load_redis(url: str, folder: Path) -> None:
    """Load what `dump_redis` wrote, as if it had been written just now."""
    later = age(folder)
    with Redis.from_url(url) as client:
        for line in (folder / REDIS).read_text().splitlines():
            row = json.loads(line)
            key = bytes.fromhex(row["key"])
            arguments = (_moved(bytes.fromhex(each), later) for each in row["arguments"])
            client.execute_command(row["command"], key, *arguments)
            if row["left"] is not None:
                client.pexpire(key, row["left"])


def _moved(value: bytes, later: int) -> bytes:
    return b"%d" % (int(float(value)) + later) if _MILLISECONDS.fullmatch(value) else value


def _keys(client: Redis) -> Iterator[dict[str, Any]]:
    for key in client.scan_iter(count=1000):
        match client.type(key):
            case b"string":
                command, arguments = "SET", [client.get(key)]
            case b"hash":
                command, arguments = "HSET", [part for pair in client.hgetall(key).items() for part in pair]
            case b"list":
                command, arguments = "RPUSH", client.lrange(key, 0, -1)
            case b"zset":
                pairs = client.zrange(key, 0, -1, withscores=True)
                command = "ZADD"
                arguments = [part for member, score in pairs for part in (repr(score).encode(), member)]
            case b"set":
                command, arguments = "SADD", sorted(client.smembers(key))
            case b"none":  # it has run out meanwhile
                continue
            case kind:
                raise AssertionError(f"no way to keep a {kind!r}")
        left = client.pttl(key)
        yield {
            "key": key.hex(),
            "name": key.decode(errors="replace"),
            "command": command,
            "arguments": [each.hex() for each in arguments],
            "left": left if left > 0 else None,
        }
