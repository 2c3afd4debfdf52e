"""Reads a `TableView` as the rules' own view of the same seat: everything a bot needs to play from it.

Omits what no decision depends on: who else is deciding, the points of a trick, the last deal's score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from jasshaus.api.common.v1 import reasons_pb2
from jasshaus.api.table.v1 import table_pb2
from jasshaus.contracts.rules import card_from_proto, card_to_proto, contract_from_proto, contract_to_proto
from jasshaus.contracts.rules import rule_set_from_proto as rules_of
from jasshaus.rules import differenzler, schieber
from jasshaus.rules.core.cards import SEATS, BySeat, cards_in, mask_of, next_seat
from jasshaus.rules.core.decisions import LegalActions
from jasshaus.rules.core.refusals import Reason
from jasshaus.rules.core.view import SeenTrick
from jasshaus.rules.core.weis import ShownWeis, Weis, WeisKind, WeisNotice
from jasshaus.rules.registry import Command, View

_Phase = TypeVar("_Phase", schieber.Phase, differenzler.Phase)
_KINDS: Final = {
    table_pb2.WEIS_KIND_RUN: WeisKind.RUN,
    table_pb2.WEIS_KIND_QUARTET: WeisKind.QUARTET,
}
_SCHIEBER_PHASES: Final = {
    table_pb2.PHASE_CONTRACT: schieber.Phase.CONTRACT,
    table_pb2.PHASE_WEIS: schieber.Phase.WEIS,
    table_pb2.PHASE_TRICKS: schieber.Phase.PLAY,
}
_DIFFERENZLER_PHASES: Final = {
    table_pb2.PHASE_ANNOUNCE: differenzler.Phase.ANNOUNCE,
    table_pb2.PHASE_TRICKS: differenzler.Phase.PLAY,
}


def view_from_proto(view: table_pb2.TableView) -> View:
    """Return the rules' view of a seat's `TableView`; the match must be on.

    Raises ValueError for a spectator's view, a match that is over, and what this release does not know.
    """
    if not view.HasField("viewer_seat"):
        raise ValueError("a spectator's view")
    return _differenzler(view) if view.HasField("differenzler") else _schieber(view)


def action_of(command: Command) -> table_pb2.Action:
    """Return the action for a seat's command. Raises ValueError for commands that seats do not give."""
    match command:
        case schieber.Push():
            return table_pb2.Action(push=table_pb2.Action.Push())
        case schieber.ChooseContract(_, contract):
            chosen = table_pb2.Action.ChooseContract(contract=contract_to_proto(contract))
            return table_pb2.Action(choose_contract=chosen)
        case schieber.DeclareWeis(_, weis):
            combinations = [
                table_pb2.Action.Combination(cards=map(card_to_proto, cards_in(each.cards))) for each in weis
            ]
            return table_pb2.Action(declare_weis=table_pb2.Action.DeclareWeis(weis=combinations))
        case differenzler.Announce(_, points):
            return table_pb2.Action(announce_points=table_pb2.Action.AnnouncePoints(points=points))
        case schieber.PlayCard(_, card):
            return table_pb2.Action(play_card=table_pb2.Action.PlayCard(card=card_to_proto(card)))
        case schieber.Claim():
            return table_pb2.Action(claim=table_pb2.Action.Claim())
        case _:
            raise ValueError(f"no seat's command: {command!r}")


def notice_from_proto(weis: table_pb2.Weis) -> WeisNotice:
    """Return the public part of a declared Weis."""
    return WeisNotice(_KINDS[weis.kind], weis.length, weis.points)


def shown_from_proto(declared: Iterable[table_pb2.DeclaredWeis]) -> tuple[ShownWeis, ...]:
    """Return the Weis that scored, with their cards."""
    return tuple(ShownWeis(each.seat, _weis(weis), weis.points) for each in declared for weis in each.weis)


def by_side(numbers: Iterable[int]) -> tuple[int, int]:
    """Return a list of two items. Raises ValueError for another length."""
    first, second = numbers
    return first, second


def by_seat(numbers: Iterable[int]) -> BySeat:
    """Return a list of four items. Raises ValueError for another length."""
    first, second, third, fourth = numbers
    return first, second, third, fourth


