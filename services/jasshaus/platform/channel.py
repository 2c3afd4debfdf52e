"""Owns the connection from one service to another: service token, request and trace ids, keepalive."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import grpc

from jasshaus.platform.config import PlatformConfig
from jasshaus.platform.errors import unavailable
from jasshaus.platform.interceptor import REQUEST_ID, TRACE, current_request_id, current_trace

_TOKEN_FILE_SECONDS: Final = 30.0
_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.lb_policy_name", "round_robin"),
    ("grpc.max_metadata_size", 16 * 1024),
    # Retries are ours to make, with the request id; gRPC's own are invisible.
    ("grpc.enable_retries", 0),
)


class ServiceToken:
    """The token this process shows to other services.

    Fixed, or from a file that whoever rotates it rewrites.
    """

    def __init__(self, token: str | None, file: Path | None) -> None:
        self._token = token
        self._file = file
        self._read_at = float("-inf")

    async def __call__(self) -> str:
        """Return the token; a file is read again every half minute.

        Raises Fault UNAVAILABLE when there is none.
        """
        if self._file is not None and time.monotonic() - self._read_at >= _TOKEN_FILE_SECONDS:
            try:
                self._token = (await asyncio.to_thread(self._file.read_text)).strip()
                self._read_at = time.monotonic()
            except OSError as error:
                if self._token is None:
                    raise unavailable("KEYS_UNAVAILABLE", "no service token now") from error
        if self._token is None:
            raise unavailable("KEYS_UNAVAILABLE", "no service token configured")
        return self._token


def service_channel(address: str, config: PlatformConfig) -> grpc.aio.Channel:
    """Return a channel to another service of ours; close it when the process ends."""
    token = ServiceToken(config.service_token, config.service_token_file)
    return grpc.aio.insecure_channel(address, options=_OPTIONS, interceptors=[_UnaryIdentity(token)])


class _UnaryIdentity(grpc.aio.UnaryUnaryClientInterceptor):
    """Adds who calls, and for which request."""

    def __init__(self, token: ServiceToken) -> None:
        self._token = token

    async def intercept_unary_unary(
        self,
        continuation: Callable[[grpc.aio.ClientCallDetails, Any], Any],
        client_call_details: grpc.aio.ClientCallDetails,
        request: Any,
    ) -> Any:
        metadata = grpc.aio.Metadata(*(client_call_details.metadata or ()))
        metadata.add("authorization", f"Bearer {await self._token()}")
        for name, value in ((REQUEST_ID, current_request_id()), (TRACE, current_trace())):
            if value is not None:
                metadata.add(name, value)
        details = grpc.aio.ClientCallDetails(
            method=client_call_details.method,
            timeout=client_call_details.timeout,
            metadata=metadata,
            credentials=client_call_details.credentials,
            wait_for_ready=client_call_details.wait_for_ready,
        )
        return await continuation(details, request)
