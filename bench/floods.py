"""Floods one replica from loopback; prints what that costs it and a neighbour: `make bench-floods`.

Each flood gets a fresh process: the platform around an echo service, so that no store's speed comes in.
Beside the flood a neighbour with a token of their own calls every 20 ms, and a probe asks for `live` every
100 ms at the health address. All share the machine's cores: compare lines of one run.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf.wrappers_pb2 import StringValue
from grpc_health.v1 import health_pb2, health_pb2_grpc

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.platform.raw_http2 import RawConnection, raw_connection  # noqa: E402

from jasshaus.platform.auth import mint_token  # noqa: E402

SECRET: Final = "a secret for floods, of 32 bytes or more"
LOBBY: Final = "/jasshaus.api.matchmaking.v1.LobbyService"
HEALTH_WATCH: Final = "/grpc.health.v1.Health/Watch"
HEALTH_CHECK: Final = "/grpc.health.v1.Health/Check"
REFLECTION: Final = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
SECONDS: Final = 8.0
# One stream's request is answered with the contract it names.
SYMBOL: Final = b"\x22" + bytes([len("grpc.health.v1.Health")]) + b"grpc.health.v1.Health"

Metadata = tuple[tuple[str, str], ...]
Flood = Callable[[str], Awaitable[None]]


def token(subject: str) -> Metadata:
    """Return call metadata with a player's token."""
    return (("authorization", f"Bearer {mint_token(SECRET, subject, ['player'])}"),)


@dataclass
class Waits:
    """Answers that one caller got, in seconds, and calls that failed."""

    answers: list[float] = field(default_factory=list)
    failed: int = 0

    async def take(self, call: Callable[[], Awaitable[object]]) -> None:
        """Do one call."""
        started = time.perf_counter()
        try:
            await call()
        except grpc.aio.AioRpcError:
            self.failed += 1
        else:
            self.answers.append(time.perf_counter() - started)

    def at(self, share: float) -> float:
        """Return a quantile in milliseconds; NaN when nothing was answered."""
        ordered = sorted(self.answers)
        return ordered[math.ceil(share * len(ordered)) - 1] * 1000 if ordered else math.nan


async def every(seconds: float, waits: Waits, call: Callable[[], Awaitable[object]]) -> None:
    """Call at this pace whatever becomes of the calls before."""
    async with asyncio.TaskGroup() as group:
        while True:
            group.create_task(waits.take(call))
            await asyncio.sleep(seconds)


def start(folder: Path) -> subprocess.Popen[bytes]:
    """Start an echo service on the platform; it writes its address into the folder."""
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, str(ROOT / "tests" / "platform" / "echo_service.py")],
            stdout=log,
            stderr=log,
            env={
                **os.environ,
                "JASSHAUS_MODE": "development",
                "JASSHAUS_DEV_SECRET": SECRET,
                "JASSHAUS_LISTEN": "127.0.0.1:0",
                "JASSHAUS_HEALTH_LISTEN": health_in(folder),
                "JASSHAUS_METRICS_PORT": "off",
                "JASSHAUS_LOG_LEVEL": "error",
                "JASSHAUS_READY_FILE": str(folder / "ready"),
            },
        )


def health_in(folder: Path) -> str:
    """Return where the echo service answers probes."""
    return f"unix:{folder / 'health'}"


def address_in(folder: Path) -> str:
    """Return the address once it is there, "" before."""
    ready = folder / "ready"
    return ready.read_text() if ready.exists() else ""


@asynccontextmanager
async def replica() -> AsyncIterator[tuple[int, str, str]]:
    """Run an echo service; yields its process id, its address and the one for probes."""
    with tempfile.TemporaryDirectory() as name:
        process = start(Path(name))
        try:
            while not (address := address_in(Path(name))):
                assert process.poll() is None, "the echo service did not start"
                await asyncio.sleep(0.05)
            yield process.pid, address, health_in(Path(name))
        finally:
            process.kill()
            await asyncio.to_thread(process.wait)


def resident(pid: int) -> float:
    """Return a process's resident set in MB."""
    fields = Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()
    return int(fields[0]) / 1024


async def connections(address: str, count: int, attack: Callable[[RawConnection], Awaitable[None]]) -> None:
    """Attack over so many connections; each comes back when it is cut off, and reads what it is sent."""

    async def one() -> None:
        while True:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                async with raw_connection(address) as connection:
                    reading = asyncio.create_task(_read(connection))
                    try:
                        await attack(connection)
                        await asyncio.wait((reading,))
                    finally:
                        reading.cancel()
            await asyncio.sleep(0.1)

    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(one())