def _schieber(view: table_pb2.TableView) -> schieber.View:
    rules, score = rules_of(view.rule_set), view.schieber
    contract = contract_from_proto(view.contract) if view.contract else None
    said = {each.seat for each in view.weis}
    return schieber.View(
        viewer=view.viewer_seat,
        rules=rules,
        phase=_known(_SCHIEBER_PHASES, view.phase),
        totals=by_side(score.totals),
        deal=view.deal,
        dealer=view.dealer,
        forehand=view.forehand,
        pushed=view.pushed,
        chooser=next_seat(view.forehand, 2) if view.pushed else view.forehand,
        contract=contract,
        multiplier=1 if contract is None else rules.multipliers[contract],
        hand=_cards(view.hand),
        hand_sizes=by_seat(seat.hand_size for seat in view.seats),
        leader=_leader(view),
        table=_cards(view.trick.cards),
        tricks=tuple(map(_trick, view.tricks)),
        tricks_won=by_side(score.tricks),
        notices=tuple(
            tuple(notice_from_proto(weis) for each in view.weis if each.seat == seat for weis in each.weis)
            if seat in said
            else None
            for seat in SEATS
        ),
        own_weis=tuple(map(_weis, view.own_weis)) if view.viewer_seat in said else None,
        weis_shown=shown_from_proto(each for each in view.weis if each.scored),
        stoeck=view.stoeck[0].seat if view.stoeck else None,
        running=by_side(score.running) if score.running else None,
        pending=(),
        legal=_legal(view.legal_actions),
        claimed_by=None,
        last_deal=None,
        outcome=None,
    )


def _differenzler(view: table_pb2.TableView) -> differenzler.View:
    score = view.differenzler
    announced = {each.seat: each.points if each.HasField("points") else None for each in score.announcements}
    if view.HasField("own_announcement"):
        announced[view.viewer_seat] = view.own_announcement
    return differenzler.View(
        viewer=view.viewer_seat,
        rules=rules_of(view.rule_set),
        phase=_known(_DIFFERENZLER_PHASES, view.phase),
        totals=by_seat(score.totals),
        contenders=tuple(score.contenders),
        deal=view.deal,
        dealer=view.dealer,
        forehand=view.forehand,
        trump_card=card_from_proto(view.trump_card),
        trump_holder=view.trump_holder,
        contract=contract_from_proto(view.contract),
        announced=tuple(announced.get(seat) for seat in SEATS),
        has_announced=tuple(seat in announced for seat in SEATS),
        hand=_cards(view.hand),
        hand_sizes=by_seat(seat.hand_size for seat in view.seats),
        leader=_leader(view),
        table=_cards(view.trick.cards),
        tricks=tuple(map(_trick, view.tricks)),
        running=by_seat(score.running) if score.running else None,
        pending=(),
        legal=_legal(view.legal_actions),
        last_deal=None,
        outcome=None,
    )


def _legal(legal: table_pb2.LegalActions) -> LegalActions:
    return LegalActions(
        can_push=legal.push,
        contracts=tuple(map(contract_from_proto, legal.contracts)),
        can_declare_weis=legal.declare_weis,
        weis=tuple(map(_weis, legal.possible_weis)),
        weis_recommended=tuple(map(_weis, legal.best_weis)),
        cards=_cards(legal.cards),
        illegal={card_from_proto(each.card): _reason(each.reason) for each in legal.illegal_cards},
        can_claim=legal.claim,
        can_announce=legal.announce_points,
    )


def _reason(value: reasons_pb2.ErrorReason.ValueType) -> Reason:
    return Reason[reasons_pb2.ErrorReason.Name(value).removeprefix("ERROR_REASON_")]


def _known(meanings: Mapping[table_pb2.Phase.ValueType, _Phase], value: table_pb2.Phase.ValueType) -> _Phase:
    if value not in meanings:
        raise ValueError("the match is over, or in a phase that this release does not know")
    return meanings[value]


def _leader(view: table_pb2.TableView) -> int:
    if view.HasField("trick"):
        return view.trick.leader
    return view.tricks[-1].winner if view.tricks else view.forehand


def _trick(trick: table_pb2.Trick) -> SeenTrick:
    return SeenTrick(trick.leader, _cards(trick.cards), trick.winner, None)


def _weis(weis: table_pb2.Weis) -> Weis:
    return Weis(_KINDS[weis.kind], mask_of(_cards(weis.cards)))


def _cards(cards: Iterable[int]) -> tuple[int, ...]:
    return tuple(map(card_from_proto, cards))
