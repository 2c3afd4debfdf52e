"""Faulty: a service in memory that can be told to fail in the ways its callers must expect."""

from __future__ import annotations

import asyncio
import inspect
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc

from jasshaus.platform.errors import Fault, failed_precondition, to_status_metadata, unavailable


class Faulty:
    """What all fakes share. `calls` lists (method, request) as they came; `down` refuses everything.

    Methods are named as in the contract: "SettlePot".
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any]] = []
        self.down = False
        self._before: Counter[str] = Counter()
        self._after: Counter[str] = Counter()
        self._delays: defaultdict[str, list[float]] = defaultdict(list)
        self._gates: dict[str, asyncio.Event] = {}
        self._refusals: dict[str, Fault] = {}

    def unavailable(self, method: str, times: int = 1) -> None:
        """Refuse the next calls with UNAVAILABLE, without any effect."""
        self._before[method] += times

    def lose_answer(self, method: str, times: int = 1) -> None:
        """Let the next calls take effect and answer UNAVAILABLE all the same."""
        self._after[method] += times

    def delay(self, method: str, seconds: float, times: int = 1) -> None:
        """Let the next calls wait before they take effect."""
        self._delays[method] += [seconds] * times

    def pause(self, method: str) -> asyncio.Event:
        """Let calls wait before they take effect until the event returned is set."""
        return self._gates.setdefault(method, asyncio.Event())

    def refuse(self, method: str, reason: str, kind: Callable[..., Fault] = failed_precondition) -> None:
        """Refuse all calls from now on."""
        self._refusals[method] = kind(reason, "the fake was told to refuse")

    def count(self, method: str) -> int:
        """Return how often a method was called."""
        return sum(1 for name, _ in self.calls if name == method)

    def register(self, server: grpc.aio.Server) -> None:
        """Add the services that the fake stands in for."""
        raise AssertionError(server)

    @asynccontextmanager
    async def serve(self, address: str = "127.0.0.1:0") -> AsyncIterator[str]:
        """Serve on a plain server while inside; yields host:port."""
        server = grpc.aio.server()
        self.register(server)
        port = server.add_insecure_port(address)
        await server.start()
        try:
            yield f"{address.rpartition(':')[0]}:{port}"
        finally:
            await server.stop(None)

    async def _answer(self, context: Any, method: str, request: Any, effect: Callable[[Any], Any]) -> Any:
        self.calls.append((method, request))
        try:
            if self.down or _take(self._before, method):
                raise _told_to("be down")
            if self._delays[method]:
                await asyncio.sleep(self._delays[method].pop(0))
            if method in self._gates:
                await self._gates[method].wait()
            if method in self._refusals:
                raise self._refusals[method]
            response = effect(request)
            if inspect.isawaitable(response):
                response = await response
            if _take(self._after, method):
                raise _told_to("lose the answer")
        except Fault as fault:
            context.set_trailing_metadata(to_status_metadata(fault))
            await context.abort(fault.code, fault.message)
        return response


def _take(counter: Counter[str], method: str) -> bool:
    if counter[method] <= 0:
        return False
    counter[method] -= 1
    return True


def _told_to(what: str) -> Fault:
    return unavailable("STORE_UNAVAILABLE", f"the fake was told to {what}", retry_after=0.01)
