"""When health follows a dependency, and when it does not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from jasshaus.platform.health import Health
from jasshaus.platform.readiness import Pace, watch
from jasshaus.platform.stopping import Stopping

PACE = Pace(every=0.005, limit=0.05, failures=3)


class Said(Health):
    """What a server says of itself, in order."""

    def __init__(self) -> None:
        super().__init__((), Stopping())
        self.words: list[str] = []

    def enter(self) -> None:
        self.words.append("SERVING")

    def leave(self) -> None:
        self.words.append("NOT_SERVING")


class Probe:
    """Answers as it was told to, one after the other; `done` when all is said."""

    def __init__(self, answers: Sequence[Exception | float | None]) -> None:
        self._answers = list(answers)
        self.done = asyncio.Event()

    async def __call__(self) -> None:
        if not self._answers:
            self.done.set()
            return
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        await asyncio.sleep(answer or 0)


AWAY = ConnectionError("refused")
SILENT = 60.0


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        pytest.param([AWAY, AWAY, None] * 5, [], id="short blips"),
        pytest.param([AWAY] * 3, ["NOT_SERVING", "SERVING"], id="an outage"),
        pytest.param([SILENT] * 7, ["NOT_SERVING", "SERVING"], id="silence"),
        pytest.param([AttributeError("a bug of the library")] * 4, ["NOT_SERVING", "SERVING"], id="a bug"),
        pytest.param(
            [*[AWAY] * 9, None, AWAY, *[AWAY] * 3], ["NOT_SERVING", "SERVING"] * 2, id="two outages"
        ),
    ],
)
async def test_only_several_failures_in_a_row_are_an_outage(
    answers: Sequence[Exception | float | None], words: list[str]
) -> None:
    health, stopping, probe = Said(), Stopping(), Probe(answers)
    watching = asyncio.create_task(watch({"store": probe}, health, PACE)(stopping))
    async with asyncio.timeout(10):
        await probe.done.wait()
        stopping.drain()
        await watching
    assert health.words == words


async def test_one_of_two_that_is_back_is_not_enough() -> None:
    health, stopping = Said(), Stopping()
    first, second = Probe([AWAY] * 3), Probe([AWAY] * 20)
    watching = asyncio.create_task(watch({"first": first, "second": second}, health, PACE)(stopping))
    async with asyncio.timeout(10):
        await first.done.wait()
        assert "SERVING" not in health.words
        await second.done.wait()
        stopping.drain()
        await watching
    assert health.words == ["NOT_SERVING", "NOT_SERVING", "SERVING"]
