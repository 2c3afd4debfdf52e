"""Calls wallet and table service, and distinguishes final answers from those a retry may change."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import grpc
import structlog

from jasshaus.platform.calls import Method, Undelivered, call
from jasshaus.platform.errors import Fault, unavailable

Response = TypeVar("Response")

_FINAL: Final = frozenset(
    {
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.ALREADY_EXISTS,
    }
)
_RETRY_SECONDS: Final = 1.0
# Passed on to the caller: a recovery takes longer than an outage, and ends by itself.
_RECOVERING: Final = "LEDGER_RECOVERING"

log = structlog.stdlib.get_logger(__name__)


class FinalAnswer(Exception):  # noqa: N818 - an answer, not a mistake
    """The other service refused permanently."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


async def ask(method: Method[Response], request: Any, *, seconds: float, away: str) -> Response:
    """Call; raises FinalAnswer, or Fault UNAVAILABLE with the reason `away` if the outcome is unknown."""
    try:
        return await call(method, request, seconds=seconds)
    except Fault as fault:
        if fault.code in _FINAL:
            raise FinalAnswer(fault) from fault
        failure: Fault | Undelivered = fault
    except Undelivered as undelivered:
        failure = undelivered
    reason = failure.reason if isinstance(failure, Fault) else str(failure)
    log.warning("dependency_call_failed", request=type(request).__name__, reason=reason)
    if isinstance(failure, Fault) and reason == _RECOVERING:
        raise unavailable(
            reason, failure.message, retry_after=failure.retry_after or _RETRY_SECONDS
        ) from failure
    raise unavailable(
        away, "a service this one needs does not answer", retry_after=_RETRY_SECONDS
    ) from failure
