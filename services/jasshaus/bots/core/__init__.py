"""Shared by the bots of every game: facts about hidden hands, consistent deals, playouts, search."""
