"""When free memory is returned to the system."""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Iterator

import pytest

from jasshaus.platform import memory
from jasshaus.platform.stopping import Stopping

MIB = 1 << 20


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_EVERY_SECONDS", 0.001)


async def trims(monkeypatch: pytest.MonkeyPatch, sizes: list[int]) -> list[int]:
    """Let the loop find these sizes (MiB) one after another; returns those at which it trimmed."""
    stopping, seen, trimmed = Stopping(), [0], []
    readings: Iterator[int] = iter(sizes)

    def resident() -> int:
        size = next(readings, None)
        if size is None:
            stopping.drain()
            return seen[-1] * MIB
        seen.append(size)
        return size * MIB

    monkeypatch.setattr(memory, "resident_bytes", resident)
    monkeypatch.setattr(memory, "trimmer", lambda: lambda _pad: trimmed.append(seen[-1]) or 1)
    async with asyncio.timeout(10):
        await memory.trim_when_quiet(stopping)
    return trimmed


@pytest.mark.parametrize(
    ("sizes", "at"),
    [
        ([60, 60, 91, 91, 70], []),
        ([60, 100, 200, 300, 300], [300]),
        # 120 is what is left after the trim: what it grows by counts from there.
        ([60, 300, 300, 120, 120, 150, 150], [300]),
        ([60, 300, 300, 120, 120, 160, 160, 130], [300, 160]),
        # What went by itself and comes back is worth another trim.
        ([60, 300, 300, 120, 70, 110, 110, 80], [300, 110]),
    ],
    ids=["small", "once-it-grows-no-more", "little-more", "again", "after-it-shrank"],
)
async def test_trims_what_has_grown_once_it_grows_no_more(
    monkeypatch: pytest.MonkeyPatch, sizes: list[int], at: list[int]
) -> None:
    assert await trims(monkeypatch, sizes) == at


async def test_without_glibc_there_is_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    stopping = Stopping()
    monkeypatch.setattr(memory, "trimmer", lambda: None)
    stopping.drain()
    async with asyncio.timeout(10):
        await memory.trim_when_quiet(stopping)


@pytest.mark.skipif(memory.trimmer() is None, reason="the C library is not glibc")
def test_what_is_freed_stays_resident_until_it_is_trimmed() -> None:
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]
    # Small ones in one heap; the last stays, so that the heap cannot shrink from its end by itself.
    blocks = [libc.malloc(65_536) for _ in range(1024)]
    for block in blocks:
        ctypes.memset(block, 1, 65_536)
    *others, last = blocks
    for block in others:
        libc.free(block)
    before = memory.resident_bytes()
    trim = memory.trimmer()
    assert trim is not None
    trim(0)
    assert before - memory.resident_bytes() > 32 * MIB
    libc.free(last)
