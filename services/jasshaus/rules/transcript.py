"""A match as a record of what was done: commands in order, with remarks and refused attempts between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from jasshaus.rules import differenzler, schieber
from jasshaus.rules.dealing import ROSE7_DEALER, stacked_deck
from jasshaus.rules.game import Command, Event, Match, advance, new_match
from jasshaus.rules.options import FirstForehand, RuleSet, WeisDeclaration
from jasshaus.rules.refusals import Reason


@dataclass(frozen=True, slots=True)
class Move:
    """A command, or an attempt at one that is refused for a reason; with the remarks that stand before it."""

    command: Command
    refused: Reason | None = None
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Transcript:
    """A match, complete or not. Remarks are lines of text without their marks."""

    rules: RuleSet
    moves: tuple[Move, ...]
    opening: tuple[str, ...] = ()  # remarks before everything
    closing: tuple[str, ...] = ()  # remarks after everything


class TranscriptError(ValueError):
    """A transcript that cannot be read, or says what the rules do not: where (both from 1) and what."""

    def __init__(self, line: int, column: int, text: str) -> None:
        """Take the place and what is wrong there."""
        super().__init__(f"line {line}, column {column}: {text}")
        self.line = line
        self.column = column
        self.text = text


def play(transcript: Transcript) -> tuple[Match, tuple[Event, ...]]:
    """Play a transcript's commands: the match they lead to and all events. Raises RuleViolation."""
    match = new_match(transcript.rules)
    events: list[Event] = []
    for move in transcript.moves:
        if move.refused is None:
            match, caused = advance(match, move.command)
            events += caused
    return match, tuple(events)


def transcript_of(rules: RuleSet, events: Iterable[Event]) -> Transcript:
    """Make the transcript of a match from its complete events."""
    commands = (_command(rules, event) for event in events)
    return Transcript(rules, tuple(Move(command) for command in commands if command is not None))


def _command(rules: RuleSet, event: Event) -> Command | None:  # noqa: PLR0911 - one case for each event
    """Give the command an event answers, or None for what follows by itself."""
    match event:
        case schieber.DealStarted():
            return start_of(rules, event)
        case schieber.Pushed(seat):
            return schieber.Push(seat)
        case schieber.ContractChosen(seat, contract):
            return schieber.ChooseContract(seat, contract)
        case schieber.WeisDeclared(seat, _, weis):
            manual = rules.weis_declaration is WeisDeclaration.MANUAL
            return schieber.DeclareWeis(seat, weis) if manual else None
        case differenzler.Announced(seat, points):
            assert points is not None, "a projected event is no record"
            return differenzler.Announce(seat, points)
        case schieber.CardPlayed(seat, card):
            return schieber.PlayCard(seat, card)
        case schieber.Claimed(seat):
            return schieber.Claim(seat)
        case (
            schieber.StoeckScored()
            | schieber.TrickWon()
            | schieber.WeisScored()
            | schieber.DealScored()
            | schieber.MatchEnded()
            | differenzler.PenaltiesScored()
            | differenzler.RoundsEnded()
        ):
            return None
        case _:
            assert_never(event)


def start_of(rules: RuleSet, event: schieber.DealStarted) -> schieber.StartDeal:
    """Give a command that deals as the event says; of the deck only what it deals is kept."""
    drawn = event.deal == 1 and rules.first_forehand is FirstForehand.RANDOM
    found = event.deal == 1 and not drawn
    deck = stacked_deck(event.hands, ROSE7_DEALER if found else event.dealer, event.trump_card)
    return schieber.StartDeal(deck, event.forehand if drawn else None)
