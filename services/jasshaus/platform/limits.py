"""Limits what one caller, or one anonymous connection, may use of a replica."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from jasshaus.platform.auth import Principal, Role
from jasshaus.platform.errors import resource_exhausted

WRITE_SECONDS: Final = 20.0
"""How long a stream's message may wait for a client that does not read."""
CALLS_IN_FLIGHT: Final = 100
"""Unary calls of one caller in progress at once, from the headers until the answer has been read."""
HEALTH_WATCHERS: Final = 256
REFLECTION_STREAMS: Final = 32
OPEN_BODIES: Final = 1024
"""Calls to open methods whose body has not arrived yet."""

_EXEMPT: Final = frozenset({Role.SERVICE, Role.OPERATOR})
_STREAM_RETRY_SECONDS: Final = 5.0
_BUSY_RETRY_SECONDS: Final = 1.0
# Per caller or connection; behind a proxy that shares connections, one connection is many callers.
_LATE_RATE: Final = 50
_LATE_BURST: Final = 100
# In total: connections that end and come back would each get a new burst.
_REFUSALS_RATE: Final = 500
_REFUSALS_BURST: Final = 500
_LONGEST_WAIT: Final = 2.0
_MOST_WAITING: Final = 4096
_ROUNDING: Final = 1e-6

Caller = tuple[str, str]


class _Buckets:
    """Token buckets by key: `rate` a second, `burst` at once."""

    def __init__(self, rate: float, burst: int) -> None:
        self._interval = 1 / rate
        self.depth = burst * self._interval
        # When each bucket is full again (time.monotonic), the last used at the end; full ones are dropped.
        self._full_at: OrderedDict[Any, float] = OrderedDict()

    def take(self, key: object, *, debt: float = 0) -> float:
        """Take one token and return 0, or return the seconds until there is one.

        With `debt` (seconds), one is taken anyway as long as no more than that is owed.
        """
        now = time.monotonic()
        full_at = max(self._full_at.get(key, now), now) + self._interval
        missing = full_at - now - self.depth
        if missing < _ROUNDING:
            missing = 0.0
        if missing <= debt:
            self._full_at[key] = full_at
            self._full_at.move_to_end(key)
            while next(iter(self._full_at.values())) <= now:
                self._full_at.popitem(last=False)
        return missing

    def __len__(self) -> int:
        return len(self._full_at)


class Limits:
    """The limits of one process; without arguments there are none.

    `rate` calls a second per (tenant, subject), `burst` at once (a token bucket); `rate` 0 means no limit.
    `calls` may be in progress at once, over all callers; `streams_per_caller` and `streams` (over all
    callers) may be open. For services and operators only `streams` applies: a flood of players must not stop
    a payout.
    """

    def __init__(
        self,
        *,
        rate: float = 0,
        burst: int = 1,
        calls: float = float("inf"),
        streams_per_caller: float = float("inf"),
        streams: float = float("inf"),
    ) -> None:
        self._buckets = _Buckets(rate, burst) if rate else None
        self._most_calls = calls
        self._streams_per_caller = streams_per_caller
        self._streams = streams
        self._calls: Counter[Caller] = Counter()
        self._all_calls = 0
        self._open: Counter[Caller] = Counter()
        self._all_open = 0

    def call(self, principal: Principal) -> None:
        """Take one call from the caller's bucket. Raises Fault RATE_LIMITED if it is empty."""
        if self._buckets is None or principal.roles & _EXEMPT:
            return
        missing = self._buckets.take((principal.tenant, principal.subject))
        if missing:
            # All callers refused now get nearly the same delay; spread out, each finds a token.
            spread = random.uniform(0, min(self._buckets.depth, max(missing, 1.0)))
            raise resource_exhausted("RATE_LIMITED", "too many calls", retry_after=missing + spread)

    def begin(self, principal: Principal) -> Callable[[object], None]:
        """Count a unary call as in progress; return the callback that ends it.

        Raises Fault RATE_LIMITED if the caller, or the process, has too many in progress.
        """
        caller = (principal.tenant, principal.subject)
        if not principal.roles & _EXEMPT and (
            self._calls[caller] >= CALLS_IN_FLIGHT or self._all_calls + self._all_open >= self._most_calls
        ):
            raise resource_exhausted(
                "RATE_LIMITED", "too many calls are in progress", retry_after=_BUSY_RETRY_SECONDS
            )
        self._calls[caller] += 1
        self._all_calls += 1

        def end(_context: object) -> None:
            self._all_calls -= 1
            self._calls[caller] -= 1
            if not self._calls[caller]:
                del self._calls[caller]

        return end

    @contextmanager
    def stream(self, principal: Principal) -> Iterator[None]:
        """Count an open stream while inside. Raises Fault TOO_MANY_STREAMS."""
        caller = (principal.tenant, principal.subject)
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


