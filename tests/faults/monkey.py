"""The faults of a storm: a plan drawn from a seed, and how each is caused and repaired."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
import redis

from failover.redis_pair import Node, OwnNode
from faults.findings import Findings
from jasshaus.devstack.postgres import SERVICE_ROLES, SUPERUSER
from jasshaus.devstack.process import EmbeddedError
from jasshaus.devstack.services import ServiceProcess
from jasshaus.devstack.stack import Stack

SERVICES = ("wallet", "wallet-1", "matchmaking", "matchmaking-1", "table-0", "table-1")
STORES = ("redis", "postgres")
REDIS_LOSES = "redis-loses-writes"
FAILOVER = "redis-failover"
STUCK = "stuck-sessions"
OUTAGE = "outage"
# So long that health says so.
OUTAGE_SECONDS = (12.0, 18.0)
# Kind of fault -> how often, relative to the others, and whom it may strike.
KINDS = {
    "kill": (10, SERVICES),
    "pause": (5, (*SERVICES, *STORES, "backend")),
    "drain": (3, SERVICES),
    "kill-store": (3, STORES),
    OUTAGE: (1, STORES),
    "refuse-writes": (2, STORES),
    REDIS_LOSES: (2, ("redis",)),
    FAILOVER: (2, ("redis",)),
    STUCK: (2, ("postgres",)),
    "kill-everything": (1, ("everything",)),
}
START_SECONDS = 30.0
HAND_OVERS = 3


@dataclass(frozen=True)
class Strike:
    """One fault: when (seconds into the storm), what, whom, and for how long."""

    at: float
    kind: str
    victim: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.at:6.1f} s  {self.kind:18} {self.victim:12} for {self.seconds:.2f} s"


def plan(seed: int, seconds: float, kinds: Sequence[str], pace: float = 1.2) -> list[Strike]:
    """Draw the faults of a storm; the same seed draws the same."""
    chance = random.Random(seed)
    strikes = []
    at = 1.0
    while (at := at + chance.uniform(0.1, 2 * pace)) < seconds:
        kind = chance.choices(kinds, [KINDS[kind][0] for kind in kinds])[0]
        # Paused for longer than anybody waits, now and then.
        longest = chance.choice((2.0, 4.0, 8.0)) if kind == "pause" else 3.0
        shortest, longest = OUTAGE_SECONDS if kind == OUTAGE else (0.0, longest)
        victim, lasting = chance.choice(KINDS[kind][1]), chance.uniform(shortest, longest)
        strikes.append(Strike(round(at, 2), kind, victim, round(lasting, 2)))
    return strikes


class Monkey:
    """Strikes a stack it is given.

    Whoever is down already is left alone; to kill everything it waits until all are up.
    """

    def __init__(self, stack: Stack, findings: Findings, *, say: bool = False) -> None:
        self._stack = stack
        self._findings = findings
        self._say = say
        self._held: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._paused: set[int] = set()

    async def run(self, strikes: Sequence[Strike]) -> None:
        """Carry out a plan; returns when all is mended."""
        begun = time.monotonic()
        async with asyncio.TaskGroup() as group:
            for strike in strikes:
                await asyncio.sleep(begun + strike.at - time.monotonic())
                if self._say:
                    print(strike, flush=True)
                group.create_task(self._strike(strike))

    async def _strike(self, strike: Strike) -> None:
        victims = (*SERVICES, *STORES) if strike.victim == "everything" else (strike.victim,)
        if len(victims) == 1 and self._held[strike.victim].locked():
            self._findings.count("faults skipped")
            return
        async with AsyncExitStack() as held:
            for victim in victims:
                await held.enter_async_context(self._held[victim])
            self._findings.count(f"fault: {strike.kind} {strike.victim}")
            match strike.kind:
                case "kill":
                    process = self._stack.processes[strike.victim]
                    process.kill()
                    await asyncio.sleep(strike.seconds)
                    await self._serve(process)
                case "drain":
                    await self._drain(self._stack.processes[strike.victim], strike.seconds)
                case "pause":
                    await self._pause(strike)
                case "kill-store" | "outage":
                    self._kill_store(strike.victim)
                    await asyncio.sleep(strike.seconds)
                    await self._start_store(strike.victim)
                case "refuse-writes":
                    await self._refuse_writes(strike.victim, strike.seconds)
                case "redis-loses-writes":
                    await self.lose_writes(strike.seconds, least=0.3)
                case "redis-failover":
                    await self._fail_over(strike.seconds)
                case "stuck-sessions":
                    await self._stick(strike.seconds)
                case "kill-everything":
                    await self._kill_everything(strike.seconds)

    async def _serve(self, process: ServiceProcess) -> None:
        """Start it and let it be: what it needs may be away for longer than we like to wait."""
        process.start()
        with suppress(EmbeddedError):
            await process.ready(START_SECONDS)
        if not process.running:
            self._findings.blame(f"{process.name} exited with {process.exit_code} when started")

    async def _drain(self, process: ServiceProcess, seconds: float) -> None:
        begun = time.monotonic()
        code = await process.terminate()
        took = time.monotonic() - begun
        if code != 0:
            self._findings.blame(f"{process.name} drained for {took:.1f} s and exited with {code}")
        await asyncio.sleep(seconds)
        await self._serve(process)

    async def _pause(self, strike: Strike) -> None:
        pid = self._pid(strike.victim)
        if pid is None:
            return
        self._paused.add(pid)
        try:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
                await asyncio.sleep(strike.seconds)
        finally:
            self._wake(pid)

    def _wake(self, pid: int) -> None:
        if pid in self._paused:
            self._paused.discard(pid)
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def _pid(self, victim: str) -> int | None:
        if victim == "redis":
            return self._stack.redis.pid if self._stack.redis else None
        if victim in {"postgres", "backend"}:
            server = self._stack.postgres.pid if self._stack.postgres else None
            if victim == "postgres" or server is None:
                return server
            serving = [pid for pid in children(server) if b"jasshaus_" in title(pid)]
            return random.choice(serving) if serving else None
        return self._stack.processes[victim].pid

    def _kill_store(self, victim: str) -> None:
        store = self._stack.redis if victim == "redis" else self._stack.postgres
        assert store is not None
        server = store.pid
        left = children(server) if server is not None else []
        store.kill()
        for pid in left:
            # A paused one would live on, and the next server refuses to start beside it.
            self._wake(pid)

    async def _refuse_writes(self, victim: str, seconds: float) -> None:
        """Let a store answer all questions, and take nothing: its memory is full, or it is a standby."""
        if victim == "redis":
            with redis.Redis.from_url(self._stack.redis_url, socket_timeout=10) as client:
                client.config_set("maxmemory", 1)
                await asyncio.sleep(seconds)
                client.config_set("maxmemory", 0)
            return
        assert self._stack.postgres is not None
        with psycopg.connect(self._stack.postgres.dsn(SUPERUSER), autocommit=True) as connection:
            try:
                connection.execute("ALTER SYSTEM SET default_transaction_read_only = on")
                connection.execute("SELECT pg_reload_conf()")
                await asyncio.sleep(seconds)
            finally:
                connection.execute("ALTER SYSTEM RESET default_transaction_read_only")
                connection.execute("SELECT pg_reload_conf()")

    async def _fail_over(self, seconds: float) -> None:
        """Let a replica take Redis' place, and give it back; connections stay open to whom they were made."""
        relay, password = self._stack.relay, self._stack.redis_password
        home = self._stack.redis_socket
        first = Node(self._stack.redis_url, password)
        second = OwnNode(self._stack.data_dir / "replica", password)
        try:
            await asyncio.to_thread(second.follow, first)
            # Sometimes the name still leads to the demoted one for a while.
            await self._hand_over(first, second)
            await asyncio.sleep(seconds / 4)
            relay.target = second.port
            await asyncio.sleep(seconds)
            await self._hand_over(second, first)
            await asyncio.sleep(seconds / 4)
        finally:
            relay.target = home
            if first.role != "master":
                self._findings.blame("Redis did not get its place back")
                first.promote()
            first.client.close()
            second.close()

    async def _hand_over(self, old: Node, new: Node) -> None:
        for _ in range(HAND_OVERS):
            with suppress(redis.RedisError, AssertionError):
                await asyncio.to_thread(old.hand_over, new)
                return
            self._findings.count("hand-overs of Redis done again")
        raise EmbeddedError("no hand-over of Redis")

    async def _stick(self, seconds: float) -> None:
        """Have the services make sessions that take no writes, as of a standby, and leave them with these."""
        assert self._stack.postgres is not None
        roles = ", ".join(f"'{role}'" for role in SERVICE_ROLES)
        with psycopg.connect(self._stack.postgres.dsn(SUPERUSER), autocommit=True) as connection:
            try:
                for role in SERVICE_ROLES:
                    connection.execute(f"ALTER ROLE {role} SET default_transaction_read_only = on")
                connection.execute(
                    f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename IN ({roles})"
                )
                await asyncio.sleep(seconds)
            finally:
                for role in SERVICE_ROLES:
                    connection.execute(f"ALTER ROLE {role} RESET default_transaction_read_only")

    async def _start_store(self, victim: str) -> None:
        store = self._stack.redis if victim == "redis" else self._stack.postgres
        assert store is not None
        give_up = time.monotonic() + START_SECONDS
        while True:
            try:
                store.start()
            except EmbeddedError as error:
                # Orphans of the killed server may need a moment to notice.
                if time.monotonic() > give_up:
                    self._findings.blame(f"{victim} does not start again: {error}")
                    return
                self._findings.count(f"{victim} needed another start")
                await asyncio.sleep(0.2)
            else:
                return

    async def lose_writes(self, seconds: float, least: float = 0.0) -> None:
        """Kill Redis and cut off the tail of its file: never what it had said is on disk.

        At least the share `least` of what could be lost is lost.
        """
        assert self._stack.redis is not None
        # From here on it syncs nothing and so, asked with WAITAOF, vouches for nothing.
        with redis.Redis.from_url(self._stack.redis_url, socket_timeout=10) as client:
            client.config_set("appendfsync", "no")
            log = append_only_file(self._stack.data_dir)
            kept = log.stat().st_size
        await asyncio.sleep(0.2 + seconds / 4)
        self._stack.redis.kill()
        size = log.stat().st_size
        cut = random.uniform(least, 1.0)
        os.truncate(log, size - round((size - kept) * cut))
        self._findings.lossy = True
        self._findings.counts["bytes lost by Redis"] += round((size - kept) * cut)
        await asyncio.sleep(seconds / 4)
        await self._start_store("redis")

    async def _kill_everything(self, seconds: float) -> None:
        for pid in list(self._paused):
            self._wake(pid)
        for process in self._stack.processes.values():
            process.kill()
        for store in STORES:
            self._kill_store(store)
        await asyncio.sleep(seconds)
        for store in STORES:
            await self._start_store(store)
        await asyncio.gather(*(self._serve(process) for process in self._stack.processes.values()))

    async def heal(self) -> None:
        """See to it that everything runs and serves."""
        for pid in list(self._paused):
            self._wake(pid)
        for name, store in (("redis", self._stack.redis), ("postgres", self._stack.postgres)):
            if store is not None and store.pid is None:
                await self._start_store(name)
        for process in self._stack.processes.values():
            if not process.running:
                process.start()
            try:
                await process.ready()
            except EmbeddedError as error:
                self._findings.blame(f"after the storm: {error}")


def append_only_file(folder: Path) -> Path:
    """The file that Redis appends to now."""
    return max((folder / "redis" / "appendonlydir").glob("*.incr.aof"), key=lambda path: path.stat().st_mtime)


def children(pid: int) -> list[int]:
    """The children of one of our processes."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, IndexError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
    return found


def title(pid: int) -> bytes:
    """What a process calls itself."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
