"""What a storm finds: broken promises, and counts of what happened."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Findings:
    """`wrong` must stay empty. `lossy` is set once Redis has lost writes on purpose: then more is allowed."""

    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    lossy: bool = False
    started: float = field(default_factory=time.monotonic)

    def blame(self, text: str) -> None:
        """Something promised was not kept."""
        self.wrong.append(f"[{time.monotonic() - self.started:6.1f} s] {text}")

    def count(self, what: str) -> None:
        """Something happened that may."""
        self.counts[what] += 1
