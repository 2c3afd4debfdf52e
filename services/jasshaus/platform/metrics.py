"""Owns the platform's metrics, all declared here, and the port they are read from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import grpc
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, start_http_server

OTHER: Final = "other"
"""The `method` label of an RPC that this server does not have: a stranger must not be able to add series."""

_CODES: Final = tuple(code.name for code in grpc.StatusCode)
_LATENCY_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_TOKEN_RESULTS: Final = ("accepted", "TOKEN_MISSING", "TOKEN_INVALID", "TOKEN_EXPIRED", "KEYS_UNAVAILABLE")

STORE_SWITCHES: Final = Counter(
    "jasshaus_store_switches_total",
    "All connections to a store given up, because it was another server, or took no writes any more.",
    ["store"],
)
"""Of the process: whoever holds connections is not told which registry its server shows."""
for _store in ("redis", "postgres"):
    STORE_SWITCHES.labels(_store)


class RpcMetrics:
    """What the interceptor counts, for the RPCs of one server.

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
            "How long RPCs with a single response took.",
            ["method"],
            registry=registry,
            buckets=_LATENCY_BUCKETS,
        )
        self.in_flight = Gauge(
            "jasshaus_rpc_in_flight", "RPCs with a single response now in hand.", registry=registry
        )
        self.streams = Gauge(
            "jasshaus_rpc_streams", "Response streams now open.", ["method"], registry=registry
        )
        self.tokens = Counter(
            "jasshaus_tokens_total", "Tokens judged, by result.", ["result"], registry=registry
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


@contextmanager
def exposition(port: int | None, host: str, registry: CollectorRegistry = REGISTRY) -> Iterator[int | None]:
    """Serve /metrics while inside, in Prometheus' text format.

    Yields the port (0 asks for a free one); nothing is served when `port` is None.
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
