"""`jasshaus play`: a match against bots, from the greeting to the saved transcript; needs no server."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from jasshaus.cli.play.sitting import YOU, Ask, LeftError, Sitting
from jasshaus.cli.play.stopping import exit_code, stoppable
from jasshaus.cli.running import FAILED
from jasshaus.cli.words import Style, harmless, versus
from jasshaus.rules import schieber
from jasshaus.rules.core.options import PRESETS, RuleSet, Variant
from jasshaus.rules.core.wording import Deck, preset_name
from jasshaus.rules.transcript import format_transcript, transcript_of


@dataclass(frozen=True, slots=True)
class Options:
    """What to play; `seed` None for random deals. `save` is a new file for the transcript."""

    preset: str
    rules: RuleSet
    bot: str
    style: Style
    seed: int | None = None
    save: Path | None = None


def play(options: Options, console: Console, ask: Ask, *, offer_to_save: bool) -> int:
    """Play until the match ends or the person leaves; return the exit code.

    The match so far is always saved to `options.save` if given. Otherwise, or if that file cannot be written,
    the person may be asked for a file.
    """
    sitting = Sitting(options.rules, options.bot, options.seed, options.style, console, ask)
    code, present = 0, offer_to_save
    with stoppable() as ignore_signals:
        try:
            try:
                sitting.say(_greeting(options))
                sitting.play()
            finally:
                ignore_signals()
        except LeftError:
            _leave(sitting)
        except EOFError:
            _leave(sitting)
            present = False
        except KeyboardInterrupt as interrupt:
            _leave(sitting)
            code, present = exit_code(interrupt), False
        except (OSError, SystemExit):
            # The reader has gone away; save the match all the same.
            _save(sitting, options.save)
            raise
        kept = _save(sitting, options.save)
        if present and not (kept and options.save) and _has_begun(sitting):
            kept = _save_where_told(sitting, ask) or kept
    return code if kept else FAILED


def _greeting(options: Options) -> Iterator[str]:
    rules, preset, say = options.rules, PRESETS[options.preset], options.style.say
    name = preset_name(options.preset, options.style.language)
    if rules.target != preset.target:
        name += say("sitting.to_points", points=rules.target)
    if rules.rounds != preset.rounds:
        # The name includes the preset's number in brackets.
        name = name.partition(" (")[0] + say("sitting.deals", deals=rules.rounds)
    yield name
    against = "against_with_partner" if rules.variant is Variant.SCHIEBER else "against"
    yield say(f"sitting.{against}", bot=options.bot, help="?", quit=say("commands.quit"))


def prepare_terminal() -> None:
    """Enable line editing, and replace undecodable bytes instead of failing."""
    with contextlib.suppress(ImportError):
        importlib.import_module("readline")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def is_interactive() -> bool:
    """Return whether a person types at a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def typed(question: str) -> str:
    """Ask on the terminal; elsewhere, echo the input, so that the output reads like a dialogue."""
    prompt = f"{question}> "
    if is_interactive() and sys.stdout is not None and sys.stderr is not None:
        return input(prompt)
    print(prompt, end="", flush=True)
    line = "" if sys.stdin is None else sys.stdin.readline()  # None: closed by the parent process
    if not line:
        raise EOFError
    said = line.strip("\ufeff\r\n")
    print(harmless(said))
    return said


def _leave(sitting: Sitting) -> None:
    # After SIGHUP there is no terminal to print to.
    with contextlib.suppress(OSError):
        if sitting.match.outcome is None:
            sitting.say(["", sitting.style.say("sitting.left", points=versus(sitting.match.totals))])


def _has_begun(sitting: Sitting) -> bool:
    return any(isinstance(event, schieber.CardPlayed) for event in sitting.events)


def _save_where_told(sitting: Sitting, ask: Ask) -> bool:
    """Ask for a file until one can be written; return whether one was."""
    try:
        while named := ask(sitting.style.say("sitting.save")).strip():
            if _save(sitting, Path(os.path.expanduser(named))):  # noqa: PTH111 - Path's raises for "~nobody"
                return True
    except (EOFError, KeyboardInterrupt):
        sitting.say([""])
    return False


def _save(sitting: Sitting, path: Path | None) -> bool:
    """Save if a file is given; return whether nothing more needs to be done."""
    if path is None:
        return True
    text = format_transcript(transcript_of(sitting.match.rules, sitting.events))
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(f"# Seat {YOU} is the person.\n{text}")
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        wrong = str(getattr(error, "strerror", None) or error).lower()
        print(f"jasshaus: {harmless(str(path))}: {wrong}", file=sys.stderr)
        return False
    review = _review_of(path, sitting.style)
    say = sitting.style.say
    saved = say("sitting.saved", file=escape(harmless(str(path))))
    sitting.say([saved, say("sitting.to_review", command=escape(harmless(review)))])
    return True


def _review_of(path: Path, style: Style) -> str:
    # A name that begins with a hyphen would be parsed as an option.
    named = f"./{path}" if str(path).startswith("-") else str(path)
    words = ["jasshaus", "review", shlex.quote(named), "--seat", str(YOU)]
    if style.deck is not Deck.SWISS:
        words += ["--deck", style.deck]
    if style.language != Style().language:
        words += ["--language", style.language]
    return " ".join(words)
