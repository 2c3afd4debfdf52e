"""A service's life as a real process: ready, serving, draining, gone."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from jasshaus.platform.auth import mint_token
from jasshaus.platform.config import PlatformConfig, read_config
from jasshaus.platform.errors import from_rpc_error
from jasshaus.platform.server import _options

from .conftest import SECRET
from .raw_http2 import deaf_streams

LOBBY = "jasshaus.api.matchmaking.v1.LobbyService"
SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING

ECHO_SERVICE = Path(__file__).with_name("echo_service.py")


class Running:
    """The process, its log so far, and calls to it."""

    def __init__(self, process: asyncio.subprocess.Process, folder: Path) -> None:
        self.process = process
        self.log = folder / "log"
        self.ready = folder / "ready"

    async def channel(self) -> grpc.aio.Channel:
        async with asyncio.timeout(10):
            while not self.ready.exists():
                assert self.process.returncode is None, self.log.read_text()
                await asyncio.sleep(0.02)
        return grpc.aio.insecure_channel(self.ready.read_text())

    async def exit_code(self) -> int:
        async with asyncio.timeout(10):
            return await self.process.wait()

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]

    async def event(self, name: str) -> dict[str, Any]:
        async with asyncio.timeout(10):
            while True:
                for each in self.events():
                    if each["event"] == name:
                        return each
                await asyncio.sleep(0.02)


@asynccontextmanager
async def running(folder: Path, **environ: str) -> AsyncIterator[Running]:
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(ECHO_SERVICE),
            stdout=log,
            stderr=log,
            env={
                **os.environ,
                "JASSHAUS_MODE": "development",
                "JASSHAUS_DEV_SECRET": SECRET,
                "JASSHAUS_LISTEN": "127.0.0.1:0",
                "JASSHAUS_METRICS_PORT": "0",
                "JASSHAUS_SHUTDOWN_PAUSE": "0",
                "JASSHAUS_SHUTDOWN_GRACE": "5",
                "JASSHAUS_READY_FILE": str(folder / "ready"),
                "PYTHONPATH": os.pathsep.join(sys.path),
                **environ,
            },
        )
    try:
        yield Running(process, folder)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def call(channel: grpc.aio.Channel, method: str, *, stream: bool = False) -> Any:
    make = channel.unary_stream if stream else channel.unary_unary
    stub: Any = make(
        f"/{LOBBY}/{method}",
        request_serializer=StringValue.SerializeToString,
        response_deserializer=StringValue.FromString,
    )
    token = mint_token(SECRET, "anna", ["player"])
    return stub(StringValue(value="hello"), metadata=(("authorization", f"Bearer {token}"),))


async def test_serves_and_stops_clean(tmp_path: Path) -> None:
    async with running(tmp_path) as service:
        async with await service.channel() as channel:
            health = health_pb2_grpc.HealthStub(channel)
            for name in ("", LOBBY, "grpc.health.v1.Health"):
                answer = await health.Check(health_pb2.HealthCheckRequest(service=name))
                assert answer.status == SERVING
            assert (await call(channel, "GetGame")).value == "hello"
            listening = await service.event("listening")
            assert listening["address"] == service.ready.read_text()
            url = f"http://127.0.0.1:{listening['metrics_port']}/metrics"
            metrics = await asyncio.to_thread(lambda: urllib.request.urlopen(url).read().decode())
            assert f'jasshaus_rpc_handled_total{{code="OK",method="/{LOBBY}/GetGame"}} 1.0' in metrics
            service.process.send_signal(signal.SIGTERM)
            assert await service.exit_code() == 0
        text = service.log.read_text()
        assert text.index("loop ended") < text.index("writer ended") < text.index("pools closed")
        assert [each["event"] for each in service.events()] == [
            "listening",
            "serving",
            "rpc",
            "signal",
            "draining",
            "drained",
            "stopped",
        ]


async def test_health_on_an_address_of_its_own_is_all_there_is_and_lasts_as_long_as_a_call(
    tmp_path: Path,
) -> None:
    async with (
        running(tmp_path, JASSHAUS_HEALTH_LISTEN="127.0.0.1:0", PAUSE="3") as service,
        await service.channel() as channel,
    ):
        address = (await service.event("listening"))["health_address"]
        assert address != service.ready.read_text()
        async with grpc.aio.insecure_channel(address) as probes:
            health = health_pb2_grpc.HealthStub(probes)
            watch = health.Watch(health_pb2.HealthCheckRequest())
            assert (await watch.read()).status == SERVING
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call(probes, "GetGame")
            assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
            in_flight = call(channel, "GetGame")
            await in_flight.wait_for_connection()
            service.process.send_signal(signal.SIGTERM)
            assert (await watch.read()).status == NOT_SERVING
            assert (await health.Check(health_pb2.HealthCheckRequest())).status == NOT_SERVING
            assert (await in_flight).value == "hello"
        assert await service.exit_code() == 0


async def test_a_drain_tells_streams_and_finishes_what_is_in_flight(tmp_path: Path) -> None:
    async with running(tmp_path, PAUSE="0.5") as service, await service.channel() as channel:
        stream = call(channel, "WatchLobby", stream=True)
        assert (await stream.read()).value == "first"
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == SERVING
        in_flight = call(channel, "GetGame")
        await asyncio.sleep(0.1)
        started = time.monotonic()
        service.process.send_signal(signal.SIGINT)
        assert (await watch.read()).status == NOT_SERVING
        assert (await stream.read()).value == "reconnect"
        assert await stream.read() is grpc.aio.EOF
        assert await watch.read() is grpc.aio.EOF
        assert (await in_flight).value == "hello"
        assert await service.exit_code() == 0
        assert time.monotonic() - started < 3


async def test_the_grace_is_bounded(tmp_path: Path) -> None:
    environ = {"DEAF": "1", "JASSHAUS_SHUTDOWN_GRACE": "0.3"}
    async with running(tmp_path, **environ) as service, await service.channel() as channel:
        stream = call(channel, "WatchLobby", stream=True)
        await stream.read()
        service.process.send_signal(signal.SIGTERM)
        assert await service.exit_code() == 0


async def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    async with running(tmp_path, JASSHAUS_SHUTDOWN_PAUSE="60") as service, await service.channel():
        service.process.send_signal(signal.SIGTERM)
        await service.event("draining")
        service.process.send_signal(signal.SIGTERM)
        assert await service.exit_code() == 128 + signal.SIGTERM


async def test_a_crashed_loop_takes_the_process_along(tmp_path: Path) -> None:
    async with running(tmp_path, CRASH="1") as service:
        assert await service.exit_code() == 1
        crash = await service.event("background_loop_crashed")
        assert crash["loop"] == "loop"
        assert "loop is broken" in crash["exception"]


async def test_not_serving_until_dependencies_answer(tmp_path: Path) -> None:
    async with running(tmp_path, WAIT_FOR=str(tmp_path / "dependency")) as service:
        address = (await service.event("listening"))["address"]
        async with grpc.aio.insecure_channel(address) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            assert (await health.Check(health_pb2.HealthCheckRequest(service=LOBBY))).status == NOT_SERVING
            unavailable = await service.event("dependency_unavailable")
            assert (unavailable["dependency"], unavailable["error"]) == ("file", "ConnectionError")
            (tmp_path / "dependency").touch()
            await service.event("serving")
            assert (await health.Check(health_pb2.HealthCheckRequest(service=LOBBY))).status == SERVING


async def test_health_follows_the_dependencies_until_the_drain(tmp_path: Path) -> None:
    dependency = tmp_path / "dependency"
    dependency.touch()
    environ = {"WAIT_FOR": str(dependency), "IMPATIENT": "1", "JASSHAUS_SHUTDOWN_PAUSE": "0.5"}
    async with running(tmp_path, **environ) as service, await service.channel() as channel:
        health = health_pb2_grpc.HealthStub(channel)
        whole, live = (health.Watch(health_pb2.HealthCheckRequest(service=name)) for name in ("", "live"))
        assert (await whole.read()).status == (await live.read()).status == SERVING
        dependency.unlink()
        assert (await whole.read()).status == NOT_SERVING
        assert (await service.event("dependency_lost"))["error"] == "ConnectionError"
        # Whoever restarts processes that are not live would mend nothing.
        answer = await health.Check(health_pb2.HealthCheckRequest(service="live"))
        assert answer.status == SERVING
        dependency.touch()
        assert (await whole.read()).status == SERVING
        dependency.unlink()
        assert (await whole.read()).status == NOT_SERVING
        service.process.send_signal(signal.SIGTERM)
        await service.event("draining")
        dependency.touch()
        assert await whole.read() is grpc.aio.EOF
        assert await live.read() is grpc.aio.EOF
        assert len([each for each in service.events() if each["event"] == "dependency_back"]) == 2


async def test_watchers_of_the_health_that_read_nothing_hold_up_nothing(tmp_path: Path) -> None:
    environ = {"WAIT_FOR": str(tmp_path / "dependency"), "JASSHAUS_SHUTDOWN_GRACE": "1"}
    async with running(tmp_path, **environ) as service:
        address = (await service.event("listening"))["address"]
        async with deaf_streams(address, "/grpc.health.v1.Health/Watch", count=3):
            await asyncio.sleep(0.3)
            (tmp_path / "dependency").touch()
            await service.event("serving")
            async with grpc.aio.insecure_channel(address) as channel:
                health = health_pb2_grpc.HealthStub(channel)
                assert (await health.Check(health_pb2.HealthCheckRequest())).status == SERVING
                assert set((await health.List(health_pb2.HealthListRequest())).statuses) >= {"", LOBBY}
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await health.Check(health_pb2.HealthCheckRequest(service="unheard.of"))
                assert caught.value.code() is grpc.StatusCode.NOT_FOUND
            service.process.send_signal(signal.SIGTERM)
            await service.event("drained")
            assert await service.exit_code() == 0


async def test_streams_leave_room_for_calls_and_nothing_keeps_probes_out(tmp_path: Path) -> None:
    environ = {"JASSHAUS_MAX_CONCURRENT_RPCS": "20", "JASSHAUS_STREAMS_PER_CALLER": "100", "PAUSE": "2"}
    async with running(tmp_path, **environ) as service, await service.channel() as channel:
        streams = [call(channel, "WatchLobby", stream=True) for _ in range(18)]
        assert {(await stream.read()).value for stream in streams} == {"first"}
        calls = [asyncio.ensure_future(call(channel, "GetGame")) for _ in range(2)]
        await asyncio.sleep(0.2)
        for one_more, reason in (
            (call(channel, "WatchLobby", stream=True).read(), "TOO_MANY_STREAMS"),
            (call(channel, "GetGame"), "RATE_LIMITED"),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await one_more
            fault = from_rpc_error(caught.value)
            assert fault is not None
            assert (fault.code, fault.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, reason)
            assert fault.retry_after
        health = health_pb2_grpc.HealthStub(channel)
        assert (await health.Check(health_pb2.HealthCheckRequest(service="live"))).status == SERVING
        assert (await health.Watch(health_pb2.HealthCheckRequest()).read()).status == SERVING
        assert {(await each).value for each in calls} == {"hello"}


async def test_a_bug_in_a_probe_is_not_waited_for(tmp_path: Path) -> None:
    async with running(tmp_path, BUG="1") as service:
        assert await service.exit_code() == 1
        assert "probe is broken" in service.log.read_text()


async def test_stops_while_it_waits_for_a_dependency(tmp_path: Path) -> None:
    async with running(tmp_path, WAIT_FOR=str(tmp_path / "never")) as service:
        await service.event("dependency_unavailable")
        service.process.send_signal(signal.SIGTERM)
        assert await service.exit_code() == 0


@pytest.mark.parametrize(
    ("environ", "named"),
    [
        (
            {"JASSHAUS_MODE": "production"},
            ["JASSHAUS_DEV_SECRET is for", "JASSHAUS_JWKS", "JASSHAUS_JWT_ISSUER"],
        ),
        ({"JASSHAUS_LISTEN": "203.0.113.1:1"}, ["JASSHAUS_LISTEN 203.0.113.1:1 cannot be listened on"]),
        (
            {"JASSHAUS_HEALTH_LISTEN": "203.0.113.1:1"},
            ["JASSHAUS_HEALTH_LISTEN 203.0.113.1:1 cannot be listened on"],
        ),
    ],
)
async def test_bad_configuration_is_named_and_exits_2(
    tmp_path: Path, environ: dict[str, str], named: list[str]
) -> None:
    async with running(tmp_path, **environ) as service:
        assert await service.exit_code() == 2
        assert all(name in service.log.read_text() for name in named)
        assert "Traceback" not in service.log.read_text()


@pytest.mark.parametrize(("switch", "there"), [("on", True), ("off", False)])
async def test_reflection_is_switchable(tmp_path: Path, switch: str, *, there: bool) -> None:
    async with running(tmp_path, JASSHAUS_REFLECTION=switch) as service, await service.channel() as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        answers = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
        if there:
            answer = await answers.read()
            assert LOBBY in {each.name for each in answer.list_services_response.service}
        else:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await answers.read()
            assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_client_that_pings_and_says_nothing_else_is_not_cut_off() -> None:
    """The same options, but for a permitted pause so short that a ping a second keeps to it.

    gRPC ignores an option whose name it does not know, and then permits one ping in five minutes.
    """
    config = read_config(PlatformConfig, {"JASSHAUS_MODE": "development", "JASSHAUS_DEV_SECRET": SECRET})
    permitted = [(name, value) for name, value in _options(config) if "ping_interval" in name]
    assert [value for _, value in permitted] == [10_000]
    others = [(name, value) for name, value in _options(config) if "ping_interval" not in name]

    async def silent(_request: StringValue, _context: Any) -> AsyncIterator[StringValue]:
        await asyncio.sleep(60)
        yield StringValue()

    server = grpc.aio.server(options=[*others, (permitted[0][0], 100)])
    handlers = {
        "WatchLobby": grpc.unary_stream_rpc_method_handler(
            silent, StringValue.FromString, StringValue.SerializeToString
        )
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(LOBBY, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    keepalive = [("grpc.keepalive_time_ms", 100), ("grpc.http2.max_pings_without_data", 0)]
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=keepalive) as channel:
            stream = call(channel, "WatchLobby", stream=True)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(4.5):
                    await stream.read()
    finally:
        await server.stop(0)
