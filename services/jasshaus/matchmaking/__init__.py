"""The front door: open games, who sits where, and the saga from an open game to its table."""
