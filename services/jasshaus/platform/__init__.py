"""The foundation of every service: configuration, logs, errors, identity, lifecycle. Knows no game."""
