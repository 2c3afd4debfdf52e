"""The contents of Redis and PostgreSQL as files, and back: how the state of a release is kept."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from redis import Redis

from jasshaus.devstack.install import programs
from jasshaus.devstack.process import unprivileged_user

POSTGRES = "postgres.sql"
REDIS = "redis.jsonl"


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


def load_postgres(dsn: str, folder: Path) -> None:
    """Load what `dump_postgres` wrote into an empty database, as if it had been written just now."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute((folder / POSTGRES).read_text())  # type: ignore[call-overload]
        # An open game has half an hour. Times of Redis are kept as what is left of them.
        connection.execute(
            "UPDATE matchmaking.game SET expire_time = now() + (expire_time - open_time)"
            " WHERE status = 'OPEN'"
        )


def dump_redis(url: str, folder: Path) -> None:
    """Write every key with its kind, its value and the milliseconds it has left."""
    with Redis.from_url(url) as client:
        lines = [json.dumps(each) for each in _keys(client)]
    (folder / REDIS).write_text("\n".join(sorted(lines)) + "\n")


def load_redis(url: str, folder: Path) -> None:
    """Load what `dump_redis` wrote."""
    with Redis.from_url(url) as client:
        for line in (folder / REDIS).read_text().splitlines():
            row = json.loads(line)
            key = bytes.fromhex(row["key"])
            client.execute_command(row["command"], key, *map(bytes.fromhex, row["arguments"]))
            if row["left"] is not None:
                client.pexpire(key, row["left"])


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
