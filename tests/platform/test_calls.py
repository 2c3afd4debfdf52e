"""Calls between services: what is an answer, and what is none."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from jasshaus.platform.calls import Undelivered, call
from jasshaus.platform.errors import Fault, failed_precondition, to_status_metadata, unavailable


def answering(failure: Exception | None) -> Any:
    async def method(request: str, **options: float) -> tuple[str, float]:
        if failure is not None:
            raise failure
        return request, options["timeout"]

    return method


def rpc_error(code: grpc.StatusCode, *trailers: tuple[str, bytes]) -> grpc.aio.AioRpcError:
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(*trailers))


async def test_an_answer_comes_back_and_each_call_has_a_deadline():
    assert await call(answering(None), "ask") == ("ask", 5.0)
    assert await call(answering(None), "ask", seconds=0.5) == ("ask", 0.5)


@pytest.mark.parametrize(
    "told", [failed_precondition("POT_SETTLED", "paid"), unavailable("AWAY", "no", retry_after=1.0)]
)
async def test_an_error_with_a_reason_of_ours_is_the_fault_it_was_told_as(told: Fault):
    error = rpc_error(told.code, *to_status_metadata(told))
    with pytest.raises(Fault) as caught:
        await call(answering(error), "ask")
    assert (caught.value.code, caught.value.reason) == (told.code, told.reason)


@pytest.mark.parametrize("code", [grpc.StatusCode.NOT_FOUND, grpc.StatusCode.UNAVAILABLE])
async def test_an_error_without_a_reason_of_ours_is_no_answer(code: grpc.StatusCode):
    """A proxy's NOT_FOUND must not pass for the service's."""
    with pytest.raises(Undelivered, match=code.name):
        await call(answering(rpc_error(code)), "ask")


async def test_a_call_that_cannot_be_made_for_lack_of_a_token_is_no_answer():
    with pytest.raises(Undelivered, match="TOKEN_UNAVAILABLE"):
        await call(answering(unavailable("TOKEN_UNAVAILABLE", "no token", retry_after=1.0)), "ask")
