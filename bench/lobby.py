"""What a look at the lobby costs, with few open games and with many, beside the floor of a call.

`make bench-lobby`, or `python bench/lobby.py --games 360 5000`. Starts a Redis and a PostgreSQL in a
temporary folder and matchmaking as a process of its own; this process makes the calls. The games have no
stake, so neither wallet nor table is needed. Printed are milliseconds of CPU a call that the service, Redis
and PostgreSQL spent, the answer's time, and what a neighbour's calls take while one player lists 20 times a
second. The floor is GetCatalog: token, interceptors and transport are the same, and no store is asked.

`--check` fails where a page of 50 takes the service 2 ms or more.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import grpc
import psycopg
import redis

from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.api.matchmaking.v1 import matchmaking_pb2_grpc as pb_grpc
from jasshaus.devstack.folder import DataFolder
from jasshaus.devstack.postgres import EmbeddedPostgres
from jasshaus.devstack.redis import EmbeddedRedis
from jasshaus.platform.auth import mint_token
from jasshaus.platform.migrations import upgrade

PAGE: Final = 50
TARGET_MS: Final = 2.0
SECRET: Final = "a secret for benches, of 32 bytes and more"
PLAYERS: Final = 50
LIST_EVERY: Final = 1 / 20
NEIGHBOUR_EVERY: Final = 1 / 50
START_SECONDS: Final = 30.0
CHANGES: Final = 50
DAY: Final = 86_400


@dataclass(frozen=True)
class Stores:
    """The servers of the run."""

    postgres: EmbeddedPostgres
    redis: EmbeddedRedis

    @property
    def lobby(self) -> redis.Redis:
        return redis.Redis.from_url(self.redis.url, decode_responses=True)

    def cpu(self) -> tuple[float, float]:
        """Return the seconds of CPU that Redis and PostgreSQL have used."""
        assert self.redis.pid is not None
        assert self.postgres.pid is not None
        return _ticks(self.redis.pid), sum(map(_ticks, [self.postgres.pid, *_children(self.postgres.pid)]))


@dataclass(frozen=True)
class Service:
    """A running matchmaking, and callers of it."""

    pid: int
    lobby: pb_grpc.LobbyServiceStub
    callers: tuple[tuple[tuple[str, str], ...], ...]

    async def call(self, number: int, method: str, request: Any) -> Any:
        caller = self.callers[number % len(self.callers)]
        return await getattr(self.lobby, method)(request, metadata=caller, timeout=30)

    def cpu(self) -> float:
        """Return the seconds of CPU it has used, by the nanosecond."""
        threads = Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


@dataclass(frozen=True)
class Cost:
    """Milliseconds a call."""

    service: float
    redis: float
    postgres: float
    p50: float
    p99: float


def _ticks(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except FileNotFoundError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


async def measure(
    stores: Stores, service: Service, calls: int, call: Callable[[int], Awaitable[Any]]
) -> Cost:
    await call(0)
    took: list[float] = []
    cpu, (in_redis, in_postgres) = service.cpu(), stores.cpu()
    for number in range(calls):
        began = time.perf_counter()
        await call(number)
        took.append(time.perf_counter() - began)
    after_redis, after_postgres = stores.cpu()
    return Cost(
        service=(service.cpu() - cpu) / calls * 1000,
        redis=(after_redis - in_redis) / calls * 1000,
        postgres=(after_postgres - in_postgres) / calls * 1000,
        p50=statistics.median(took) * 1000,
        p99=sorted(took)[int(len(took) * 0.99)] * 1000,
    )


async def neighbour(service: Service, game_id: str, seconds: float, *, lister: bool) -> tuple[float, float]:
    """Return p50 and p99 (ms) of a neighbour's GetGame, with or without a player who lists."""
    stop = time.perf_counter() + seconds
    took: list[float] = []
    pending: set[asyncio.Task[Any]] = set()

    async def look(number: int) -> None:
        began = time.perf_counter()
        await service.call(number, "GetGame", pb.GetGameRequest(game_id=game_id))
        took.append(time.perf_counter() - began)

    async def every(interval: float, what: Callable[[int], Awaitable[Any]]) -> None:
        number = 0
        while time.perf_counter() < stop:
            task = asyncio.ensure_future(what(number))
            pending.add(task)
            task.add_done_callback(pending.discard)
            number += 1
            await asyncio.sleep(interval)

    def page(_number: int) -> Awaitable[Any]:
        return service.call(0, "ListOpenGames", pb.ListOpenGamesRequest(page_size=PAGE))

    loops = [every(NEIGHBOUR_EVERY, look)]
    if lister:
        loops.append(every(LIST_EVERY, page))
    await asyncio.gather(*loops)
    await asyncio.gather(*pending, return_exceptions=True)
    return statistics.median(took) * 1000, sorted(took)[int(len(took) * 0.99)] * 1000


