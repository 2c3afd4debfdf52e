"""Around every RPC: identity, roles, request id, log line, metrics, and what a client learns of an error."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
import structlog
from google.protobuf.wrappers_pb2 import Int32Value, StringValue
from structlog.testing import LogCapture

from eventually import until
from jasshaus.platform import interceptor
from jasshaus.platform.auth import current_principal, mint_token
from jasshaus.platform.errors import Fault, aborted, failed_precondition, from_rpc_error
from jasshaus.platform.interceptor import current_request_id
from jasshaus.platform.server import MAX_REQUEST_BYTES

from .conftest import SECRET, SERVICE, EchoServer, player

ECHO = f"/{SERVICE}/Echo"


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The log lines, with what is bound to the RPC."""
    # A test before this one may have configured logging, and loggers keep what they were first used with.
    monkeypatch.setattr(interceptor, "log", structlog.stdlib.get_logger("interceptor"))
    capture = LogCapture()
    before = structlog.get_config()
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, capture], cache_logger_on_first_use=False
    )
    yield capture.entries
    structlog.configure(**before)


async def fault_of(call: Any) -> tuple[grpc.StatusCode, Fault]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    fault = from_rpc_error(caught.value)
    assert fault is not None
    return caught.value.code(), fault


async def test_all_four_kinds_pass_through(echo_server: EchoServer) -> None:
    assert (await echo_server.call("a")).value == "a"
    assert [each.value async for each in echo_server.stream("b")] == ["b"] * 3
    assert (await echo_server.collect(["c", "d"])).value == "cd"
    assert [each.value async for each in echo_server.collect(["e", "f"], chat=True)] == ["e", "f"]


