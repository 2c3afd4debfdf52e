"""Differenzler lines of a transcript: its commands, and their consequences under the rules.

Format: docs/transcripts.md. Writing and checking use the same words. Groups of a line are two spaces apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from jasshaus.rules.core.lines import Line, numbers
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.differenzler.events import (
    Announce,
    Announced,
    Command,
    Event,
    PenaltiesScored,
    RoundsEnded,
)

#: How the rest of a command's line is read, by its keyword.
COMMANDS: Final[Mapping[str, Callable[[Line], Command]]] = {
    "announce": lambda line: Announce(line.seat(), line.number("a number of points")),
}


def outcomes(_rules: RuleSet) -> frozenset[str]:
    """Return the keywords of lines that only describe consequences."""
    return frozenset({"score", "end"})


def of_command(command: Command) -> str:
    """Write a command of this game's own."""
    assert isinstance(command, Announce), f"{command} has a line in every game"
    return f"announce {command.seat} {command.points}"


def of_event(_rules: RuleSet, event: Event) -> list[str]:
    """Write an event's lines; none for one that is described by its command's line."""
    match event:
        case PenaltiesScored():
            bid = f"announced {numbers(event.announced)}  made {numbers(event.made)}"
            return [f"score  {bid}  penalties {numbers(event.penalties)}  totals {numbers(event.totals)}"]
        case RoundsEnded(winner, totals):
            return [f"end  seat {winner}  totals {numbers(totals)}"]
        case _:
            return []


def command_of(_rules: RuleSet, event: Event) -> Command | None:
    """Return the command that an event answers, None for a consequence."""
    if not isinstance(event, Announced):
        return None
    assert event.points is not None, "a projected event is no record"
    return Announce(event.seat, event.points)
