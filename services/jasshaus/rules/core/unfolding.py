"""The loop shared by all games: a command's events, then everything that follows from them automatically."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_Match = TypeVar("_Match")
_Event = TypeVar("_Event")


def unfold(
    match: _Match,
    answer: tuple[_Event, ...],
    apply: Callable[[_Match, _Event], _Match],
    consequences: Callable[[_Match], tuple[_Event, ...]],
) -> tuple[_Match, tuple[_Event, ...]]:
    """Apply a command's events and all that follow; return the resulting match, and all of the events."""
    events: list[_Event] = []
    follow = answer
    while follow:
        for event in follow:
            match = apply(match, event)
        events += follow
        follow = consequences(match)
    return match, tuple(events)