class Pool:
    """At most `size` members at once: a further one evicts the oldest of the peer that has the most.

    For methods without a token, where callers are anonymous: a flood evicts its own, and nobody is refused.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._members: dict[str, dict[object, Callable[[], None]]] = {}
        self._count = 0
        self._lodgers: Counter[str] = Counter()

    @contextmanager
    def lodger(self, peer: str) -> Iterator[None]:
        """Occupy a place while inside: as a member, or as one that was evicted but does not leave.

        Raises Fault TOO_MANY_STREAMS if the peer has twice as many as there are places.
        """
        if self._lodgers[peer] >= 2 * self._size:
            raise resource_exhausted(
                "TOO_MANY_STREAMS", "too many streams are not read", retry_after=_STREAM_RETRY_SECONDS
            )
        self._lodgers[peer] += 1
        try:
            yield
        finally:
            self._lodgers[peer] -= 1
            if not self._lodgers[peer]:
                del self._lodgers[peer]

    @contextmanager
    def member(self, peer: str, end: Callable[[], None]) -> Iterator[None]:
        """Be a member while inside; `end` is called once when another needs the place."""
        if self._count >= self._size:
            self._end_one()
        key = object()
        self._members.setdefault(peer, {})[key] = end
        self._count += 1
        try:
            yield
        finally:
            self._remove(peer, key)

    def _end_one(self) -> None:
        peer = max(self._members, key=lambda each: len(self._members[each]))
        key, end = next(iter(self._members[peer].items()))
        self._remove(peer, key)
        end()

    def _remove(self, peer: str, key: object) -> None:
        members = self._members.get(peer, {})
        if members.pop(key, None) is not None:
            self._count -= 1
        if not members:
            self._members.pop(peer, None)


class Patience:
    """Delays answers that come by the hundred: to calls without a token, and refusals.

    Each caller, or anonymous connection, gets a number of immediate answers a second, and so do all refusals
    of a process together; the others wait. As a connection has a fixed number of streams, it cannot send
    further calls meanwhile. If it closes instead, its calls end before any work was done for them, so callers
    that reconnect immediately cost little. Successful calls do not wait.
    """

    def __init__(self) -> None:
        self._buckets = _Buckets(_LATE_RATE, _LATE_BURST)
        self._refusals = _Buckets(_REFUSALS_RATE, _REFUSALS_BURST)
        self._waiting = 0

    async def open_call(self, peer: str) -> bool:
        """Return when this connection's call to an open method may be answered: True if it had to wait."""
        return await self._wait(self._buckets.take(peer, debt=_LONGEST_WAIT))

    async def refusal(self, whose: object) -> bool:
        """Return when a call may be refused, after at most 2 s: True if it had to wait."""
        # A caller waiting for its own refusals uses up none of the others'.
        seconds = self._buckets.take(whose, debt=_LONGEST_WAIT)
        return await self._wait(seconds or self._refusals.take(None, debt=_LONGEST_WAIT))

    async def _wait(self, seconds: float) -> bool:
        if seconds and self._waiting < _MOST_WAITING:
            self._waiting += 1
            try:
                await asyncio.sleep(min(seconds, _LONGEST_WAIT))
            finally:
                self._waiting -= 1
        return seconds > 0


class TimedContext:
    """A stream's context whose `write` gives up on a client that does not read."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._writing: asyncio.Future[None] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    async def write(self, message: Any) -> None:
        """Send a message. Raises Fault WATCHER_TOO_SLOW after `WRITE_SECONDS`."""
        # Not cancelled on timeout: gRPC can neither withdraw a message nor send a status before it.
        self._writing = asyncio.ensure_future(self._context.write(message))
        self._writing.add_done_callback(_seen)
        done, _ = await asyncio.wait((self._writing,), timeout=WRITE_SECONDS)
        if not done:
            raise resource_exhausted("WATCHER_TOO_SLOW", "messages were not read in time")
        self._writing.result()

    async def settled(self) -> None:
        """Return when no message is in flight, so that a status can follow; cancelled if the client goes."""
        if self._writing is not None and not self._writing.done():
            await asyncio.wait((self._writing,))


def _seen(writing: asyncio.Future[None]) -> None:
    if not writing.cancelled():
        writing.exception()
