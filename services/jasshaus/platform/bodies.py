"""Reads requests: enforces a deadline on unary ones and reports unreadable ones."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import grpc
from google.protobuf.message import DecodeError

from jasshaus.platform.errors import Fault, to_status_metadata
from jasshaus.platform.limits import OPEN_BODIES, Pool

if TYPE_CHECKING:
    # Not subscriptable at run time.
    Context = grpc.aio.ServicerContext[Any, Any]

BODY_SECONDS: Final = 10.0
"""How long after its headers a request may arrive. Our requests are at most a few KiB."""
OPEN_BODY_SECONDS: Final = 5.0
"""The same for a method that is open to all."""

OVERDUE: Final = Fault(
    grpc.StatusCode.DEADLINE_EXCEEDED, "BODY_TIMEOUT", "the request's body did not arrive in time"
)


@dataclass(frozen=True, slots=True)
class _Refused:
    """Stands for an unreadable request: a deserializer cannot answer the call, but the handler can."""

    fault: Fault


class OverdueError(Exception):
    """The call was answered BODY_TIMEOUT; `answered` is what gRPC expects its handler to raise then."""

    def __init__(self, answered: grpc.aio.AbortError) -> None:
        super().__init__("BODY_TIMEOUT")
        self.answered = answered


class Bodies:
    """Requests that a server is waiting for."""

    def __init__(self) -> None:
        self._open = Pool(OPEN_BODIES)

    async def read(self, context: Context, peer: str | None) -> Any:
        """Return the request. `peer` is the caller of an open method, None for a caller with a token.

        Raises Fault MALFORMED_MESSAGE if the call ends without one, OverdueError when time is up.

        A timer answers from its own task, which ends the read. Cancelling the read would leak gRPC's
        buffers, and a separate task for each read would cost more than the whole timer.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Task[None] | None = None

        def give_up() -> None:
            nonlocal answer
            answer = answer or loop.create_task(_answer(context))

        timer = loop.call_later(BODY_SECONDS if peer is None else OPEN_BODY_SECONDS, give_up)
        try:
            with nullcontext() if peer is None else self._open.member(peer, give_up):
                request = await context.read()
            if answer is not None:
                # The request arrived while the answer was being sent.
                await answer
                await context.read()
        except grpc.aio.AbortError as error:
            raise OverdueError(error) from None
        finally:
            timer.cancel()
        if request is grpc.aio.EOF:
            # If the client is gone, its cancellation arrives now.
            await asyncio.sleep(0)
            raise Fault(grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE", "the call has no request")
        return request


async def _answer(context: Context) -> None:
    # BaseError covers the abort itself, and a client that disconnected meanwhile.
    with suppress(grpc.aio.BaseError):
        trailers = (*(context.trailing_metadata() or ()), *to_status_metadata(OVERDUE))
        await context.abort(OVERDUE.code, OVERDUE.message, trailers)


def guarded(deserialize: Callable[[bytes], Any] | None) -> Callable[[bytes], Any] | None:
    """Return a deserializer that passes unreadable messages on to `readable`."""
    if deserialize is None:
        return None

    def read(raw: bytes) -> Any:
        try:
            return deserialize(raw)
        except DecodeError:
            return _Refused(
                Fault(grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE", "not a message of this type")
            )

    return read


def readable(request: Any) -> Any:
    """Return the request. Raises Fault MALFORMED_MESSAGE if it was unreadable."""
    if isinstance(request, _Refused):
        raise request.fault
    return request


async def each_readable(requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
    """Yield requests as `readable` returns them."""
    async for request in requests:
        yield readable(request)
