"""Reads requests: the one of a unary call with a deadline, and says which cannot be read."""

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
"""How long after its headers a request may arrive. None of ours is larger than a few KiB."""
OPEN_BODY_SECONDS: Final = 5.0
"""The same for a method that is open to all."""

OVERDUE: Final = Fault(
    grpc.StatusCode.DEADLINE_EXCEEDED, "BODY_TIMEOUT", "the request's body did not arrive in time"
)


@dataclass(frozen=True, slots=True)
class _Refused:
    """Stands for a request that could not be read: a deserializer cannot answer, the handler can."""

    fault: Fault


class OverdueError(Exception):
    """The caller was answered BODY_TIMEOUT; `answered` is what gRPC expects its handler to raise then."""

    def __init__(self, answered: grpc.aio.AbortError) -> None:
        super().__init__("BODY_TIMEOUT")
        self.answered = answered


class Bodies:
    """The requests that a server is waiting for."""

    def __init__(self) -> None:
        self._open = Pool(OPEN_BODIES)

    async def read(self, context: Context, peer: str | None) -> Any:
        """Return the request. `peer` names who called a method open to all, None a caller with a token.

        Raises Fault MALFORMED_MESSAGE when the call ends without one, OverdueError when time is up.

        A timer answers, in a task of its own, and so ends the read. To cancel the read would leave gRPC's
        buffers behind, and a task of its own for each read would cost more than the whole timer.
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
                # It came while the answer was being given.
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
    # BaseError: the abort itself, and that the client hung up meanwhile.
    with suppress(grpc.aio.BaseError):
        trailers = (*(context.trailing_metadata() or ()), *to_status_metadata(OVERDUE))
        await context.abort(OVERDUE.code, OVERDUE.message, trailers)


def guarded(deserialize: Callable[[bytes], Any] | None) -> Callable[[bytes], Any] | None:
    """Return a deserializer that gives what it cannot read to `readable`."""
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
    """Return the request. Raises Fault MALFORMED_MESSAGE, which its deserializer could not."""
    if isinstance(request, _Refused):
        raise request.fault
    return request


async def each_readable(requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
    """Yield requests as `readable` returns them."""
    async for request in requests:
        yield readable(request)
