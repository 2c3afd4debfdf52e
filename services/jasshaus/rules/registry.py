"""The list of games, and one set of functions over all of them, dispatched by match, command or event.

A new game is a package beside schieber/ and differenzler/, a `Game` in GAMES, and its types in the unions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

from jasshaus.rules import differenzler, schieber
from jasshaus.rules.core.choices import Variant
from jasshaus.rules.core.decisions import LegalActions, Pending, PendingKind
from jasshaus.rules.core.lines import Line
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.core.refusals import Reason, RuleViolation
from jasshaus.rules.differenzler import lines as differenzler_lines
from jasshaus.rules.schieber import lines as schieber_lines

__all__ = [
    "GAMES",
    "Command",
    "Event",
    "Game",
    "LegalActions",
    "Lines",
    "Match",
    "Pending",
    "PendingKind",
    "View",
    "advance",
    "apply",
    "claimants",
    "decide",
    "game_of",
    "legal_actions",
    "new_match",
    "pending",
    "project",
    "replay",
    "sides_of",
    "view",
    "winning_seats",
]

Match = schieber.Match | differenzler.Match
Command = schieber.Command | differenzler.Command
Event = schieber.Event | differenzler.Event
View = schieber.View | differenzler.View


@dataclass(frozen=True, slots=True)
class Lines:
    """How a game's own commands and events appear in a transcript; shared ones are written here."""

    commands: Mapping[str, Callable[[Line], Any]]
    outcomes: Callable[[RuleSet], frozenset[str]]
    of_command: Callable[[Any], str]
    of_event: Callable[[RuleSet, Any], list[str]]
    command_of: Callable[[RuleSet, Any], Any]


@dataclass(frozen=True, slots=True)
class Game:
    """One game: its types, and functions over them.

    `sides`: the seats that win or lose together. `shows_trump`: the last card dealt is turned up.
    """

    variant: Variant
    sides: tuple[tuple[int, ...], ...]
    match: type
    commands: Any
    events: Any
    shows_trump: bool
    new_match: Callable[[RuleSet], Any]
    advance: Callable[[Any, Any], tuple[Any, tuple[Any, ...]]]
    apply: Callable[[Any, Any], Any]
    pending: Callable[[Any], tuple[Pending, ...]]
    legal_actions: Callable[[Any, int], LegalActions]
    claimants: Callable[[Any], tuple[int, ...]]
    winning_seats: Callable[[Any], tuple[int, ...]]
    view: Callable[[Any, int | None], Any]
    project: Callable[[Any, int | None], Any]
    lines: Lines


def _nobody(_match: Any) -> tuple[int, ...]:
    return ()


GAMES: Final = (
    Game(
        variant=Variant.SCHIEBER,
        sides=((0, 2), (1, 3)),
        match=schieber.Match,
        commands=schieber.Command,
        events=schieber.Event,
        shows_trump=False,
        new_match=schieber.new_match,
        advance=schieber.advance,
        apply=schieber.apply,
        pending=schieber.pending,
        legal_actions=schieber.legal_actions,
        claimants=schieber.claimants,
        winning_seats=schieber.winning_seats,
        view=schieber.view,
        project=schieber.project,
        lines=Lines(
            schieber_lines.COMMANDS,
            schieber_lines.outcomes,
            schieber_lines.of_command,
            schieber_lines.of_event,
            schieber_lines.command_of,
        ),
    ),
    Game(
        variant=Variant.DIFFERENZLER,
        sides=((0,), (1,), (2,), (3,)),
        match=differenzler.Match,
        commands=differenzler.Command,
        events=differenzler.Event,
        shows_trump=True,
        new_match=differenzler.new_match,
        advance=differenzler.advance,
        apply=differenzler.apply,
        pending=differenzler.pending,
        legal_actions=differenzler.legal_actions,
        claimants=_nobody,
        winning_seats=differenzler.winning_seats,
        view=differenzler.view,
        project=differenzler.project,
        lines=Lines(
            differenzler_lines.COMMANDS,
            differenzler_lines.outcomes,
            differenzler_lines.of_command,
            differenzler_lines.of_event,
            differenzler_lines.command_of,
        ),
    ),
)

_BY_VARIANT: Final[Mapping[Variant, Game]] = {game.variant: game for game in GAMES}
_BY_MATCH: Final[Mapping[type, Game]] = {game.match: game for game in GAMES}


def game_of(rules: RuleSet) -> Game:
    """Return the game of a rule set."""
    return _BY_VARIANT[rules.variant]


def sides_of(variant: Variant) -> tuple[tuple[int, ...], ...]:
    """Return the seats that win together in a game, each side in seat order."""
    return _BY_VARIANT[variant].sides


def new_match(rules: RuleSet) -> Match:
    """Start a match of the rule set's game."""
    match: Match = game_of(rules).new_match(rules)
    return match


def decide(match: Match, command: Command) -> tuple[Event, ...]:
    """Return the events that a command causes. Raises RuleViolation, also for another game's action."""
    return advance(match, command)[1]


def advance(match: Match, command: Command) -> tuple[Match, tuple[Event, ...]]:
    """Return the match after a command, and its events: `decide` and `replay` in one step."""
    game = _BY_MATCH[type(match)]
    if not isinstance(command, game.commands):
        raise RuleViolation(Reason.ACTION_NOT_PLAYED)
    return game.advance(match, command)


def apply(match: Match, event: Event) -> Match:
    """Return the match after an event that `decide` gave for it."""
    after: Match = _BY_MATCH[type(match)].apply(match, event)
    return after


def replay(match: Match, events: Iterable[Event]) -> Match:
    """Apply events in order."""
    return reduce(apply, events, match)


def pending(match: Match) -> tuple[Pending, ...]:
    """Return who must decide now; empty when the match has ended."""
    return _BY_MATCH[type(match)].pending(match)


def legal_actions(match: Match, seat: int) -> LegalActions:
    """Return what a seat may do now."""
    return _BY_MATCH[type(match)].legal_actions(match, seat)


def claimants(match: Match) -> tuple[int, ...]:
    """Return the seats that may claim now; none if the game has no claim."""
    return _BY_MATCH[type(match)].claimants(match)


def winning_seats(match: Match) -> tuple[int, ...]:
    """List the seats that won, in order; empty before the end."""
    return _BY_MATCH[type(match)].winning_seats(match)


def view(match: Match, viewer: int | None) -> View:
    """Return the part of a match that a seat, or a spectator, may know."""
    seen: View = _BY_MATCH[type(match)].view(match, viewer)
    return seen


def project(event: Event, viewer: int | None) -> Event:
    """Return what a seat, or a spectator, may see of an event; `project(event, None)` is its public form."""
    for game in GAMES:
        if isinstance(event, game.events):
            seen: Event = game.project(event, viewer)
            return seen
    raise AssertionError(f"{event!r} belongs to no game")
