"""A person at a terminal, or a program at a pipe, plays with the real command."""

from __future__ import annotations

import codecs
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jasshaus.rules.transcript import parse_transcript
from jasshaus.rules.transcript import play as replay_transcript

COMMAND = (sys.executable, "-m", "jasshaus.cli", "play", "--bot", "greedy", "--seed", "5")
#: A question stands at the end of what was printed; an arrow to a trick's winner may not be taken for one.
_QUESTION = re.compile(r"(?<!-)> $")
_STYLING = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """A person at a terminal of its own: reads up to a question, types an answer."""

    def __init__(self, *arguments: str) -> None:
        environ = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80"}
        environ.pop("NO_COLOR", None)
        self._main, other = pty.openpty()
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=other,
            stdout=other,
            stderr=other,
            env=environ,
            start_new_session=True,
        )
        os.close(other)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.raw = ""
        self._seen = 0
        self._until = time.monotonic() + 60

    def question(self) -> str | None:
        """Wait for the next question; None when the program ends instead."""
        while not _QUESTION.search(self.raw[self._seen :]):
            if not select.select([self._main], [], [], max(0, self._until - time.monotonic()))[0]:
                self.close()
                raise AssertionError(f"no question: {self.raw[-500:]}")
            try:
                read = os.read(self._main, 65_536)
            except OSError:
                return None
            if not read:
                return None
            self.raw += self._decoder.decode(read)
        question = self.raw[self._seen :]
        self._seen = len(self.raw)
        return question.rsplit("\n", 1)[-1]

    def type(self, text: str) -> None:
        os.write(self._main, text.encode())

    def send(self, number: int) -> None:
        """Send a signal, when the question has been standing for a moment: before, it would be taken late."""
        time.sleep(0.3)
        self.process.send_signal(number)

    def close(self) -> int:
        """Wait for the end, for a while."""
        try:
            code = self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            code = self.process.wait()
        os.close(self._main)
        return code

    @property
    def text(self) -> str:
        return _STYLING.sub("", self.raw).replace("\r", "")


def answer_to(question: str) -> str:
    return "" if "Enter to go on" in question else "1"


def test_a_whole_match_on_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "match.jass"
    terminal = Terminal("--preset", "schieber-partner", "--target", "150")
    questions = 0
    while (question := terminal.question()) is not None:
        questions += 1
        assert questions < 200
        if questions == 1:
            # Lines of any bytes, too long ones and the end of the alphabet: none of them ends the match.
            terminal.type("\u00e4\u00f6\U0001f0cf\n")
            continue
        terminal.type(f"{path if 'Save' in question else answer_to(question)}\n")
    assert terminal.close() == 0
    assert "\x1b[" in terminal.raw, "a terminal gets colours"
    assert " win" in terminal.text
    match, _ = replay_transcript(parse_transcript(path.read_text()))
    assert match.outcome is not None


def test_control_d_leaves() -> None:
    terminal = Terminal()
    assert terminal.question()
    terminal.type("\x04")
    assert terminal.question() is None
    assert terminal.close() == 0
    assert terminal.text.rstrip().endswith("Goodbye.")


def test_control_c_leaves() -> None:
    terminal = Terminal()
    assert terminal.question()
    terminal.send(signal.SIGINT)
    assert terminal.question() is None
    assert terminal.close() == 130
    assert terminal.text.rstrip().endswith("Goodbye.")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_ends_the_terminal_loses_no_match(number: int, tmp_path: Path) -> None:
    path = tmp_path / "match.jass"
    terminal = Terminal("--save", str(path))
    assert terminal.question()
    terminal.type("1\n")
    assert terminal.question()
    terminal.send(number)
    assert terminal.question() is None
    assert terminal.close() == 128 + number
    match, _ = replay_transcript(parse_transcript(path.read_text()))
    assert match.deal == 1


def test_a_reader_that_stops_reading_loses_no_match(tmp_path: Path) -> None:
    path = tmp_path / "match.jass"
    process = subprocess.Popen(
        [*COMMAND, "--save", str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout
    # The greeting; then there is somebody to deal, and nobody to read it.
    process.stdout.readline()
    process.stdout.readline()
    process.stdout.close()
    _, err = process.communicate(b"1\n" * 20, timeout=60)
    assert (process.returncode, err) == (1, b"")
    assert parse_transcript(path.read_text()).moves


def test_a_whole_match_through_pipes() -> None:
    done = subprocess.run(
        [*COMMAND, "--preset", "schieber-3000", "--target", "150"],
        input=b"\xff\x00nonsense\n" + b"1\n" * 200,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0
    assert not done.stderr
    assert b"\x1b" not in done.stdout
    assert " win" in done.stdout.decode()


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_reason_to_fail(closed: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND],
        input=b"\xef\xbb\xbf1\r\n",
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    if ">&-" not in closed.replace("2>&-", ""):
        assert done.stdout.decode().endswith("Goodbye.\n")


def test_a_terminal_that_knows_only_ascii() -> None:
    done = subprocess.run(
        COMMAND,
        input=b"",
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0
    assert b".--." in done.stdout
