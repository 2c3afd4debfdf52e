"""Owns how much of a replica one caller may take: calls, open streams, time to take a message off."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from jasshaus.platform.auth import Principal, Role
from jasshaus.platform.errors import resource_exhausted

WRITE_SECONDS: Final = 20.0
"""How long a message of a stream may wait for a client that does not read."""
OPEN_STREAMS: Final = 256
"""Streams open to all (watchers of the health, reflection): nobody knows whose they are."""

_EXEMPT: Final = frozenset({Role.SERVICE, Role.OPERATOR})
_STREAM_RETRY_SECONDS: Final = 5.0

Caller = tuple[str, str]


class Limits:
    """The limits of one process; without arguments there are none.

    `rate` calls a second for a (tenant, subject), `burst` at once (a token bucket); `rate` 0 is no limit.
    `streams_per_caller` and `streams` (of all callers) may be open at once. Services and operators are held
    to `streams` only.
    """

    def __init__(
        self,
        *,
        rate: float = 0,
        burst: int = 1,
        streams_per_caller: float = float("inf"),
        streams: float = float("inf"),
    ) -> None:
        self._interval = 1 / rate if rate else 0.0
        self._depth = burst * self._interval
        self._streams_per_caller = streams_per_caller
        self._streams = streams
        # When each bucket is full again (time.monotonic), the last used at the end; full ones are dropped.
        self._full_at: OrderedDict[Caller, float] = OrderedDict()
        self._open: Counter[Caller | None] = Counter()
        self._all_open = 0

    def call(self, principal: Principal) -> None:
        """Take one call out of the caller's bucket. Raises Fault RATE_LIMITED when it is empty."""
        if not self._interval or principal.roles & _EXEMPT:
            return
        caller, now = (principal.tenant, principal.subject), time.monotonic()
        full_at = max(self._full_at.get(caller, now), now) + self._interval
        missing = full_at - now - self._depth
        if missing > 0:
            raise resource_exhausted("RATE_LIMITED", "too many calls", retry_after=missing)
        self._full_at[caller] = full_at
        self._full_at.move_to_end(caller)
        while next(iter(self._full_at.values())) <= now:
            self._full_at.popitem(last=False)

    @contextmanager
    def stream(self, principal: Principal | None) -> Iterator[None]:
        """Count an open stream while inside; `principal` None: one that needs no token.

        Raises Fault TOO_MANY_STREAMS.
        """
        caller = None if principal is None else (principal.tenant, principal.subject)
        if principal is None:
            most: float = OPEN_STREAMS
        else:
            most = self._streams if principal.roles & _EXEMPT else self._streams_per_caller
        if self._open[caller] >= most or self._all_open >= self._streams:
            raise resource_exhausted(
                "TOO_MANY_STREAMS", "too many streams are open", retry_after=_STREAM_RETRY_SECONDS
            )
        self._open[caller] += 1
        self._all_open += 1
        try:
            yield
        finally:
            self._all_open -= 1
            self._open[caller] -= 1
            if not self._open[caller]:
                del self._open[caller]


class TimedContext:
    """A stream's context whose `write` gives up on a client that takes nothing off."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    async def write(self, message: Any) -> None:
        """Send a message. Raises Fault WATCHER_TOO_SLOW after `WRITE_SECONDS`."""
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await self._context.write(message)
        except TimeoutError:
            raise resource_exhausted("WATCHER_TOO_SLOW", "messages were not taken off") from None
