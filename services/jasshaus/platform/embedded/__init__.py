"""A Redis and a PostgreSQL of our own, from wheels, for `make demo`, `make run` and the tests."""
