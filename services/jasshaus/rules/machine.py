"""The loop both games run: a command's events, then all that follows from them by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import TypeVar

_Match = TypeVar("_Match")
_Event = TypeVar("_Event")


def unfold(
    match: _Match,
    answer: Iterable[_Event],
    apply: Callable[[_Match, _Event], _Match],
    consequences: Callable[[_Match], Iterable[_Event]],
) -> tuple[_Event, ...]:
    """Give the events of an answer and, as long as there are any, those that follow from the state."""
    events: list[_Event] = []
    follow = list(answer)
    while follow:
        events += follow
        match = reduce(apply, follow, match)
        follow = list(consequences(match))
    return tuple(events)