async def all_pages(service: Service) -> int:
    """Walk through the list; return how many games there were."""
    seen: set[str] = set()
    token = ""
    while True:
        request = pb.ListOpenGamesRequest(page_size=200, page_token=token)
        answer = await service.call(0, "ListOpenGames", request)
        seen.update(game.game_id for game in answer.games)
        token = answer.next_page_token
        if not token:
            return len(seen)


def fill(stores: Stores, template: str, games: int) -> None:
    """Copy an open game until there are so many: its row, its seat, its place in the lobby."""
    lobby = stores.lobby
    index, entry = "{lobby:default}:games", lobby.hgetall(f"{{lobby:default}}:game:{template}")
    opened = int(entry["order"].partition(":")[0])
    with psycopg.connect(stores.postgres.dsn(), autocommit=True) as connection:
        for number in range(lobby.zcard(index), games):
            game_id, player = str(uuid4()), f"opener-{number}"
            connection.execute(
                """
                CREATE TEMPORARY TABLE IF NOT EXISTS copy AS SELECT * FROM matchmaking.game WHERE game_id = %s
                """,
                (template,),
            )
            connection.execute(
                """
                UPDATE copy SET game_id = %s, opener = %s, request_id = gen_random_uuid(),
                    open_time = to_timestamp(%s / 1000.0), next_check = now() + interval '1 day'
                """,
                (game_id, player, opened - number),
            )
            connection.execute("INSERT INTO matchmaking.game SELECT * FROM copy")
            order = f"{opened - number:015d}:{game_id}"
            seat = f"H|0|{uuid4()}|{player}"
            fields = {"status": "OPEN", "order": order, "version": entry["version"], "0": seat}
            lobby.hset(f"{{lobby:default}}:game:{game_id}", mapping=fields)
            lobby.zadd(index, {order: 0})


@contextmanager
def stores() -> Iterator[Stores]:
    path = Path(tempfile.mkdtemp(prefix="jasshaus-bench-"))
    if os.geteuid() == 0:
        path.chmod(0o711)
    folder = DataFolder(path).hold()
    servers = Stores(EmbeddedPostgres(folder, fsync=False), EmbeddedRedis(folder))
    try:
        servers.postgres.start()
        servers.redis.start()
        upgrade(servers.postgres.dsn(), "jasshaus.matchmaking")
        yield servers
    finally:
        servers.redis.stop()
        servers.postgres.stop()
        folder.release()
        shutil.rmtree(path)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def service(servers: Stores) -> AsyncIterator[Service]:
    address = f"127.0.0.1:{_free_port()}"
    environ = {
        **os.environ,
        "JASSHAUS_MODE": "development",
        "JASSHAUS_DEV_SECRET": SECRET,
        "JASSHAUS_SERVICE_TOKEN": mint_token(SECRET, "matchmaking", ["service"]),
        "JASSHAUS_LISTEN": address,
        "JASSHAUS_METRICS_PORT": "0",
        "JASSHAUS_POSTGRES_DSN": servers.postgres.dsn("jasshaus_matchmaking"),
        "JASSHAUS_REDIS_URL": servers.redis.url,
        "JASSHAUS_WALLET_ADDRESS": "127.0.0.1:1",
        "JASSHAUS_TABLE_ADDRESS": "127.0.0.1:1",
        "JASSHAUS_STAKES": "none",
        "JASSHAUS_GAME_TTL": str(6 * DAY),
        "JASSHAUS_LOBBY_REFILL": "0",
        "JASSHAUS_SHUTDOWN_PAUSE": "0",
        "JASSHAUS_LOG_LEVEL": "warning",
    }
    process = subprocess.Popen([sys.executable, "-m", "jasshaus.matchmaking"], env=environ)  # noqa: ASYNC220
    callers = tuple(
        (("authorization", f"Bearer {mint_token(SECRET, f'player-{number}', ['player'])}"),)
        for number in range(PLAYERS)
    )
    # A page of 200 is smaller, a snapshot of 2,000 games is about 1 MB.
    options = [("grpc.max_receive_message_length", 16 << 20)]
    async with grpc.aio.insecure_channel(address, options) as channel:
        try:
            running = Service(process.pid, pb_grpc.LobbyServiceStub(channel), callers)
            await _answers(running)
            yield running
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


