"""What every service stands on (configuration, logs, errors, identity, lifecycle); it knows no game."""
