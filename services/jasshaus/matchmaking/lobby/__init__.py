"""Open games as players see them: kept in Redis, followed, listed and streamed."""
