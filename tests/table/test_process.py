"""The service as a process: start, refuse a seed in production, drain, die, share a table with another."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest

from jasshaus.api.table.v1 import table_pb2
from jasshaus.platform.auth import Role, mint_token
from table.harness import SECRET, STAKE, Caller, Harness, any_action, deciding, new_table


@dataclass
class Process:
    """A table process; `address` once it is ready."""

    process: subprocess.Popen[bytes]
    ready: Path
    log: Path

    async def address(self) -> str:
        async with asyncio.timeout(20):
            while not self.ready.exists():
                assert self.process.poll() is None, self.log.read_text()
                await asyncio.sleep(0.02)
        return self.ready.read_text()

    async def exit_code(self) -> int:
        async with asyncio.timeout(20):
            while (code := self.process.poll()) is None:
                await asyncio.sleep(0.02)
        return code


@pytest.fixture
async def start(harness: Harness, tmp_path: Path) -> AsyncIterator[Callable[..., Process]]:
    started: list[Process] = []

    def begin(*arguments: str, **environment: str) -> Process:
        number = len(started)
        ready, log = tmp_path / f"ready-{number}", tmp_path / f"log-{number}"
        environ = os.environ | {
            "JASSHAUS_MODE": "development",
            "JASSHAUS_DEV_SECRET": SECRET,
            "JASSHAUS_LISTEN": "127.0.0.1:0",
            "JASSHAUS_METRICS_PORT": "off",
            "JASSHAUS_READY_FILE": str(ready),
            "JASSHAUS_SHUTDOWN_PAUSE": "0",
            "JASSHAUS_REDIS_URL": harness.redis_url,
            "JASSHAUS_WALLET_ADDRESS": harness.wallet_address,
            "JASSHAUS_MATCHMAKING_ADDRESS": harness.history_address,
            "JASSHAUS_SERVICE_TOKEN": mint_token(SECRET, "table", [Role.SERVICE]),
            "JASSHAUS_LEAD_PAUSE": "0",
            "JASSHAUS_TRICK_PAUSE": "0",
            **environment,
        }
        command = [sys.executable, "-m", "jasshaus.table", *arguments]
        with log.open("wb") as output:
            process = subprocess.Popen(command, env=environ, stdout=output, stderr=output)
        started.append(Process(process, ready, log))
        return started[-1]

    yield begin
    for each in started:
        if each.process.poll() is None:
            each.process.kill()
        each.process.wait()


@asynccontextmanager
async def visitors(process: Process) -> AsyncIterator[Callable[..., Caller]]:
    async with grpc.aio.insecure_channel(await process.address()) as channel:

        def come(subject: str, role: Role = Role.PLAYER) -> Caller:
            return Caller(channel, mint_token(SECRET, subject, [role]))

        yield come


async def one_step(come: Callable[..., Caller], table_id: str) -> table_pb2.TableView:
    spectator = await come("matchmaking", Role.SERVICE).get(table_id)
    player = come(spectator.seats[deciding(spectator)[0]].player_id)
    action = any_action(await player.get(table_id))
    assert action is not None
    return (await player.act(table_id, action)).view


async def test_production_takes_no_seed(start: Callable[..., Process]) -> None:
    process = start(
        "--seed",
        "7",
        JASSHAUS_MODE="production",
        JASSHAUS_DEV_SECRET="",
        JASSHAUS_JWKS="/nowhere.json",
        JASSHAUS_JWT_ISSUER="x",
        JASSHAUS_JWT_AUDIENCE="x",
    )
    assert await process.exit_code() == 2
    assert "--seed is for JASSHAUS_MODE=development only" in process.log.read_text()
    assert "Traceback" not in process.log.read_text()


async def test_all_that_is_missing_is_named_at_once(start: Callable[..., Process]) -> None:
    process = start(JASSHAUS_REDIS_URL="", JASSHAUS_WALLET_ADDRESS="", JASSHAUS_TURN_SECONDS="soon")
    assert await process.exit_code() == 2
    log = process.log.read_text()
    for name in ("JASSHAUS_REDIS_URL", "JASSHAUS_WALLET_ADDRESS", "JASSHAUS_TURN_SECONDS"):
        assert name in log


async def test_the_same_seed_deals_the_same_cards(start: Callable[..., Process]) -> None:
    processes = [start("--seed", "7"), start("--seed", "7"), start("--seed", "8"), start()]
    hands = []
    for process in processes:
        async with visitors(process) as come:
            request = new_table()
            await come("matchmaking", Role.SERVICE).create(request)
            hands.append(list((await come("anna").get(request.table_id)).hand))
    assert hands[0] == hands[1]
    assert len({tuple(hand) for hand in hands}) == 3


async def test_a_killed_replica_loses_nothing(harness: Harness, start: Callable[..., Process]) -> None:
    first, second = start(), start()
    request = new_table(stake=STAKE, target=100)
    await harness.lock_pot(request)
    async with visitors(first) as one, visitors(second) as two:
        await one("matchmaking", Role.SERVICE).create(request)
        stream = two("anna").watch(request.table_id)
        await stream.next()
        while (await one_step(one, request.table_id)).phase != table_pb2.PHASE_TRICKS:
            await stream.next()
        await one_step(one, request.table_id)
        first.process.kill()
        view = await one_step(two, request.table_id)
        while view.status == table_pb2.TABLE_STATUS_PLAYING:
            view = await one_step(two, request.table_id)
        updates = await stream.until(lambda view: view.status == table_pb2.TABLE_STATUS_FINISHED)
    versions = sorted({event.version for update in updates for event in update.delta.events})
    assert versions == list(range(versions[0], versions[-1] + 1))
    assert harness.wallet.total() == 0
    assert harness.wallet.count("SettlePot") == 1


async def test_a_drain_ends_streams_and_exits_cleanly(
    harness: Harness, start: Callable[..., Process]
) -> None:
    process = start()
    async with visitors(process) as come:
        request = new_table()
        await come("matchmaking", Role.SERVICE).create(request)
        stream = come("anna").watch(request.table_id)
        await stream.next()
        process.process.send_signal(signal.SIGTERM)
        assert (await stream.next()).HasField("reconnect")
        await stream.ended()
    assert await process.exit_code() == 0
    log = process.log.read_text()
    assert "Traceback" not in log
    assert "_crashed" not in log


async def test_no_log_line_shows_a_card(harness: Harness, start: Callable[..., Process]) -> None:
    fast = {f"JASSHAUS_{name}_SECONDS": "0.05" for name in ("TURN", "WEIS", "AWAY")}
    process = start(JASSHAUS_LOG_LEVEL="debug", **fast)
    async with visitors(process) as come:
        request = new_table(target=100)
        service = come("matchmaking", Role.SERVICE)
        await service.create(request)
        async with asyncio.timeout(30):
            while (await service.get(request.table_id)).status == table_pb2.TABLE_STATUS_PLAYING:
                await asyncio.sleep(0.2)
    log = process.log.read_text()
    assert "timed_out" in log
    for secret in ("CARD_", "hand", "deck", "seed", SECRET):
        assert secret not in log
