"""Readiness: probes a server's dependencies at startup and while it serves."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import structlog

from jasshaus.platform.backoff import Backoff
from jasshaus.platform.health import Health
from jasshaus.platform.stopping import Stopping

Probe = Callable[[], Awaitable[object]]
Loop = Callable[[Stopping], Awaitable[None]]

_PROBE_SECONDS: Final = 5.0
_PROBE_BACKOFF: Final = Backoff(0.05, 5.0)
#: Errors that waiting does not fix: bugs.
_BUGS: Final = (TypeError, AttributeError, NameError, AssertionError)

log = structlog.stdlib.get_logger(__name__)


class UnusableError(Exception):
    """A dependency that can never serve, however long one waits; the text says what to do instead."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How a serving server keeps probing its dependencies. Times are in seconds.

    All replicas share the same stores, and a restart of one must not make them all drop out: it takes
    `failures` in a row. Failures are counted, not timed, because a process that was suspended has heard
    nothing either. So an outage counts after 9 to 12 s if connections are refused, after 20 s of silence.
    """

    every: float = 3.0
    limit: float = 2.0
    failures: int = 4


PACE: Final = Pace()


async def until_ready(probes: Iterable[tuple[str, Probe]]) -> None:
    """Return when each has answered once. Raises bugs in probes, and UnusableError."""
    try:
        async with asyncio.TaskGroup() as group:
            for dependency, probe in probes:
                group.create_task(_until_answered(dependency, probe))
    except* UnusableError as group_of_unusable:
        unusable: BaseException = group_of_unusable
        while isinstance(unusable, BaseExceptionGroup):
            unusable = unusable.exceptions[0]
        raise unusable from None


async def _until_answered(dependency: str, probe: Probe) -> None:
    for failures in itertools.count():
        failure = await _ask(probe, _PROBE_SECONDS)
        if failure is None:
            return
        if isinstance(failure, (*_BUGS, UnusableError)):
            raise failure
        delay = _PROBE_BACKOFF.pause(failures)
        log.warning(
            "dependency_unavailable",
            dependency=dependency,
            error=type(failure).__name__,
            reason=str(failure)[:200],
            retry_in=round(delay, 2),
        )
        await asyncio.sleep(delay)


def watch(probes: Mapping[str, Probe], health: Health, pace: Pace | None = None) -> Loop:
    """Return the loop that makes health report NOT_SERVING while a dependency is down."""
    asked, pace = dict(probes), pace or PACE
    away: set[str] = set()

    async def keep(dependency: str, probe: Probe, stopping: Stopping) -> None:
        failures, since = 0, time.monotonic()
        while not await stopping.sleep(pace.every):
            failure = await _ask(probe, pace.limit)
            if failure is None:
                if dependency in away:
                    away.discard(dependency)
                    seconds = round(time.monotonic() - since, 1)
                    log.warning("dependency_back", dependency=dependency, seconds=seconds)
                    if not away:
                        health.enter()
                failures, since = 0, time.monotonic()
                continue
            failures += 1
            if failures == pace.failures:
                away.add(dependency)
                health.leave()
                log.warning(
                    "dependency_lost",
                    dependency=dependency,
                    error=type(failure).__name__,
                    reason=str(failure)[:200],
                )

    async def watch_dependencies(stopping: Stopping) -> None:
        async with asyncio.TaskGroup() as group:
            for dependency, probe in asked.items():
                group.create_task(keep(dependency, probe, stopping))

    return watch_dependencies


async def _ask(probe: Probe, limit: float) -> Exception | None:
    """Return why there was no answer, None if there was one."""
    try:
        async with asyncio.timeout(limit):
            await probe()
    except Exception as error:  # noqa: BLE001 - each client library has its own; all mean "not now"
        return error
    return None
