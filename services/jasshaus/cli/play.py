"""Owns `jasshaus play`: a match against bots, from the greeting to the saved transcript; no server."""

from __future__ import annotations

import contextlib
import importlib
import io
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from jasshaus.cli.play_sitting import YOU, Ask, LeftError, Sitting
from jasshaus.cli.running import FAILED
from jasshaus.cli.words import Style, harmless, versus
from jasshaus.rules.notation import format_transcript, transcript_of
from jasshaus.rules.options import PRESETS, RuleSet, Variant
from jasshaus.rules.wording import preset_name


@dataclass(frozen=True, slots=True)
class Options:
    """What to play; `seed` None: dealt by chance. `save` is a new file for the transcript."""

    preset: str
    rules: RuleSet
    bot: str
    style: Style
    seed: int | None = None
    save: Path | None = None


def play(options: Options, console: Console, ask: Ask, *, offer_to_save: bool) -> int:
    """Play until the match ends or the person leaves; the exit code.

    What was played is saved in any case where `options.save` says so; without it the person may be asked.
    """
    sitting = Sitting(options.rules, options.bot, options.seed, options.style, console, ask)
    sitting.say(_greeting(options))
    code, path = 0, options.save
    try:
        sitting.play()
        if path is None and offer_to_save and (named := ask("Save the match? A file name, or Enter").strip()):
            path = Path(named)
    except (LeftError, EOFError):
        _leave(sitting)
    except KeyboardInterrupt:
        _leave(sitting)
        code = 128 + signal.SIGINT
    return code if path is None or _save(sitting, path) else FAILED


def _greeting(options: Options) -> Iterator[str]:
    rules = options.rules
    target = "" if rules.target == PRESETS[options.preset].target else f", here to {rules.target} points"
    partner = ", Claudia is your partner" if rules.variant is Variant.SCHIEBER else ""
    yield f"{preset_name(options.preset, options.style.language)}{target}"
    yield f"You play against {options.bot} bots{partner}. ? for help, quit to leave."


def prepare_terminal() -> None:
    """Have lines edited while they are typed, and odd bytes among them replaced instead of refused."""
    with contextlib.suppress(ImportError):
        importlib.import_module("readline")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def is_interactive() -> bool:
    """Say whether a person types at a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def typed(question: str) -> str:
    """Ask on the terminal; elsewhere what was read is printed, so that the output reads like a dialogue."""
    if sys.stdin is None:  # closed by whoever started this
        raise EOFError
    line = input(f"{question}> ")
    if not is_interactive():
        print(harmless(line))
    return line


def _leave(sitting: Sitting) -> None:
    if sitting.match.outcome is None:
        sitting.say(["", f"You leave the match at {versus(sitting.match.totals)}. Goodbye."])


def _save(sitting: Sitting, path: Path) -> bool:
    text = format_transcript(transcript_of(sitting.match.rules, sitting.events))
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(f"# Seat {YOU} is the person.\n{text}")
    except OSError as error:
        print(f"jasshaus: {path}: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        return False
    sitting.say([f"Saved in {escape(str(path))}."])
    return True
