"""Exponential backoff with jitter: how long to wait before the next attempt."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """Pauses that double with each failure from `shortest` to `longest`, in seconds.

    A pause is spread evenly over its upper `jitter` part, so that callers that failed together do not come
    back together: 0 for none, 1 for anything down to no pause at all ("full jitter").
    """

    shortest: float
    longest: float
    jitter: float = 0.5

    def pause(self, failures: int) -> float:
        """Return the seconds to wait after this many earlier failures in a row (0 after the first)."""
        whole = min(self.longest, self.shortest * 2.0 ** min(failures, 30))
        return whole * (1 - self.jitter * random.random())
