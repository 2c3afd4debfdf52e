"""How long nobody can sit down after a failover of PostgreSQL, by how many results are kept.

`make bench-sweep`, or `python bench/sweep.py --results 10000 140000`. Starts a whole stack in a temporary
folder and gives it that many matches that are over and paid, as pots and as result records; then its ledger
finds itself on another timeline, as after a promotion, and nothing was lost. Printed is for how long the
wallet moved no stake: from when it noticed to when the table service had compared everything.

`--check` fails where 140,000 results, two weeks of 10,000 matches a day, take 30 s or more.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Sequence
from typing import Final
from uuid import UUID

import psycopg
from redis.asyncio import Redis

from jasshaus.contracts.rules import rule_set_to_proto
from jasshaus.devstack.postgres import SUPERUSER
from jasshaus.devstack.stack import Stack
from jasshaus.rules.core.options import PRESETS
from jasshaus.table.keys import Names
from jasshaus.table.result import TIME_BYTES, MatchResult, encode_result
from jasshaus.table.store import RESTORE_WINDOW

TARGET_SECONDS: Final = 30.0
TARGET_RESULTS: Final = 140_000
BATCH: Final = 1000
GIVE_UP_SECONDS: Final = 1800.0

# A pot as it is after its match, without the entries that nobody looks at here.
PAID = """
    INSERT INTO wallet.pot (id, tenant, currency, stake, fee, fee_schedule_version, account_id, state,
        winning_seats, result_digest, table_id, created_at, locked_at, closed_at)
    SELECT id, 'default', 'CHF', 200, 20, 1, -place - (SELECT count(*) FROM wallet.pot), 'SETTLED',
        '{0,2}', digest, table_id, now(), now(), now()
    FROM unnest(%s::uuid[], %s::uuid[], %s::bytea[]) WITH ORDINALITY AS paid (id, table_id, digest, place)"""
# Their rows, which name their tables: nothing was lost.
PLAYED = """
    INSERT INTO matchmaking.game (game_id, tenant, opener, request_id, request_digest, preset, variant,
        rule_set, rule_set_json, currency, stake,
        opener_seat, status, table_id, seats, open_time, expire_time)
    SELECT id, 'default', 'anna', id, '', 'schieber-classic', 'schieber', %s, '{}', 'CHF', 50, 0, 'FINISHED',
        table_id, '[]', now(), now()
    FROM unnest(%s::uuid[], %s::uuid[]) AS played (id, table_id)"""
CLASSIC = rule_set_to_proto(PRESETS["schieber-classic"], "schieber-classic").SerializeToString()
LATEST = """
    SELECT extract(epoch FROM ended_at - begun_at)::float, repaired, unmatched FROM wallet.recovery
    ORDER BY id DESC LIMIT 1"""


def match(chance: random.Random) -> MatchResult:
    """Make the result of a staked match."""
    drawn = [UUID(bytes=chance.randbytes(16), version=4) for _ in range(6)]
    return MatchResult(
        table_id=drawn[0],
        game_id=drawn[1],
        tenant="default",
        reservations=tuple(drawn[2:]),
        winning_seats=(0, 2),
        points=(1012, 731),
        digest=chance.randbytes(32),
        staked=True,
    )


async def add(stack: Stack, count: int, chance: random.Random) -> None:
    """Write what that many matches leave, ended evenly over the time that results are kept."""
    names, now = Names(), int(time.time() * 1000)
    async with Redis.from_url(stack.redis_url) as store:
        for start in range(0, count, BATCH):
            results = [match(chance) for _ in range(min(BATCH, count - start))]
            pipeline = store.pipeline(transaction=False)
            for result in results:
                keys, ended_at = names.of(result.table_id), now - chance.randrange(RESTORE_WINDOW)
                record = ended_at.to_bytes(TIME_BYTES, "big") + encode_result(result)
                pipeline.set(keys.result, record)
                pipeline.zadd(keys.lane.results, {str(result.table_id): ended_at + RESTORE_WINDOW})
            await pipeline.execute()
            with psycopg.connect(stack.dsn(SUPERUSER)) as ledger:
                # Their accounts and entries are left out.
                ledger.execute("SET session_replication_role = replica")
                ids = [each.game_id for each in results], [each.table_id for each in results]
                ledger.execute(PAID, (*ids, [each.digest for each in results]))
                ledger.execute(PLAYED, (CLASSIC, *ids))


async def fail_over(stack: Stack) -> tuple[float, int, int]:
    """Let the ledger find itself on another timeline.

    Returns for how many seconds it recovered, and how many pots it found to put in order, and unmatched.
    """
    give_up = time.monotonic() + GIVE_UP_SECONDS
    with psycopg.connect(stack.dsn(), autocommit=True) as ledger:
        before = ledger.execute("SELECT count(*) FROM wallet.recovery").fetchone()
        ledger.execute("UPDATE wallet.lineage SET timeline = timeline + 1")
        while time.monotonic() < give_up:
            count, ended = ledger.execute("SELECT count(*), count(ended_at) FROM wallet.recovery").fetchone()
            if (count,) > before and count == ended:
                return ledger.execute(LATEST).fetchone()
            await asyncio.sleep(0.1)
    raise TimeoutError("the recovery does not end")


async def run(counts: Sequence[int]) -> dict[int, float]:
    """Measure and print by how many results there are; return the seconds."""
    chance, there, took = random.Random(1), 0, {}
    async with Stack(fsync=False) as stack:
        # The first position must have been seen.
        await asyncio.sleep(3)
        print(f"{'results':>10} {'seconds':>8}")
        for count in counts:
            await add(stack, count - there, chance)
            there = count
            seconds, repaired, unmatched = await fail_over(stack)
            assert (repaired, unmatched) == (0, 0), "nothing was lost"
            took[count] = float(seconds)
            print(f"{count:10,} {seconds:8.1f}", flush=True)
    return took


def main() -> int:
    """Measure by what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--results", nargs="+", type=int, default=(0, 10_000, TARGET_RESULTS))
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    took = asyncio.run(run(sorted(asked.results)))
    if asked.check and took.get(TARGET_RESULTS, 0.0) >= TARGET_SECONDS:
        print(f"{TARGET_RESULTS:,} results take {TARGET_SECONDS:g} s or more", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
