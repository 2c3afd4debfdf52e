"""Tunes the cyclic garbage collector.

Cached tables are a million small values without cycles among them: with Python's defaults, scanning them
repeatedly makes every move more expensive as more tables are cached. Measured with bench/moves.py.
"""

from __future__ import annotations

import gc
from typing import Final

_THRESHOLDS: Final = (50_000, 20, 20)


def collect_rarely() -> None:
    """Collect cycles less often than by default; reference counting frees everything else at once."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
