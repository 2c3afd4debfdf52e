"""From an open game to its end: the saga of who sits down, and the lifecycle after it."""
