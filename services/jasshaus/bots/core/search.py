"""Choosing by sampling: candidates race over the same worlds until one leads or the time is used up."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

_Candidate = TypeVar("_Candidate")
_World = TypeVar("_World")
_Answer = TypeVar("_Answer")

_FIRST_CUT: Final = 16
_CLEARLY: Final = 3.0  # standard errors
_ENOUGH: Final = 250  # worlds; more tell the best apart only where it hardly matters


class Budget:
    """How long to think: a number of worlds, which is reproducible, or CPU time."""

    def __init__(self, cpu_ms: float | None = None, worlds: int | None = None) -> None:
        """Start the clock. If neither limit is given, one deal is sampled, the minimum in any case.

        Raises ValueError for a time below 0 or a number of worlds below 1.
        """
        if cpu_ms is not None and not cpu_ms >= 0:
            raise ValueError(f"a budget is 0 ms or more, not {cpu_ms}")
        if worlds is not None and worlds < 1:
            raise ValueError(f"a budget is 1 world or more, not {worlds}")
        self._worlds = worlds if worlds is not None else (1 if cpu_ms is None else _ENOUGH)
        self._until = None if cpu_ms is None else time.thread_time() + cpu_ms / 1000

    def spent(self, worlds: int) -> bool:
        """Return whether this many worlds are enough."""
        return worlds >= self._worlds or (self._until is not None and time.thread_time() >= self._until)


def once_a_world(compute: Callable[[_World], _Answer]) -> Callable[[_World], _Answer]:
    """Cache the answer for the latest world, in which all candidates are tried."""
    known: list[tuple[_World, _Answer]] = []

    def answer(world: _World) -> _Answer:
        if not known or known[0][0] is not world:
            known[:] = [(world, compute(world))]
        return known[0][1]

    return answer


def race(
    candidates: Sequence[_Candidate],
    draw: Callable[[], _World],
    value: Callable[[_World, _Candidate], float],
    budget: Budget,
) -> tuple[_Candidate, list[float]]:
    """Return the candidate with the greatest mean value, and the means of all when each was last tried.

    All are tried in the same worlds, so that luck in sampling does not tell them apart; those clearly behind
    are dropped. At least one world is sampled, whatever the budget.
    """
    values: list[list[float]] = [[] for _ in candidates]
    live = list(range(len(candidates)))
    worlds, cut = 0, _FIRST_CUT
    while len(live) > 1 and (not worlds or not budget.spent(worlds)):
        world = draw()
        for index in live:
            values[index].append(value(world, candidates[index]))
        worlds += 1
        if worlds == cut:
            live = _leaders(values, live)
            cut *= 2
    means = [sum(each) / len(each) if each else 0.0 for each in values]
    return candidates[max(live, key=means.__getitem__)], means


def _leaders(values: Sequence[Sequence[float]], live: Sequence[int]) -> list[int]:
    """Keep those that are not clearly behind the best."""
    best = max(live, key=lambda index: sum(values[index]))
    return [index for index in live if index == best or not _clearly_behind(values[index], values[best])]


def _clearly_behind(one: Sequence[float], best: Sequence[float]) -> bool:
    gaps = [ahead - behind for ahead, behind in zip(best, one, strict=True)]
    mean = sum(gaps) / len(gaps)
    spread = sum((gap - mean) ** 2 for gap in gaps)
    # The variance of the mean is spread / n(n-1).
    return mean > 0 and mean * mean * len(gaps) * (len(gaps) - 1) > _CLEARLY * _CLEARLY * spread
