"""The rows in PostgreSQL: games, the corrections after a restore, and pots without a game."""
