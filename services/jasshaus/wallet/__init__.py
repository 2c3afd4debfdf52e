"""The wallet: a double-entry ledger in PostgreSQL. Stakes into pots, pots to winners, nothing rewritten."""
