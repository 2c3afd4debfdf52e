"""Calls from the table service to wallet and matchmaking, and which of their answers are final."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Final, Protocol, TypeVar

import grpc

from jasshaus.platform.errors import Fault, from_rpc_error

Response = TypeVar("Response", covariant=True)  # noqa: PLC0105 - the name of what it is

CALL_SECONDS: Final = 5.0


class Undelivered(Exception):  # noqa: N818 - to be tried again, not an error of ours
    """A call brought no final answer."""


class Method(Protocol[Response]):
    """A unary method of a stub."""

    def __call__(self, request: Any, *, timeout: float | None = None) -> Awaitable[Response]:
        """Call it."""


async def call(method: Method[Response], request: Any) -> Response:
    """Call; raises Fault for an answer with a reason of ours, Undelivered for none."""
    try:
        return await method(request, timeout=CALL_SECONDS)
    except grpc.aio.AioRpcError as error:
        fault = from_rpc_error(error)
        if fault is None:
            raise Undelivered(error.code().name) from error
        raise fault from error
    except Fault as away:
        # The channel has no valid service token now.
        raise Undelivered(away.reason) from away
