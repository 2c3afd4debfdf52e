"""What one caller may take of a replica."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue

from jasshaus.platform import limits
from jasshaus.platform.auth import Principal, Role
from jasshaus.platform.errors import Fault, from_rpc_error
from jasshaus.platform.limits import Limits

from .conftest import SERVICE, EchoServer, player
from .deaf_client import deaf_streams

REPEAT = f"/{SERVICE}/Repeat"


def caller(subject: str = "anna", tenant: str = "default", role: Role = Role.PLAYER) -> Principal:
    return Principal(subject, tenant, frozenset({role}), "", frozenset(), 0)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the clock."""

    def set_clock(now: float) -> None:
        monkeypatch.setattr(limits.time, "monotonic", lambda: now)

    set_clock(100)
    return set_clock


def calls_until_refused(limit: Limits, principal: Principal) -> tuple[int, Fault]:
    for done in range(1000):
        try:
            limit.call(principal)
        except Fault as fault:
            return done, fault
    raise AssertionError("never refused")


def test_a_burst_then_the_rate(at: Callable[[float], None]) -> None:
    limit = Limits(rate=4, burst=8)
    done, fault = calls_until_refused(limit, caller())
    assert (done, fault.code, fault.reason) == (8, grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
    assert fault.retry_after == 0.25
    at(100.25)
    assert calls_until_refused(limit, caller())[0] == 1
    at(101.25)
    assert calls_until_refused(limit, caller())[0] == 4
    at(1000)
    assert calls_until_refused(limit, caller())[0] == 8


def test_each_caller_has_a_bucket_and_full_ones_are_forgotten(at: Callable[[float], None]) -> None:
    limit = Limits(rate=4, burst=8)
    for principal in (caller(), caller(tenant="bern"), caller("beat")):
        assert calls_until_refused(limit, principal)[0] == 8
    assert len(limit._full_at) == 3
    at(103)
    limit.call(caller("carla"))
    assert list(limit._full_at) == [("default", "carla")]


@pytest.mark.parametrize(
    ("limit", "principal"),
    [
        (Limits(rate=1, burst=1), caller(role=Role.SERVICE)),
        (Limits(rate=1, burst=1), caller(role=Role.OPERATOR)),
        (Limits(rate=0, burst=1), caller()),
        (Limits(), caller()),
    ],
)
def test_no_rate_for_services_and_operators_or_when_switched_off(limit: Limits, principal: Principal) -> None:
    for _ in range(100):
        limit.call(principal)


def test_streams_that_need_no_token_are_capped_together() -> None:
    limit = Limits()
    held = [limit.stream(None) for _ in range(limits.OPEN_STREAMS)]
    for each in held:
        each.__enter__()
    with pytest.raises(Fault, match="too many streams"), limit.stream(None):
        pass
    with limit.stream(caller()):
        pass
    held.pop().__exit__(None, None, None)
    with limit.stream(None):
        pass
    for each in held:
        each.__exit__(None, None, None)
    assert not limit._open
    assert not limit._all_open


async def refusal(call: Any) -> Fault:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    fault = from_rpc_error(caught.value)
    assert fault is not None
    return fault


@pytest.mark.parametrize("echo_server", [{"rate": 0.1, "burst": 3}], indirect=True)
async def test_a_caller_who_calls_too_often_learns_when_to_try_again(echo_server: EchoServer) -> None:
    for _ in range(3):
        await echo_server.call()
    fault = await refusal(echo_server.call())
    assert (fault.code, fault.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
    assert fault.retry_after is not None
    assert 5 < fault.retry_after <= 10
    await echo_server.call(metadata=player(tenant="bern"))


@pytest.mark.parametrize("echo_server", [{"streams_per_caller": 2}], indirect=True)
async def test_a_callers_streams(echo_server: EchoServer) -> None:
    async def repeat(request: StringValue, _context: Any) -> AsyncIterator[StringValue]:
        yield request
        await asyncio.sleep(30)

    echo_server.repeat = repeat
    streams = [echo_server.stream() for _ in range(2)]
    for stream in streams:
        await stream.read()
    fault = await refusal(echo_server.stream().read())
    assert (fault.code, fault.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS")
    assert fault.retry_after
    assert (await echo_server.stream(metadata=player(tenant="bern")).read()).value == "hello"
    streams[0].cancel()
    async with asyncio.timeout(5):
        while echo_server.metric("jasshaus_rpc_streams", method=REPEAT) != 2:
            await asyncio.sleep(0.01)
    assert (await echo_server.stream().read()).value == "hello"


@pytest.mark.parametrize("echo_server", [{"streams_per_caller": 2}], indirect=True)
async def test_a_client_that_takes_nothing_off_loses_its_streams(
    echo_server: EchoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WRITE_SECONDS", 0.2)
    async with deaf_streams(echo_server.address, REPEAT, count=2, metadata=player()):
        async with asyncio.timeout(5):
            while (
                echo_server.metric("jasshaus_rpc_handled_total", method=REPEAT, code="RESOURCE_EXHAUSTED")
                != 2
            ):
                await asyncio.sleep(0.02)
            while echo_server.metric("jasshaus_rpc_streams", method=REPEAT):
                await asyncio.sleep(0.02)
        assert [each.value async for each in echo_server.stream("b")] == ["b"] * 3
