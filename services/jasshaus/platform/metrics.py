"""Declares the platform's metrics and serves the port for scraping them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import grpc
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, start_http_server

OTHER: Final = "other"
"""The `method` label of an unknown RPC: strangers must not be able to add series."""

REFUSALS: Final = ("TOKEN_MISSING", "TOKEN_INVALID", "TOKEN_EXPIRED", "ROLE_NOT_ALLOWED", OTHER)
"""Reasons for refusing another service's token."""
KEY_RESULTS: Final = ("ok", "unreadable", "empty")

_CODES: Final = tuple(code.name for code in grpc.StatusCode)
_LATENCY_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_TOKEN_RESULTS: Final = ("accepted", "TOKEN_MISSING", "TOKEN_INVALID", "TOKEN_EXPIRED", "KEYS_UNAVAILABLE")

STORE_SWITCHES: Final = Counter(
    "jasshaus_store_switches_total",
    "Times all connections to a store were dropped: it was a different server, or refused writes.",
    ["store"],
)
"""Global to the process, because connection owners do not have their server's registry."""
for _store in ("redis", "postgres"):
    STORE_SWITCHES.labels(_store)


class RpcMetrics:
    """Metrics of the interceptor, for the RPCs of one server.

    `methods` are full names, "/package.Service/Method".
    """

    def __init__(self, methods: Iterable[str], registry: CollectorRegistry = REGISTRY) -> None:
        self._methods = frozenset(methods) | {OTHER}
        self.started = Counter("jasshaus_rpc_started_total", "RPCs begun.", ["method"], registry=registry)
        self.handled = Counter(
            "jasshaus_rpc_handled_total", "RPCs ended, by status code.", ["method", "code"], registry=registry
        )
        self.seconds = Histogram(
            "jasshaus_rpc_seconds",
            "Duration of RPCs with a single response.",
            ["method"],
            registry=registry,
            buckets=_LATENCY_BUCKETS,
        )
        self.in_flight = Gauge(
            "jasshaus_rpc_in_flight", "RPCs with a single response in progress.", registry=registry
        )
        self.streams = Gauge("jasshaus_rpc_streams", "Open response streams.", ["method"], registry=registry)
        self.tokens = Counter(
            "jasshaus_tokens_total", "Tokens verified, by result.", ["result"], registry=registry
        )
        for method in self._methods:
            self.started.labels(method)
            self.seconds.labels(method)
            self.streams.labels(method)
            for code in _CODES:
                self.handled.labels(method, code)
        for result in _TOKEN_RESULTS:
            self.tokens.labels(result)

    def label(self, method: str) -> str:
        """Return the `method` label of a full method name."""
        return method if method in self._methods else OTHER

    def gone(self, method: str) -> None:
        """Count a call that its caller gave up before any work was done."""
        label = self.label(method)
        self.started.labels(label).inc()
        self.handled.labels(label, grpc.StatusCode.CANCELLED.name).inc()


class KeyMetrics:
    """Metrics of the keys that verify tokens."""

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        self._fetches = Counter(
            "jasshaus_keys_fetched_total", "Fetches of the key set, by result.", ["result"], registry=registry
        )
        self._fetched_at = Gauge(
            "jasshaus_keys_fetched_timestamp_seconds",
            "When the key set in use was last fetched or found unchanged.",
            registry=registry,
        )
        for result in KEY_RESULTS:
            self._fetches.labels(result)

    def fetched(self, result: str) -> None:
        """Count a fetch: one of `KEY_RESULTS`."""
        self._fetches.labels(result).inc()
        if result == "ok":
            self._fetched_at.set_to_current_time()


class CallerMetrics:
    """Metrics of calls to other services."""

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        self.refused = Counter(
            "jasshaus_service_calls_refused_total",
            "Calls refused by another service because of this process's service token.",
            ["peer", "reason"],
            registry=registry,
        )
        self.token_refused = Gauge(
            "jasshaus_service_token_refused",
            "1 while another service refuses this process's service token.",
            ["peer"],
            registry=registry,
        )
        self.token_expires = Gauge(
            "jasshaus_service_token_expires_timestamp_seconds",
            "When this process's service token expires, according to its claims; 0 if unknown.",
            registry=registry,
        )

    def add(self, peer: str) -> None:
        """Create a peer's series before anything happens."""
        self.token_refused.labels(peer)
        for reason in REFUSALS:
            self.refused.labels(peer, reason)


@functools.cache
def caller_metrics(registry: CollectorRegistry = REGISTRY) -> CallerMetrics:
    """Return the metrics of this registry: a process has several channels, opened before it serves."""
    return CallerMetrics(registry)


@contextmanager
def exposition(port: int | None, host: str, registry: CollectorRegistry = REGISTRY) -> Iterator[int | None]:
    """Serve /metrics while inside, in Prometheus' text format.

    Yields the port (0 asks for a free one); nothing is served if `port` is None.
    """
    if port is None:
        yield None
        return
    server, thread = start_http_server(port, host, registry)
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
