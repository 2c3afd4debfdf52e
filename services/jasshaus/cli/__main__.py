"""Owns the start of the command line, where Ctrl-C is met quietly from the first moment on."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command line."""
    try:
        # Imported here: it takes a moment, in which Ctrl-C would end in a traceback.
        from jasshaus.cli.commands import app  # noqa: PLC0415

        app()
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


if __name__ == "__main__":
    main()
