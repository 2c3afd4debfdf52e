"""Exponential backoff with jitter."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """Pauses that double with each failure from `shortest` to `longest`, in seconds.

    The upper `jitter` part of a pause is random, so that callers that failed together do not return
    together: 0 means none, 1 means anything down to no pause at all ("full jitter").
    """

    shortest: float
    longest: float
    jitter: float = 0.5

    def pause(self, failures: int) -> float:
        """Return the seconds to wait after this many consecutive failures (0 for the first attempt)."""
        whole = min(self.longest, self.shortest * 2.0 ** min(failures, 30))
        return whole * (1 - self.jitter * random.random())
