"""The terminal game: a match against bots, without a server."""
