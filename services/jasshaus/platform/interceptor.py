"""Wraps every RPC: identity, roles, request id, log line, metrics, errors to status."""

from __future__ import annotations

import asyncio
import inspect
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import ExitStack, aclosing
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import grpc
import structlog

from jasshaus.platform.access import HEALTH_WATCH, OPEN
from jasshaus.platform.auth import Principal, Role, Verifier, set_principal
from jasshaus.platform.bodies import OVERDUE, Bodies, OverdueError, each_readable, guarded, readable
from jasshaus.platform.errors import (
    Fault,
    internal,
    permission_denied,
    resource_exhausted,
    to_status_metadata,
    unauthenticated,
)
from jasshaus.platform.limits import (
    HEALTH_WATCHERS,
    REFLECTION_STREAMS,
    Limits,
    Patience,
    Pool,
    TimedContext,
)
from jasshaus.platform.metrics import RpcMetrics

if TYPE_CHECKING:
    # Not subscriptable at run time.
    Handler = grpc.RpcMethodHandler[Any, Any]
    Context = grpc.aio.ServicerContext[Any, Any]
    Body = Callable[[], Awaitable[Any]]
    Behavior = Callable[[Any, Context], Any]


REQUEST_ID: Final = "x-request-id"
TRACE: Final = "traceparent"
STREAM_TOKEN_GRACE_SECONDS: Final = 300
"""How long a response stream outlives the token it was opened with."""
_EVICTED_RETRY_SECONDS: Final = 5.0

