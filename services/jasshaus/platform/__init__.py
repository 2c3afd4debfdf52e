"""What every service stands on: configuration, logs, metrics, errors, identity, server lifecycle. It knows no game."""
