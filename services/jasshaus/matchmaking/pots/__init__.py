"""Payment for seats: in the wallet with a stake, in PostgreSQL without one."""
