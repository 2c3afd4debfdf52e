"""The tests themselves, where signals are ignored or blocked: under `nohup`, or as a script's `&`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# A test that sends these signals to its children, and is done in a second.
PROBE = "tests/cli/test_running.py::test_a_signal_ends_a_command_which_cleans_up"
PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", PROBE)


@pytest.mark.parametrize(
    "start", ['trap "" INT HUP; exec "$@"', 'trap "" TERM CHLD; exec "$@"', '"$@" & wait $!']
)
def test_tests_do_not_depend_on_the_signals_they_inherit(start: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", start, "sh", *PYTEST], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_tests_do_not_depend_on_the_signals_that_are_blocked() -> None:
    block = (
        "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [1, 2, 15]);"
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", block, *PYTEST], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_what_is_ignored_here_has_no_effect_here() -> None:
    """`nohup make test` goes on when its terminal goes away."""
    code = (
        "import os, signal, signals; signals.set_for_children();"
        "os.kill(os.getpid(), signal.SIGHUP); print('here')"
    )
    done = subprocess.run(
        ["/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh", sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "here\n"), done.stderr


def test_children_start_with_signals_at_their_defaults() -> None:
    code = (
        "import signal; ignored = [n for n in (1, 15, 17) if signal.getsignal(n) is signal.SIG_IGN];"
        "print(ignored, list(signal.pthread_sigmask(signal.SIG_BLOCK, ())))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[] []\n"
