"""Connects one service to another: service token and its acceptance, request ids, keepalive."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

import grpc
import jwt
import structlog

from jasshaus.platform.config import PlatformConfig
from jasshaus.platform.errors import Fault, from_rpc_error, unavailable
from jasshaus.platform.interceptor import REQUEST_ID, TRACE, current_request_id, current_trace
from jasshaus.platform.metrics import OTHER, REFUSALS, CallerMetrics, caller_metrics
from jasshaus.platform.stopping import Stopping

_TOKEN_FILE_SECONDS: Final = 30.0
_LOG_SECONDS: Final = 60.0
# An idle service checks this often whether its token is still accepted.
_CHECK_SECONDS: Final = 15.0
# Shorter than a readiness probe may take (see Pace).
_CHECK_TIMEOUT: Final = 1.5
_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.lb_policy_name", "round_robin"),
    ("grpc.max_metadata_size", 16 * 1024),
    # We retry with the request id; gRPC's own retries are invisible to us.
    ("grpc.enable_retries", 0),
)
#: A method that takes a service token, by service. An empty request is rejected
#: (INVALID_ARGUMENT) before any lookup; that it was read at all shows that the token was accepted.
_CHECKS: Final = {
    "wallet": "/jasshaus.api.wallet.v1.PotService/GetPot",
    "table": "/jasshaus.api.table.v1.TableService/GetTable",
    "matchmaking": "/jasshaus.api.matchmaking.v1.HistoryService/ReportMatch",
}
_UNDECIDED: Final = frozenset(
    {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED}
)

_ABOUT_TOKENS: Final = frozenset({grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED})

log = structlog.stdlib.get_logger(__name__)


class TokenRefusedError(Exception):
    """Another service does not accept this process's service token."""


class ServiceToken:
    """The token this process presents to other services.

    Either fixed, or read from a file that is rewritten on rotation.
    """

    def __init__(self, token: str | None, file: Path | None, metrics: CallerMetrics | None = None) -> None:
        self._token = token
        self._file = file
        self._metrics = metrics or caller_metrics()
        self._read_at = float("-inf")
        self._show()

    async def __call__(self) -> str:
        """Return the token; a file is reread every half minute.

        Raises Fault UNAVAILABLE if there is none.
        """
        if self._file is not None and time.monotonic() - self._read_at >= _TOKEN_FILE_SECONDS:
            try:
                self._token = (await asyncio.to_thread(self._file.read_text)).strip()
                self._read_at = time.monotonic()
                self._show()
            except (OSError, UnicodeDecodeError) as error:
                if self._token is None:
                    raise unavailable("KEYS_UNAVAILABLE", "no service token available") from error
        if self._token is None:
            raise unavailable("KEYS_UNAVAILABLE", "no service token configured")
        return self._token

    def refused(self) -> None:
        """Reread the file on the next call, because there may already be a new token."""
        self._read_at = float("-inf")

    def claims(self) -> dict[str, Any]:
        """Return the token's unverified claims; {} if they are unreadable."""
        try:
            return jwt.decode(self._token or "", options={"verify_signature": False})
        except jwt.PyJWTError:
            return {}

    def _show(self) -> None:
        expires = self.claims().get("exp")
        if isinstance(expires, int | float):
            self._metrics.token_expires.set(expires)


class Standing:
    """Whether one other service accepts this process's token, as of the last call."""

    def __init__(self, peer: str, token: ServiceToken, metrics: CallerMetrics | None = None) -> None:
        self.peer = peer
        self.token = token
        self._metrics = metrics or caller_metrics()
        self._metrics.add(peer)
        self._refused: str | None = None
        self._heard_at = float("-inf")
        self._logged_at = float("-inf")

    @property
    def refused(self) -> str | None:
        """Why the token is refused, or None."""
        return self._refused

    @property
    def age(self) -> float:
        """How many seconds ago the last call ended."""
        return time.monotonic() - self._heard_at

    def heard(self, code: grpc.StatusCode, reason: str, method: str) -> bool:
        """Record how a call ended; return whether it was refused because of the token."""
        if code in _UNDECIDED:
            return False
        self._heard_at = time.monotonic()
        if code is grpc.StatusCode.UNAUTHENTICATED or reason == "ROLE_NOT_ALLOWED":
            self._refuse(reason if reason in REFUSALS else OTHER, method)
            return True
        if self._refused is not None:
            log.warning("service_token_accepted_again", peer=self.peer)
            self._refused = None
            self._metrics.token_refused.labels(self.peer).set(0)
        return False

    def _refuse(self, reason: str, method: str) -> None:
        self.token.refused()
        self._refused = reason
        self._metrics.refused.labels(self.peer, reason).inc()
        self._metrics.token_refused.labels(self.peer).set(1)
        if self._heard_at - self._logged_at >= _LOG_SECONDS:
            self._logged_at, claims = self._heard_at, self.token.claims()
            log.error(
                "service_token_refused",
                peer=self.peer,
                reason=reason,
                method=method,
                token_subject=str(claims.get("sub"))[:64],
                token_issuer=str(claims.get("iss"))[:128],
                token_expires=claims.get("exp"),
            )


