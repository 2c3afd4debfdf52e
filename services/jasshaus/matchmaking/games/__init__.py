"""From an open game to its end: the saga of taking seats, and the lifecycle after it."""
