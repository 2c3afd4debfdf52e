"""Transcripts as text that a person can read and type. The format is in docs/transcripts.md.

Written is what was done and what followed from it by the rules; reading plays it again and checks every line.
"""

from __future__ import annotations

from dataclasses import fields

from jasshaus.rules import phrases, schieber
from jasshaus.rules.game import Command, Event, advance, new_match
from jasshaus.rules.options import PRESETS, RuleSet, WeisDeclaration, applicable, rule_set
from jasshaus.rules.transcript import Move, Transcript, TranscriptError, play, transcript_of
from jasshaus.rules.transcript_reader import parse_transcript

__all__ = [
    "Move",
    "Transcript",
    "TranscriptError",
    "format_transcript",
    "parse_transcript",
    "play",
    "transcript_of",
]


def format_transcript(transcript: Transcript) -> str:
    """Write a transcript, with what follows by the rules. Raises RuleViolation if it cannot be played."""
    writer = _Writer(transcript.rules)
    writer.remark(transcript.opening)
    writer.lines += _heading(transcript.rules)
    for move in transcript.moves:
        writer.write(move)
    writer.close_trick()
    writer.remark(transcript.closing)
    return "\n".join(writer.lines) + "\n"


def _heading(rules: RuleSet) -> list[str]:
    """Name the preset over which the fewest options make these rules, and those options."""
    overrides = {
        preset: _overrides(rules, preset) for preset, base in PRESETS.items() if base.variant is rules.variant
    }
    nearest = min(overrides, key=lambda preset: len(overrides[preset]))
    options = [phrases.of_option(name, getattr(rules, name)) for name in overrides[nearest]]
    return [f"preset {nearest}", *options]


def _overrides(rules: RuleSet, preset: str) -> list[str]:
    shown = [field.name for field in fields(RuleSet) if field.name in applicable(rules)]
    differing = {name for name in shown if getattr(rules, name) != getattr(PRESETS[preset], name)}
    # An option that only these give a meaning takes a value of its own, which may again be another.
    made = rule_set(preset, {name: getattr(rules, name) for name in differing})
    differing |= {name for name in shown if getattr(rules, name) != getattr(made, name)}
    return [name for name in shown if name in differing]


class _Writer:
    """Plays moves and collects lines; the cards of a trick share one as long as nothing comes between."""

    def __init__(self, rules: RuleSet) -> None:
        self.lines: list[str] = []
        self._match = new_match(rules)
        self._automatic = rules.weis_declaration is WeisDeclaration.AUTOMATIC
        self._leader: int | None = None  # of the trick whose line is open; None where it goes on from another
        self._cards: list[int] = []
        self._followed: list[Event] = []

    def remark(self, comments: tuple[str, ...]) -> None:
        self.lines += [f"# {comment}".rstrip() for comment in comments]

    def write(self, move: Move) -> None:
        command = move.command if move.refused is None else None
        if move.comments or not isinstance(command, schieber.PlayCard):
            self.close_trick()
        if isinstance(command, schieber.StartDeal):
            self.lines.append("")
        self.remark(move.comments)
        if command is None:
            self.lines.append(f"refused {phrases.of_command(move.command)}  {move.refused}")
        else:
            self._play(command)

    def _play(self, command: Command) -> None:
        before = self._match
        self._match, events = advance(before, command)
        if isinstance(command, schieber.PlayCard):
            self._leader = self._leader if before.table else command.seat
            self._cards.append(command.card)
        elif isinstance(events[0], schieber.DealStarted):
            self.lines += phrases.of_deal(events[0])
        else:
            self.lines.append(phrases.of_command(command))
        self._followed += events
        if not self._match.table:
            self.close_trick()

    def close_trick(self) -> None:
        """Write the line of the cards collected, if any, and what followed."""
        if self._cards:
            complete = any(isinstance(event, schieber.TrickWon) for event in self._followed)
            number = len(self._match.tricks) + (not complete)
            trick = self._match.tricks[-1] if complete else None
            self.lines.append(phrases.of_trick(number, self._leader, self._cards, trick))
        self.lines += phrases.of_events(self._followed, automatic=self._automatic)
        self._leader, self._cards, self._followed = None, [], []
