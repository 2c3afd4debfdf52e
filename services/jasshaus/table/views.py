"""Builds the `TableView` of one viewer. Cards reach it only through the rules' `view`."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from jasshaus.api.common.v1 import reasons_pb2
from jasshaus.api.table.v1 import table_pb2
from jasshaus.contracts.rules import card_to_proto, contract_to_proto
from jasshaus.rules.core.refusals import Reason
from jasshaus.rules.core.tricks import Trick
from jasshaus.rules.core.view import SeenTrick
from jasshaus.rules.core.weis import ShownWeis, WeisNotice, notice_of, weis_points
from jasshaus.rules.differenzler import Phase as RoundsPhase
from jasshaus.rules.differenzler import View as DifferenzlerView
from jasshaus.rules.registry import view
from jasshaus.rules.schieber import LegalActions, PendingKind, Phase, View
from jasshaus.rules.schieber.scoring import STOECK_POINTS
from jasshaus.table import events
from jasshaus.table.codec import amount_to_proto, outcome_to_proto, rule_set_message, status_to_proto
from jasshaus.table.table import (
    Status,
    Table,
    Unreadable,
    awaited,
)
from jasshaus.table.times import Times, revision

# No table waits for a deal: it deals in the commit that makes one due.
_PHASES: Final = {
    Phase.CONTRACT: table_pb2.PHASE_CONTRACT,
    Phase.WEIS: table_pb2.PHASE_WEIS,
    Phase.PLAY: table_pb2.PHASE_TRICKS,
    Phase.ENDED: table_pb2.PHASE_OVER,
}
_ROUNDS_PHASES: Final = {
    RoundsPhase.ANNOUNCE: table_pb2.PHASE_ANNOUNCE,
    RoundsPhase.PLAY: table_pb2.PHASE_TRICKS,
    RoundsPhase.ENDED: table_pb2.PHASE_OVER,
}


def error_reason(reason: Reason) -> reasons_pb2.ErrorReason.ValueType:
    """Return the wire's name of a rule's refusal."""
    return reasons_pb2.ErrorReason.Value(f"ERROR_REASON_{reason.name}")


def table_view(table: Table, viewer: int | None, times: Times) -> table_pb2.TableView:
    """Return the table as a seat, or a spectator, may see it."""
    message = table_pb2.TableView(
        table_id=str(table.table_id),
        game_id=str(table.game_id),
        version=table.version,
        revision=revision(table, times),
        status=status_to_proto(table.status),
        viewer_seat=viewer,
        rule_set=rule_set_message(table.rules, table.preset),
        stake=None if table.stake is None else amount_to_proto(table.stake),
        outcome=None if table.outcome is None else outcome_to_proto(table.outcome),
    )
    deciding = {each.seat: each.kind for each in awaited(table)}
    for index, seat in enumerate(table.seats):
        message.seats.add(
            seat=index,
            player_id=seat.player_id,
            away=times.presence[index].away,
            deciding=index in deciding,
        )
    _add_clock(message.clock, times, deciding)
    if viewer is not None and viewer in deciding:
        message.decision_version = table.seats[viewer].decision_version or table.version
    message.deals.extend(map(events.deal_message, table.deals))
    if isinstance(table.match, Unreadable):
        return message
    seen = view(table.match, viewer)
    _add_deal(message, seen)
    if table.last_trick is not None and not seen.tricks:
        message.last_trick.CopyFrom(_trick(table.last_trick))
    if table.status is not Status.PLAYING:
        message.phase = table_pb2.PHASE_OVER
    elif viewer is not None and seen.legal is not None:
        away = times.presence[viewer].away
        message.legal_actions.CopyFrom(_legal(seen, seen.legal, deciding.get(viewer), away=away))
    gate = times.lead_after
    if table.status is Status.PLAYING and not seen.table and gate is not None and gate > times.now:
        message.clock.lead_after.CopyFrom(timestamp(gate))
    return message


def _add_clock(clock: table_pb2.Clock, times: Times, deciding: Container[int | None]) -> None:
    clock.server_time.CopyFrom(timestamp(times.now))
    for seat, deadline in enumerate(times.deadlines):
        if seat in deciding and deadline is not None:
            clock.deadlines.add(seat=seat, time=timestamp(deadline))


def _add_deal(message: table_pb2.TableView, seen: View | DifferenzlerView) -> None:
    message.deal = seen.deal
    message.dealer = seen.dealer or 0
    message.forehand = seen.forehand or 0
    if seen.contract is not None:
        message.contract = contract_to_proto(seen.contract)
    message.hand.extend(card_to_proto(card) for card in seen.hand)
    for index, size in enumerate(seen.hand_sizes):
        message.seats[index].hand_size = size
    if seen.table:
        message.trick.leader = seen.leader or 0
        message.trick.cards.extend(card_to_proto(card) for card in seen.table)
    message.tricks.extend(map(_trick, seen.tricks))
    if isinstance(seen, View):
        _add_schieber(message, seen)
    else:
        _add_differenzler(message, seen)


def _trick(trick: SeenTrick | Trick) -> table_pb2.Trick:
    cards = [card_to_proto(card) for card in trick.cards]
    return table_pb2.Trick(leader=trick.leader, cards=cards, winner=trick.winner)


def _add_schieber(message: table_pb2.TableView, seen: View) -> None:
    message.phase = _PHASES[seen.phase]
    message.pushed = seen.pushed
    message.weis.extend(_declarations(seen))
    message.own_weis.extend(
        events.weis_message(weis, weis_points(weis, seen.rules)) for weis in seen.own_weis or ()
    )
    message.schieber.totals.extend(seen.totals)
    message.schieber.running.extend(seen.running or ())
    message.schieber.tricks.extend(seen.tricks_won)
    if seen.stoeck is not None:
        message.stoeck.add(seat=seen.stoeck, points=STOECK_POINTS * seen.multiplier)


def _add_differenzler(message: table_pb2.TableView, seen: DifferenzlerView) -> None:
    message.phase = _ROUNDS_PHASES[seen.phase]
    if seen.trump_card is not None and seen.trump_holder is not None:
        message.trump_card = card_to_proto(seen.trump_card)
        message.trump_holder = seen.trump_holder
    score = message.differenzler
    score.totals.extend(seen.totals)
    score.running.extend(seen.running or ())
    score.contenders.extend(seen.contenders)
    for seat, points in enumerate(seen.announced):
        if seen.has_announced[seat]:
            score.announcements.add(seat=seat, points=None if seen.is_hidden else points)
    own = None if seen.viewer is None else seen.announced[seen.viewer]
    if own is not None:
        message.own_announcement = own


def _declarations(seen: View) -> list[table_pb2.DeclaredWeis]:
    """Return what was declared as all may know it, from forehand on; what scores apart from what does not."""
    found: list[table_pb2.DeclaredWeis] = []
    for seat in ((seen.forehand or 0) + steps & 3 for steps in range(4)):
        notices = seen.notices[seat]
        if notices is None:
            continue
        shown = [each for each in seen.weis_shown if each.seat == seat]
        found.extend(events.shown_by_seat(shown))
        rest = _without(list(notices), shown, seen)
        if rest or not shown:
            found.append(events.declared(seat, rest))
    return found


def _without(notices: list[WeisNotice], shown: list[ShownWeis], seen: View) -> list[WeisNotice]:
    for each in shown:
        notices.remove(notice_of(each.weis, seen.rules))
    return notices


def _legal(
    seen: View | DifferenzlerView, legal: LegalActions, kind: PendingKind | None, *, away: bool
) -> table_pb2.LegalActions:
    message = table_pb2.LegalActions(
        push=legal.can_push,
        contracts=[contract_to_proto(contract) for contract in legal.contracts],
        declare_weis=legal.can_declare_weis,
        possible_weis=[events.weis_message(weis, weis_points(weis, seen.rules)) for weis in legal.weis],
        best_weis=[
            events.weis_message(weis, weis_points(weis, seen.rules)) for weis in legal.weis_recommended
        ],
        cards=[card_to_proto(card) for card in legal.cards],
        claim=legal.can_claim,
        announce_points=legal.can_announce,
        leave=not away,
        come_back=away,
    )
    if kind is PendingKind.CARD:
        for card, reason in legal.illegal.items():
            message.illegal_cards.add(card=card_to_proto(card), reason=error_reason(reason))
    return message


def timestamp(milliseconds: int) -> Timestamp:
    """Return a Unix time in milliseconds as a message."""
    seconds, rest = divmod(milliseconds, 1000)
    return Timestamp(seconds=seconds, nanos=rest * 1_000_000)
