"""Defines `JassError`, raised for a refused or failed call, and reads it from the wire."""

# ruff: noqa: N818 - the names state what happened; the base class's name says that they are errors

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from jasshaus.api.table.v1.table_pb2 import TableView

M = TypeVar("M", bound=Message)

_DOMAIN: Final = "jasshaus"
_STATUS_DETAILS: Final = "grpc-status-details-bin"


class JassError(Exception):
    """A call that did not succeed.

    `code` is the gRPC code. `reason` is a value of the contracts' `ErrorReason` without its prefix
    ("INSUFFICIENT_FUNDS"), or "" if the failure is not a server's answer (no connection, deadline).
    `violations` are (field, description) pairs. `retry_after` is in seconds, if the server named a pause.
    `details` are further messages, see `detail`.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        *,
        metadata: Mapping[str, str] | None = None,
        violations: Sequence[tuple[str, str]] = (),
        retry_after: float | None = None,
        details: Sequence[AnyMessage] = (),
    ) -> None:
        super().__init__(f"{reason or code.name}: {message}")
        self.code = code
        self.reason = reason
        self.message = message
        self.metadata = dict(metadata or {})
        self.violations = tuple(violations)
        self.retry_after = retry_after
        self.details = tuple(details)

    def detail(self, kind: type[M]) -> M | None:
        """Return the first detail of this message type, or None."""
        found = kind()
        return next((found for packed in self.details if packed.Unpack(found)), None)


class InvalidArgument(JassError):
    """A field is malformed, regardless of state: `violations` name it."""


class Unauthenticated(JassError):
    """No valid token (TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED)."""


class Denied(JassError):
    """The caller may not do this."""


class NotFound(JassError):
    """No such object, or not visible to the caller."""


class Refused(JassError):
    """Not allowed by the rules or the current state: repeating it unchanged does not help."""


class Stale(JassError):
    """The table has moved on since the version on which the action was chosen."""

    @property
    def view(self) -> TableView | None:
        """The caller's current view, if the server sent it along."""
        return self.detail(TableView)


class LimitReached(JassError):
    """A limit was exceeded; `retry_after` tells when it passes, if it passes by itself."""


class Replaced(JassError):
    """A newer stream of the same player and device took over."""


class Unavailable(JassError):
    """No answer within the client's patience: try again later, with the same request id."""


_KINDS: Final[Mapping[grpc.StatusCode, type[JassError]]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidArgument,
    grpc.StatusCode.UNAUTHENTICATED: Unauthenticated,
    grpc.StatusCode.PERMISSION_DENIED: Denied,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.FAILED_PRECONDITION: Refused,
    grpc.StatusCode.ABORTED: Stale,
    grpc.StatusCode.RESOURCE_EXHAUSTED: LimitReached,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: Unavailable,
    grpc.StatusCode.CANCELLED: Unavailable,
}


def from_rpc_error(error: grpc.aio.AioRpcError) -> JassError:
    """Return the error to raise for a failed RPC."""
    code = error.code()
    kind = _KINDS.get(code, JassError)
    message = error.details() or code.name
    status = _status(error)
    if status is None:
        return kind(code, "", message)
    info = ErrorInfo()
    violations: list[tuple[str, str]] = []
    retry_after: float | None = None
    rest: list[AnyMessage] = []
    for packed in status.details:
        if packed.Is(ErrorInfo.DESCRIPTOR):
            info = ErrorInfo.FromString(packed.value)
        elif packed.Is(BadRequest.DESCRIPTOR):
            bad = BadRequest.FromString(packed.value)
            violations += [(each.field, each.description) for each in bad.field_violations]
        elif packed.Is(RetryInfo.DESCRIPTOR):
            retry_after = RetryInfo.FromString(packed.value).retry_delay.ToMilliseconds() / 1000
        else:
            rest.append(packed)
    return kind(
        code,
        info.reason if info.domain == _DOMAIN else "",
        status.message or message,
        metadata=dict(info.metadata),
        violations=violations,
        retry_after=retry_after,
        details=rest,
    )


def _status(error: grpc.aio.AioRpcError) -> Status | None:
    trailers: Any = error.trailing_metadata() or ()
    for key, value in trailers:
        if key == _STATUS_DETAILS and isinstance(value, bytes):
            try:
                return Status.FromString(value)
            except DecodeError:
                return None
    return None
