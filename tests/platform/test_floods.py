"""What an anonymous peer, or one with a token, can make a server hold: real sockets, bad manners."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.wrappers_pb2 import StringValue
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from jasshaus.api.internal.v1 import store_pb2
from jasshaus.api.matchmaking.v1 import matchmaking_pb2
from jasshaus.platform import bodies, limits
from jasshaus.platform.auth import mint_token
from jasshaus.platform.errors import from_rpc_error
from jasshaus.platform.server import STREAMS_PER_CONNECTION

from .conftest import SECRET, SERVICE, EchoServer, player
from .raw_http2 import DATA, MAX_CONCURRENT_STREAMS, deaf_streams, message, raw_connection
from .test_server import LOBBY, running

ECHO, REPEAT = f"/{SERVICE}/Echo", f"/{SERVICE}/Repeat"
HEALTH_CHECK, HEALTH_WATCH = "/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
HELLO = StringValue(value="hello").SerializeToString()


async def until(condition: Any) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.01)


async def refused(call: Any) -> str:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    fault = from_rpc_error(caught.value)
    assert fault is not None
    assert fault.retry_after
    return fault.reason


def bearer(roles: list[str], **claims: Any) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {mint_token(SECRET, 'anna', roles, **claims)}"),)


@pytest.mark.parametrize("method", [ECHO, REPEAT, f"/{SERVICE}/Collect", f"/{SERVICE}/Nothing"])
@pytest.mark.parametrize(
    "metadata",
    [(), (("authorization", "Bearer nonsense"),), bearer(["player"], ttl=-60), bearer(["operator"])],
    ids=["none", "nonsense", "expired", "role"],
)
async def test_a_call_that_is_refused_is_so_before_its_body_comes(
    echo_server: EchoServer, method: str, metadata: tuple[tuple[str, str], ...]
) -> None:
    async with raw_connection(echo_server.address) as peer, asyncio.timeout(5):
        streams = [peer.open(method, metadata) for _ in range(20)]
        assert sorted(await peer.ended(streams)) == streams


@pytest.mark.parametrize("echo_server", [{"rate": 0.1, "burst": 1}], indirect=True)
async def test_the_rate_is_judged_before_the_body_comes(echo_server: EchoServer) -> None:
    async with raw_connection(echo_server.address) as peer, asyncio.timeout(5):
        _first, *others = [peer.open(ECHO, player()) for _ in range(5)]
        assert sorted(await peer.ended(others)) == others


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each caller one refusal is given at once, of all three; the others a minute later."""
    for name, value in (("_LATE_RATE", 0.01), ("_LATE_BURST", 1), ("_REFUSALS_RATE", 0.01)):
        monkeypatch.setattr(limits, name, value)
    monkeypatch.setattr(limits, "_REFUSALS_BURST", 3)
    monkeypatch.setattr(limits, "_LONGEST_WAIT", 60.0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("echo_server", [{"rate": 0.01, "burst": 1}], indirect=True)
@pytest.mark.parametrize("metadata", [player(), ()], ids=["token", "none"])
async def test_who_hangs_up_and_comes_back_is_not_answered_again(
    echo_server: EchoServer, metadata: tuple[tuple[str, str], ...]
) -> None:
    def ended(code: str) -> float:
        return echo_server.metric("jasshaus_rpc_handled_total", method=ECHO, code=code) or 0

    refused = "RESOURCE_EXHAUSTED" if metadata else "UNAUTHENTICATED"
    if metadata:
        await echo_server.call(metadata=metadata)
    for times in range(1, 7):
        async with raw_connection(echo_server.address) as peer:
            for _ in range(5):
                peer.open(ECHO, metadata)
            await peer.flush()
            # A call that is answered well does not wait: when its answer is there, those before it are begun.
            assert (await echo_server.call(metadata=player(tenant=f"t{times}"))).value == "hello"
        await until(lambda times=times: ended("CANCELLED") + ended(refused) == 5 * times)
    # One connection is as good as six for a caller; without a token, six have three answers.
    assert ended(refused) == (1 if metadata else 3)
    assert echo_server.metric("jasshaus_rpc_started_total", method=ECHO) == 30 + 6 + bool(metadata)


@pytest.mark.parametrize("method", [ECHO, REPEAT, HEALTH_CHECK, HEALTH_WATCH])
async def test_a_body_that_does_not_come_ends_the_call(
    echo_server: EchoServer, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.2)
    monkeypatch.setattr(bodies, "OPEN_BODY_SECONDS", 0.2)
    async with raw_connection(echo_server.address) as peer, asyncio.timeout(5):
        streams = [peer.open(method, player()) for _ in range(3)]
        # One of them sends all but the last byte.
        peer.send(streams[1], message(HELLO)[:-1])
        assert sorted(await peer.ended(streams)) == streams
    label = method if SERVICE in method else "other"
    await until(
        lambda: echo_server.metric("jasshaus_rpc_handled_total", method=label, code="DEADLINE_EXCEEDED") == 3
    )
    await until(lambda: echo_server.metric("jasshaus_rpc_in_flight") == 0)


async def test_the_reason_of_a_body_that_does_not_come(
    echo_server: EchoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.1)

    async def never() -> AsyncIterator[bytes]:
        await asyncio.sleep(60)
        yield b""

    # The wire does not tell a call with one request from one with a stream of them.
    call: Any = echo_server.channel.stream_unary(ECHO)(never(), metadata=player())
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    fault = from_rpc_error(caught.value)
    assert fault is not None
    assert (fault.code, fault.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "BODY_TIMEOUT")
    assert dict(caught.value.trailing_metadata())["x-request-id"]


async def test_a_client_that_hangs_up_as_it_is_answered_is_no_error() -> None:
    class Gone:
        def trailing_metadata(self) -> None:
            return None

        async def abort(self, *_: Any) -> None:
            raise grpc.aio.InternalError("the client has hung up")

    await bodies._answer(Gone())  # type: ignore[arg-type]


async def test_a_body_in_pieces_is_a_body(echo_server: EchoServer) -> None:
    async with raw_connection(echo_server.address) as peer, asyncio.timeout(5):
        stream, body = peer.open(ECHO, player()), message(HELLO)
        for byte in body:
            peer.send(stream, bytes([byte]))
            await peer.flush()
            await asyncio.sleep(0.01)
        # The client never says that this was all: one request is one request.
        frames = [await peer.frame() for _ in range(2)]
        assert [frame.payload for frame in frames if frame.kind == DATA] == [body]


async def test_a_call_without_a_request_is_malformed(echo_server: EchoServer) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await echo_server.channel.stream_unary(ECHO)(iter(()), metadata=player())
    fault = from_rpc_error(caught.value)
    assert fault is not None
    assert fault.reason == "MALFORMED_MESSAGE"


async def test_a_connection_has_so_many_streams(echo_server: EchoServer) -> None:
    async with raw_connection(echo_server.address) as peer:
        assert peer.settings[MAX_CONCURRENT_STREAMS] == STREAMS_PER_CONNECTION


async def test_a_bomb_is_not_unpacked(echo_server: EchoServer) -> None:
    """100 KiB of gzip, 100 MiB of zeros."""
    seen: list[int] = []

    async def echo(request: StringValue, _context: Any) -> StringValue:
        seen.append(len(request.value))
        return StringValue()

    echo_server.echo = echo
    call: Any = echo_server.channel.unary_unary(ECHO)
    bomb = StringValue(value="0" * (100 << 20)).SerializeToString()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(bomb, metadata=player(), compression=grpc.Compression.Gzip)
    # By its encoding: to find it too large, gRPC would have unpacked it.
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
    assert seen == []


async def test_calls_in_progress_of_one_caller(
    echo_server: EchoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CALLS_IN_FLIGHT", 3)
    async with raw_connection(echo_server.address) as peer:
        streams = [peer.open(ECHO, player()) for _ in range(3)]
        await until(lambda: echo_server.metric("jasshaus_rpc_in_flight") == 3)
        assert await refused(echo_server.call()) == "RATE_LIMITED"
        assert (await echo_server.call(metadata=player(tenant="bern"))).value == "hello"
        peer.reset(streams[0])
        await until(lambda: echo_server.metric("jasshaus_rpc_in_flight") == 2)
        assert (await echo_server.call()).value == "hello"


async def test_an_answer_that_is_not_taken_off_is_a_call_in_progress(
    echo_server: EchoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CALLS_IN_FLIGHT", 3)
    async with raw_connection(echo_server.address, window=0) as peer:
        for _ in range(3):
            peer.open(ECHO, player(), body=HELLO)
        await until(lambda: echo_server.metric("jasshaus_rpc_handled_total", method=ECHO, code="OK") == 3)
        assert await refused(echo_server.call()) == "RATE_LIMITED"


@pytest.mark.parametrize("echo_server", [{"calls": 3}], indirect=True)
async def test_a_full_server_answers_probes(echo_server: EchoServer) -> None:
    async with raw_connection(echo_server.address) as peer:
        for _ in range(3):
            peer.open(ECHO, player())
        await until(lambda: echo_server.metric("jasshaus_rpc_in_flight") == 3)
        assert await refused(echo_server.call(metadata=player(tenant="bern"))) == "RATE_LIMITED"
        health = health_pb2_grpc.HealthStub(echo_server.channel)
        live = await health.Check(health_pb2.HealthCheckRequest(service="live"))
        assert live.status == health_pb2.HealthCheckResponse.SERVING


async def half_open(stack: AsyncExitStack, address: str, method: str, metadata: Any) -> None:
    """Open as many calls as a connection may have, and send no body, until the stack is closed."""
    peer = await stack.enter_async_context(raw_connection(address))
    for _ in range(STREAMS_PER_CONNECTION):
        peer.open(method, metadata)
    await peer.flush()


@pytest.mark.parametrize(
    ("method", "metadata"),
    [
        (HEALTH_CHECK, ()),
        (HEALTH_WATCH, ()),
        (REFLECTION, ()),
        ("/test.v1.EchoService/Unknown", ()),
        (f"/{LOBBY}/GetGame", ()),
        (f"/{LOBBY}/GetGame", player()),
        (f"/{LOBBY}/WatchLobby", player()),
    ],
    ids=["check", "watch", "reflection", "unknown", "call", "call-token", "stream-token"],
)
async def test_a_flood_of_half_open_calls_reaches_no_probe_of_the_health_address(
    tmp_path: Path, method: str, metadata: tuple[tuple[str, str], ...]
) -> None:
    """100 connections at a time are more calls than gRPC queues: it cancels some, whoever made them."""
    socket = f"unix:{tmp_path}/health"
    async with (
        running(tmp_path, JASSHAUS_HEALTH_LISTEN=socket, JASSHAUS_LOG_LEVEL="error") as service,
        await service.channel(),
        grpc.aio.insecure_channel(socket) as channel,
    ):
        health, address = health_pb2_grpc.HealthStub(channel), service.ready.read_text()

        def probes() -> list[Any]:
            names = ("", "live") * 10
            return [health.Check(health_pb2.HealthCheckRequest(service=name)) for name in names]

        for _ in range(4):
            async with AsyncExitStack() as stack:
                before = probes()
                await asyncio.gather(*(half_open(stack, address, method, metadata) for _ in range(100)))
                answers = await asyncio.gather(*before, *probes())
            assert {each.status for each in answers} == {health_pb2.HealthCheckResponse.SERVING}


async def test_watchers_of_the_health_give_way_to_newer_ones_and_leave_reflection_alone(
    echo_server: EchoServer,
) -> None:
    watch = health_pb2.HealthCheckRequest(service="live").SerializeToString()
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(raw_connection(echo_server.address))
        oldest = first.open(HEALTH_WATCH, body=watch)
        frame = await first.frame()
        assert (frame.stream, frame.ends) == (oldest, False)
        for _ in range(4):
            peer = await stack.enter_async_context(raw_connection(echo_server.address))
            for _ in range(limits.HEALTH_WATCHERS // 4):
                peer.open(HEALTH_WATCH, body=watch)
        async with asyncio.timeout(10):
            assert await first.ended([oldest]) == [oldest]
        health = health_pb2_grpc.HealthStub(echo_server.channel)
        newest = health.Watch(health_pb2.HealthCheckRequest(service="live"))
        assert (await newest.read()).status == health_pb2.HealthCheckResponse.SERVING
        assert await listed(echo_server) >= SERVICES


@pytest.fixture
def errors(caplog: pytest.LogCaptureFixture) -> Any:
    """What is logged at level error, by gRPC as well."""
    caplog.set_level(logging.ERROR)
    return caplog.records


@pytest.mark.parametrize("echo_server", [{"streams_per_caller": 2}], indirect=True)
async def test_a_client_that_takes_nothing_off_is_no_error_and_learns_it_once_it_reads(
    echo_server: EchoServer, monkeypatch: pytest.MonkeyPatch, errors: Any
) -> None:
    monkeypatch.setattr(limits, "WRITE_SECONDS", 0.2)

    def too_slow() -> float | None:
        return echo_server.metric("jasshaus_rpc_handled_total", method=REPEAT, code="RESOURCE_EXHAUSTED")

    async with deaf_streams(echo_server.address, REPEAT, count=2, metadata=player()) as peer:
        await until(lambda: too_slow() == 2)
        # What they take up cannot be freed before the client reads or goes: it stays theirs.
        assert await refused(echo_server.stream().read()) == "TOO_MANY_STREAMS"
        assert (await echo_server.stream(metadata=player(tenant="bern")).read()).value == "hello"
        peer.grant(1, 1000)
        async with asyncio.timeout(5):
            assert await peer.ended([1]) == [1]
        await until(lambda: echo_server.metric("jasshaus_rpc_streams", method=REPEAT) == 1)
        assert [each.value async for each in echo_server.stream("b")] == ["b"] * 3
    await until(lambda: not echo_server.metric("jasshaus_rpc_streams", method=REPEAT))
    assert errors == []


async def test_a_watcher_that_takes_nothing_off_and_has_to_give_way_is_no_error(
    echo_server: EchoServer, errors: Any
) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(5):
            await stack.enter_async_context(deaf_streams(echo_server.address, HEALTH_WATCH, count=100))
        async with asyncio.timeout(10):
            health = health_pb2_grpc.HealthStub(echo_server.channel)
            watch = health.Watch(health_pb2.HealthCheckRequest(service="live"))
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
    assert errors == []


SERVICES = {"grpc.health.v1.Health", "jasshaus.api.matchmaking.v1.LobbyService"}


async def reflect(echo_server: EchoServer, **request: str) -> Any:
    stub = reflection_pb2_grpc.ServerReflectionStub(echo_server.channel)
    calls = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(**request)]))
    return await calls.read()


async def listed(echo_server: EchoServer) -> set[str]:
    answer = await reflect(echo_server, list_services="")
    return {each.name for each in answer.list_services_response.service}


async def test_reflection_shows_contracts_and_nothing_internal(echo_server: EchoServer) -> None:
    assert await listed(echo_server) == SERVICES
    file = matchmaking_pb2.DESCRIPTOR.name
    for request in (
        {"file_by_filename": file},
        {"file_containing_symbol": "jasshaus.api.matchmaking.v1.LobbyService"},
        {"file_containing_symbol": "jasshaus.api.matchmaking.v1.LobbyService.JoinGame"},
        {"file_containing_symbol": "jasshaus.api.matchmaking.v1.Game"},
        {"file_containing_symbol": "jasshaus.api.common.v1.Amount"},
    ):
        answer = await reflect(echo_server, **request)
        files = [
            FileDescriptorProto.FromString(each)
            for each in answer.file_descriptor_response.file_descriptor_proto
        ]
        services = {f"{each.package}.{service.name}" for each in files for service in each.service}
        assert files
        assert services <= SERVICES
    internal = store_pb2.DESCRIPTOR
    for request in (
        {"file_by_filename": internal.name},
        {"file_containing_symbol": next(iter(internal.message_types_by_name.values())).full_name},
        {"file_containing_symbol": "jasshaus.api.matchmaking.v1.HistoryService"},
        {"file_containing_symbol": "jasshaus.api.matchmaking.v1.HistoryService.ReportMatch"},
    ):
        answer = await reflect(echo_server, **request)
        assert answer.error_response.error_code == grpc.StatusCode.NOT_FOUND.value[0]
