"""The game at the terminal: a match against bots, without a server."""
