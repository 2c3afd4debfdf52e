"""What a seat, or a spectator, may know of a Differenzler: everything that leaves the rules for clients.

A viewer is a seat 0..3, or None for a spectator. Source: docs/rules.md, Differenzler.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from jasshaus.rules.core.cards import BySeat, Contract, cards_in
from jasshaus.rules.core.decisions import LegalActions, Pending
from jasshaus.rules.core.events import DealStarted
from jasshaus.rules.core.options import Announcements, RuleSet
from jasshaus.rules.core.view import SeenTrick, own_hand, seen_tricks
from jasshaus.rules.differenzler.events import Announced, Event, PenaltiesScored, RoundsEnded
from jasshaus.rules.differenzler.machine import legal_actions, pending
from jasshaus.rules.differenzler.match import Match, Phase, points_made


@dataclass(frozen=True, slots=True)
class View:
    """A Differenzler as visible to one viewer. Tuples by seat have four items."""

    viewer: int | None
    rules: RuleSet
    phase: Phase
    totals: BySeat  # penalties; mid-deal those before this deal
    contenders: tuple[int, ...]  # the seats that can still win
    deal: int  # 0 before the first
    dealer: int | None
    forehand: int | None
    trump_card: int | None  # shown to all
    trump_holder: int | None  # the seat that was dealt the trump card
    contract: Contract | None  # the trump suit
    announced: tuple[int | None, ...]  # by seat; None = not announced yet, or hidden from the viewer
    has_announced: tuple[bool, ...]  # by seat
    hand: tuple[int, ...]  # the viewer's own cards in notation order; empty for a spectator
    hand_sizes: BySeat
    leader: int | None  # of the current trick
    table: tuple[int, ...]  # cards of the current trick in order of play
    tricks: tuple[SeenTrick, ...]  # completed in this deal; the last one is the last trick
    running: BySeat | None  # points made in this deal; None if live_points is off or no deal is on
    pending: tuple[Pending, ...]
    legal: LegalActions | None  # None for a spectator
    last_deal: PenaltiesScored | None
    outcome: RoundsEnded | None

    @property
    def is_hidden(self) -> bool:
        """Whether the announcements of this deal are hidden, each from all but its own seat."""
        return _are_hidden(self.rules, self.phase)


def view(match: Match, viewer: int | None) -> View:
    """Return the part of a match that a seat, or a spectator, may know."""
    rules = match.rules
    dealt = match.deal > 0
    in_deal = match.phase in (Phase.ANNOUNCE, Phase.PLAY)
    hidden = _are_hidden(rules, match.phase)
    return View(
        viewer=viewer,
        rules=rules,
        phase=match.phase,
        totals=match.totals,
        contenders=match.contenders,
        deal=match.deal,
        dealer=match.dealer if dealt else None,
        forehand=match.forehand if dealt else None,
        trump_card=match.trump_card,
        trump_holder=match.trump_holder,
        contract=match.contract,
        announced=tuple(
            None if hidden and seat != viewer else points for seat, points in enumerate(match.announced)
        ),
        has_announced=tuple(points is not None for points in match.announced),
        hand=() if viewer is None else cards_in(match.hands[viewer]),
        hand_sizes=tuple(hand.bit_count() for hand in match.hands),
        leader=match.leader if dealt else None,
        table=match.table,
        tricks=seen_tricks(match.tricks, points=rules.live_points),
        running=points_made(match) if rules.live_points and in_deal else None,
        pending=pending(match),
        legal=legal_actions(match, viewer) if viewer is not None else None,
        last_deal=match.last_deal,
        outcome=match.outcome,
    )


def _are_hidden(rules: RuleSet, phase: Phase) -> bool:
    return rules.announcements is Announcements.HIDDEN and phase in (Phase.ANNOUNCE, Phase.PLAY)


def project(event: Event, viewer: int | None) -> Event:
    """Return what a seat, or a spectator, may see of an event; `project(event, None)` is its public form.

    Everybody sees every event; only the cards in a new hand and a hidden announcement are the seat's own.
    Points that a table hides during a deal are not in the events at all.
    """
    if isinstance(event, DealStarted):
        return own_hand(event, viewer)
    if isinstance(event, Announced) and event.hidden and event.seat != viewer:
        return replace(event, points=None)
    return event
