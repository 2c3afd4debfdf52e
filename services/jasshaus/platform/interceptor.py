"""Owns what happens around every RPC: identity, roles, request id, log line, metrics, errors to status."""

from __future__ import annotations

import asyncio
import inspect
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import grpc
import structlog
from google.protobuf.message import DecodeError

from jasshaus.platform.access import OPEN
from jasshaus.platform.auth import Principal, Role, Verifier, set_principal
from jasshaus.platform.errors import (
    Fault,
    internal,
    permission_denied,
    resource_exhausted,
    to_status_metadata,
    unauthenticated,
)
from jasshaus.platform.limits import Limits, TimedContext
from jasshaus.platform.metrics import RpcMetrics

if TYPE_CHECKING:
    # Not subscriptable at run time.
    Handler = grpc.RpcMethodHandler[Any, Any]
    Context = grpc.aio.ServicerContext[Any, Any]
    Body = Callable[[], Awaitable[Any]]
    Behavior = Callable[[Any, Context], Any]


REQUEST_ID: Final = "x-request-id"
TRACE: Final = "traceparent"
MAX_REQUEST_BYTES: Final = 256 * 1024
"""No request of ours comes near; above the transport's own limit gRPC itself answers RESOURCE_EXHAUSTED."""
STREAM_TOKEN_GRACE_SECONDS: Final = 300
"""How long a response stream outlives the token it was opened with."""

