"""The size of property runs: JASSHAUS_TEST_SCALE, in percent of the full size, which CI runs."""

from __future__ import annotations

import os

PERCENT = int(os.environ.get("JASSHAUS_TEST_SCALE", "25"))


def scaled(full: int, least: int = 1) -> int:
    """Return so much of the full size, but not less than what a run needs to meet all it must meet."""
    return max(least, full * PERCENT // 100)