async def _answers(running: Service) -> None:
    async with asyncio.timeout(START_SECONDS):
        while True:
            try:
                await running.call(0, "ListOpenGames", pb.ListOpenGamesRequest())
            except grpc.aio.AioRpcError:
                await asyncio.sleep(0.1)
            else:
                return


async def look(servers: Stores, running: Service, game_id: str, calls: int, seconds: float) -> float:
    """Measure and print; return the milliseconds of a page."""
    page_request = pb.ListOpenGamesRequest(page_size=PAGE)

    async def first_snapshot(number: int) -> None:
        stream = running.lobby.WatchLobby(pb.WatchLobbyRequest(), metadata=running.callers[number % PLAYERS])
        await stream.read()
        stream.cancel()

    async def costs(calls: int, call: Callable[[int], Awaitable[Any]]) -> Cost:
        return await measure(servers, running, calls, call)

    floor = await costs(calls, lambda n: running.call(n, "GetCatalog", pb.GetCatalogRequest()))
    page = await costs(calls, lambda n: running.call(n, "ListOpenGames", page_request))
    for name, cost in (
        ("floor (GetCatalog)", floor),
        (f"a page of {PAGE}", page),
        (
            "GetGame",
            await costs(calls, lambda n: running.call(n, "GetGame", pb.GetGameRequest(game_id=game_id))),
        ),
        ("a stream's snapshot", await costs(min(calls, 20), first_snapshot)),
    ):
        cpu = f"{cost.service:12.2f}{cost.redis:10.2f}{cost.postgres:14.2f}"
        print(f"  {name:22}{cpu}{cost.p50:10.2f}{cost.p99:10.2f}")
    async with changes(running):
        busy = await costs(calls, lambda n: running.call(n, "ListOpenGames", page_request))
        print(f"  {f'a page, {CHANGES} changes/s':22}{'':36}{busy.p50:10.2f}{busy.p99:10.2f}")
    for lister in (False, True):
        p50, p99 = await neighbour(running, game_id, seconds, lister=lister)
        name = "neighbour, one lists" if lister else "neighbour, quiet"
        print(f"  {name:22}{'':36}{p50:10.2f}{p99:10.2f}")
    return page.service


@asynccontextmanager
async def changes(running: Service) -> AsyncIterator[None]:
    """Let players open games and leave them while inside."""

    async def change() -> None:
        while True:
            for number in range(PLAYERS):
                request = pb.OpenGameRequest(request_id=str(uuid4()), preset="schieber-classic")
                opened = await running.call(number, "OpenGame", request)
                await asyncio.sleep(1 / CHANGES)
                left = pb.LeaveGameRequest(request_id=str(uuid4()), game_id=opened.game.game_id)
                await running.call(number, "LeaveGame", left)
                await asyncio.sleep(1 / CHANGES)

    changing = asyncio.create_task(change())
    try:
        yield
    finally:
        changing.cancel()


async def run(sizes: list[int], calls: int, seconds: float) -> float:
    """Return the milliseconds of CPU of a page at the largest size."""
    worst = 0.0
    with stores() as servers:
        async with service(servers) as running:
            opened = await running.call(
                0, "OpenGame", pb.OpenGameRequest(request_id=str(uuid4()), preset="schieber-classic")
            )
        template = opened.game.game_id
        print(
            f"{'ms a call':24}{'service CPU':>12}{'Redis CPU':>10}{'Postgres CPU':>14}{'p50':>10}{'p99':>10}"
        )
        for games in sizes:
            fill(servers, template, games)
            async with service(servers) as running:
                print(f"{await all_pages(running)} open games")
                worst = await look(servers, running, template, calls, seconds)
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--games", type=int, nargs="+", default=[360, 5000], help="open games, ascending (360 5000)"
    )
    parser.add_argument("--calls", type=int, default=300, help="calls to measure (300)")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long a neighbour is watched (5)")
    parser.add_argument("--check", action="store_true", help=f"fail at {TARGET_MS} ms a page or more")
    options = parser.parse_args()
    worst = asyncio.run(run(options.games, options.calls, options.seconds))
    if options.check and worst >= TARGET_MS:
        sys.exit(f"a page of {PAGE} took the service {worst:.2f} ms; {TARGET_MS} are allowed")


if __name__ == "__main__":
    main()