_SANE_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_TRACE_PARENT: Final = re.compile(r"00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
_request_id: ContextVar[str] = ContextVar("request_id")
_trace: ContextVar[str] = ContextVar("trace")

log = structlog.stdlib.get_logger(__name__)


def current_request_id() -> str | None:
    """Return the id of the RPC being handled, or None outside of one."""
    return _request_id.get(None)


def current_trace() -> str | None:
    """Return the W3C `traceparent` of the RPC being handled, or None without one."""
    return _trace.get(None)


@dataclass(slots=True)
class _Outcome:
    """Contents of the log line."""

    code: grpc.StatusCode = grpc.StatusCode.OK
    reason: str = ""
    bug: BaseException | None = None
    #: One of very many on the same connection: logging each would fill the disk.
    flood: bool = False

    def refuse(self, fault: Fault, bug: BaseException | None = None) -> Fault:
        self.code, self.reason, self.bug = fault.code, fault.reason, bug
        return fault


class RpcInterceptor(grpc.aio.ServerInterceptor):
    """Wraps every handler of a server.

    `access` is the role table; a method in neither it nor `OPEN` is refused. `translate` turns a service's
    own exceptions (a rule's violation, a lost database) into a Fault; those for which it returns None are
    bugs: INTERNAL. `limits` are those of the whole server.

    Token, role and rate are checked before any byte of the body is read. All handlers are registered with
    gRPC as request-streaming, which is the same on the wire: gRPC would start a unary one only once the body
    has arrived, and could neither refuse nor end a half-open call.
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
        self._patience = Patience()
        self._bodies = Bodies()
        self._watchers = Pool(HEALTH_WATCHERS)
        self._reflections = Pool(REFLECTION_STREAMS)

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        """Return the method's handler, wrapped; for a refused call, one that answers with the refusal."""
        method, found = handler_call_details.method, await continuation(handler_call_details)
        principal: Principal | None = None
        try:
            if found is not None and method not in OPEN:
                principal = await self._identify(handler_call_details.invocation_metadata or ())
                self._admit(method, principal)
        except Exception as error:  # noqa: BLE001 - answered, and logged if it is a bug, like a handler's own
            return self._refusal(method, error, principal)
        if found is None:
            unknown = Fault(grpc.StatusCode.UNIMPLEMENTED, "UNIMPLEMENTED", "no such method here")
            return self._refusal(method, unknown, None)
        if found.response_streaming:
            return grpc.stream_stream_rpc_method_handler(
                self._wrap_stream(method, found, principal),
                request_deserializer=guarded(found.request_deserializer),
                response_serializer=found.response_serializer,
            )
        return grpc.stream_unary_rpc_method_handler(
            self._wrap(method, found, principal),
            request_deserializer=guarded(found.request_deserializer),
            response_serializer=found.response_serializer,
        )

    def _refusal(self, method: str, error: Exception, principal: Principal | None) -> Handler:
        """Return a handler that reads nothing. Its status also ends a response stream."""

        async def refuse(_requests: Any, context: Context) -> Any:
            whose = (principal.tenant, principal.subject) if principal is not None else context.peer()
            try:
                # First of all: in a flood, most callers are gone after the wait.
                outcome = _Outcome(flood=await self._patience.refusal(whose))
            except asyncio.CancelledError:
                self._metrics.gone(method)
                raise

            async def body() -> Any:
                _name(principal)
                raise error

            return await self._around(method, context, body, outcome=outcome)

        return grpc.stream_unary_rpc_method_handler(refuse)

    def _wrap(self, method: str, handler: Any, principal: Principal | None) -> Behavior:
        behavior = handler.stream_unary if handler.request_streaming else handler.unary_unary

        async def handle(requests: Any, context: Context) -> Any:
            async def body() -> Any:
                _name(principal)
                if principal is None:
                    await self._patience.open_call(context.peer())
                else:
                    # Also called when the answer has been read.
                    end: Any = self._limits.begin(principal)
                    context.add_done_callback(end)
                return await behavior(await self._request(handler, requests, context, principal), context)

            with self._metrics.in_flight.track_inprogress():
                return await self._around(method, context, body)

        return handle

    def _wrap_stream(self, method: str, handler: Any, principal: Principal | None) -> Behavior:
        behavior = handler.stream_stream if handler.request_streaming else handler.unary_stream
        generates = inspect.isasyncgenfunction(behavior)

        async def handle(requests: Any, context: Context) -> None:
            timed: Any = TimedContext(context)

            async def respond() -> None:
                request = await self._request(handler, requests, context, principal)
                if not generates:
                    await behavior(request, timed)
                    return
                async with aclosing(behavior(request, timed)) as responses:
                    async for response in responses:
                        await timed.write(response)

            async def body() -> None:
                _name(principal)
                if principal is None:
                    await self._patience.open_call(context.peer())
                    pool = self._watchers if method == HEALTH_WATCH else self._reflections
                    held.enter_context(pool.lodger(_address(context)))
                    await _in_pool(pool, context, respond)
                else:
                    held.enter_context(self._limits.stream(principal))
                    await _while_valid(principal, respond)

            # Left when the client has received its status: until then it occupies a place.
            with (
                self._metrics.streams.labels(self._metrics.label(method)).track_inprogress(),
                ExitStack() as held,
            ):
                await self._around(method, context, body, timed)

        return handle

    async def _request(
        self, handler: Any, requests: Any, context: Context, principal: Principal | None
    ) -> Any:
        """Return what the method's own handler expects: a request, or an iterator over requests."""
        if handler.request_streaming:
            return each_readable(requests)
        peer = _address(context) if principal is None else None
        return readable(await self._bodies.read(context, peer))

    async def _around(
        self,
        method: str,
        context: Context,
        body: Body,
        timed: TimedContext | None = None,
        outcome: _Outcome | None = None,
    ) -> Any:
        label, outcome = self._metrics.label(method), outcome or _Outcome()
        request_id = _bind_ids(context)
        self._metrics.started.labels(label).inc()
        started = time.perf_counter()
        try:
            return await body()
        except asyncio.CancelledError:
            outcome.code = grpc.StatusCode.CANCELLED
            raise
        except OverdueError as overdue:
            outcome.refuse(OVERDUE)
            raise overdue.answered from None
        except grpc.aio.AbortError:
            # grpc.aio does not tell which; our own handlers raise a Fault instead.
            outcome.code = grpc.StatusCode.UNKNOWN
            raise
        except Exception as error:
            # The boundary: whatever happened, the client gets a status and nothing more.
            if timed is not None and isinstance(error, grpc.aio.InternalError):
                # A message could not be sent: the client is gone, but its cancellation has not arrived yet.
                outcome.code = grpc.StatusCode.CANCELLED
                raise asyncio.CancelledError from error
            fault = self._to_fault(error, request_id, outcome)
        finally:
            elapsed = time.perf_counter() - started
            self._metrics.handled.labels(label, outcome.code.name).inc()
            if timed is None:
                self._metrics.seconds.labels(label).observe(elapsed)
            _log(method, outcome, elapsed)
        # Outside the try: abort works by raising.
        if timed is not None:
            await timed.settled()
        trailers: tuple[tuple[str, str | bytes], ...] = ((REQUEST_ID, request_id), *to_status_metadata(fault))
        return await context.abort(fault.code, fault.message, trailers)

    async def _identify(self, metadata: Iterable[tuple[str, Any]]) -> Principal:
        try:
            scheme, _, token = _authorization(metadata).partition(" ")
            principal = await self._verifier.verify(token.strip() if scheme.lower() == "bearer" else "")
        except Fault as fault:
            self._metrics.tokens.labels(fault.reason).inc()
            raise
        self._metrics.tokens.labels("accepted").inc()
        return principal

    def _admit(self, method: str, principal: Principal) -> None:
        if not principal.roles & self._access.get(method, frozenset()):
            raise permission_denied("ROLE_NOT_ALLOWED", "no role of this token may call this method")
        self._limits.call(principal)

    def _to_fault(self, error: Exception, request_id: str, outcome: _Outcome) -> Fault:
        while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        known = error if isinstance(error, Fault) else self._translate(error)
        if known is not None:
            return outcome.refuse(known)
        return outcome.refuse(internal(request_id), bug=error)


def _name(principal: Principal | None) -> None:
    """Make the caller available to the handler and in log lines."""
    if principal is not None:
        structlog.contextvars.bind_contextvars(subject=principal.subject, tenant=principal.tenant)
        set_principal(principal)


async def _in_pool(pool: Pool, context: Context, respond: Body) -> None:
    """Run a stream that is open to all, until another one needs its place."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(None) as scope:
            with pool.member(_address(context), lambda: scope.reschedule(loop.time())):
                await respond()
    except TimeoutError:
        if scope.expired():
            raise resource_exhausted(
                "TOO_MANY_STREAMS", "others need the place", retry_after=_EVICTED_RETRY_SECONDS
            ) from None
        raise


async def _while_valid(principal: Principal, respond: Body) -> None:
    """Run a stream until it ends, or until some time after its token has expired."""
    lifetime = asyncio.timeout(principal.expires_at + STREAM_TOKEN_GRACE_SECONDS - time.time())
    try:
        async with lifetime:
            await respond()
    except TimeoutError:
        if lifetime.expired():
            raise unauthenticated("TOKEN_EXPIRED", "open the stream again with a new token") from None
        raise


def _metadata(context: Context) -> dict[str, str]:
    return {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}


def _authorization(metadata: Iterable[tuple[str, Any]]) -> str:
    """Return the header, "" if missing; with two, it is unclear which one a proxy has checked."""
    found = [value for key, value in metadata if key == "authorization"]
    if len(found) > 1:
        raise unauthenticated("TOKEN_INVALID", "token refused: there are two authorization headers")
    return str(found[0]) if found else ""


def _address(context: Context) -> str:
    """Return the peer without its port: connections of one address are one peer."""
    return context.peer().rpartition(":")[0]


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
    elif method in OPEN or outcome.flood:
        log.debug("rpc", **fields)
    else:
        log.info("rpc", **fields)
