"""Runs a service: listen, become ready, serve, drain on a signal, exit within the grace period."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final, Never, TypeVar

import grpc
import structlog
import uvloop
from grpc_health.v1 import health_pb2_grpc
from prometheus_client import REGISTRY, CollectorRegistry

from jasshaus.platform.access import ACCESS, methods_of
from jasshaus.platform.auth import Verifier
from jasshaus.platform.config import ConfigError, PlatformConfig, read_config
from jasshaus.platform.errors import Fault
from jasshaus.platform.health import Health
from jasshaus.platform.interceptor import RpcInterceptor
from jasshaus.platform.jwks import KeySet
from jasshaus.platform.logging import configure_logging
from jasshaus.platform.memory import trim_when_quiet
from jasshaus.platform.metrics import KeyMetrics, RpcMetrics, exposition
from jasshaus.platform.readiness import Loop, Probe, UnusableError, until_ready, watch
from jasshaus.platform.reflection import NAME, add_reflection
from jasshaus.platform.stopping import Stopping

ConfigT = TypeVar("ConfigT", bound=PlatformConfig)

EXIT_CRASHED: Final = 1
EXIT_CONFIG: Final = 2

_MIB: Final = 1 << 20
MAX_REQUEST_BYTES: Final = 256 * 1024
"""Far above any of our requests. Above it, gRPC itself answers RESOURCE_EXHAUSTED, without a reason."""
STREAMS_PER_CONNECTION: Final = 128
"""A frontend needs a handful. Services multiplex their calls; a replica handles fewer at once."""
_KEYS_REFRESH_SECONDS: Final = 60.0
_CRASH_GRACE_SECONDS: Final = 1.0
# Time for a loop that ignores `stopping` before it is cancelled, once no RPC needs it.
_LOOP_GRACE_SECONDS: Final = 2.0

log = structlog.stdlib.get_logger(__name__)


async def serve(
    name: str,
    config: PlatformConfig,
    register: Callable[[grpc.aio.Server], Awaitable[None] | None],
    *,
    services: Sequence[str],
    background: Sequence[Loop] = (),
    preparations: Mapping[str, Probe] | None = None,
    dependencies: Mapping[str, Probe] | None = None,
    translate: Callable[[Exception], Fault | None] = lambda _: None,
    stopping: Stopping | None = None,
    registry: CollectorRegistry = REGISTRY,
) -> None:
    """Serve until SIGTERM or SIGINT, then drain and return; raises the error of a crashed background loop.

    `register` adds the servicers of the gRPC `services` (full names: for health, reflection and metrics).
    `dependencies` are probes that raise while their dependency does not answer. Until each has answered
    once, and each of the `preparations` has been done, health reports NOT_SERVING and no background loop
    runs. Later, health follows the dependencies. Streams watch the same `stopping` that loops get.
    """
    stopping = stopping or Stopping()
    verifier, health = config.verifier(), Health(services, stopping)
    metrics = RpcMetrics(methods_of(services), registry)
    server = grpc.aio.server(
        interceptors=[RpcInterceptor(verifier, ACCESS, metrics, translate, config.limits())],
        options=_options(config),
    )
    health_pb2_grpc.add_HealthServicer_to_server(health.servicer, server)
    registered = register(server)
    if registered is not None:
        await registered
    if config.reflection:
        add_reflection((*services, *health.names, NAME), server)
    lasting = dict(dependencies or {})
    probes = [*(preparations or {}).items(), *lasting.items()]
    loops = [*background, watch(lasting, health), trim_when_quiet]
    if verifier.keys is not None:
        # While the provider is down, the last keys stay in use.
        verifier.keys.observe(KeyMetrics(registry).fetched)
        probes.append(("jwks", verifier.keys.refresh))
        loops.append(_keep_keys_fresh(verifier.keys))

    with exposition(config.metrics_port, config.metrics_host, registry) as metrics_port, _signals() as stop:
        async with _answering_probes(config, health, verifier, metrics) as health_address:
            address = _listen(server, config.listen, "JASSHAUS_LISTEN")
            await server.start()
            log.info(
                "listening",
                name=name,
                address=address,
                health_address=health_address,
                metrics_port=metrics_port,
            )
            try:
                await _live(name, config, server, health, probes, loops, stop, stopping, address)
            finally:
                # After a drain there is nothing left to do; after a crash this quickly ends what is open.
                stopping.drain()
                health.close()
                await server.stop(_CRASH_GRACE_SECONDS)
    log.info("stopped", name=name)


async def _live(
    name: str,
    config: PlatformConfig,
    server: grpc.aio.Server,
    health: Health,
    probes: Sequence[tuple[str, Probe]],
    loops: Sequence[Loop],
    stop: asyncio.Event,
    stopping: Stopping,
    address: str,
) -> None:
    if not await _unless(stop, until_ready(probes)):
        return
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_supervised(loop, stopping)) for loop in loops]
        health.enter()
        if config.ready_file is not None:
            ready = config.ready_file.with_name(config.ready_file.name + ".new")
            ready.write_text(address)
            ready.replace(config.ready_file)
        log.info("serving", name=name, address=address)
        await stop.wait()
        await _drain(config, server, health, stopping)
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_LOOP_GRACE_SECONDS)
            for task in late:
                task.cancel()


async def _drain(config: PlatformConfig, server: grpc.aio.Server, health: Health, stopping: Stopping) -> None:
    started = time.monotonic()
    log.info("draining", pause=config.shutdown_pause, grace=config.shutdown_grace)
    health.close()
    # Load balancers keep sending for a while: continue to serve them.
    await asyncio.sleep(config.shutdown_pause)
    stopped = asyncio.ensure_future(server.stop(config.shutdown_grace))
    stopping.drain()
    await stopped
    stopping.finish()
    log.info("drained", seconds=round(time.monotonic() - started, 3))


async def _unless(event: asyncio.Event, work: Awaitable[None]) -> bool:
    """Do `work` unless the event comes first; return whether it was done."""
    task, waiting = asyncio.ensure_future(work), asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            return False
        task.result()
        return True
    finally:
        for each in (task, waiting):
            each.cancel()
        await asyncio.gather(task, waiting, return_exceptions=True)


async def _supervised(loop: Loop, stopping: Stopping) -> None:
    name = getattr(loop, "__qualname__", type(loop).__name__)
    try:
        await loop(stopping)
    except Exception:
        log.exception("background_loop_crashed", loop=name)
        raise
    if not stopping.is_set():
        log.warning("background_loop_ended", loop=name)


def _keep_keys_fresh(keys: KeySet) -> Loop:
    async def keep_keys_fresh(stopping: Stopping) -> None:
        while not await stopping.sleep(_KEYS_REFRESH_SECONDS):
            await keys.refresh_or_log()

    return keep_keys_fresh


def _options(config: PlatformConfig) -> list[tuple[str, Any]]:
    age = round(config.max_connection_age * 1000)
    return [
        ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
        ("grpc.max_send_message_length", 4 * _MIB),
        ("grpc.max_concurrent_streams", STREAMS_PER_CONNECTION),
        # At most 64 KiB of a body may be sent ahead; bandwidth probing would raise that to megabytes.
        ("grpc.http2.bdp_probe", 0),
        # 256 KiB of gzip can be 256 MiB of zeros, so requests must be uncompressed.
        ("grpc.compression_enabled_algorithms_bitset", 1),
        ("grpc.max_metadata_size", 16 * 1024),
        ("grpc.absolute_max_metadata_size", 32 * 1024),
        # A connection that never starts HTTP/2 (default: 2 minutes).
        ("grpc.server_handshake_timeout_ms", 10_000),
        # A silent peer is detected within 40 s instead of 2 h; clients may ping every 10 s without being cut
        # off (under this name: what gRPC's guide calls min_recv_ping_interval is silently ignored).
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        # gRPC adds jitter of a tenth; streams get a third of the age to move on by themselves.
        ("grpc.max_connection_age_ms", age),
        ("grpc.max_connection_age_grace_ms", age // 3),
        # Reconnecting streams queue here; the defaults (1,000 and 3,000) would fail them. Each costs 30 KB.
        ("grpc.server.max_pending_requests", 5_000),
        ("grpc.server.max_pending_requests_hard_limit", 10_000),
        # Otherwise two processes on one port would silently share its connections.
        ("grpc.so_reuseport", 0),
    ]


@asynccontextmanager
async def _answering_probes(
    config: PlatformConfig, health: Health, verifier: Verifier, metrics: RpcMetrics
) -> AsyncIterator[str | None]:
    """Serve only the health service on `health_listen`; yields the address, None if not configured.

    gRPC has one FIFO queue per server and method, and cancels calls at random when a queue is full. A flood
    of the main server, even of its health checks, leaves this queue empty.
    """
    if config.health_listen is None:
        yield None
        return
    server = grpc.aio.server(
        interceptors=[RpcInterceptor(verifier, ACCESS, metrics)], options=_options(config)
    )
    health_pb2_grpc.add_HealthServicer_to_server(health.servicer, server)
    address = _listen(server, config.health_listen, "JASSHAUS_HEALTH_LISTEN")
    await server.start()
    try:
        yield address
    finally:
        await server.stop(_CRASH_GRACE_SECONDS)


def _listen(server: grpc.aio.Server, address: str, variable: str) -> str:
    """Bind, and return the address with the actual port."""
    try:
        port = server.add_insecure_port(address)
    except RuntimeError as error:
        raise ConfigError([f"{variable} {address} cannot be listened on"]) from error
    return address if address.startswith("unix:") else f"{address.rpartition(':')[0]}:{port}"


@contextmanager
def _signals() -> Iterator[asyncio.Event]:
    """Yield an event set by the first SIGTERM or SIGINT; a second one ends the process at once."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def on_signal(number: signal.Signals) -> None:
        if stop.is_set():
            log.error("killed_by_second_signal", signal=number.name)
            logging.shutdown()
            os._exit(128 + number)
        log.info("signal", signal=number.name)
        stop.set()

    handled = (signal.SIGTERM, signal.SIGINT)
    for number in handled:
        loop.add_signal_handler(number, on_signal, number)
    try:
        yield stop
    finally:
        for number in handled:
            loop.remove_signal_handler(number)


def launch(name: str, config_class: type[ConfigT], start: Callable[[ConfigT], Awaitable[None]]) -> Never:
    """Run a service: read its configuration, set up logging, run `start` on uvloop; exits 0, 1 (crash) or 2.

    `start` opens pools and calls `serve` inside them, and so closes them after the drain.
    """
    try:
        config = read_config(config_class, os.environ)
        configure_logging(name, config.log_format, config.log_level)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_as_coroutine(start, config))
    except ConfigError as error:
        print(f"{name}: {error}", file=sys.stderr)  # noqa: T201 - there is no log format yet to say it in
        sys.exit(EXIT_CONFIG)
    except UnusableError as error:
        log.error("unusable", name=name, reason=str(error))  # noqa: TRY400 - no bug of ours
        sys.exit(EXIT_CONFIG)
    except Exception:
        log.exception("crashed", name=name)
        sys.exit(EXIT_CRASHED)
    sys.exit(0)


async def _as_coroutine(start: Callable[[ConfigT], Awaitable[None]], config: ConfigT) -> None:
    await start(config)
