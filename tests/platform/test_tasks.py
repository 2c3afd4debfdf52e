"""Background tasks of an owner: held, shared by key, finished, and heard of when they fail."""

from __future__ import annotations

import asyncio
import gc

import pytest
from structlog.testing import capture_logs

from jasshaus.platform.errors import not_found
from jasshaus.platform.stopping import Stopping
from jasshaus.platform.tasks import Tasks


async def test_work_goes_on_when_its_caller_is_cancelled():
    tasks, gate, done = Tasks(), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await gate.wait()
        done.set()

    caller = asyncio.create_task(tasks.run(work()))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    gc.collect()
    assert len(tasks) == 1
    gate.set()
    await tasks.finish()
    assert done.is_set()
    assert len(tasks) == 0


async def test_the_result_comes_back():
    async def answer() -> int:
        return 42

    assert await Tasks().run(answer()) == 42


async def test_a_key_is_free_again_when_its_task_has_ended():
    tasks, gate = Tasks(), asyncio.Event()
    tasks.start(gate.wait(), "table")
    assert "table" in tasks
    gate.set()
    await tasks.finish()
    assert "table" not in tasks
    tasks.start(asyncio.sleep(0), "table")
    await tasks.finish()


async def test_finishing_waits_for_what_is_started_meanwhile():
    tasks, ended = Tasks(), []

    async def second() -> None:
        await asyncio.sleep(0)
        ended.append("second")

    async def first() -> None:
        await asyncio.sleep(0)
        tasks.start(second())

    tasks.start(first())
    await tasks.finish()
    assert ended == ["second"]


async def test_a_drain_waits_for_the_last_rpc():
    tasks, stopping, gate = Tasks(), Stopping(), asyncio.Event()
    draining = asyncio.create_task(tasks.drain(stopping))
    await asyncio.sleep(0)
    tasks.start(gate.wait())
    stopping.drain()
    stopping.finish()
    await asyncio.sleep(0)
    assert not draining.done()
    gate.set()
    await draining


async def test_a_failure_that_nobody_awaits_is_logged_and_a_refusal_is_not():
    async def fail() -> None:
        raise ValueError("no")

    async def refuse() -> None:
        raise not_found("GAME_NOT_FOUND", "no such game")

    tasks = Tasks()
    with capture_logs() as logs:
        tasks.start(fail())
        tasks.start(refuse())
        await tasks.finish()
        await asyncio.sleep(0)
    assert [(entry["event"], entry["error"]) for entry in logs] == [("background_task_failed", "ValueError")]
