"""Every RPC of the contracts by every role, asked of a real server that has them all."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from prometheus_client import CollectorRegistry

import jasshaus.api
from jasshaus.api.common.v1 import reasons_pb2
from jasshaus.platform import access
from jasshaus.platform.access import ACCESS
from jasshaus.platform.auth import Role, Verifier, mint_token
from jasshaus.platform.errors import Fault, from_rpc_error
from jasshaus.platform.interceptor import RpcInterceptor
from jasshaus.platform.metrics import RpcMetrics

from .conftest import SECRET


def services() -> Iterator[ServiceDescriptor]:
    for module in pkgutil.walk_packages(jasshaus.api.__path__, "jasshaus.api."):
        if module.name.endswith("_pb2"):
            yield from importlib.import_module(module.name).DESCRIPTOR.services_by_name.values()


METHODS = {
    f"/{service.full_name}/{method.name}": method for service in services() for method in service.methods
}


def test_the_role_table_has_every_rpc_and_no_other() -> None:
    assert set(ACCESS) == set(METHODS)
    assert all(ACCESS.values())


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    """A server whose handlers all say ALREADY_EXISTS: proof that the interceptor let the call through."""
    interceptor = RpcInterceptor(Verifier(dev_secret=SECRET), ACCESS, RpcMetrics(ACCESS, CollectorRegistry()))
    server = grpc.aio.server(interceptors=[interceptor])

    async def reached(_request: Any, _context: Any) -> Any:
        raise Fault(grpc.StatusCode.ALREADY_EXISTS, "SEAT_TAKEN", "reached")

    async def reached_stream(_request: Any, _context: Any) -> Any:
        raise Fault(grpc.StatusCode.ALREADY_EXISTS, "SEAT_TAKEN", "reached")
        yield

    for service in services():
        handlers = {
            method.name: grpc.unary_stream_rpc_method_handler(reached_stream)
            if method.server_streaming
            else grpc.unary_unary_rpc_method_handler(reached)
            for method in service.methods
        }
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service.full_name, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as open_channel:
        yield open_channel
    await server.stop(0)


async def reason(channel: grpc.aio.Channel, name: str, method: MethodDescriptor, token: str | None) -> str:
    metadata = () if token is None else (("authorization", f"Bearer {token}"),)
    if method.server_streaming:
        answer = channel.unary_stream(name)(b"", metadata=metadata).read()
    else:
        answer = channel.unary_unary(name)(b"", metadata=metadata)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await answer
    fault = from_rpc_error(caught.value)
    assert fault is not None
    return fault.reason


@pytest.mark.parametrize("role", [*Role, "unheard-of", None])
async def test_each_role_is_let_in_where_the_table_says_so_and_nowhere_else(
    channel: grpc.aio.Channel, role: str | None
) -> None:
    token = mint_token(SECRET, "somebody", [] if role is None else [role])
    expected = {name: "SEAT_TAKEN" if role in roles else "ROLE_NOT_ALLOWED" for name, roles in ACCESS.items()}
    assert {name: await reason(channel, name, method, token) for name, method in METHODS.items()} == expected


async def test_no_rpc_without_a_token(channel: grpc.aio.Channel) -> None:
    assert {await reason(channel, name, method, None) for name, method in METHODS.items()} == {
        "TOKEN_MISSING"
    }


def test_money_is_never_a_players_to_move() -> None:
    """Written out once more, so that a slip in the table is a failing test and not a policy."""
    for name, roles in ACCESS.items():
        if "/jasshaus.api.wallet.v1.PotService/" in name:
            assert roles <= {Role.SERVICE, Role.OPERATOR}, name
        if "CashierService" in name:
            assert roles == {Role.OPERATOR}, name
        if name.endswith(("/Act", "/JoinGame", "/OpenGame", "/LeaveGame")):
            assert roles == {Role.PLAYER}, name


def test_the_platforms_reasons_are_in_the_public_enum() -> None:
    public = {name.removeprefix("ERROR_REASON_") for name in reasons_pb2.ErrorReason.keys()}  # noqa: SIM118 - an enum, no mapping
    assert {
        "BODY_TIMEOUT",
        "INTERNAL",
        "INVALID_FIELD",
        "KEYS_UNAVAILABLE",
        "MALFORMED_MESSAGE",
        "RATE_LIMITED",
        "ROLE_NOT_ALLOWED",
        "TOKEN_EXPIRED",
        "TOKEN_INVALID",
        "TOKEN_MISSING",
        "TOO_MANY_STREAMS",
        "UNIMPLEMENTED",
        "WATCHER_TOO_SLOW",
    } <= public


def test_methods_of_a_service() -> None:
    names = list(access.methods_of(["jasshaus.api.wallet.v1.CashierService"]))
    assert names[0] == "/jasshaus.api.wallet.v1.CashierService/Deposit"
    assert "/grpc.health.v1.Health/Check" in names
    assert not any("PotService" in name for name in names)
