"""Runs a storm from its first fault to the last account, and reports what is wrong."""

from __future__ import annotations

import asyncio
import random
import shutil
import socket
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import psycopg

from failover.relay import Relay
from faults import invariants
from faults.chronicle import Chronicle
from faults.crowd import PATIENCE, PLAYED, PURSE, SMALL_PURSE, Person, menu
from faults.findings import Findings
from faults.monkey import KINDS, SERVICES, Monkey, Strike, plan
from faults.witness import Witness
from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.client import JassError, Jasshaus, Patience
from jasshaus.devstack.services import ServiceProcess
from jasshaus.devstack.stack import Stack
from jasshaus.platform.auth import Role
from leftovers import remove_leftovers

TABLE = {
    "JASSHAUS_LEAD_PAUSE": "0",
    "JASSHAUS_TRICK_PAUSE": "0",
    # Who is cut off for longer is played for, as in real life.
    "JASSHAUS_TURN_SECONDS": "3",
    "JASSHAUS_WEIS_SECONDS": "3",
    "JASSHAUS_AWAY_SECONDS": "0.1",
    "JASSHAUS_IDLE_LIMIT": "40",
}
MATCHMAKING = {
    "JASSHAUS_RESERVATION_TTL": "3",
    # A storm's players come and go far more often than people.
    "JASSHAUS_LOBBY_REFILL": "0.5",
    "JASSHAUS_LOST_TABLE_GRACE": "5",
}
#: One in so many people is a nuisance.
NUISANCES = 4
PORTS = range(20_000, 32_000)
PREFIX = "jasshaus-storm-"
#: What is to be looked at is not taken for a killed storm's.
KEPT = "jasshaus-wrong-"


@dataclass(frozen=True)
class Options:
    """`only`: numbers of the plan's faults to carry out, to find the one that matters; empty: all of them."""

    seed: int
    seconds: float
    games: int = 4
    kinds: Sequence[str] = tuple(KINDS)
    only: Sequence[int] = ()
    pace: float = 1.2
    calm: float = 100.0
    game_ttl: float = 25.0
    say: bool = False

    @property
    def strikes(self) -> list[Strike]:
        strikes = plan(self.seed, self.seconds, self.kinds, self.pace)
        return [strikes[number] for number in self.only] if self.only else strikes


def calm_ports(count: int) -> list[int]:
    """Free ports that no outgoing connection ever takes: a killed service must find its own again."""
    found: list[int] = []
    for port in random.sample(PORTS, len(PORTS)):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                found.append(port)
        if len(found) == count:
            break
    return found


class Doubled(Stack):
    """A stack with two replicas of everything: `wallet` and `wallet-1`, `matchmaking` and `matchmaking-1`."""

    def __init__(self, folder: Path, findings: Findings, **matchmaking: str) -> None:
        ports = calm_ports(2 * len(SERVICES))
        self.addresses = {name: f"127.0.0.1:{ports.pop()}" for name in SERVICES}
        self._metrics = {name: str(ports.pop()) for name in SERVICES}
        everybody = {
            "JASSHAUS_WALLET_ADDRESS": self.any_of("wallet", "wallet-1"),
            "JASSHAUS_MATCHMAKING_ADDRESS": self.any_of("matchmaking", "matchmaking-1"),
        }
        environment = {
            "table": {**TABLE, **everybody},
            "matchmaking": {**MATCHMAKING, **everybody, **matchmaking},
        }
        for name in SERVICES:
            more = {"JASSHAUS_METRICS_PORT": self._metrics[name]}
            environment[name] = {**environment.get(name, {}), **more}
        named = {name: int(address.rpartition(":")[2]) for name, address in self.addresses.items()}
        super().__init__(folder, tables=2, environment=environment, ports=named, report=findings.blame)

    def any_of(self, *names: str) -> str:
        """A gRPC target: the first of these processes that answers."""
        return "ipv4:" + ",".join(self.addresses[name] for name in names)

    def _plan_services(self, undo: AsyncExitStack) -> None:
        super()._plan_services(undo)
        for name, kind in (("wallet-1", "wallet"), ("matchmaking-1", "matchmaking")):
            environ = {
                **self.processes[kind]._environ,
                "JASSHAUS_LISTEN": self.addresses[name],
                "JASSHAUS_METRICS_PORT": self._metrics[name],
            }
            self.processes[name] = ServiceProcess(
                name, f"jasshaus.{kind}", (), environ, address=self.addresses[name], data=self.data_dir
            )


class Relayed(Doubled):
    """One whose services reach Redis through a proxy, which may lead them to another one."""

    def __init__(self, folder: Path, findings: Findings, **matchmaking: str) -> None:
        super().__init__(folder, findings, **matchmaking)
        self.relay = Relay("")
        self._relaying = AsyncExitStack()

    async def start(self) -> None:
        await self._relaying.enter_async_context(self.relay.serve())
        await super().start()

    async def stop(self) -> None:
        await super().stop()
        await self._relaying.aclose()

    @property
    def redis_socket(self) -> str:
        return unquote(urlsplit(self.redis_url).path)

    @property
    def redis_password(self) -> str:
        return urlsplit(self.redis_url).password or ""

    def _environ(self, name: str, kind: str, address: str) -> dict[str, str]:
        self.relay.target = self.redis_socket
        url = f"redis://:{self.redis_password}@127.0.0.1:{self.relay.port}/0"
        return {**super()._environ(name, kind, address), "JASSHAUS_REDIS_URL": url}