_SANE_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_TRACE_PARENT: Final = re.compile(r"00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
_request_id: ContextVar[str] = ContextVar("request_id")
_trace: ContextVar[str] = ContextVar("trace")

log = structlog.stdlib.get_logger(__name__)


def current_request_id() -> str | None:
    """Return the id of the RPC being handled, or None outside of one."""
    return _request_id.get(None)


def current_trace() -> str | None:
    """Return the W3C `traceparent` of the RPC being handled, or None when it came with none."""
    return _trace.get(None)


@dataclass(frozen=True, slots=True)
class _Refused:
    """Stands for a request that could not be read: a deserializer cannot answer, the handler can."""

    fault: Fault


@dataclass(slots=True)
class _Outcome:
    """What the log line says."""

    code: grpc.StatusCode = grpc.StatusCode.OK
    reason: str = ""
    bug: BaseException | None = None

    def refuse(self, fault: Fault, bug: BaseException | None = None) -> Fault:
        self.code, self.reason, self.bug = fault.code, fault.reason, bug
        return fault


class RpcInterceptor(grpc.aio.ServerInterceptor):
    """Wraps every handler of a server.

    `access` is the role table; a method in neither it nor `OPEN` is refused. `translate` turns a service's
    own exceptions (a rule's violation, a lost database) into a Fault; what it returns None for is our bug:
    INTERNAL. `limits` are those of the whole server.
    """

    def __init__(
        self,
        verifier: Verifier,
        access: Mapping[str, frozenset[Role]],
        metrics: RpcMetrics,
        translate: Callable[[Exception], Fault | None] = lambda _: None,
        limits: Limits | None = None,
    ) -> None:
        self._verifier = verifier
        self._access = access
        self._metrics = metrics
        self._translate = translate
        self._limits = limits or Limits()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        """Return the method's handler, wrapped; for an unknown method one that says so."""
        method = handler_call_details.method
        found = await continuation(handler_call_details)
        if found is None:
            return grpc.unary_unary_rpc_method_handler(self._wrap(method, _unimplemented, public=True))
        make, behavior = _kind(found)
        wrap = self._wrap_stream if found.response_streaming else self._wrap
        return make(
            wrap(method, behavior, public=method in OPEN),
            request_deserializer=_guarded(found.request_deserializer),
            response_serializer=found.response_serializer,
        )

    def _wrap(self, method: str, behavior: Behavior, *, public: bool) -> Behavior:
        async def handle(request: Any, context: Context) -> Any:
            async def body() -> Any:
                return await behavior(_readable(request), context)

            with self._metrics.in_flight.track_inprogress():
                return await self._around(
                    method, context, body if public else self._admitted(method, context, body)
                )

        return handle

    def _wrap_stream(self, method: str, behavior: Behavior, *, public: bool) -> Behavior:
        generates = inspect.isasyncgenfunction(behavior)

        async def handle(request: Any, context: Context) -> None:
            timed: Any = TimedContext(context)

            async def body() -> None:
                if not generates:
                    await behavior(_readable(request), timed)
                    return
                async with aclosing(behavior(_readable(request), timed)) as responses:
                    async for response in responses:
                        await timed.write(response)

            async def counted() -> None:
                with self._limits.stream(None):
                    await body()

            with self._metrics.streams.labels(self._metrics.label(method)).track_inprogress():
                await self._around(
                    method,
                    context,
                    counted if public else self._admitted(method, context, body, streaming=True),
                    streaming=True,
                )

        return handle

    async def _around(self, method: str, context: Context, body: Body, *, streaming: bool = False) -> Any:
        label = self._metrics.label(method)
        request_id = _bind_ids(context)
        self._metrics.started.labels(label).inc()
        started, outcome = time.perf_counter(), _Outcome()
        try:
            return await body()
        except asyncio.CancelledError:
            outcome.code = grpc.StatusCode.CANCELLED
            raise
        except grpc.aio.AbortError:
            # grpc.aio does not tell which; our own handlers raise a Fault instead.
            outcome.code = grpc.StatusCode.UNKNOWN
            raise
        except Exception as error:
            # The edge: whatever it is, the client gets a status and no more.
            if streaming and isinstance(error, grpc.aio.InternalError):
                # A message could not be sent: the client is gone, only its cancellation has not arrived.
                outcome.code = grpc.StatusCode.CANCELLED
                raise asyncio.CancelledError from error
            fault = self._to_fault(error, request_id, outcome)
        finally:
            elapsed = time.perf_counter() - started
            self._metrics.handled.labels(label, outcome.code.name).inc()
            if not streaming:
                self._metrics.seconds.labels(label).observe(elapsed)
            _log(method, outcome, elapsed)
        # Outside of the try: abort works by raising.
        trailers: tuple[tuple[str, str | bytes], ...] = ((REQUEST_ID, request_id), *to_status_metadata(fault))
        return await context.abort(fault.code, fault.message, trailers)

    def _admitted(self, method: str, context: Context, body: Body, *, streaming: bool = False) -> Body:
        """Return `body` behind token, role and limits; a stream ends a while after its token did."""

        async def checked() -> Any:
            principal = await self._identify(context)
            structlog.contextvars.bind_contextvars(subject=principal.subject, tenant=principal.tenant)
            if not principal.roles & self._access.get(method, frozenset()):
                raise permission_denied("ROLE_NOT_ALLOWED", "no role of this token may call this method")
            set_principal(principal)
            self._limits.call(principal)
            if not streaming:
                return await body()
            lifetime = asyncio.timeout(principal.expires_at + STREAM_TOKEN_GRACE_SECONDS - time.time())
            try:
                with self._limits.stream(principal):
                    async with lifetime:
                        return await body()
            except TimeoutError:
                if lifetime.expired():
                    raise unauthenticated("TOKEN_EXPIRED", "open the stream again with a new token") from None
                raise

        return checked

    async def _identify(self, context: Context) -> Principal:
        try:
            scheme, _, token = _authorization(context).partition(" ")
            principal = await self._verifier.verify(token.strip() if scheme.lower() == "bearer" else "")
        except Fault as fault:
            self._metrics.tokens.labels(fault.reason).inc()
            raise
        self._metrics.tokens.labels("accepted").inc()
        return principal

    def _to_fault(self, error: Exception, request_id: str, outcome: _Outcome) -> Fault:
        while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        known = error if isinstance(error, Fault) else self._translate(error)
        if known is not None:
            return outcome.refuse(known)
        return outcome.refuse(internal(request_id), bug=error)


def _kind(handler: Any) -> tuple[Callable[..., Handler], Behavior]:
    """Return what makes such a handler, and its behaviour (the stubs know synchronous ones only)."""
    match handler.request_streaming, handler.response_streaming:
        case False, False:
            return grpc.unary_unary_rpc_method_handler, handler.unary_unary
        case False, True:
            return grpc.unary_stream_rpc_method_handler, handler.unary_stream
        case True, False:
            return grpc.stream_unary_rpc_method_handler, handler.stream_unary
        case _:
            return grpc.stream_stream_rpc_method_handler, handler.stream_stream


def _guarded(deserialize: Callable[[bytes], Any] | None) -> Callable[[bytes], Any] | None:
    if deserialize is None:
        return None

    def read(raw: bytes) -> Any:
        if len(raw) > MAX_REQUEST_BYTES:
            return _Refused(
                resource_exhausted("MESSAGE_TOO_LARGE", f"a request has at most {MAX_REQUEST_BYTES} bytes")
            )
        try:
            return deserialize(raw)
        except DecodeError:
            return _Refused(
                Fault(grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE", "not a message of this type")
            )

    return read


def _readable(request: Any) -> Any:
    """Raise what the deserializer could not; of a request stream, message by message."""
    if isinstance(request, _Refused):
        raise request.fault
    return _each_readable(request) if hasattr(request, "__aiter__") else request


async def _each_readable(requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
    async for request in requests:
        yield _readable(request)


async def _unimplemented(_request: Any, _context: Context) -> Any:
    raise Fault(grpc.StatusCode.UNIMPLEMENTED, "UNIMPLEMENTED", "no such method here")


def _metadata(context: Context) -> dict[str, str]:
    return {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}


def _authorization(context: Context) -> str:
    """Return the header, "" when there is none; of two nobody could say which one a proxy has checked."""
    found = [value for key, value in context.invocation_metadata() or () if key == "authorization"]
    if len(found) > 1:
        raise unauthenticated("TOKEN_INVALID", "token refused: there are two authorization headers")
    return str(found[0]) if found else ""


def _bind_ids(context: Context) -> str:
    metadata = _metadata(context)
    given = metadata.get(REQUEST_ID, "")
    request_id = given if _SANE_REQUEST_ID.fullmatch(given) else uuid4().hex
    _request_id.set(request_id)
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=request_id)
    trace = _TRACE_PARENT.fullmatch(metadata.get(TRACE, ""))
    if trace is not None:
        _trace.set(trace[0])
        structlog.contextvars.bind_contextvars(trace_id=trace[1])
    context.set_trailing_metadata(((REQUEST_ID, request_id),))
    return request_id


def _log(method: str, outcome: _Outcome, elapsed: float) -> None:
    fields: dict[str, Any] = {
        "method": method,
        "code": outcome.code.name,
        "duration_ms": round(elapsed * 1000, 3),
    }
    if outcome.reason:
        fields["reason"] = outcome.reason
    if outcome.bug is not None:
        log.error("rpc", exc_info=outcome.bug, **fields)
    elif method in OPEN:
        log.debug("rpc", **fields)
    else:
        log.info("rpc", **fields)
