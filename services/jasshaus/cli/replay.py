"""`jasshaus replay`: replays a transcript and narrates it deal by deal."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

import typer
from rich.console import Console

from jasshaus.cli.narration.of_rules import Retelling
from jasshaus.cli.running import FAILED
from jasshaus.cli.words import Style, harmless
from jasshaus.rules import differenzler, schieber
from jasshaus.rules.registry import Event
from jasshaus.rules.transcript import Transcript, TranscriptError, parse_transcript, play

STANDARD_INPUT: Final = "-"
#: A match takes some ten thousand bytes, the longest a hundred thousand.
_MAX_BYTES: Final = 10 * 2**20
#: Characters shown before and after an error in a long line, and at both ends of a long word.
_AROUND: Final = 60
SEAT_NAMES: Final = ("Seat 0", "Seat 1", "Seat 2", "Seat 3")


class UnreadableError(Exception):
    """A faulty transcript; the text shows the position to a person."""


def replay(source: str, console: Console, style: Style, *, quiet: bool) -> int:
    """Narrate the match of a transcript, or with `quiet` only its end; return the exit code."""
    try:
        transcript = read_transcript(source)
    except UnreadableError as faulty:
        print(faulty, file=sys.stderr)
        return FAILED
    _, events = play(transcript)

    retelling = Retelling(SEAT_NAMES, style=style)
    lines = [*retelling.lines(events), *retelling.broken_off(), *unfinished(events)]
    for line in lines[-1:] if quiet else lines:
        console.print(line, highlight=False, soft_wrap=True)
    return 0


def read_transcript(source: str) -> Transcript:
    """Read a file, or standard input for `-`.

    Raises BadParameter for an unreadable file, UnreadableError for one that is not a transcript.
    """
    text, name = _text(source)
    try:
        return parse_transcript(text)
    except TranscriptError as error:
        raise UnreadableError(_pointed_at(error, text, name)) from None


def _text(source: str) -> tuple[str, str]:
    name = "<stdin>" if source == STANDARD_INPUT else source
    raw = _read(source)
    if len(raw) > _MAX_BYTES:
        raise UnreadableError(f"{name}: more than {_MAX_BYTES // 2**20} MiB: this is not a transcript")
    try:
        # Drop the byte order mark that some editors write.
        return raw.decode("utf-8-sig"), name
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode().split("\n")
        place = f"{name}:{len(before)}:{len(before[-1]) + 1}"
        raise UnreadableError(f"{place}: this is not UTF-8 text") from None


def _read(source: str) -> bytes:
    """Read at most one byte more than a transcript may have: some files never end."""
    try:
        if source != STANDARD_INPUT:
            with Path(source).open("rb") as file:
                return file.read(_MAX_BYTES + 1)
        if sys.stdin is None:
            raise typer.BadParameter("standard input is closed")
        return sys.stdin.buffer.read(_MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        wrong = str(getattr(error, "strerror", None) or error).lower()
        raise typer.BadParameter(harmless(f"{source}: {wrong}")) from None


def _pointed_at(error: TranscriptError, text: str, name: str) -> str:
    """Show the position of an error as compilers do: the line, and a caret under the word."""
    lines = text.splitlines()
    wrong = (
        error.text
        if len(error.text) <= 4 * _AROUND
        else f"{error.text[:_AROUND]} ... {error.text[-_AROUND:]}"
    )
    said = harmless(f"{name}:{error.line}:{error.column}: {wrong}")
    if error.line > len(lines):
        return f"{said}\n  (end of file)"
    line, column = lines[error.line - 1], error.column - 1
    if len(line) > 2 * _AROUND:
        start = max(0, column - _AROUND)
        line, column = line[start : column + _AROUND], column - start
    line = harmless(line)
    # Keep tabs, so that the caret lines up with the word.
    indent = "".join("\t" if mark == "\t" else " " for mark in line[:column])
    return f"{said}\n  {line}\n  {indent}^"


def unfinished(events: Collection[Event]) -> Iterator[str]:
    """Note that a match stops before its end, if it does."""
    if any(isinstance(event, schieber.MatchEnded | differenzler.RoundsEnded) for event in events):
        return
    counted = sum(isinstance(event, schieber.DealScored | differenzler.PenaltiesScored) for event in events)
    deals = f"{counted} deal{'' if counted == 1 else 's'} counted"
    yield f"The transcript stops before the end of the match: {deals}."
