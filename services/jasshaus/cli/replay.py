"""Owns `jasshaus replay`: a transcript, read by playing it, told deal by deal."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import typer
from rich.console import Console

from jasshaus.cli.retelling import Retelling
from jasshaus.cli.running import FAILED
from jasshaus.cli.words import harmless
from jasshaus.rules import differenzler, schieber
from jasshaus.rules.game import Event
from jasshaus.rules.notation import Transcript, TranscriptError, parse_transcript, play

STANDARD_INPUT: Final = "-"
SEAT_NAMES: Final = ("Seat 0", "Seat 1", "Seat 2", "Seat 3")


class UnreadableError(Exception):
    """A transcript that is faulty; its text shows the place to a person."""


def replay(source: str, console: Console, *, quiet: bool) -> int:
    """Tell the match of a transcript, `quiet`: its end alone; the exit code."""
    try:
        transcript = read_transcript(source)
    except UnreadableError as faulty:
        print(faulty, file=sys.stderr)
        return FAILED
    _, events = play(transcript)

    lines = list(Retelling(SEAT_NAMES).lines(events))
    for line in lines[-1:] if quiet and _ended(events) else [] if quiet else lines:
        console.print(line, highlight=False, soft_wrap=True)
    if not _ended(events):
        console.print(_unfinished(events), highlight=False, soft_wrap=True)
    return 0


def read_transcript(source: str) -> Transcript:
    """Read a file, or standard input for `-`.

    Raises BadParameter for what cannot be read, UnreadableError for what is no transcript.
    """
    text, name = _text(source)
    try:
        return parse_transcript(text)
    except TranscriptError as error:
        raise UnreadableError(_pointed_at(error, text, name)) from None


def _text(source: str) -> tuple[str, str]:
    name = "<stdin>" if source == STANDARD_INPUT else source
    try:
        if source == STANDARD_INPUT and sys.stdin is None:
            raise typer.BadParameter("standard input is closed")
        raw = sys.stdin.buffer.read() if source == STANDARD_INPUT else Path(source).read_bytes()
    except OSError as error:
        raise typer.BadParameter(f"{source}: {(error.strerror or str(error)).lower()}") from None
    try:
        # A byte order mark, as some editors write it, is no part of the text.
        return raw.decode("utf-8-sig"), name
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode().split("\n")
        place = f"{name}:{len(before)}:{len(before[-1]) + 1}"
        raise UnreadableError(f"{place}: this is not UTF-8 text") from None


def _pointed_at(error: TranscriptError, text: str, name: str) -> str:
    """Show the place of an error as compilers do: the line, and a caret under the word."""
    lines = text.splitlines()
    said = harmless(f"{name}:{error.line}:{error.column}: {error.text}")
    if error.line > len(lines):
        return f"{said}\n  (end of file)"
    line = harmless(lines[error.line - 1])
    # Tabs stay, so that the caret stands under the word.
    indent = "".join("\t" if mark == "\t" else " " for mark in line[: error.column - 1])
    return f"{said}\n  {line}\n  {indent}^"


def _ended(events: Iterable[Event]) -> bool:
    return any(isinstance(event, schieber.MatchEnded | differenzler.RoundsEnded) for event in events)


def _unfinished(events: Iterable[Event]) -> str:
    counted = [
        event for event in events if isinstance(event, schieber.DealScored | differenzler.PenaltiesScored)
    ]
    deals = f"{len(counted)} deal{'' if len(counted) == 1 else 's'} counted"
    return f"The transcript stops before the end of the match: {deals}."
