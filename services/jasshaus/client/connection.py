"""One channel to a service: options, the caller's token, and retries."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import grpc
from google.protobuf.message import Message

from jasshaus.client.errors import JassError, Stale, Unauthenticated, Unavailable, from_rpc_error

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)

#: A token, or a function that fetches one. Called before each attempt, so it should cache its token until
#: shortly before it expires.
Token = str | Callable[[], Awaitable[str]]

_MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024
_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.max_receive_message_length", _MAX_MESSAGE_BYTES),
    ("grpc.max_metadata_size", 16 * 1024),
    # This module retries calls with the same request id and honours the server's RetryInfo; gRPC's own
    # retries do neither.
    ("grpc.enable_retries", 0),
)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to keep trying when a service does not answer, in seconds.

    `connect`: until the service is first reached; one that was never there is more likely a wrong
    address than a restart. `call`: for one call, all its attempts together. `attempt`: for one attempt.
    `stream`: for a stream that delivers nothing, not even heartbeats. `silence`: until a silent stream is
    considered dead and reopened.
    """

    call: float = 30.0
    attempt: float = 10.0
    stream: float = 120.0
    silence: float = 45.0
    connect: float = 5.0


class Backoff:
    """Growing pauses with jitter, so that clients do not all return at the same moment."""

    def __init__(self, first: float = 0.1, most: float = 2.0) -> None:
        self._first = first
        self._most = most
        self._step = first

    def pause(self, at_least: float | None = None) -> float:
        """Return the next pause in seconds; `at_least` is the server's minimum."""
        spread = self._step * random.uniform(0.5, 1.0)
        self._step = min(self._most, self._step * 2)
        return spread if at_least is None else at_least + spread / 2

    def reset(self) -> None:
        """Start again from the shortest pause."""
        self._step = self._first


def passes(error: JassError) -> bool:
    """Whether the same request may succeed later: there was no answer, or the server named a pause."""
    if isinstance(error, Unavailable):
        return True
    return error.code is grpc.StatusCode.RESOURCE_EXHAUSTED and error.retry_after is not None


class Connection:
    """One channel, opened on first use; `close` it."""

    def __init__(
        self, address: str, token: Token, patience: Patience, credentials: grpc.ChannelCredentials | None
    ) -> None:
        self.patience = patience
        self._address = address
        self._reached = False
        self._token = token
        self.channel = (
            grpc.aio.insecure_channel(address, options=_OPTIONS)
            if credentials is None
            else grpc.aio.secure_channel(address, credentials, options=_OPTIONS)
        )

    async def close(self) -> None:
        """Close the channel; calls still running end with CANCELLED."""
        await self.channel.close()

    async def reach(self, patience: float) -> None:
        """Wait for the first connection, at most `patience.connect` and `patience`; later, return at once.

        Raises Unavailable with the address.
        """
        if self._reached:
            return
        seconds = min(patience, self.patience.connect)
        try:
            async with asyncio.timeout(seconds):
                await self.channel.channel_ready()
        except TimeoutError:
            message = f"no answer from {self._address} (waited {seconds:g} s)"
            raise Unavailable(grpc.StatusCode.UNAVAILABLE, "", message) from None
        self._reached = True

    async def metadata(self) -> grpc.aio.Metadata:
        """Return the metadata of the next call: the caller's token."""
        token = self._token if isinstance(self._token, str) else await self._token()
        return grpc.aio.Metadata(("authorization", f"Bearer {token}"))

    def can_renew(self, error: JassError) -> bool:
        """Whether the error is an expired token and a new one can be fetched."""
        return (
            isinstance(error, Unauthenticated)
            and error.reason == "TOKEN_EXPIRED"
            and not isinstance(self._token, str)
        )

    async def call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Request, Response], request: Request
    ) -> Response:
        """Make a call, repeating the same request while there is no answer.

        Every RPC may be repeated: reads change nothing, mutations carry a request id.
        Raises JassError: a refusal at once, Unavailable when `patience.call` is used up.
        """
        give_up = time.monotonic() + self.patience.call
        backoff = Backoff()
        renewed = False
        await self.reach(self.patience.call)
        while True:
            left = give_up - time.monotonic()
            try:
                return await method(
                    request,
                    metadata=await self.metadata(),
                    timeout=max(0.05, min(self.patience.attempt, left)),
                )
            except grpc.aio.AioRpcError as failure:
                error = from_rpc_error(failure)
            if self.can_renew(error) and not renewed:
                renewed = True
                continue
            # A lost race is safe to repeat. A stale version is not: the player has to see the new view
            # first.
            lost_race = isinstance(error, Stale) and error.reason != "STALE_VERSION"
            pause = backoff.pause(error.retry_after)
            if not (passes(error) or lost_race) or time.monotonic() + pause >= give_up:
                raise error from None
            await asyncio.sleep(pause)

    async def stream(
        self, method: grpc.aio.UnaryStreamMultiCallable[Request, Response], request: Request
    ) -> AsyncGenerator[Response, None]:
        """Yield one stream's messages until it ends. Raises JassError; Unavailable when it falls silent."""
        call: Any = method(request, metadata=await self.metadata(), wait_for_ready=False)
        try:
            while True:
                async with asyncio.timeout(self.patience.silence):
                    message = await call.read()
                if message is grpc.aio.EOF:
                    return
                yield message
        except TimeoutError:
            raise Unavailable(grpc.StatusCode.UNAVAILABLE, "", "the stream went silent") from None
        except grpc.aio.AioRpcError as failure:
            raise from_rpc_error(failure) from None
        finally:
            call.cancel()
