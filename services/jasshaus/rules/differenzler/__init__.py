"""Differenzler: each seat announces points and pays the difference. Source: docs/rules.md, Differenzler."""

from jasshaus.rules.core.decisions import LegalActions, Pending, PendingKind
from jasshaus.rules.core.events import CardPlayed, DealStarted, PlayCard, StartDeal, TrickWon
from jasshaus.rules.core.refusals import Reason, RuleViolation
from jasshaus.rules.core.tricks import Trick
from jasshaus.rules.differenzler.events import (
    Announce,
    Announced,
    Command,
    Event,
    PenaltiesScored,
    RoundsEnded,
)
from jasshaus.rules.differenzler.machine import advance, apply, decide, legal_actions, pending, replay
from jasshaus.rules.differenzler.match import Match, Phase, new_match, points_made, winning_seats
from jasshaus.rules.differenzler.view import View, project, view

__all__ = [
    "Announce",
    "Announced",
    "CardPlayed",
    "Command",
    "DealStarted",
    "Event",
    "LegalActions",
    "Match",
    "PenaltiesScored",
    "Pending",
    "PendingKind",
    "Phase",
    "PlayCard",
    "Reason",
    "RoundsEnded",
    "RuleViolation",
    "StartDeal",
    "Trick",
    "TrickWon",
    "View",
    "advance",
    "apply",
    "decide",
    "legal_actions",
    "new_match",
    "pending",
    "points_made",
    "project",
    "replay",
    "view",
    "winning_seats",
]
