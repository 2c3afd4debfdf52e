"""A small real server with the platform's interceptor, and tokens for it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue
from grpc_health.v1 import health_pb2_grpc
from prometheus_client import CollectorRegistry

from jasshaus.platform.auth import Role, Verifier, mint_token
from jasshaus.platform.config import PlatformConfig, read_config
from jasshaus.platform.errors import Fault
from jasshaus.platform.health import Health
from jasshaus.platform.interceptor import RpcInterceptor
from jasshaus.platform.limits import Limits
from jasshaus.platform.metrics import RpcMetrics
from jasshaus.platform.reflection import add_reflection
from jasshaus.platform.server import _options
from jasshaus.platform.stopping import Stopping

SECRET = "a secret for tests, of 32 bytes or more"
SERVICE = "test.v1.EchoService"
ACCESS = {
    f"/{SERVICE}/Echo": frozenset({Role.PLAYER}),
    f"/{SERVICE}/Repeat": frozenset({Role.PLAYER}),
    f"/{SERVICE}/Collect": frozenset({Role.PLAYER}),
    f"/{SERVICE}/Chat": frozenset({Role.PLAYER}),
}

Echo = Callable[[StringValue, Any], Awaitable[StringValue]]
Repeat = Callable[[StringValue, Any], Any]


def player(**claims: Any) -> tuple[tuple[str, str], ...]:
    """Call metadata with a player's token."""
    return (("authorization", f"Bearer {mint_token(SECRET, 'anna', [Role.PLAYER], **claims)}"),)


async def _echo(request: StringValue, _context: Any) -> StringValue:
    return request


async def _repeat(request: StringValue, _context: Any) -> AsyncIterator[StringValue]:
    for _ in range(3):
        yield request


async def _collect(requests: AsyncIterator[StringValue], _context: Any) -> StringValue:
    return StringValue(value="".join([request.value async for request in requests]))


async def _chat(requests: AsyncIterator[StringValue], _context: Any) -> AsyncIterator[StringValue]:
    async for request in requests:
        yield request


@dataclass
class EchoServer:
    """What a test may change while it runs (`echo`, `repeat`), and how to call it."""

    channel: grpc.aio.Channel
    registry: CollectorRegistry
    address: str
    echo: Echo = _echo
    repeat: Repeat = _repeat
    translations: Mapping[type[Exception], Fault] = field(default_factory=dict)

    def _stub(self, kind: str, method: str) -> Any:
        make = getattr(self.channel, kind)
        return make(
            f"/{SERVICE}/{method}",
            request_serializer=lambda each: each if isinstance(each, bytes) else each.SerializeToString(),
            response_deserializer=StringValue.FromString,
        )

    def call(self, text: str | bytes = "hello", *, metadata: Any = None, method: str = "Echo") -> Any:
        request = text if isinstance(text, bytes) else StringValue(value=text)
        return self._stub("unary_unary", method)(request, metadata=player() if metadata is None else metadata)

    def stream(self, text: str = "hello", *, metadata: Any = None) -> Any:
        request = StringValue(value=text)
        return self._stub("unary_stream", "Repeat")(
            request, metadata=player() if metadata is None else metadata
        )

    def collect(self, texts: list[Any], *, chat: bool = False) -> Any:
        requests = [text if isinstance(text, bytes) else StringValue(value=text) for text in texts]
        if chat:
            return self._stub("stream_stream", "Chat")(iter(requests), metadata=player())
        return self._stub("stream_unary", "Collect")(iter(requests), metadata=player())

    def metric(self, name: str, **labels: str) -> float | None:
        return self.registry.get_sample_value(name, labels)


@pytest.fixture
async def echo_server(request: pytest.FixtureRequest) -> AsyncIterator[EchoServer]:
    """Parametrized indirectly: with these limits."""
    registry = CollectorRegistry()
    interceptor = RpcInterceptor(
        Verifier(dev_secret=SECRET),
        ACCESS,
        RpcMetrics(ACCESS, registry),
        translate=lambda error: running.translations.get(type(error)),
        limits=Limits(**getattr(request, "param", {})),
    )
    config = read_config(PlatformConfig, {"JASSHAUS_MODE": "development", "JASSHAUS_DEV_SECRET": SECRET})
    server = grpc.aio.server(interceptors=[interceptor], options=_options(config))

    async def echo(request: StringValue, context: Any) -> StringValue:
        return await running.echo(request, context)

    async def repeat(request: StringValue, context: Any) -> AsyncIterator[StringValue]:
        async for response in running.repeat(request, context):
            yield response

    codec = {
        "request_deserializer": StringValue.FromString,
        "response_serializer": StringValue.SerializeToString,
    }
    handlers = {
        "Echo": grpc.unary_unary_rpc_method_handler(echo, **codec),
        "Repeat": grpc.unary_stream_rpc_method_handler(repeat, **codec),
        "Collect": grpc.stream_unary_rpc_method_handler(_collect, **codec),
        "Chat": grpc.stream_stream_rpc_method_handler(_chat, **codec),
        "Forgotten": grpc.unary_unary_rpc_method_handler(echo, **codec),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    health = Health([SERVICE], Stopping())
    health_pb2_grpc.add_HealthServicer_to_server(health.servicer, server)
    add_reflection(
        [
            "grpc.health.v1.Health",
            "jasshaus.api.matchmaking.v1.HistoryService",
            "jasshaus.api.matchmaking.v1.LobbyService",
        ],
        server,
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        running = EchoServer(channel, registry, f"127.0.0.1:{port}")
        yield running
    await server.stop(0)
