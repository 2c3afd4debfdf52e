"""A Fault on the wire and back."""

from __future__ import annotations

from collections.abc import Callable

import grpc
import pytest
from google.protobuf.wrappers_pb2 import BytesValue, StringValue

from jasshaus.platform.errors import (
    DOMAIN,
    Fault,
    from_rpc_error,
    invalid_argument,
    resource_exhausted,
    to_status,
    to_status_metadata,
    unavailable,
)


def over_the_wire(fault: Fault) -> Fault | None:
    trailers = grpc.aio.Metadata(*to_status_metadata(fault))
    return from_rpc_error(grpc.aio.AioRpcError(fault.code, grpc.aio.Metadata(), trailers, fault.message))


def test_a_violation_names_its_field() -> None:
    back = over_the_wire(invalid_argument("stake.minor_units", "must be from 0 to 100"))
    assert back is not None
    assert (back.code, back.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert back.violations == (("stake.minor_units", "must be from 0 to 100"),)


def test_retry_after_is_kept() -> None:
    back = over_the_wire(Fault(grpc.StatusCode.FAILED_PRECONDITION, "LEAD_PAUSE", "wait", retry_after=1.25))
    assert back is not None
    assert back.retry_after == 1.25


@pytest.mark.parametrize("refuse", [resource_exhausted, unavailable])
def test_who_is_refused_together_does_not_come_back_together(refuse: Callable[..., Fault]) -> None:
    hints = [refuse("RATE_LIMITED", "later", retry_after=2.0).retry_after or 0 for _ in range(100)]
    assert all(2.0 <= hint <= 3.0 for hint in hints)
    assert max(hints) - min(hints) > 0.5


def test_details_that_do_not_fit_the_trailers_are_left_out_the_reason_never() -> None:
    fault = Fault(
        grpc.StatusCode.ABORTED, "STALE_VERSION", "x" * 9000, details=[BytesValue(value=bytes(9000))]
    )
    assert to_status(fault).ByteSize() < 6000
    back = over_the_wire(fault)
    assert back is not None
    assert (back.reason, back.detail(BytesValue)) == ("STALE_VERSION", None)


def test_an_error_of_another_origin_is_no_fault() -> None:
    plain = grpc.aio.AioRpcError(
        grpc.StatusCode.UNAVAILABLE, grpc.aio.Metadata(), grpc.aio.Metadata(), "down"
    )
    assert from_rpc_error(plain) is None
    odd = grpc.aio.Metadata(("grpc-status-details-bin", b"\xff\xff"))
    assert from_rpc_error(grpc.aio.AioRpcError(grpc.StatusCode.UNKNOWN, grpc.aio.Metadata(), odd, "")) is None
    status = to_status(Fault(grpc.StatusCode.ABORTED, "OTHER", ""))
    status.details[0].Pack(StringValue(value=DOMAIN))
    foreign = grpc.aio.Metadata(("grpc-status-details-bin", status.SerializeToString()))
    assert (
        from_rpc_error(grpc.aio.AioRpcError(grpc.StatusCode.ABORTED, grpc.aio.Metadata(), foreign, ""))
        is None
    )