async def _read(connection: RawConnection) -> None:
    with suppress(ConnectionError, asyncio.IncompleteReadError):
        while True:
            await connection.frame()


def half_open(method: str, streams: int, per: int, metadata: Metadata = (), sent: bytes = b"") -> Flood:
    """Open so many calls over `per` connections, and send no body, or only a part of one."""

    async def flood(address: str) -> None:
        async def attack(connection: RawConnection) -> None:
            for number in range(streams // per):
                stream = connection.open(method, metadata)
                if sent:
                    connection.send(stream, sent)
                if number % 50 == 0:
                    await connection.flush()
                    await asyncio.sleep(0)

        await connections(address, per, attack)

    return flood


def resets(method: str, per: int) -> Flood:
    """Open calls and cancel them at once, for as long as it takes."""

    async def flood(address: str) -> None:
        async def attack(connection: RawConnection) -> None:
            while True:
                for _ in range(50):
                    connection.reset(connection.open(method))
                await connection.flush()
                await asyncio.sleep(0.002)

        await connections(address, per, attack)

    return flood


def comebacks(
    per: int,
    streams: int,
    metadata: Metadata = (),
    method: str = f"{LOBBY}/GetGame",
    held: float = 0.05,
) -> Flood:
    """Open calls on so many connections, hang up, and come back at once with new ones."""

    async def flood(address: str) -> None:
        async def one() -> None:
            while True:
                with suppress(ConnectionError, asyncio.IncompleteReadError):
                    async with raw_connection(address) as connection:
                        for _ in range(streams):
                            connection.open(method, metadata)
                        await connection.flush()
                        await asyncio.sleep(held)
                await asyncio.sleep(0.1)

        async with asyncio.TaskGroup() as group:
            for _ in range(per):
                group.create_task(one())

    return flood


def bodies(calls: int, size: int, metadata: Metadata = ()) -> Flood:
    """Send so many calls with bodies of this size, over four channels, as fast as they go."""

    async def flood(address: str) -> None:
        body = StringValue(value="x" * size).SerializeToString()
        async with AsyncExitStack() as stack:
            options = [("grpc.use_local_subchannel_pool", 1)]
            channels = [
                await stack.enter_async_context(grpc.aio.insecure_channel(address, options=options))
                for _ in range(4)
            ]
            waits = Waits()
            async with asyncio.TaskGroup() as group:
                for number in range(calls):
                    stub: Any = channels[number % 4].unary_unary(f"{LOBBY}/GetGame")
                    group.create_task(
                        waits.take(lambda stub=stub: stub(body, metadata=metadata, timeout=SECONDS))  # type: ignore[misc]
                    )
            await asyncio.Event().wait()

    return flood


def deaf(method: str, streams: int, per: int, metadata: Metadata = ()) -> Flood:
    """Open streams and leave the server no window to send anything."""

    async def flood(address: str) -> None:
        async def one() -> None:
            while True:
                with suppress(ConnectionError, asyncio.IncompleteReadError):
                    async with raw_connection(address, window=0) as connection:
                        for _ in range(streams // per):
                            connection.open(method, metadata, body=b"")
                        await connection.flush()
                        await _read(connection)
                await asyncio.sleep(0.1)

        async with asyncio.TaskGroup() as group:
            for _ in range(per):
                group.create_task(one())

    return flood


def reflections(per: int, streams: int) -> Flood:
    """Ask for contracts, for as long as it takes, on so many streams of so many connections."""

    async def flood(address: str) -> None:
        async def one(channel: grpc.aio.Channel) -> None:
            async def requests() -> AsyncIterator[bytes]:
                while True:
                    yield SYMBOL

            while True:
                with suppress(grpc.aio.AioRpcError):
                    call: Any = channel.stream_stream(REFLECTION)(requests())
                    async for _ in call:
                        pass
                await asyncio.sleep(0.01)

        async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
            for _ in range(per):
                options = [("grpc.use_local_subchannel_pool", 1)]
                channel = grpc.aio.insecure_channel(address, options=options)
                await stack.enter_async_context(channel)
                for _ in range(streams):
                    group.create_task(one(channel))

    return flood


def unary(channel: grpc.aio.Channel, method: str) -> Any:
    """Return a unary method of the echo service."""
    return channel.unary_unary(
        f"{LOBBY}/{method}",
        request_serializer=StringValue.SerializeToString,
        response_deserializer=StringValue.FromString,
    )


async def quiet(_address: str) -> None:
    """No flood."""
    await asyncio.Event().wait()


ATTACKER: Final = token("attacker")
NONSENSE: Final = (
    ("authorization", "Bearer " + ".".join(ATTACKER[0][1].split()[1].split(".")[:2]) + ".AAAA"),
)
FLOODS: Final[dict[str, Flood]] = {
    "none": quiet,
    "40,000 half-open, anonymous, 1 connection": half_open(f"{LOBBY}/GetGame", 40_000, 1),
    "40,000 half-open, anonymous, 8 connections": half_open(f"{LOBBY}/GetGame", 40_000, 8),
    "40,000 half-open health checks, 8 connections": half_open(HEALTH_CHECK, 40_000, 8),
    "calls without end, forged token, 4 connections": half_open(f"{LOBBY}/GetGame", 100_000, 4, NONSENSE),
    "resets without end, 2 connections": resets(f"{LOBBY}/GetGame", 2),
    "450 bodies of 4 MB, anonymous": bodies(450, 4_000_000),
    "450 bodies of 4 MB, one token": bodies(450, 4_000_000, ATTACKER),
    "8,000 half-open, one token, 8 connections": half_open(f"{LOBBY}/GetGame", 8_000, 8, ATTACKER),
    "2,000 bodies of 60 of 200 KB, one token": half_open(
        f"{LOBBY}/GetGame", 2_000, 8, ATTACKER, b"\0" + (200_000).to_bytes(4, "big") + bytes(60_000)
    ),
    "128 half-open and back at once, anonymous, 8": comebacks(8, 128),
    "128 half-open and back at once, one token, 8": comebacks(8, 128, ATTACKER),
    "128 health checks and back at once, 40": comebacks(40, 128, (), HEALTH_CHECK, 0.4),
    "2,000 streams that read nothing, one token": deaf(f"{LOBBY}/WatchLobby", 2_000, 20, ATTACKER),
    "2,000 health watchers that read nothing": deaf(HEALTH_WATCH, 2_000, 20),
    "reflection without end, 4 x 16 streams": reflections(4, 16),
}


async def measure(name: str) -> None:
    """Run one flood for some seconds and print its line."""
    async with replica() as (pid, address, probes):
        neighbour, probe = Waits(), Waits()
        options = [("grpc.use_local_subchannel_pool", 1)]
        async with (
            grpc.aio.insecure_channel(address, options=options) as one,
            grpc.aio.insecure_channel(probes, options=options) as other,
        ):
            game, health, metadata = (
                unary(one, "GetGame"),
                health_pb2_grpc.HealthStub(other),
                token("neighbour"),
            )
            live = health_pb2.HealthCheckRequest(service="live")
            await game(StringValue(value="first"), metadata=metadata)
            before = highest = resident(pid)
            attacker = await asyncio.create_subprocess_exec(
                sys.executable,
                __file__,
                "--attack",
                name,
                "--address",
                address,
                stderr=asyncio.subprocess.DEVNULL,
            )
            await asyncio.sleep(1)  # its start is no flood
            work = [
                asyncio.create_task(
                    every(0.02, neighbour, lambda: game(StringValue(), metadata=metadata, timeout=5))
                ),
                asyncio.create_task(every(0.1, probe, lambda: health.Check(live, timeout=5))),
            ]
            end = time.monotonic() + SECONDS
            while time.monotonic() < end:
                await asyncio.sleep(0.1)
                highest = max(highest, resident(pid))
            attacker.kill()
            await attacker.wait()
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
            await asyncio.sleep(2)
            after = resident(pid)
    print(
        f"| {name:<48} | {before:5.0f} | {highest:5.0f} | {after:5.0f} | {neighbour.at(0.5):8.1f} "
        f"| {neighbour.at(0.99):8.1f} | {neighbour.failed:6} | {probe.at(0.99):8.1f} | {probe.failed:6} |",
        flush=True,
    )


async def main(wanted: Sequence[str]) -> None:
    """Run the floods whose name has one of these words, or all."""
    print(
        f"| {'flood (8 s)':<48} | RSS MB before | highest | after | neighbour p50 ms | p99 | failed "
        "| probe p99 ms | failed |\n|---|---|---|---|---|---|---|---|---|"
    )
    for name in FLOODS:
        if not wanted or any(word in name for word in wanted):
            await measure(name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="words: floods that have one of them in their name")
    parser.add_argument("--attack", choices=FLOODS, help=argparse.SUPPRESS)
    parser.add_argument("--address", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.attack:
        asyncio.run(FLOODS[asked.attack](asked.address))
    else:
        asyncio.run(main(asked.only))
