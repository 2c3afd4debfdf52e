"""Calls whose caller has gone: what becomes of them is nobody's, and no error in the log."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import grpc
import pytest
from prometheus_client import CollectorRegistry
from redis.exceptions import ConnectionError as RedisConnectionError
from structlog.testing import capture_logs

from jasshaus.matchmaking.lobby.store import Budget, Lobby
from jasshaus.matchmaking.redis_client import redis_client
from jasshaus.platform.auth import Principal, Verifier
from jasshaus.platform.interceptor import RpcInterceptor
from jasshaus.platform.metrics import RpcMetrics
from jasshaus.platform.primary import Primary


async def test_a_lobby_call_that_fails_after_its_caller_was_cut_off_is_quiet() -> None:
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    fail = asyncio.Event()

    async def command() -> None:
        await fail.wait()
        raise RedisConnectionError("connection refused")

    url = "redis://127.0.0.1:1"
    primary = Primary(url)
    lobby = Lobby(redis_client(url, primary), primary, reservation_ttl=1, max_games=1, budget=Budget(1, 0))
    caller = asyncio.create_task(lobby._shielded(command()))
    await asyncio.sleep(0)
    caller.cancel()
    with suppress(asyncio.CancelledError):
        await caller
    fail.set()
    for _ in range(3):
        await asyncio.sleep(0)
    gc.collect()
    assert complaints == []


class GoneClient:
    """What a handler sees of a client whose connection is lost before its cancellation has arrived."""

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return ()

    def set_trailing_metadata(self, metadata: object) -> None:
        pass

    async def read(self) -> object:
        return object()

    async def write(self, _message: object) -> None:
        raise grpc.aio.InternalError('Failed "execute_batch"')

    async def abort(self, *_details: object) -> None:
        raise AssertionError("there is nobody to tell")


@pytest.mark.parametrize("generates", [True, False], ids=["generator", "writer"])
async def test_a_stream_whose_client_is_gone_is_cancelled_and_no_bug(generates: object) -> None:
    async def generator(request: object, context: Any) -> AsyncIterator[object]:
        yield request

    async def writer(request: object, context: Any) -> None:
        await context.write(request)

    metrics = RpcMetrics(["/s/Watch"], CollectorRegistry())
    interceptor = RpcInterceptor(Verifier(dev_secret="x" * 32), {}, metrics)
    watch = grpc.unary_stream_rpc_method_handler(generator if generates else writer)  # type: ignore[arg-type]
    someone = Principal("anna", "default", frozenset(), "", frozenset(), int(time.time()) + 60)
    handle = interceptor._wrap_stream("/s/Watch", watch, someone)
    with capture_logs() as lines, pytest.raises(asyncio.CancelledError):
        await handle(object(), GoneClient())
    assert [(line["code"], line["log_level"]) for line in lines] == [("CANCELLED", "info")]
