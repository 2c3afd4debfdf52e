"""What a seat, or a spectator, may know of a Schieber: everything that leaves the rules for clients.

A viewer is a seat 0..3, or None for a spectator. Source: docs/rules.md, Schieber (Weis, Points shown).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from jasshaus.rules.core.cards import BySeat, Contract, cards_in
from jasshaus.rules.core.decisions import LegalActions, Pending
from jasshaus.rules.core.events import DealStarted
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.core.view import SeenTrick, own_hand, seen_tricks
from jasshaus.rules.core.weis import ShownWeis, Weis, WeisNotice, notice_of
from jasshaus.rules.schieber.actions import legal_actions, pending
from jasshaus.rules.schieber.events import DealScored, Event, MatchEnded, WeisDeclared
from jasshaus.rules.schieber.match import Match, Phase, stoeck_holder, tricks_won
from jasshaus.rules.schieber.scoring import running_points


@dataclass(frozen=True, slots=True)
class View:
    """A Schieber as visible to one viewer. Tuples by seat have four items, by side two."""

    viewer: int | None
    rules: RuleSet
    phase: Phase
    totals: tuple[int, int]  # after multipliers; mid-deal those before this deal
    deal: int  # 0 before the first
    dealer: int | None
    forehand: int | None
    pushed: bool
    chooser: int | None  # the seat that names, or named, the contract
    contract: Contract | None
    multiplier: int
    hand: tuple[int, ...]  # the viewer's own cards in notation order; empty for a spectator
    hand_sizes: BySeat
    leader: int | None  # of the current trick
    table: tuple[int, ...]  # cards of the current trick in order of play
    tricks: tuple[SeenTrick, ...]  # completed in this deal; the last one is the last trick
    tricks_won: tuple[int, int]
    notices: tuple[tuple[WeisNotice, ...] | None, ...]  # by seat; None = not declared yet
    own_weis: tuple[Weis, ...] | None  # what the viewer declared itself
    weis_shown: tuple[ShownWeis, ...]  # those that scored, from the end of trick 1 on
    stoeck: int | None  # the seat whose Stöck is scored
    running: (
        tuple[int, int] | None
    )  # this deal's points after the multiplier; None if live_points is off or no deal is on
    pending: tuple[Pending, ...]
    legal: LegalActions | None  # None for a spectator
    claimed_by: int | None
    last_deal: DealScored | None
    outcome: MatchEnded | None


def view(match: Match, viewer: int | None) -> View:
    """Return the part of a match that a seat, or a spectator, may know."""
    rules = match.rules
    dealt = match.deal > 0
    in_deal = match.phase in (Phase.CONTRACT, Phase.WEIS, Phase.PLAY)
    return View(
        viewer=viewer,
        rules=rules,
        phase=match.phase,
        totals=match.totals,
        deal=match.deal,
        dealer=match.dealer if dealt else None,
        forehand=match.forehand if dealt else None,
        pushed=match.pushed,
        chooser=match.chooser if dealt else None,
        contract=match.contract,
        multiplier=match.multiplier,
        hand=() if viewer is None else cards_in(match.hands[viewer]),
        hand_sizes=tuple(hand.bit_count() for hand in match.hands),
        leader=match.leader if dealt else None,
        table=match.table,
        tricks=seen_tricks(match.tricks, points=rules.live_points),
        tricks_won=tricks_won(match),
        notices=tuple(
            None if declared is None else tuple(notice_of(weis, rules) for weis in declared)
            for declared in match.declared
        ),
        own_weis=match.declared[viewer] if viewer is not None else None,
        weis_shown=match.weis_scored,
        stoeck=stoeck_holder(match) if match.stoeck_scored else None,
        running=running_points(match) if rules.live_points and in_deal else None,
        pending=pending(match),
        legal=legal_actions(match, viewer) if viewer is not None else None,
        claimed_by=match.claimed_by,
        last_deal=match.last_deal,
        outcome=match.outcome,
    )


def project(event: Event, viewer: int | None) -> Event:
    """Return what a seat, or a spectator, may see of an event; `project(event, None)` is its public form.

    Everybody sees every event; only the cards in a new hand and in a declaration are the seat's own. Points
    that a table hides during a deal are not in the events at all.
    """
    if isinstance(event, DealStarted):
        return own_hand(event, viewer)
    if isinstance(event, WeisDeclared) and event.seat != viewer:
        return replace(event, weis=())
    return event
