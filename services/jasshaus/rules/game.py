"""Either game by one set of names, for those who host both: the variant of the rule set decides.

A match, a command and an event say themselves of which game they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import assert_never

from jasshaus.rules import differenzler, schieber
from jasshaus.rules.cards import SEATS, side_of
from jasshaus.rules.decisions import LegalActions, Pending, PendingKind
from jasshaus.rules.options import RuleSet, Variant
from jasshaus.rules.refusals import Reason, RuleViolation
from jasshaus.rules.view import DifferenzlerView, project, view
from jasshaus.rules.view import View as SchieberView

__all__ = [
    "Command",
    "Event",
    "LegalActions",
    "Match",
    "Pending",
    "PendingKind",
    "View",
    "advance",
    "apply",
    "claimants",
    "decide",
    "legal_actions",
    "new_match",
    "pending",
    "project",
    "replay",
    "view",
    "winning_seats",
]

Match = schieber.Match | differenzler.Match
Command = schieber.Command | differenzler.Command
Event = schieber.Event | differenzler.Event
View = SchieberView | DifferenzlerView


def new_match(rules: RuleSet) -> Match:
    """Start a match of the game the rule set is for."""
    match rules.variant:
        case Variant.SCHIEBER:
            return schieber.new_match(rules)
        case Variant.DIFFERENZLER:
            return differenzler.new_match(rules)


def decide(match: Match, command: Command) -> tuple[Event, ...]:
    """Give the events a command causes. Raises RuleViolation, for an action of the other game too."""
    return advance(match, command)[1]


def advance(match: Match, command: Command) -> tuple[Match, tuple[Event, ...]]:
    """Give the match after a command, and its events, as `decide` and `replay` do in two steps."""
    match match:
        case schieber.Match():
            if isinstance(command, schieber.Command):
                return schieber.advance(match, command)
        case differenzler.Match():
            if isinstance(command, differenzler.Command):
                return differenzler.advance(match, command)
        case _:
            assert_never(match)
    raise RuleViolation(Reason.ACTION_NOT_PLAYED)


def apply(match: Match, event: Event) -> Match:
    """Give the match after an event that `decide` gave for it."""
    if isinstance(match, schieber.Match):
        assert isinstance(event, schieber.Event)
        return schieber.apply(match, event)
    assert isinstance(event, differenzler.Event)
    return differenzler.apply(match, event)


def replay(match: Match, events: Iterable[Event]) -> Match:
    """Apply events in order."""
    return reduce(apply, events, match)


def pending(match: Match) -> tuple[Pending, ...]:
    """List who must decide now; empty when the match has ended."""
    return schieber.pending(match) if isinstance(match, schieber.Match) else differenzler.pending(match)


def legal_actions(match: Match, seat: int) -> LegalActions:
    """Give what a seat may do now."""
    if isinstance(match, schieber.Match):
        return schieber.legal_actions(match, seat)
    return differenzler.legal_actions(match, seat)


def claimants(match: Match) -> tuple[int, ...]:
    """List the seats that may claim now; nobody in a Differenzler."""
    return schieber.claimants(match) if isinstance(match, schieber.Match) else ()


def winning_seats(match: Match) -> tuple[int, ...]:
    """List the seats that won, in order; empty before the end."""
    if isinstance(match, differenzler.Match):
        return () if match.outcome is None else (match.outcome.winner,)
    won = None if match.outcome is None else match.outcome.winner
    return tuple(seat for seat in SEATS if side_of(seat) == won)
