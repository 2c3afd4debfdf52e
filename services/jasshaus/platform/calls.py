"""Unary calls to another service, each with a deadline; distinguishes an answer from the lack of one."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Final, Protocol, TypeVar

import grpc

from jasshaus.platform.errors import Fault, from_rpc_error

CALL_SECONDS: Final = 5.0

Response = TypeVar("Response", covariant=True)  # noqa: PLC0105 - the name of what it is


class Undelivered(Exception):  # noqa: N818 - to be tried again, not an error of ours
    """A call got no final answer: it may or may not have been carried out."""


class Method(Protocol[Response]):
    """A unary method of a stub."""

    def __call__(self, request: Any, *, timeout: float | None = None) -> Awaitable[Response]:
        """Call it."""


async def call(method: Method[Response], request: Any, *, seconds: float = CALL_SECONDS) -> Response:
    """Call once; raises Fault for an answer with our ErrorInfo, Undelivered for any other error.

    An error without an ErrorInfo comes from a load balancer or a broken peer, and is not an answer.
    """
    try:
        return await method(request, timeout=seconds)
    except grpc.aio.AioRpcError as error:
        fault = from_rpc_error(error)
        if fault is None:
            raise Undelivered(error.code().name) from error
        raise fault from error
    except Fault as away:
        # The channel currently has no valid service token.
        raise Undelivered(away.reason) from away
