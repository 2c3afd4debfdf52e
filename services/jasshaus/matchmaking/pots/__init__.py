"""Where the seats of a game are paid for: in the wallet with a stake, in PostgreSQL without one."""
