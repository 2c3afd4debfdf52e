"""Tunes the cyclic garbage collector.

Kept tables are a million small values without a cycle among them: with Python's defaults, going through them
again and again makes every move dearer the more tables are kept. Measured with bench/moves.py.
"""

from __future__ import annotations

import gc
from typing import Final

_THRESHOLDS: Final = (50_000, 20, 20)


def collect_rarely() -> None:
    """Look for cycles less often than Python would; reference counts free all else at once, as ever."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
