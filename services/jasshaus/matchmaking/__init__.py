"""The front door: open games, their seats, and the saga from an open game to its table."""
