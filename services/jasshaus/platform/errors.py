"""Defines `Fault`, the only error services answer with, and its form on the wire.

On the wire it is a canonical code and a google.rpc.ErrorInfo (AIP-193).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

M = TypeVar("M", bound=Message)

DOMAIN: Final = "jasshaus"
STATUS_DETAILS: Final = "grpc-status-details-bin"

# A peer drops an RPC whose trailers exceed its metadata limit (8 KiB by default), and base64
# adds a third.
_MAX_STATUS_BYTES: Final = 5 * 1024
_MAX_MESSAGE_CHARS: Final = 512
_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}


class Fault(Exception):  # noqa: N818 - most are no error of anybody's
    """An expected refusal, raised anywhere and turned into the answer by the interceptor.

    `reason` is a value of the `ErrorReason` enum without its prefix ("INSUFFICIENT_FUNDS"). `metadata` goes
    into the ErrorInfo. `violations` are (field, description) pairs of a BadRequest. `retry_after` is in
    seconds. `details` are further messages for the client, dropped if the whole does not fit into the
    trailers.
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
        details: Sequence[Message] = (),
    ) -> None:
        super().__init__(f"{code.name} {reason}: {message}")
        self.code = code
        self.reason = reason
        self.message = message
        self.metadata = dict(metadata or {})
        self.violations = tuple(violations)
        self.retry_after = retry_after
        self.details = tuple(details)

    def detail(self, kind: type[M]) -> M | None:
        """Return the first detail of this message type, or None.

        Packed details (client side) are unpacked.
        """
        for message in self.details:
            if isinstance(message, kind):
                return message
            if isinstance(message, AnyMessage) and message.TypeName() == kind.DESCRIPTOR.full_name:
                found = kind()
                message.Unpack(found)
                return found
        return None


def invalid_argument(field: str, description: str, reason: str = "INVALID_FIELD") -> Fault:
    """Return the fault for a field (dotted path in the request) that is malformed in any state."""
    return Fault(
        grpc.StatusCode.INVALID_ARGUMENT,
        reason,
        f"{field}: {description}",
        violations=((field, description),),
    )


def not_found(reason: str, message: str, **metadata: str) -> Fault:
    """Return the fault for an object that does not exist, or is not visible to the caller."""
    return Fault(grpc.StatusCode.NOT_FOUND, reason, message, metadata=metadata)


def failed_precondition(reason: str, message: str, **metadata: str) -> Fault:
    """Return the fault for what the rules or the state forbid: repeating it unchanged does not help."""
    return Fault(grpc.StatusCode.FAILED_PRECONDITION, reason, message, metadata=metadata)


def already_exists(reason: str, message: str, **metadata: str) -> Fault:
    """Return the fault for creating something that already exists with different content."""
    return Fault(grpc.StatusCode.ALREADY_EXISTS, reason, message, metadata=metadata)


def permission_denied(reason: str, message: str, **metadata: str) -> Fault:
    """Return the fault for a known caller who lacks permission."""
    return Fault(grpc.StatusCode.PERMISSION_DENIED, reason, message, metadata=metadata)


def unauthenticated(reason: str, message: str, **metadata: str) -> Fault:
    """Return the fault for an unknown caller: no token, or no valid one."""
    return Fault(grpc.StatusCode.UNAUTHENTICATED, reason, message, metadata=metadata)


def aborted(reason: str, message: str, *, details: Sequence[Message] = (), **metadata: str) -> Fault:
    """Return the fault for a lost race: read the state (perhaps in `details`) and decide again."""
    return Fault(grpc.StatusCode.ABORTED, reason, message, metadata=metadata, details=details)


def unavailable(reason: str, message: str, *, retry_after: float | None = None, **metadata: str) -> Fault:
    """Return the fault for a dependency that is down: retry after `retry_after` s plus up to half as much."""
    return Fault(
        grpc.StatusCode.UNAVAILABLE, reason, message, metadata=metadata, retry_after=_apart(retry_after)
    )


def resource_exhausted(
    reason: str, message: str, *, retry_after: float | None = None, **metadata: str
) -> Fault:
    """Return the fault for exceeding a limit, until `retry_after` s from now plus up to half as much."""
    return Fault(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        reason,
        message,
        metadata=metadata,
        retry_after=_apart(retry_after),
    )


def internal(request_id: str) -> Fault:
    """Return the fault for an internal error: the client gets the request id to quote, and nothing else."""
    return Fault(grpc.StatusCode.INTERNAL, "INTERNAL", "internal error", metadata={"request_id": request_id})


def to_status_metadata(fault: Fault) -> tuple[tuple[str, bytes], ...]:
    """Return the trailing metadata with the fault: one google.rpc.Status (AIP-193)."""
    return ((STATUS_DETAILS, to_status(fault).SerializeToString()),)


def to_status(fault: Fault) -> Status:
    """Return the fault as google.rpc.Status.

    Details that do not fit into the trailers are dropped, but never the ErrorInfo.
    """
    own: list[Message] = [ErrorInfo(reason=fault.reason, domain=DOMAIN, metadata=fault.metadata)]
    if fault.violations:
        own.append(
            BadRequest(
                field_violations=[
                    BadRequest.FieldViolation(field=field, description=description)
                    for field, description in fault.violations[:20]
                ]
            )
        )
    if fault.retry_after is not None:
        delay = Duration()
        delay.FromMilliseconds(max(0, round(fault.retry_after * 1000)))
        own.append(RetryInfo(retry_delay=delay))
    status = _status(fault, [*own, *fault.details])
    return status if status.ByteSize() <= _MAX_STATUS_BYTES else _status(fault, own)


def from_rpc_error(error: grpc.aio.AioRpcError) -> Fault | None:
    """Return the fault with which one of our servers answered, or None without our ErrorInfo.

    `details` of the result holds, still packed, everything except ErrorInfo, BadRequest and RetryInfo: see
    `Fault.detail`.
    """
    packed = next((value for key, value in error.trailing_metadata() or () if key == STATUS_DETAILS), None)
    if not isinstance(packed, bytes):
        return None
    try:
        status = Status.FromString(packed)
    except DecodeError:
        return None
    info: ErrorInfo | None = None
    violations: list[tuple[str, str]] = []
    retry_after: float | None = None
    rest: list[Message] = []
    for detail in status.details:
        if detail.Is(ErrorInfo.DESCRIPTOR):
            info = ErrorInfo.FromString(detail.value)
        elif detail.Is(BadRequest.DESCRIPTOR):
            bad = BadRequest.FromString(detail.value)
            violations.extend((each.field, each.description) for each in bad.field_violations)
        elif detail.Is(RetryInfo.DESCRIPTOR):
            retry_after = RetryInfo.FromString(detail.value).retry_delay.ToMilliseconds() / 1000
        else:
            rest.append(detail)
    if info is None or info.domain != DOMAIN:
        return None
    return Fault(
        _CODES.get(status.code, grpc.StatusCode.UNKNOWN),
        info.reason,
        status.message,
        metadata=dict(info.metadata),
        violations=violations,
        retry_after=retry_after,
        details=rest,
    )


def _apart(retry_after: float | None) -> float | None:
    """Return a random delay, never shorter: callers refused together must not return together."""
    if retry_after is None:
        return None
    return retry_after * random.uniform(1, 1.5)


def _status(fault: Fault, details: Iterable[Message]) -> Status:
    status = Status(code=fault.code.value[0], message=fault.message[:_MAX_MESSAGE_CHARS])
    for detail in details:
        if isinstance(detail, AnyMessage):
            status.details.append(detail)
        else:
            status.details.add().Pack(detail)
    return status
