"""Console output, and the examples at the end of help texts."""

from __future__ import annotations

import io
import os
import sys

from rich.console import Console


def examples(*lines: str) -> str:
    """Return the end of a help text; the mark keeps the lines apart."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def console() -> Console:
    """Return the console: styled on a terminal, plain text elsewhere and with NO_COLOR."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Replace characters that the terminal cannot show instead of failing.
        sys.stdout.reconfigure(errors="replace")
    return Console(force_terminal=False if os.environ.get("NO_COLOR") else None)
