"""Writes a transcript: commands, and their consequences under the rules. Format: docs/transcripts.md."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from jasshaus.rules.core.cards import format_card, format_cards
from jasshaus.rules.core.events import DealStarted, PlayCard, StartDeal, TrickWon
from jasshaus.rules.core.lines import numbers
from jasshaus.rules.core.options import PRESETS, RuleSet, applicable, rule_set
from jasshaus.rules.core.tricks import Trick
from jasshaus.rules.registry import GAMES, Command, Event, advance, game_of, new_match
from jasshaus.rules.transcript.record import Move, Transcript


def format_transcript(transcript: Transcript) -> str:
    """Write a transcript, with consequences. Raises RuleViolation if it cannot be played."""
    writer = _Writer(transcript.rules)
    writer.remark(transcript.opening)
    writer.lines += _heading(transcript.rules)
    for move in transcript.moves:
        writer.write(move)
    writer.close_trick()
    writer.remark(transcript.closing)
    return "\n".join(writer.lines) + "\n"


def _heading(rules: RuleSet) -> list[str]:
    """Return the preset that needs the fewest overrides for these rules, and those overrides."""
    overrides = {
        preset: _overrides(rules, preset) for preset, base in PRESETS.items() if base.variant is rules.variant
    }
    nearest = min(overrides, key=lambda preset: len(overrides[preset]))
    options = [_option(name, getattr(rules, name)) for name in overrides[nearest]]
    return [f"preset {nearest}", *options]


def _overrides(rules: RuleSet, preset: str) -> list[str]:
    shown = [field.name for field in fields(RuleSet) if field.name in applicable(rules)]
    differing = {name for name in shown if getattr(rules, name) != getattr(PRESETS[preset], name)}
    # An option that only these give a meaning takes its own default, which may again differ.
    made = rule_set(preset, {name: getattr(rules, name) for name in differing})
    differing |= {name for name in shown if getattr(rules, name) != getattr(made, name)}
    return [name for name in shown if name in differing]


class _Writer:
    """Plays moves and collects lines; the cards of a trick share one as long as nothing comes between."""

    def __init__(self, rules: RuleSet) -> None:
        self.lines: list[str] = []
        self._match = new_match(rules)
        self._leader: int | None = None  # of the trick whose line is open; None where it goes on from another
        self._cards: list[int] = []
        self._followed: list[Event] = []

    def remark(self, comments: tuple[str, ...]) -> None:
        self.lines += [f"# {comment}".rstrip() for comment in comments]

    def write(self, move: Move) -> None:
        command = move.command if move.refused is None else None
        if move.comments or not isinstance(command, PlayCard):
            self.close_trick()
        if isinstance(command, StartDeal):
            self.lines.append("")
        self.remark(move.comments)
        if command is None:
            self.lines.append(f"refused {written_command(move.command)}  {move.refused}")
        else:
            self._play(command)

    def _play(self, command: Command) -> None:
        before = self._match
        self._match, events = advance(before, command)
        if isinstance(command, PlayCard):
            self._leader = self._leader if before.table else command.seat
            self._cards.append(command.card)
        elif isinstance(events[0], DealStarted):
            self.lines += _deal(events[0])
        else:
            self.lines.append(written_command(command))
        self._followed += events
        if not self._match.table:
            self.close_trick()

    def close_trick(self) -> None:
        """Write the line of the collected cards, if any, and their consequences."""
        if self._cards:
            complete = any(isinstance(event, TrickWon) for event in self._followed)
            number = len(self._match.tricks) + (not complete)
            trick = self._match.tricks[-1] if complete else None
            self.lines.append(_trick(number, self._leader, self._cards, trick))
        self.lines += outcomes(self._match.rules, self._followed)
        self._leader, self._cards, self._followed = None, [], []


def outcomes(rules: RuleSet, events: Iterable[Event]) -> list[str]:
    """Write consequences."""
    of_event = game_of(rules).lines.of_event
    return [line for event in events for line in of_event(rules, event)]


def written_command(command: Command) -> str:
    """Write a command; a deal and an accepted card have their own lines in a transcript."""
    match command:
        case StartDeal():
            return "deal"
        case PlayCard(seat, card):
            return f"play {seat} {format_card(card)}"
        case _:
            game = next(game for game in GAMES if isinstance(command, game.commands))
            return game.lines.of_command(command)


def _option(name: str, value: object) -> str:
    if isinstance(value, tuple):
        return f"{name} {numbers(value)}"
    return f"{name} {'none' if value is None else str(value).lower()}"


def _deal(event: DealStarted) -> list[str]:
    """Write the lines of a new deal."""
    lines = [f"deal {event.deal}  dealer {event.dealer}  forehand {event.forehand}"]
    if event.trump_card is not None:
        lines.append(f"trump {format_card(event.trump_card)}")
    return lines + [f"hand {seat}  {format_cards(hand)}" for seat, hand in enumerate(event.hands)]


def _trick(number: int, leader: int | None, cards: Iterable[int], complete: Trick | None) -> str:
    """Write a trick or part of one: no `leader` if it continues one, not `complete` if it is unfinished."""
    by = "" if leader is None else f"  by {leader}"
    to = "" if complete is None else f"  to {complete.winner} for {complete.points}"
    return f"trick {number}{by}  {' '.join(map(format_card, cards))}{to}"
