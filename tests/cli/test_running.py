"""How commands end: by signals, and when there is nowhere to print to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

# A command that gets the signals named in argv, cleans up for a moment, and may be deaf while it starts.
COMMAND = """
import asyncio, os, signal, sys, time
from jasshaus.cli.running import run

def send(name):
    os.kill(os.getpid(), getattr(signal, name))

async def command():
    first, *more = sys.argv[1:]
    try:
        send(first)
        time.sleep(0.1)
        await asyncio.sleep(1)
    finally:
        for name in more:
            send(name)
        await asyncio.sleep(0.1)
        print("cleaned up", flush=True)
    return 0

sys.exit(run(command()))
"""
JASSHAUS = [sys.executable, "-m", "jasshaus.cli"]


def python(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=60, env=env)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_command_which_cleans_up(name: str) -> None:
    done = python(sys.executable, "-c", COMMAND, name)
    assert (done.returncode, done.stdout, done.stderr) == (
        128 + getattr(signal, name),
        "cleaned up\n",
        "",
    )


def test_a_second_signal_does_not_disturb_the_cleaning_up() -> None:
    done = python(sys.executable, "-c", COMMAND, "SIGINT", "SIGINT")
    assert (done.returncode, done.stdout) == (130, "cleaned up\n")
    assert done.stderr.count("\n") == 1
    assert "shutting down" in done.stderr


def test_a_third_signal_ends_it_at_once() -> None:
    done = python(sys.executable, "-c", COMMAND, "SIGINT", "SIGINT", "SIGINT")
    assert (done.returncode, done.stdout) == (130, "")
    assert "Traceback" not in done.stderr


def test_nohup_holds() -> None:
    done = python("nohup", sys.executable, "-c", COMMAND, "SIGHUP")
    assert (done.returncode, done.stdout) == (0, "cleaned up\n")


def test_ctrl_c_is_no_wish_of_whoever_started_it_in_the_background() -> None:
    """A script's `&` ignores SIGINT, and `kill -INT` is how a script ends what it started."""
    started = f'"{sys.executable}" -c "$1" SIGINT & wait $!'
    done = python("/bin/sh", "-c", started, "sh", COMMAND)
    assert (done.returncode, done.stdout) == (130, "cleaned up\n")


def test_a_signal_that_was_blocked_ends_a_command_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("import os, time\nos.kill(os.getpid(), 2)\ntime.sleep(10)\n")
    block = (
        "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [2]);"
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = python(sys.executable, "-c", block, *JASSHAUS, "--help", env=environ)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_ctrl_c_during_the_imports_is_quiet(tmp_path: Path) -> None:
    slow = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(30)\n"
    (tmp_path / "typer.py").write_text(slow)
    done = python(*JASSHAUS, "--help", env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["token", "anna"]])
def test_output_that_cannot_be_written_is_one_line(arguments: list[str]) -> None:
    environ = {**os.environ, "JASSHAUS_DEV_SECRET": "a secret of the length that is needed"}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*JASSHAUS, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, env=environ, check=False
        )
    assert done.returncode == 1
    assert done.stderr == "jasshaus: cannot write the output: no space left on device\n"


def test_a_reader_that_has_seen_enough_is_no_trouble() -> None:
    done = python("bash", "-c", f"{sys.executable} -m jasshaus.cli --help | true; exit ${{PIPESTATUS[0]}}")
    assert (done.returncode in {0, 1}, done.stderr) == (True, "")
