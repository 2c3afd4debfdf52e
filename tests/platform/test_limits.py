"""What one caller may take of a replica."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue

from jasshaus.platform import limits
from jasshaus.platform.auth import Principal, Role
from jasshaus.platform.errors import Fault, from_rpc_error
from jasshaus.platform.limits import Limits

from .conftest import SERVICE, EchoServer, player

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
    assert fault.retry_after is not None
    assert fault.retry_after >= 0.25
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
    assert limit._buckets is not None
    assert len(limit._buckets) == 3
    at(103)
    limit.call(caller("carla"))
    assert len(limit._buckets) == 1


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


def test_hints_of_one_moment_lie_apart(at: Callable[[float], None]) -> None:
    limit = Limits(rate=100, burst=200)
    hints = [calls_until_refused(limit, caller())[1].retry_after or 0 for _ in range(121)]
    assert min(hints) >= 0.01
    assert max(hints) - min(hints) > 0.5


def test_calls_in_progress() -> None:
    limit = Limits(calls=limits.CALLS_IN_FLIGHT + 1)
    ends = [limit.begin(caller()) for _ in range(limits.CALLS_IN_FLIGHT)]
    with pytest.raises(Fault, match="RATE_LIMITED"):
        limit.begin(caller())
    ends.append(limit.begin(caller("beat")))
    with pytest.raises(Fault, match="RATE_LIMITED"):
        limit.begin(caller("carla"))
    # Payouts must not wait for players to go home.
    ends.append(limit.begin(caller("table", role=Role.SERVICE)))
    for end in ends:
        end(None)
    limit.begin(caller())(None)
    assert not limit._calls
    assert not limit._all_calls


def test_a_full_pool_ends_the_oldest_of_the_peer_that_has_most() -> None:
    pool, ended = limits.Pool(4), list[str]()
    with ExitStack() as stack:
        for peer, name in (("a", "a1"), ("b", "b1"), ("b", "b2"), ("b", "b3"), ("c", "c1"), ("b", "b4")):
            stack.enter_context(pool.member(peer, partial(ended.append, name)))
        assert ended == ["b1", "b2"]
    assert not pool._members
    assert pool._count == 0


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long somebody had to wait, each time; nobody really does."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(limits.asyncio, "sleep", sleep)
    return waits


@pytest.mark.parametrize("kind", ["open_call", "refusal"])
async def test_who_asks_too_much_waits_and_nobody_else(
    slept: list[float], at: Callable[[float], None], kind: str
) -> None:
    at(100)
    wait = getattr(limits.Patience(), kind)
    assert not any([await wait("ipv4:192.0.2.1:1") for _ in range(100)])
    assert slept == []
    assert all([await wait("ipv4:192.0.2.1:1") for _ in range(150)])
    assert len(slept) == 150
    assert slept[0] < 0.1
    assert slept[-1] == 2.0
    assert not await wait("ipv4:192.0.2.1:2")
    assert len(slept) == 150


async def test_refusals_of_many_connections_wait_and_open_calls_do_not(
    slept: list[float], at: Callable[[float], None]
) -> None:
    at(100)
    patience = limits.Patience()
    late = [await patience.refusal(f"ipv4:192.0.2.1:{port}") for port in range(1000)]
    assert late == [False] * 500 + [True] * 500
    assert len(slept) == 500
    assert not await patience.open_call("ipv4:192.0.2.1:1")


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
    assert fault.retry_after > 5
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