async def test_two_tokens_are_none(echo_server: EchoServer) -> None:
    for metadata in (
        (*player(), *player()),
        (*player(), ("authorization", "")),
        (*player(), *player(ttl=-60)),
    ):
        code, fault = await fault_of(echo_server.call(metadata=metadata))
        assert (code, fault.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")
        assert "two authorization headers" in fault.message


async def test_handler_knows_the_caller(echo_server: EchoServer) -> None:
    seen = []

    async def echo(request: StringValue, _context: Any) -> StringValue:
        seen.append((current_principal().subject, current_principal().tenant))
        return request

    echo_server.echo = echo
    await echo_server.call(metadata=player(tenant="bern"))
    assert seen == [("anna", "bern")]


@pytest.mark.parametrize(
    ("authorization", "reason"),
    [
        (None, "TOKEN_MISSING"),
        ("", "TOKEN_MISSING"),
        ("Basic YTpi", "TOKEN_MISSING"),
        ("Bearer", "TOKEN_MISSING"),
        ("Bearer nonsense", "TOKEN_INVALID"),
        (f"Bearer {mint_token('another secret of at least 32 bytes', 'anna', ['player'])}", "TOKEN_INVALID"),
        (f"Bearer {mint_token(SECRET, 'anna', ['player'], ttl=-60)}", "TOKEN_EXPIRED"),
    ],
)
async def test_without_a_good_token(echo_server: EchoServer, authorization: str | None, reason: str) -> None:
    metadata = () if authorization is None else (("authorization", authorization),)
    code, fault = await fault_of(echo_server.call(metadata=metadata))
    assert (code, fault.reason) == (grpc.StatusCode.UNAUTHENTICATED, reason)
    assert echo_server.metric("jasshaus_tokens_total", result=reason) == 1


@pytest.mark.parametrize("roles", [[], ["operator"], ["service"], ["tenant-admin"], ["unheard-of"]])
async def test_without_the_role(echo_server: EchoServer, roles: list[str]) -> None:
    token = mint_token(SECRET, "anna", roles)
    code, fault = await fault_of(echo_server.call(metadata=(("authorization", f"Bearer {token}"),)))
    assert (code, fault.reason) == (grpc.StatusCode.PERMISSION_DENIED, "ROLE_NOT_ALLOWED")


async def test_a_method_missing_in_the_role_table_is_refused_to_all(echo_server: EchoServer) -> None:
    code, _ = await fault_of(echo_server.call(method="Forgotten"))
    assert code is grpc.StatusCode.PERMISSION_DENIED


async def test_an_unknown_method(echo_server: EchoServer, lines: Any) -> None:
    code, fault = await fault_of(echo_server.call(method="Nothing", metadata=()))
    assert (code, fault.reason) == (grpc.StatusCode.UNIMPLEMENTED, "UNIMPLEMENTED")
    assert echo_server.metric("jasshaus_rpc_handled_total", method="other", code="UNIMPLEMENTED") == 1
    assert len(lines) == 1


async def test_a_fault_arrives_whole(echo_server: EchoServer) -> None:
    async def echo(_request: StringValue, _context: Any) -> StringValue:
        raise aborted("STALE_VERSION", "look again", details=[StringValue(value="the view")], version="7")

    echo_server.echo = echo
    code, fault = await fault_of(echo_server.call())
    view = fault.detail(StringValue)
    assert (code, fault.reason, fault.metadata) == (
        grpc.StatusCode.ABORTED,
        "STALE_VERSION",
        {"version": "7"},
    )
    assert view is not None
    assert view.value == "the view"
    assert fault.detail(Int32Value) is None


async def test_a_fault_in_a_stream_and_in_a_task_group(echo_server: EchoServer) -> None:
    async def repeat(request: StringValue, _context: Any) -> AsyncIterator[StringValue]:
        yield request
        async with asyncio.TaskGroup() as group:
            group.create_task(refuse())

    async def refuse() -> None:
        raise failed_precondition("TABLE_ENDED", "over")

    echo_server.repeat = repeat
    stream = echo_server.stream()
    assert (await stream.read()).value == "hello"
    code, fault = await fault_of(stream.read())
    assert (code, fault.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "TABLE_ENDED")


async def test_a_services_own_exception_is_translated(echo_server: EchoServer) -> None:
    async def echo(_request: StringValue, _context: Any) -> StringValue:
        raise LookupError("seat 3")

    echo_server.echo = echo
    echo_server.translations = {LookupError: failed_precondition("NOT_SEATED", "no seat")}
    _, fault = await fault_of(echo_server.call())
    assert fault.reason == "NOT_SEATED"


async def test_our_bug_tells_the_client_nothing_but_the_request_id(
    echo_server: EchoServer, lines: Any
) -> None:
    async def echo(_request: StringValue, _context: Any) -> StringValue:
        raise RuntimeError("hand of seat 2: the queen")

    echo_server.echo = echo
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await echo_server.call(metadata=(*player(), ("x-request-id", "req-1")))
    error = caught.value
    assert (error.code(), error.details()) == (grpc.StatusCode.INTERNAL, "internal error")
    assert "queen" not in repr(error)
    assert b"queen" not in b"".join(v for _, v in error.trailing_metadata() if isinstance(v, bytes))
    fault = from_rpc_error(error)
    assert fault is not None
    assert (fault.reason, fault.metadata) == ("INTERNAL", {"request_id": "req-1"})
    assert "queen" in str(lines[0]["exc_info"])


@pytest.mark.parametrize(
    ("given", "kept"), [("abc-1.2_3", True), ("", False), ("x" * 65, False), ("two words", False)]
)
async def test_request_id_is_kept_if_sane_and_sent_back(
    echo_server: EchoServer, given: str, *, kept: bool
) -> None:
    seen = []

    async def echo(request: StringValue, _context: Any) -> StringValue:
        seen.append(current_request_id())
        return request

    echo_server.echo = echo
    call = echo_server.call(metadata=(*player(), ("x-request-id", given)))
    await call
    answered = dict(await call.trailing_metadata())["x-request-id"]
    assert answered == seen[0]
    assert (answered == given) is kept
    assert answered


async def test_one_log_line_with_who_what_and_how(echo_server: EchoServer, lines: Any) -> None:
    metadata = player(tenant="bern")
    await echo_server.call("the text", metadata=metadata)
    (line,) = lines
    assert {key: line[key] for key in ("event", "method", "code", "subject", "tenant")} == {
        "event": "rpc",
        "method": ECHO,
        "code": "OK",
        "subject": "anna",
        "tenant": "bern",
    }
    assert line["duration_ms"] >= 0
    assert line["request_id"]
    assert metadata[0][1].split()[1] not in repr(line)
    assert "the text" not in repr(line)


async def test_a_refusals_line_has_its_reason(echo_server: EchoServer, lines: Any) -> None:
    await fault_of(echo_server.call(metadata=()))
    assert [(line["code"], line["reason"]) for line in lines] == [("UNAUTHENTICATED", "TOKEN_MISSING")]


async def test_a_cancelled_call_is_logged_and_the_handler_ends(echo_server: EchoServer, lines: Any) -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def echo(_request: StringValue, _context: Any) -> StringValue:
        began.set()
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()
        raise AssertionError

    echo_server.echo = echo
    call = echo_server.call()
    await began.wait()
    assert echo_server.metric("jasshaus_rpc_in_flight") == 1
    call.cancel()
    await asyncio.wait_for(ended.wait(), 5)
    await until(lambda: lines)
    assert [line["code"] for line in lines] == ["CANCELLED"]
    assert echo_server.metric("jasshaus_rpc_handled_total", method=ECHO, code="CANCELLED") == 1
    assert echo_server.metric("jasshaus_rpc_in_flight") == 0


async def test_a_stream_ends_a_while_after_its_token(
    echo_server: EchoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def repeat(request: StringValue, _context: Any) -> AsyncIterator[StringValue]:
        while True:
            yield request
            await asyncio.sleep(0.05)

    echo_server.repeat = repeat
    monkeypatch.setattr(interceptor, "STREAM_TOKEN_GRACE_SECONDS", -58.7)
    stream, started = echo_server.stream(metadata=player(ttl=60)), time.monotonic()

    async def to_the_end() -> None:
        async for _ in stream:
            pass

    code, fault = await fault_of(to_the_end())
    assert (code, fault.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED")
    assert time.monotonic() - started < 3


async def test_bytes_that_are_no_message(echo_server: EchoServer) -> None:
    code, fault = await fault_of(echo_server.call(b"\xff\xff\xff"))
    assert (code, fault.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE")
    code, fault = await fault_of(echo_server.collect(["fine", b"\xff\xff"]))
    assert fault.reason == "MALFORMED_MESSAGE"


async def test_a_request_that_is_too_large_is_refused_by_the_transport(echo_server: EchoServer) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await echo_server.call("x" * (MAX_REQUEST_BYTES + 1))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert from_rpc_error(caught.value) is None
    assert len((await echo_server.call("x" * (MAX_REQUEST_BYTES - 100))).value) == MAX_REQUEST_BYTES - 100


async def test_abort_in_a_handler_keeps_its_code(echo_server: EchoServer) -> None:
    async def echo(_request: StringValue, context: Any) -> StringValue:
        await context.abort(grpc.StatusCode.DATA_LOSS, "gone")
        raise AssertionError

    echo_server.echo = echo
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await echo_server.call()
    assert caught.value.code() is grpc.StatusCode.DATA_LOSS


async def test_counts(echo_server: EchoServer) -> None:
    await echo_server.call()
    _ = [each async for each in echo_server.stream()]
    assert echo_server.metric("jasshaus_rpc_started_total", method=ECHO) == 1
    assert echo_server.metric("jasshaus_rpc_handled_total", method=ECHO, code="OK") == 1
    assert echo_server.metric("jasshaus_rpc_seconds_count", method=ECHO) == 1
    assert echo_server.metric("jasshaus_rpc_streams", method=f"/{SERVICE}/Repeat") == 0
    # There before anything happened: a rate over a series that appears late misses its first event.
    assert echo_server.metric("jasshaus_rpc_handled_total", method=ECHO, code="INTERNAL") == 0
