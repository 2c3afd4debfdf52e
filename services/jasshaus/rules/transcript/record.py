"""A match as a record of commands in order, with remarks and refused attempts between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jasshaus.rules.core.dealing import ROSE7_DEALER, stacked_deck
from jasshaus.rules.core.events import CardPlayed, DealStarted, PlayCard, StartDeal, TrickWon
from jasshaus.rules.core.options import FirstForehand, RuleSet
from jasshaus.rules.core.refusals import Reason
from jasshaus.rules.registry import Command, Event, Match, advance, game_of, new_match


@dataclass(frozen=True, slots=True)
class Move:
    """A command, or an attempt refused for a reason; with the remarks before it."""

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


def play(transcript: Transcript) -> tuple[Match, tuple[Event, ...]]:
    """Play a transcript's commands; return the resulting match and all events. Raises RuleViolation."""
    match = new_match(transcript.rules)
    events: list[Event] = []
    for move in transcript.moves:
        if move.refused is None:
            match, caused = advance(match, move.command)
            events += caused
    return match, tuple(events)


def transcript_of(rules: RuleSet, events: Iterable[Event]) -> Transcript:
    """Build the transcript of a match from its complete events."""
    commands = (_command(rules, event) for event in events)
    return Transcript(rules, tuple(Move(command) for command in commands if command is not None))


def _command(rules: RuleSet, event: Event) -> Command | None:
    """Return the command that an event answers, or None for a consequence."""
    match event:
        case DealStarted():
            return start_of(rules, event)
        case CardPlayed(seat, card):
            return PlayCard(seat, card)
        case TrickWon():
            return None
        case _:
            command: Command | None = game_of(rules).lines.command_of(rules, event)
            return command


def start_of(rules: RuleSet, event: DealStarted) -> StartDeal:
    """Return a command that deals like the event; of the deck, only the resulting hands are kept."""
    drawn = event.deal == 1 and rules.first_forehand is FirstForehand.RANDOM
    found = event.deal == 1 and not drawn
    deck = stacked_deck(event.hands, ROSE7_DEALER if found else event.dealer, event.trump_card)
    return StartDeal(deck, event.forehand if drawn else None)
