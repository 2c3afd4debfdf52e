"""Shared by all games: cards, tricks, Weis, dealing, options, refusals, and their texts."""
