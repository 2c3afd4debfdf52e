"""Bots by name: each takes a view and a seed and returns a legal command for that view's seat.

A bot never sees a match, so it cannot know more than a person in its seat. The same view and seed give the
same command, except for `strong` with a time budget, as here: how far it looks depends on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from jasshaus.bots import greedy, random_bot, strong
from jasshaus.rules.registry import Command, View

__all__ = ["BOTS", "Bot"]

Bot = Callable[[View, int], Command]

#: `random` plays any legal card; `greedy` plays by sound rules of thumb and stands in for absent players;
#: `strong` thinks for up to strong.DEFAULT_BUDGET_MS of CPU, so it does not belong on an event loop.
BOTS: Final[Mapping[str, Bot]] = MappingProxyType(
    {"greedy": greedy.choose, "random": random_bot.choose, "strong": strong.choose}
)
