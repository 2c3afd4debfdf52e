"""Narration of a match for people: the sentences, and their sources."""
