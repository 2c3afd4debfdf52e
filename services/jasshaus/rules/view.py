"""What one seat, or a spectator, may know: the only place of secrecy.

A viewer is a seat 0..3, or None for a spectator. Whatever leaves the rules for a client goes through `view`
or `project`. Source: docs/rules.md, Schieber (Weis, Points shown) and Differenzler.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar, overload

from jasshaus.rules import differenzler, rounds, scoring
from jasshaus.rules.actions import LegalActions, Pending, legal_actions, pending
from jasshaus.rules.cards import BySeat, Contract, cards_in
from jasshaus.rules.events import DealScored, DealStarted, Event, MatchEnded, WeisDeclared
from jasshaus.rules.match import Match, Phase, stoeck_holder, tricks_won
from jasshaus.rules.options import Announcements, RuleSet
from jasshaus.rules.rounds import Announced, PenaltiesScored, RoundsEnded
from jasshaus.rules.tricks import Trick
from jasshaus.rules.weis import ShownWeis, Weis, WeisNotice, notice_of


@dataclass(frozen=True, slots=True)
class SeenTrick:
    """A completed trick of this deal; `points` is None where the table shows no points during a deal."""

    leader: int
    cards: tuple[int, ...]  # four, in order of play from `leader` on
    winner: int
    points: int | None


@dataclass(frozen=True, slots=True)
class View:
    """All that a viewer may know of a Schieber at one moment. Tuples by seat have four items, by side two."""

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


@dataclass(frozen=True, slots=True)
class DifferenzlerView:
    """All that a viewer may know of a Differenzler at one moment. Tuples by seat have four items."""

    viewer: int | None
    rules: RuleSet
    phase: rounds.Phase
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


@overload
def view(match: Match, viewer: int | None) -> View: ...
@overload
def view(match: rounds.Match, viewer: int | None) -> DifferenzlerView: ...
def view(match: Match | rounds.Match, viewer: int | None) -> View | DifferenzlerView:
    """Give what a seat, or a spectator, may know of a match."""
    return _schieber_view(match, viewer) if isinstance(match, Match) else _differenzler_view(match, viewer)


def _schieber_view(match: Match, viewer: int | None) -> View:
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
        tricks=_seen(match.tricks, rules),
        tricks_won=tricks_won(match),
        notices=tuple(
            None if declared is None else tuple(notice_of(weis, rules) for weis in declared)
            for declared in match.declared
        ),
        own_weis=match.declared[viewer] if viewer is not None else None,
        weis_shown=match.weis_scored,
        stoeck=stoeck_holder(match) if match.stoeck_scored else None,
        running=scoring.running_points(match) if rules.live_points and in_deal else None,
        pending=pending(match),
        legal=legal_actions(match, viewer) if viewer is not None else None,
        claimed_by=match.claimed_by,
        last_deal=match.last_deal,
        outcome=match.outcome,
    )


def _differenzler_view(match: rounds.Match, viewer: int | None) -> DifferenzlerView:
    rules = match.rules
    dealt = match.deal > 0
    in_deal = match.phase in (rounds.Phase.ANNOUNCE, rounds.Phase.PLAY)
    hidden = rules.announcements is Announcements.HIDDEN and in_deal
    return DifferenzlerView(
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
        tricks=_seen(match.tricks, rules),
        running=rounds.points_made(match) if rules.live_points and in_deal else None,
        pending=differenzler.pending(match),
        legal=differenzler.legal_actions(match, viewer) if viewer is not None else None,
        last_deal=match.last_deal,
        outcome=match.outcome,
    )


def _seen(tricks: tuple[Trick, ...], rules: RuleSet) -> tuple[SeenTrick, ...]:
    return tuple(
        SeenTrick(trick.leader, trick.cards, trick.winner, trick.points if rules.live_points else None)
        for trick in tricks
    )


_Event = TypeVar("_Event", bound=Event | rounds.Event)


def project(event: _Event, viewer: int | None) -> _Event:
    """Give what of an event a seat, or a spectator, may see; `project(event, None)` is its public form.

    Every event is seen by all; only the cards in a new hand and in a declaration, and a hidden announcement,
    are the seat's own. Points that a table keeps back during a deal are not in the events at all.
    """
    if isinstance(event, DealStarted):
        seen = [hand if seat == viewer else 0 for seat, hand in enumerate(event.hands)]
        return replace(event, hands=(seen[0], seen[1], seen[2], seen[3]))
    if isinstance(event, WeisDeclared) and event.seat != viewer:
        return replace(event, weis=())
    if isinstance(event, Announced) and event.hidden and event.seat != viewer:
        return replace(event, points=None)
    return event
