"""Calls other services: a deadline for each call, and which answers are final."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Final, Protocol, TypeVar

import grpc
import structlog

from jasshaus.platform.errors import Fault, from_rpc_error, unavailable

RequestT_contra = TypeVar("RequestT_contra", contravariant=True)
ResponseT_co = TypeVar("ResponseT_co", covariant=True)
ResponseT = TypeVar("ResponseT")

_FINAL: Final = frozenset(
    {
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.ALREADY_EXISTS,
    }
)
_RETRY_SECONDS: Final = 1.0
# Told to whoever asked: it takes longer than an outage, and passes by itself.
_RECOVERING: Final = "LEDGER_RECOVERING"

log = structlog.stdlib.get_logger(__name__)


class Method(Protocol[RequestT_contra, ResponseT_co]):
    """A unary method of a stub."""

    def __call__(self, request: RequestT_contra, *, timeout: float | None = None) -> Awaitable[ResponseT_co]:
        """Call it."""


class FinalAnswer(Exception):  # noqa: N818 - an answer, not a mistake
    """The other service refused for good, with an ErrorInfo of ours."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


async def ask(method: Method[Any, ResponseT], request: Any, *, seconds: float, away: str) -> ResponseT:
    """Call; raises FinalAnswer, or Fault UNAVAILABLE with the reason `away` when the outcome is not known.

    What has no ErrorInfo of ours comes from a balancer or a broken peer and decides nothing.
    """
    try:
        return await method(request, timeout=seconds)
    except grpc.aio.AioRpcError as error:
        fault = from_rpc_error(error)
        if fault is not None and fault.code in _FINAL:
            raise FinalAnswer(fault) from error
        log.warning(
            "dependency_call_failed",
            request=type(request).__name__,
            code=error.code().name,
            reason=None if fault is None else fault.reason,
        )
        if fault is not None and fault.reason == _RECOVERING:
            raise unavailable(
                _RECOVERING, fault.message, retry_after=fault.retry_after or _RETRY_SECONDS
            ) from error
        raise unavailable(
            away, "a service this one needs does not answer", retry_after=_RETRY_SECONDS
        ) from error