class Peer:
    """Another service: a channel to it, and whether it accepts this process's token.

    `name` is "wallet", "table" or "matchmaking". Close it, or use it as a context manager.
    """

    def __init__(
        self, name: str, address: str, config: PlatformConfig, metrics: CallerMetrics | None = None
    ) -> None:
        metrics = metrics or caller_metrics()
        token = ServiceToken(config.service_token, config.service_token_file, metrics)
        self._standing = Standing(name, token, metrics)
        self.channel = grpc.aio.insecure_channel(
            address, options=_OPTIONS, interceptors=[_UnaryIdentity(self._standing)]
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the channel."""
        await self.channel.close()

    async def token_accepted(self) -> None:
        """Raise TokenRefusedError while the token is refused: a readiness probe.

        Makes a call unless a recent one has shown it. A service that does not answer proves nothing.
        """
        standing = self._standing
        if standing.refused is not None or standing.age >= _CHECK_SECONDS:
            await self._ask()
        if standing.refused is not None:
            raise TokenRefusedError(f"{standing.peer} refuses the service token: {standing.refused}")

    async def watch_token(self, stopping: Stopping) -> None:
        """Check periodically, for the metrics and log of a service whose health ignores its token."""
        while True:
            with suppress(TokenRefusedError, Fault):
                await self.token_accepted()
            if await stopping.sleep(_CHECK_SECONDS):
                return

    async def _ask(self) -> None:
        method: Any = self.channel.unary_unary(_CHECKS[self._standing.peer])
        # The interceptor records the outcome.
        with suppress(grpc.aio.AioRpcError):
            await method(b"", timeout=_CHECK_TIMEOUT)


class _UnaryIdentity(grpc.aio.UnaryUnaryClientInterceptor):
    """Adds the caller's token and the request id to calls; records whether the token was accepted."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing

    async def intercept_unary_unary(
        self,
        continuation: Callable[[grpc.aio.ClientCallDetails, Any], Any],
        client_call_details: grpc.aio.ClientCallDetails,
        request: Any,
    ) -> Any:
        metadata = grpc.aio.Metadata(*(client_call_details.metadata or ()))
        metadata.add("authorization", f"Bearer {await self._standing.token()}")
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
        call = await continuation(details, request)
        try:
            code = await call.code()
        except asyncio.CancelledError:
            call.cancel()
            raise
        method: Any = client_call_details.method
        await self._hear(call, code, method.decode() if isinstance(method, bytes) else method)
        return call

    async def _hear(self, call: Any, code: grpc.StatusCode, method: str) -> None:
        """Raise AioRpcError UNAVAILABLE if this process's own token was refused.

        The original caller must not see that refusal, because their own token is fine.
        """
        reason = ""
        if code in _ABOUT_TOKENS:
            fault = from_rpc_error(await _error_of(call))
            reason = "" if fault is None else fault.reason
        if self._standing.heard(code, reason, method):
            raise await _error_of(call, grpc.StatusCode.UNAVAILABLE)


async def _error_of(call: Any, code: grpc.StatusCode | None = None) -> grpc.aio.AioRpcError:
    """Return how a call failed; with `code`, that code and no details instead."""
    initial, trailing = await call.initial_metadata(), await call.trailing_metadata()
    if code is None:
        return grpc.aio.AioRpcError(await call.code(), initial, trailing, details=await call.details())
    return grpc.aio.AioRpcError(code, initial, grpc.aio.Metadata(), details="the service token was refused")
