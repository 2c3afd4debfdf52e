"""Follows a stream across reconnects, restarts and drains of the server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TypeVar

import grpc

from jasshaus.api.matchmaking.v1.matchmaking_pb2 import WatchLobbyRequest, WatchLobbyResponse
from jasshaus.api.table.v1.table_pb2 import WatchTableRequest, WatchTableResponse
from jasshaus.client.connection import Backoff, Connection, passes
from jasshaus.client.errors import JassError

Request = TypeVar("Request", WatchLobbyRequest, WatchTableRequest)
Response = TypeVar("Response", WatchLobbyResponse, WatchTableResponse)


async def follow(
    connection: Connection,
    method: grpc.aio.UnaryStreamMultiCallable[Request, Response],
    request: Callable[[], Request],
) -> AsyncGenerator[Response, None]:
    """Yield a stream's messages indefinitely; `request` builds the request for each connection.

    Handles heartbeats and requests to reconnect. Raises JassError: a refusal at once, Unavailable
    after `patience.stream` without an answer, or if the service was never reached.
    """
    await connection.reach(connection.patience.stream)
    backoff = Backoff()
    heard = time.monotonic()
    while True:
        asked: float | None = None
        failure: JassError | None = None
        try:
            async with aclosing(connection.stream(method, request())) as messages:
                async for message in messages:
                    heard = time.monotonic()
                    backoff.reset()
                    match message.WhichOneof("update"):
                        case "heartbeat":
                            continue
                        case "reconnect":
                            asked = message.reconnect.delay.ToMilliseconds() / 1000
                            break
                        case _:
                            yield message
        except JassError as error:
            failure = error
        if failure is not None:
            final = not (passes(failure) or connection.can_renew(failure))
            if final or time.monotonic() - heard > connection.patience.stream:
                raise failure
            asked = failure.retry_after
        await asyncio.sleep(backoff.pause(asked))
