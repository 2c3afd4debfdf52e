"""`jasshaus demo` as a person runs it."""

from __future__ import annotations

import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from .upstart import JASSHAUS, descendants, environ, still_there


def demo(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*JASSHAUS, "demo", *arguments],
        capture_output=True,
        text=True,
        env={**environ(), **more},
        check=False,
        timeout=120,
    )


def temporary_stacks() -> set[Path]:
    return {path for path in Path(tempfile.gettempdir()).glob("jasshaus-*") if "test" not in path.name}


def test_the_same_seed_prints_the_same_match() -> None:
    before = temporary_stacks()
    first, second = demo("--seed", "7", "--target", "300"), demo("--seed", "7", "--target", "300")
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert "PERMISSION_DENIED" in first.stdout
    assert "The ledger agrees with the table." in first.stdout
    assert "\x1b[" not in first.stdout
    assert temporary_stacks() <= before
    # What a card player looks for: who chose what, nine tricks a deal, the score.
    assert re.search(r"chooses (Acorns|Roses|Shields|Bells|Obenabe|Unenufe), x\d", first.stdout)
    assert len(re.findall(r"^  [1-9]  \w+ [ERSB][6-9TUOKA]  .*-> \w+$", first.stdout, re.MULTILINE)) >= 9
    assert re.search(r"pot CHF 8\.00 = payouts CHF 3\.90 \+ CHF 3\.90 \+ fee CHF 0\.20", first.stdout)


def test_quiet_is_the_result_alone_also_without_a_stake() -> None:
    done = demo("--quiet", "--target", "100", "--stake", "0", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert re.fullmatch(r"\w+ and \w+ .*: \d+ : \d+\n", done.stdout)
    assert done.stderr == ""


def test_colour_is_for_terminals_that_want_it() -> None:
    coloured = demo(
        "--target", "100", "--seed", "1", "--preset", "schieber-partner", FORCE_COLOR="1", TERM="xterm"
    )
    assert coloured.returncode == 0, coloured.stderr
    assert "\x1b[" in coloured.stdout


@pytest.mark.parametrize("seconds", [1.0, 4.0])
def test_an_interrupted_demo_leaves_nothing(seconds: float) -> None:
    before = temporary_stacks()
    process = subprocess.Popen(
        [*JASSHAUS, "demo", "--target", "10000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environ(),
    )
    time.sleep(seconds)
    processes = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert still_there(processes) == []
    assert temporary_stacks() <= before
