"""Schieber: two sides, a contract each deal, Weis and Stöck, to a target. Source: docs/rules.md, Schieber."""

from jasshaus.rules.core.decisions import LegalActions, Pending, PendingKind
from jasshaus.rules.core.events import CardPlayed, DealStarted, PlayCard, StartDeal, TrickWon
from jasshaus.rules.core.refusals import Reason, RuleViolation
from jasshaus.rules.core.tricks import Trick
from jasshaus.rules.schieber.actions import claimants, legal_actions, pending
from jasshaus.rules.schieber.events import (
    ChooseContract,
    Claim,
    Claimed,
    Command,
    ContractChosen,
    DealScored,
    DeclareWeis,
    EndedBy,
    Event,
    MatchEnded,
    Push,
    Pushed,
    StoeckScored,
    WeisDeclared,
    WeisScored,
)
from jasshaus.rules.schieber.machine import advance, apply, decide, replay
from jasshaus.rules.schieber.match import (
    STOECK,
    Match,
    Phase,
    new_match,
    stoeck_holder,
    stoeck_played,
    tricks_won,
    winning_seats,
)
from jasshaus.rules.schieber.view import View, project, view

__all__ = [
    "STOECK",
    "CardPlayed",
    "ChooseContract",
    "Claim",
    "Claimed",
    "Command",
    "ContractChosen",
    "DealScored",
    "DealStarted",
    "DeclareWeis",
    "EndedBy",
    "Event",
    "LegalActions",
    "Match",
    "MatchEnded",
    "Pending",
    "PendingKind",
    "Phase",
    "PlayCard",
    "Push",
    "Pushed",
    "Reason",
    "RuleViolation",
    "StartDeal",
    "StoeckScored",
    "Trick",
    "TrickWon",
    "View",
    "WeisDeclared",
    "WeisScored",
    "advance",
    "apply",
    "claimants",
    "decide",
    "legal_actions",
    "new_match",
    "pending",
    "project",
    "replay",
    "stoeck_holder",
    "stoeck_played",
    "tricks_won",
    "view",
    "winning_seats",
]
