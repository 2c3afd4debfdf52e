"""Returns free memory to the system: by default, glibc keeps memory freed after a flood indefinitely."""

from __future__ import annotations

import asyncio
import ctypes
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from jasshaus.platform.stopping import Stopping

_MIB: Final = 1 << 20
_EVERY_SECONDS: Final = 15.0
_GROWN_BYTES: Final = 32 * _MIB
_RESIDENT: Final = Path("/proc/self/statm")

log = structlog.stdlib.get_logger(__name__)


def resident_bytes() -> int:
    """Return this process's resident set. Raises OSError if there is no /proc."""
    return int(_RESIDENT.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def trimmer() -> Callable[[int], int] | None:
    """Return glibc's `malloc_trim`, None with another C library."""
    # Called without the GIL.
    return getattr(ctypes.CDLL(None), "malloc_trim", None)


async def trim_when_quiet(stopping: Stopping) -> None:
    """Trim the heap when the process has grown by 32 MiB since the last time and no longer grows."""
    trim = trimmer()
    if trim is None or not _RESIDENT.exists():
        await stopping.wait()
        return
    settled = before = resident_bytes()
    while not await stopping.sleep(_EVERY_SECONDS):
        now = resident_bytes()
        if now - settled >= _GROWN_BYTES and now <= before:
            started = time.perf_counter()
            await asyncio.to_thread(trim, 0)
            settled = resident_bytes()
            log.debug(
                "heap_trimmed",
                before_mib=now // _MIB,
                after_mib=settled // _MIB,
                duration_ms=round((time.perf_counter() - started) * 1000, 1),
            )
            now = settled
        settled, before = min(settled, now), now
