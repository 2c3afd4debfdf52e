"""A whole stack on one machine: embedded stores, service processes, tokens. For demo, development and tests.

Redis and PostgreSQL come from wheels unless JASSHAUS_REDIS_URL and JASSHAUS_POSTGRES_DSN name real ones.
"""
