"""`jasshaus demo` as a person runs it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .upstart import JASSHAUS, descendants, environ, new_folder, still_there


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A folder for temporary files, which is empty again afterwards."""
    folder = new_folder()
    yield folder
    assert list(folder.iterdir()) == []
    folder.rmdir()


def demo(temporary: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*JASSHAUS, "demo", *arguments],
        capture_output=True,
        text=True,
        env={**environ(temporary), **more},
        check=False,
        timeout=120,
    )


def test_the_same_seed_prints_the_same_match(temporary: Path) -> None:
    first, second = (
        demo(temporary, "--seed", "7", "--target", "300"),
        demo(temporary, "--seed", "7", "--target", "300"),
    )
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert "PERMISSION_DENIED" in first.stdout
    assert "The ledger agrees with the table." in first.stdout
    assert "\x1b[" not in first.stdout
    # What a card player looks for: who chose what, nine tricks a deal, the score.
    assert re.search(r"chooses (Acorns|Roses|Shields|Bells|Obenabe|Unenufe), x\d", first.stdout)
    assert len(re.findall(r"^  [1-9]  \w+ [ERSB][6-9TUOKA]  .*-> \w+$", first.stdout, re.MULTILINE)) >= 9
    assert re.search(r"pot CHF 8\.00 = payouts CHF 3\.90 \+ CHF 3\.90 \+ fee CHF 0\.20", first.stdout)


def test_quiet_is_the_result_alone_also_without_a_stake(temporary: Path) -> None:
    done = demo(temporary, "--quiet", "--target", "100", "--stake", "0", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert re.fullmatch(r"\w+ and \w+ .*: \d+ : \d+\n", done.stdout)
    assert done.stderr == ""


def test_a_differenzler_tells_hidden_announcements_when_they_are_scored(temporary: Path) -> None:
    arguments = ("--variant", "differenzler", "--rounds", "1", "--seed", "7")
    first, second = demo(temporary, *arguments), demo(temporary, *arguments)
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert re.search(r"^  E[6-9TUOKA] is turned up: Acorns are trumps$", first.stdout, re.MULTILINE)
    assert "Announced" not in first.stdout
    assert re.search(r"^  Score  Anna +announced +\d+, made +\d+ = +\d+$", first.stdout, re.MULTILINE)
    assert re.search(r"^(Anna|Beat|Claudia|Dario) wins: ", first.stdout, re.MULTILINE)
    assert "pot CHF 8.00 = payouts CHF 7.80 + fee CHF 0.20" in first.stdout
    assert "The ledger agrees with the table." in first.stdout


def test_a_differenzler_tells_open_announcements_before_the_first_card(temporary: Path) -> None:
    done = demo(
        temporary, "--variant", "differenzler", "--announcements", "open", "--rounds", "1", "--stake", "0"
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"^  Announced  Anna \d+  Beat \d+  Claudia \d+  Dario \d+$", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("seconds", [0.2, 1.0, 3.0])
def test_an_interrupted_demo_leaves_nothing(temporary: Path, seconds: float) -> None:
    process = subprocess.Popen(
        [*JASSHAUS, "demo", "--target", "10000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environ(temporary),
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("Starting")
    time.sleep(seconds)
    processes = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert still_there(processes) == []


@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
def test_a_terminal_that_interrupts_while_the_database_is_made(temporary: Path, name: str) -> None:
    """Ctrl-C, and closing the window, reach all processes of the terminal's group, not ours alone."""
    process = subprocess.Popen(
        [*JASSHAUS, "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environ(temporary),
        start_new_session=True,
    )
    give_up = time.monotonic() + 60
    while not any("initdb" in line for line in still_there(descendants(process.pid), patience=0)):
        assert process.poll() is None
        assert time.monotonic() < give_up
    processes = descendants(process.pid)
    os.killpg(process.pid, getattr(signal, name))
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + getattr(signal, name), errors
    assert output == ""
    assert errors.splitlines()[1:] == []
    assert still_there(processes) == []


def test_a_full_disk_behind_the_output_is_one_line(temporary: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*JASSHAUS, "demo", "--target", "100"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environ(temporary),
            check=False,
            timeout=120,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == ["jasshaus: cannot write the output: no space left on device"]
