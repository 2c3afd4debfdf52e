"""Entry point of the command line: quiet on Ctrl-C, one line when its output is lost."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from types import FrameType
from typing import Final, Never

_FAILED: Final = 1
_INTERRUPTED: Final = 128 + signal.SIGINT
_OURS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# What the system refuses; anything else is a bug of ours, which shows its trace.
_REFUSALS: Final = frozenset(
    {
        errno.EACCES,
        errno.EDQUOT,
        errno.EFBIG,
        errno.EIO,
        errno.ENAMETOOLONG,
        errno.ENOSPC,
        errno.EPERM,
        errno.EPIPE,
        errno.EROFS,
    }
)


def main() -> None:
    """Run the command line."""
    # As inherited, signals might be blocked, and the exit codes of children lost.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _OURS)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # The imports take a moment, in which a KeyboardInterrupt would come up as a trace or be swallowed.
    signal.signal(signal.SIGINT, _leave)
    from jasshaus.cli.commands import app  # noqa: PLC0415

    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        try:
            app()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except (OSError, ExceptionGroup) as error:
        refusal = _refusal(error)
        if refusal is None:
            raise
        _complain(refusal)
        sys.exit(_FAILED)


def _refusal(error: BaseException) -> OSError | None:
    """Return what the system refused if that is all there is to an error, also to a group of them."""
    if isinstance(error, BaseExceptionGroup):
        found = [_refusal(each) for each in error.exceptions]
        return found[0] if all(found) else None
    return error if isinstance(error, OSError) and error.errno in _REFUSALS else None


def _complain(refusal: OSError) -> None:
    """Say in one line what could not be written; a reader that has seen enough (`| head`) needs no words."""
    what = refusal.filename or "cannot write the output"
    if refusal.errno != errno.EPIPE:
        with contextlib.suppress(OSError):
            print(f"jasshaus: {what}: {(refusal.strerror or '').lower()}", file=sys.stderr)
    # What is still held back would fail again when the interpreter ends.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
            continue
        with contextlib.suppress(OSError, ValueError, AttributeError):
            os.dup2(nowhere, stream.fileno())


def _leave(number: int, _frame: FrameType | None) -> Never:
    os._exit(128 + number)


if __name__ == "__main__":
    main()
