"""The wallet: a double-entry ledger in PostgreSQL. Stakes go into pots, pots are paid to winners."""
