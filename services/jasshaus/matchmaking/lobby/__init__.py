"""Open games as players see them: stored in Redis, followed, listed and streamed."""
