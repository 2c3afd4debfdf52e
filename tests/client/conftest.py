"""Scripted servers: each RPC answers what a test put in its queue, and remembers what it was asked."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from jasshaus.api.matchmaking.v1 import matchmaking_pb2_grpc
from jasshaus.api.table.v1 import table_pb2_grpc
from jasshaus.api.wallet.v1 import wallet_pb2_grpc
from jasshaus.client import Jasshaus, Patience

QUICK = Patience(call=5, attempt=2, stream=5, silence=2)


class Failure(Exception):  # noqa: N818 - a scripted answer
    """A status to answer with."""

    def __init__(
        self, code: grpc.StatusCode, reason: str, *details: Any, retry_after: float | None = None
    ) -> None:
        super().__init__(reason)
        self.code = code
        self.status = Status(code=code.value[0], message=f"because of {reason}")
        if reason:
            self.status.details.add().Pack(ErrorInfo(reason=reason, domain="jasshaus", metadata={"k": "v"}))
        if retry_after is not None:
            delay = Duration()
            delay.FromMilliseconds(int(retry_after * 1000))
            self.status.details.add().Pack(RetryInfo(retry_delay=delay))
        for detail in details:
            self.status.details.add().Pack(detail)


def bad_field(field: str, description: str) -> BadRequest:
    return BadRequest(field_violations=[BadRequest.FieldViolation(field=field, description=description)])


class Script:
    """The answers of the scripted servers, by RPC name, and the calls they got: (name, request, token)."""

    def __init__(self) -> None:
        self.answers: dict[str, deque[Any]] = {}
        self.calls: list[tuple[str, Any, str]] = []

    def answer(self, name: str, *answers: Any) -> None:
        self.answers.setdefault(name, deque()).extend(answers)

    def requests(self, name: str) -> list[Any]:
        return [request for called, request, _ in self.calls if called == name]

    async def take(self, name: str, request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
        token = next(
            (value for key, value in context.invocation_metadata() or () if key == "authorization"), ""
        )
        self.calls.append((name, request, str(token)))
        answer = self.answers[name].popleft()
        if callable(answer):
            answer = answer(request)
        if isinstance(answer, Failure):
            await context.abort(
                answer.code,
                answer.status.message,
                (("grpc-status-details-bin", answer.status.SerializeToString()),),
            )
        return answer


def unary(script: Script, name: str) -> Callable[..., Awaitable[Any]]:
    async def handle(_self: Any, request: Any, context: Any) -> Any:
        return await script.take(name, request, context)

    return handle


def streaming(script: Script, name: str) -> Callable[..., AsyncIterator[Any]]:
    async def handle(_self: Any, request: Any, context: Any) -> AsyncIterator[Any]:
        for each in await script.take(name, request, context):
            if isinstance(each, Failure):
                await context.abort(
                    each.code,
                    each.status.message,
                    (("grpc-status-details-bin", each.status.SerializeToString()),),
                )
            if each is None:
                await asyncio.sleep(30)
            yield each

    return handle


def scripted(base: type, script: Script) -> Any:
    methods = {
        name: (streaming if name.startswith("Watch") else unary)(script, name)
        for name in dir(base)
        if name[0].isupper()
    }
    return type(f"Scripted{base.__name__}", (base,), methods)()


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
async def address(script: Script) -> AsyncIterator[str]:
    server = grpc.aio.server()
    matchmaking_pb2_grpc.add_LobbyServiceServicer_to_server(
        scripted(matchmaking_pb2_grpc.LobbyServiceServicer, script), server
    )
    table_pb2_grpc.add_TableServiceServicer_to_server(
        scripted(table_pb2_grpc.TableServiceServicer, script), server
    )
    wallet_pb2_grpc.add_WalletServiceServicer_to_server(
        scripted(wallet_pb2_grpc.WalletServiceServicer, script), server
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield f"127.0.0.1:{port}"
    await server.stop(None)


@pytest.fixture
async def jass(address: str) -> AsyncIterator[Jasshaus]:
    async with Jasshaus(
        matchmaking=address, table=address, wallet=address, token="secret", patience=QUICK
    ) as client:
        yield client
