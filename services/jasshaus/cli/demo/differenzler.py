"""The demo's players in a Differenzler: the greedy bot, fed from the table's view."""

from __future__ import annotations

from collections.abc import Iterable

from jasshaus.api.table.v1.table_pb2 import Action, Phase, TableView, Trick
from jasshaus.bots import BOTS
from jasshaus.client import actions
from jasshaus.contracts.rules import (
    card_from_proto,
    card_to_proto,
    contract_from_proto,
    rule_set_from_proto,
)
from jasshaus.rules import differenzler
from jasshaus.rules.core.cards import SEATS
from jasshaus.rules.core.decisions import LegalActions
from jasshaus.rules.core.view import SeenTrick
from jasshaus.rules.differenzler import Announce
from jasshaus.rules.differenzler import View as DifferenzlerView
from jasshaus.rules.schieber import PlayCard


def choose(view: TableView) -> Action | None:
    """Return what to do on a view of a Differenzler table, None when nothing is asked."""
    legal = view.legal_actions
    if not (legal.announce_points or legal.cards):
        return None
    match BOTS["greedy"](read_view(view), 0):
        case Announce(_, points):
            return actions.announce_points(points)
        case PlayCard(_, card):
            return actions.play_card(card_to_proto(card))
        case other:
            raise AssertionError(f"not of this game: {other}")


def read_view(view: TableView) -> DifferenzlerView:
    """Return a table's view of a deal that is on, as its seat's view in the rules' terms.

    What nobody needs who is to announce or to play is left out: who else decides, and the last deal's count.
    """
    score = view.differenzler
    said = {each.seat: each.points if each.HasField("points") else None for each in score.announcements}
    if view.HasField("own_announcement"):
        said[view.viewer_seat] = view.own_announcement
    first, second, third, fourth = (seat.hand_size for seat in view.seats)
    totals, running = tuple(score.totals), tuple(score.running)
    return DifferenzlerView(
        viewer=view.viewer_seat,
        rules=rule_set_from_proto(view.rule_set),
        phase=differenzler.Phase.ANNOUNCE if view.phase == Phase.PHASE_ANNOUNCE else differenzler.Phase.PLAY,
        totals=(totals[0], totals[1], totals[2], totals[3]),
        contenders=tuple(score.contenders),
        deal=view.deal,
        dealer=view.dealer,
        forehand=view.forehand,
        trump_card=card_from_proto(view.trump_card),
        trump_holder=view.trump_holder,
        contract=contract_from_proto(view.contract),
        announced=tuple(said.get(seat) for seat in SEATS),
        has_announced=tuple(seat in said for seat in SEATS),
        hand=_cards(view.hand),
        hand_sizes=(first, second, third, fourth),
        leader=_leader(view),
        table=_cards(view.trick.cards),
        tricks=tuple(_seen(trick) for trick in view.tricks),
        running=(running[0], running[1], running[2], running[3]) if running else None,
        pending=(),
        legal=LegalActions(
            can_announce=view.legal_actions.announce_points,
            cards=_cards(view.legal_actions.cards),
        ),
        last_deal=None,
        outcome=None,
    )


def _leader(view: TableView) -> int:
    if view.HasField("trick"):
        return view.trick.leader
    return view.tricks[-1].winner if view.tricks else view.forehand


def _seen(trick: Trick) -> SeenTrick:
    first, second, third, fourth = _cards(trick.cards)
    return SeenTrick(trick.leader, (first, second, third, fourth), trick.winner, None)


def _cards(cards: Iterable[int]) -> tuple[int, ...]:
    return tuple(map(card_from_proto, cards))