def new_folder(memory: Path = Path("/dev/shm")) -> Path:
    """A folder in memory where there is some, open to whom PostgreSQL runs as.

    Those of storms that were killed go first: they are known by the lock that nobody holds any more.
    """
    parent = memory if memory.is_dir() else Path(tempfile.gettempdir())
    remove_leftovers(parent, PREFIX)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    folder.chmod(0o711)
    return folder


def connections(stack: Doubled, name: str) -> tuple[Jasshaus, Jasshaus]:
    """Two devices of one person: gRPC takes the first address that answers, in turned order another."""
    return tuple(
        Jasshaus(
            matchmaking=stack.any_of(*turn(("matchmaking", "matchmaking-1"))),
            table=stack.any_of(*turn(("table-0", "table-1"))),
            wallet=stack.any_of(*turn(("wallet", "wallet-1"))),
            token=stack.token(name),
            patience=PATIENCE,
        )
        for turn in (tuple, reversed)
    )


async def storm(options: Options) -> Findings:
    """Run one; the data folder stays when something is wrong, and the findings name it."""
    findings = Findings()
    folder = new_folder()
    stack = Relayed(folder, findings, JASSHAUS_GAME_TTL=f"{options.game_ttl:g}")
    try:
        async with stack:
            await _weather(options, stack, findings)
        invariants.check_logs(folder, findings)
    except Exception as error:
        findings.blame(f"the storm itself broke off: {error!r}")
        raise
    finally:
        if findings.wrong:
            kept = folder.rename(folder.with_name(folder.name.replace(PREFIX, KEPT)))
            findings.blame(f"data and logs are in {kept}")
        else:
            shutil.rmtree(folder)
    return findings


async def _weather(options: Options, stack: Doubled, findings: Findings) -> None:
    chance = random.Random(options.seed)
    chronicle, dishes, ending = Chronicle(), menu(), asyncio.Event()
    async with AsyncExitStack() as clients:
        operator = await clients.enter_async_context(
            Jasshaus(
                matchmaking=stack.any_of("matchmaking", "matchmaking-1"),
                table=stack.any_of("table-0", "table-1"),
                wallet=stack.any_of("wallet", "wallet-1"),
                token=stack.token("operator", [Role.OPERATOR]),
                patience=Patience(call=60, connect=60),
            )
        )
        names = [f"player-{number}" for number in range(4 * options.games)]
        people = [
            Person(
                name,
                lambda name=name: connections(stack, name),
                random.Random(chance.random()),
                findings,
                chronicle,
                dishes,
                ending,
                options.games,
                nuisance=number % NUISANCES == 1,
            )
            for number, name in enumerate(names)
        ]
        for number, name in enumerate(names):
            purse = SMALL_PURSE if number % 6 == 5 else PURSE
            await operator.wallet.deposit(name, Amount(currency_code="CHF", minor_units=purse))
        findings.started = time.monotonic()
        living = {asyncio.create_task(person.live()): person for person in people}
        monkey = Monkey(stack, findings, say=options.say)
        looking = asyncio.create_task(_look_on(operator, chronicle, findings, chance))
        try:
            await monkey.run(options.strikes)
        finally:
            await monkey.heal()
            looking.cancel()
            for error in await asyncio.gather(looking, return_exceptions=True):
                if isinstance(error, Exception):
                    findings.blame(f"the onlooker: {error!r}")
        calm = time.monotonic()
        await _play_on(options.calm / 2, findings)
        ending.set()
        await _go_home(living, options.calm / 2, findings)
        await _settle(stack, options.calm, findings)
        findings.counts["seconds until all was settled"] = round(time.monotonic() - calm)
        await invariants.check(stack, operator, chronicle, findings)


async def _look_on(
    operator: Jasshaus, chronicle: Chronicle, findings: Findings, chance: random.Random
) -> None:
    """See of the latest tables what somebody sees who has no seat there."""
    witness = Witness("an onlooker", findings)
    while True:
        await asyncio.sleep(chance.uniform(0, 0.5))
        for table_id in chronicle.begun[-8:]:
            with suppress(JassError):
                witness.look_at(await operator.table.get_table(table_id))
                findings.count("views of an onlooker")


async def _play_on(seconds: float, findings: Findings) -> None:
    """Once all is mended, people play either game as before."""
    before, give_up = dict(findings.counts), time.monotonic() + seconds
    while missing := [each for each in PLAYED.values() if findings.counts[each] <= before.get(each, 0)]:
        if time.monotonic() > give_up:
            findings.blame(f"{seconds:g} s after the storm still no {missing}")
            return
        await asyncio.sleep(0.2)


async def _go_home(living: dict[asyncio.Task[None], Person], seconds: float, findings: Findings) -> None:
    """Everybody plays to the end and leaves; who does not hangs."""
    done, hanging = await asyncio.wait(living, timeout=seconds)
    for task in hanging:
        findings.blame(f"{living[task].name} still hangs, {living[task].doing}")
        task.cancel()
    for task in done:
        error = task.exception()
        if error is not None:
            findings.blame(f"{living[task].name}, {living[task].doing}: {error!r}")
    await asyncio.gather(*hanging, return_exceptions=True)


async def _settle(stack: Stack, seconds: float, findings: Findings) -> None:
    """Wait until no game is under way any more."""
    give_up = time.monotonic() + seconds
    query = f"SELECT count(*) FROM matchmaking.game WHERE {invariants.LIVE} OR next_check IS NOT NULL"
    while time.monotonic() < give_up:
        with psycopg.connect(stack.dsn()) as connection:
            if connection.execute(query).fetchone() == (0,):
                # The last tables are closed by the outbox after they are reported.
                await asyncio.sleep(3)
                return
        await asyncio.sleep(0.5)
    findings.blame(f"games are still not over after {seconds:g} s")
