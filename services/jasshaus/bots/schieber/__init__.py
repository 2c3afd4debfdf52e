"""The bots at a Schieber."""
