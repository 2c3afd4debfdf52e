"""The connection on which this process hears of commits: one sharded channel for each watched table."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Callable
from typing import Any, Final

import structlog
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from jasshaus.platform.backoff import Backoff
from jasshaus.platform.primary import NotPrimaryError, Primary
from jasshaus.platform.stopping import Stopping
from jasshaus.platform.tasks import Tasks
from jasshaus.table.redis_connection import ANSWER_SECONDS, StoreAwayError

log = structlog.stdlib.get_logger(__name__)

_BACKOFF: Final = Backoff(0.05, 1.0)


class Subscriber:
    """Subscribes to channels, again after every lost connection.

    What was said meanwhile is lost; `on_back` is called to say so. On a server that is not the primary any
    more nothing is heard, or late: `primary`, which all connections of the process share, ends such a
    connection.
    """

    def __init__(
        self, url: str, answer_seconds: float = ANSWER_SECONDS, *, primary: Primary | None = None
    ) -> None:
        self._primary = primary or Primary(url)
        self._primary.on_switch(self._stop_listening)
        self._answer_seconds = answer_seconds
        self._connection: AbstractConnection | None = None
        self._wanted: dict[str, asyncio.Future[None]] = {}
        self._sending = asyncio.Lock()
        self._listening: asyncio.Task[None] | None = None
        self._telling = Tasks()
        self.on_message: Callable[[str, bytes], None] = lambda _channel, _message: None
        self.on_back: Callable[[], None] = lambda: None

    async def subscribe(self, channel: str) -> None:
        """Return when everything said on the channel from now on is heard. Raises StoreAwayError."""
        asked = self._connection
        try:
            async with asyncio.timeout(self._answer_seconds):
                acknowledged = self._wanted.get(channel)
                if acknowledged is None:
                    acknowledged = self._wanted[channel] = asyncio.get_running_loop().create_future()
                    await self._send("SSUBSCRIBE", channel)
                await asyncio.shield(acknowledged)
        except TimeoutError:
            if asked is not None and asked is self._connection:
                # Lost in silence, it would stay so for minutes: the next one subscribes to all again.
                log.warning("feed_lost", error="no answer to a subscription")
                await self._drop()
            raise StoreAwayError("no answer to a subscription") from None

    async def unsubscribe(self, channel: str) -> None:
        """Hear no more of a channel."""
        if self._wanted.pop(channel, None) is not None:
            await self._send("SUNSUBSCRIBE", channel)

    async def run(self, stopping: Stopping) -> None:
        """Keep the connection, and hand out what is heard, until no RPC is in flight any more."""
        listening = asyncio.create_task(self._listen_for_ever())
        try:
            await stopping.wait_finished()
        finally:
            # redis-py swallows a cancellation that comes while it connects.
            while not listening.done():
                listening.cancel()
                await asyncio.wait((listening,), timeout=0.1)
            await self._drop()

    async def _listen_for_ever(self) -> None:
        failures = 0
        while True:
            delay = _BACKOFF.pause(failures)
            failures += 1
            try:
                fresh = await self._open()
                failures, delay = 0, _BACKOFF.pause(0)
                await self._listen_until_dropped(fresh)
            except (RedisError, OSError) as error:
                log.warning("feed_lost", error=str(error), retry_in=round(delay, 2))
            await self._drop()
            await asyncio.sleep(delay)

    async def _open(self) -> AbstractConnection:
        fresh = self._primary.connection()
        async with asyncio.timeout(self._answer_seconds):
            await fresh.connect()  # type: ignore[no-untyped-call]
        async with self._sending:
            for channel, acknowledged in list(self._wanted.items()):
                if acknowledged.done():
                    self._wanted[channel] = asyncio.get_running_loop().create_future()
                await fresh.send_command("SSUBSCRIBE", channel, check_health=False)
            self._connection = fresh
        if not self._primary.holds(fresh):
            # Given up while it was being made.
            raise NotPrimaryError("the server is another one by now")
        # Whatever was committed before these subscriptions take effect is found by looking again, after them.
        waiting = list(self._wanted.values())
        if waiting:
            self._telling.start(self._say_back(waiting))
        return fresh

    async def _say_back(self, waiting: list[asyncio.Future[None]]) -> None:
        await asyncio.wait(waiting, timeout=self._answer_seconds)
        self.on_back()

    async def _listen_until_dropped(self, opened: AbstractConnection) -> None:
        listening = self._listening = asyncio.create_task(self._listen(opened))
        try:
            # Not awaited itself: it is cancelled with the connection, and this task goes on then.
            await asyncio.wait((listening,))
        finally:
            listening.cancel()
        if not listening.cancelled():
            listening.result()

    def _stop_listening(self) -> None:
        if self._listening is not None:
            self._listening.cancel()

    async def _listen(self, opened: AbstractConnection) -> None:
        while True:
            heard: Any = await opened.read_response(timeout=math.inf, disconnect_on_error=False)
            match heard:
                case [b"smessage", channel, message]:
                    self.on_message(channel.decode(), message)
                case [b"ssubscribe", channel, _]:
                    acknowledged = self._wanted.get(channel.decode())
                    if acknowledged is not None and not acknowledged.done():
                        acknowledged.set_result(None)
                case _:
                    # The end of a subscription.
                    continue

    async def _send(self, command: str, channel: str) -> None:
        async with self._sending:
            # Without a connection the next one subscribes to all that is wanted then.
            if self._connection is not None:
                with contextlib.suppress(RedisError, OSError):
                    async with asyncio.timeout(self._answer_seconds):
                        await self._connection.send_command(command, channel, check_health=False)

    async def _drop(self) -> None:
        lost, self._connection = self._connection, None
        if lost is not None:
            self._stop_listening()
            with contextlib.suppress(RedisError, OSError):
                await lost.disconnect(nowait=True)
