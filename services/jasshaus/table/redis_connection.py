"""The connection for commands to Redis: calls made at the same time share one pipeline.

Calls are written as they come and answers handed out in order, so a waiter that is cancelled only loses its
own answer. Nothing is retried here: after a lost connection a command may or may not have run, and only the
caller knows how to find out.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections import deque
from typing import Any, Final

import structlog
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError, ResponseError

from jasshaus.platform.primary import NotPrimaryError, Primary, code_of

log = structlog.stdlib.get_logger(__name__)

ANSWER_SECONDS: Final = 5.0
_GIVEN_UP: Final = "the server is another one, or not the primary any more"
# Answers that say "not now" rather than "wrong": replicas, start-up, memory, a lost majority.
_AWAY: Final = frozenset(
    {
        "LOADING",
        "READONLY",
        "MASTERDOWN",
        "CLUSTERDOWN",
        "OOM",
        "MISCONF",
        "TRYAGAIN",
        "BUSY",
        "NOREPLICAS",
        "UNBLOCKED",
    }
)

Argument = bytes | str | int


class StoreAwayError(Exception):
    """Redis does not answer, or not now; whether the command ran is unknown."""


class RedisConnection:
    """One connection to Redis, opened when it is needed and again after it was lost.

    `primary` is what all connections of the process share; without one it is alone.
    """

    def __init__(
        self, url: str, answer_seconds: float = ANSWER_SECONDS, *, primary: Primary | None = None
    ) -> None:
        self.primary = primary or Primary(url)
        self.primary.on_switch(self._on_switch)
        self.opened = 0
        """How often a connection was opened: what was written on an earlier one may have gone elsewhere."""
        self._answer_seconds = answer_seconds
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._unsent: list[bytes] = []
        self._unsent_waiting: list[asyncio.Future[Any]] = []
        self._writing: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._connection: AbstractConnection | None = None
        self._dropping: asyncio.Task[None] | None = None
        self._packer = self.primary.connection()

    async def call(self, *arguments: Argument) -> Any:
        """Send a command, return its answer. Raises StoreAwayError, and ResponseError when it is refused."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._unsent.extend(self._packer.pack_command(*arguments))
        self._unsent_waiting.append(answer)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        try:
            return await asyncio.wait_for(answer, self._answer_seconds)
        except TimeoutError:
            # What comes later on this connection may be anybody's: it is of no more use.
            await self._drop("no answer in time")
            raise StoreAwayError("no answer in time") from None

    async def close(self) -> None:
        """Close the connection; what still waits is told that the store is away."""
        for task in (self._writing, self._reading, self._dropping):
            if task is not None and not task.done():
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        await self._drop("closed")

    async def _write(self) -> None:
        while self._unsent_waiting:
            try:
                opened = await self._opened()
            except (RedisError, OSError) as error:
                self._fail(self._take()[1], str(error))
                continue
            batch, answers = self._take()
            self._waiting.extend(answers)
            try:
                await opened.send_packed_command(batch, check_health=False)
            except (RedisError, OSError) as error:
                await self._drop(str(error))

    def _take(self) -> tuple[list[bytes], list[asyncio.Future[Any]]]:
        taken = self._unsent, self._unsent_waiting
        self._unsent, self._unsent_waiting = [], []
        return taken

    async def _opened(self) -> AbstractConnection:
        opened = self._connection
        if opened is None or not opened.is_connected or not self.primary.holds(opened):
            await self._drop("connection lost")
            opened = self.primary.connection()
            await opened.connect()  # type: ignore[no-untyped-call]
            if not self.primary.holds(opened):
                await opened.disconnect(nowait=True)
                raise NotPrimaryError(_GIVEN_UP)
            self.opened += 1
            self._connection = opened
            self._reading = asyncio.create_task(self._read(opened))
        return opened

    def _on_switch(self) -> None:
        # Who waits on the connection is told at once; the next call makes another in any case.
        if self._dropping is None or self._dropping.done():
            self._dropping = asyncio.create_task(self._drop_what_counts_no_more())

    async def _drop_what_counts_no_more(self) -> None:
        if self._connection is not None and not self.primary.holds(self._connection):
            await self._drop(_GIVEN_UP)

    async def _read(self, opened: AbstractConnection) -> None:
        while True:
            answer: Any
            try:
                answer = await opened.read_response(timeout=math.inf, disconnect_on_error=False)
            except ResponseError as refused:
                answer = refused
            except (RedisError, OSError) as error:
                self.primary.heard_on(opened, error)
                if opened is self._connection:
                    await self._drop(str(error))
                return
            if opened is not self._connection:
                # Dropped while this answer was on its way: who waits now asked on another connection.
                return
            if not self._waiting:
                await self._drop("an answer nobody asked for")
                return
            self._hand_out(self._waiting.popleft(), answer)
            if isinstance(answer, ResponseError):
                self.primary.heard_on(opened, answer)

    def _hand_out(self, waiter: asyncio.Future[Any], answer: Any) -> None:
        if waiter.done():
            return
        if not isinstance(answer, ResponseError):
            waiter.set_result(answer)
        elif code_of(answer) in _AWAY:
            waiter.set_exception(StoreAwayError(f"{code_of(answer)} {answer}"))
        else:
            waiter.set_exception(answer)

    async def _drop(self, why: str) -> None:
        lost, self._connection = self._connection, None
        reading, self._reading = self._reading, None
        if reading is not None and reading is not asyncio.current_task():
            reading.cancel()
        waiting, self._waiting = list(self._waiting), deque()
        self._fail(waiting, why)
        if lost is not None:
            with contextlib.suppress(RedisError, OSError):
                await lost.disconnect(nowait=True)

    @staticmethod
    def _fail(waiters: list[asyncio.Future[Any]], why: str) -> None:
        for waiter in waiters:
            if not waiter.done():
                waiter.set_exception(StoreAwayError(why))
