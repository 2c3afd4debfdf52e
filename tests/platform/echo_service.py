"""A service to run as a process, with real method names, so that the real role table holds.

GetGame echoes after a PAUSE; WatchLobby ticks until it is told to stop (or, DEAF, for ever); one loop may
CRASH; one dependency is a file to WAIT_FOR, its probe may have a BUG; IMPATIENT, an outage counts at once.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.wrappers_pb2 import StringValue

from jasshaus.platform import readiness
from jasshaus.platform.config import PlatformConfig
from jasshaus.platform.server import launch, serve
from jasshaus.platform.stopping import Stopping

LOBBY = "jasshaus.api.matchmaking.v1.LobbyService"
CODEC = {"request_deserializer": StringValue.FromString, "response_serializer": StringValue.SerializeToString}

stopping = Stopping()


async def get_game(request: StringValue, _context: Any) -> StringValue:
    await asyncio.sleep(float(os.environ.get("PAUSE", "0")))
    return request


async def watch(_request: StringValue, _context: Any) -> AsyncIterator[StringValue]:
    yield StringValue(value="first")
    while not await stopping.sleep(60) or "DEAF" in os.environ:
        yield StringValue(value="tick")
        await asyncio.sleep(0.05)
    yield StringValue(value="reconnect")


async def loop(told: Stopping) -> None:
    if "CRASH" in os.environ:
        raise RuntimeError("loop is broken")
    await told.wait()
    print("loop ended", flush=True)


async def writer(told: Stopping) -> None:
    await told.wait_finished()
    print("writer ended", flush=True)


async def dependency() -> None:
    if "BUG" in os.environ:
        raise TypeError("probe is broken")
    if "WAIT_FOR" in os.environ and not await asyncio.to_thread(Path(os.environ["WAIT_FOR"]).exists):
        raise ConnectionError("not there")


def register(server: grpc.aio.Server) -> None:
    handlers = {
        "GetGame": grpc.unary_unary_rpc_method_handler(get_game, **CODEC),
        "WatchLobby": grpc.unary_stream_rpc_method_handler(watch, **CODEC),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(LOBBY, handlers),))


async def start(config: PlatformConfig) -> None:
    await serve(
        "echo",
        config,
        register,
        services=[LOBBY],
        background=[loop, writer],
        dependencies={"file": dependency},
        stopping=stopping,
    )
    print("pools closed", flush=True)


if __name__ == "__main__":
    if "IMPATIENT" in os.environ:
        readiness.PACE = readiness.Pace(every=0.05, limit=1, failures=3)
    launch("echo", PlatformConfig, start)
