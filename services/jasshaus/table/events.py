"""Projects table events into the messages each viewer may see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, assert_never

from jasshaus.api.table.v1 import table_pb2
from jasshaus.contracts.rules import card_to_proto, contract_to_proto
from jasshaus.rules import differenzler, registry, schieber
from jasshaus.rules.core.cards import cards_in
from jasshaus.rules.core.options import RuleSet, WeisDeclaration
from jasshaus.rules.core.weis import ShownWeis, Weis, WeisKind, WeisNotice, weis_points
from jasshaus.table.codec import outcome_to_proto, status_to_proto
from jasshaus.table.decide import Aborted, Change, Closed, Event
from jasshaus.table.table import Table, Unreadable, outcome_of

Message = table_pb2.TableEvent

_WITH_A_PART_OF_ITS_OWN: Final = (schieber.DealStarted, schieber.WeisDeclared, differenzler.Announced)

_KINDS: Final = {
    WeisKind.RUN: table_pb2.WEIS_KIND_RUN,
    WeisKind.QUARTET: table_pb2.WEIS_KIND_QUARTET,
}


@dataclass(frozen=True, slots=True)
class Told:
    """The messages of a change: what every viewer is told, and what each seat is told besides."""

    shared: list[Message]
    own: tuple[list[Message], list[Message], list[Message], list[Message]]


def told(before: Table, change: Change) -> Told:
    """Return the messages of a change, in order; a seat's own come after the shared ones."""
    match = before.match
    if before.version == 0:
        match = registry.new_match(before.rules)
    result = Told([], ([], [], [], []))
    for event in change.events:
        result.shared.append(_message(event, match, change))
        if isinstance(event, Aborted | Closed):
            continue
        assert not isinstance(match, Unreadable)
        for seat, messages in enumerate(result.own):
            own = _own(event, seat, match.rules)
            if own is not None:
                own.version = change.table.version
                messages.append(own)
        match = registry.apply(match, event)
    return result


def _own(event: registry.Event, seat: int, rules: RuleSet) -> Message | None:
    """Return what an event of the rules tells one seat alone, None when it has nothing for it."""
    seen = registry.project(event, seat) if isinstance(event, _WITH_A_PART_OF_ITS_OWN) else None
    match seen:
        case schieber.DealStarted():
            hand = [card_to_proto(card) for card in cards_in(seen.hands[seat])]
            return Message(hand_dealt=Message.HandDealt(deal=seen.deal, hand=hand))
        case schieber.WeisDeclared() if seen.weis:
            weis = [weis_message(each, weis_points(each, rules)) for each in seen.weis]
            return Message(own_weis=Message.OwnWeis(weis=weis))
        case differenzler.Announced(points=int(points), hidden=True):
            return Message(own_announcement=Message.OwnAnnouncement(points=points))
        case _:
            return None


def _message(event: Event, match: registry.Match | Unreadable, change: Change) -> Message:
    message = Message(version=change.table.version)
    match event:
        case Aborted(outcome):
            message.match_ended.outcome.CopyFrom(outcome_to_proto(outcome))
        case Closed(status, outcome):
            message.table_closed.status = status_to_proto(status)
            message.table_closed.outcome.CopyFrom(outcome_to_proto(outcome))
        case _:
            assert not isinstance(match, Unreadable)
            _of_the_game(message, registry.project(event, None), match, stand_in=change.stand_in)
    return message


def _of_the_game(  # noqa: C901, PLR0912 - one case an event
    message: Message, event: registry.Event, match: registry.Match, *, stand_in: bool
) -> None:
    """Fill in the public form of an event of the rules; `match` is the match before it."""
    match event:
        case schieber.DealStarted():
            message.deal_started.CopyFrom(
                Message.DealStarted(deal=event.deal, dealer=event.dealer, forehand=event.forehand)
            )
            if event.trump_card is not None:
                message.deal_started.trump_card = card_to_proto(event.trump_card)
        case schieber.Pushed(seat):
            message.pushed.CopyFrom(Message.Pushed(seat=seat, by_stand_in=stand_in))
        case schieber.ContractChosen():
            message.contract_chosen.CopyFrom(
                Message.ContractChosen(
                    seat=event.seat,
                    contract=contract_to_proto(event.contract),
                    multiplier=event.multiplier,
                    by_stand_in=stand_in,
                )
            )
        case schieber.WeisDeclared():
            assert isinstance(match, schieber.Match)
            automatic = match.rules.weis_declaration is WeisDeclaration.AUTOMATIC
            message.weis_declared.CopyFrom(
                Message.WeisDeclared(
                    declared=declared(event.seat, event.notices),
                    automatic=automatic,
                    by_stand_in=stand_in and not automatic,
                )
            )
        case schieber.WeisScored():
            assert isinstance(match, schieber.Match)
            message.weis_scored.CopyFrom(
                Message.WeisScored(
                    side=event.side,
                    points=event.points * match.multiplier,
                    weis=shown_by_seat(event.shown),
                )
            )
        case differenzler.Announced(seat, announced):
            message.points_announced.CopyFrom(
                Message.PointsAnnounced(seat=seat, points=announced, by_stand_in=stand_in)
            )
        case schieber.CardPlayed(seat, card):
            message.card_played.CopyFrom(
                Message.CardPlayed(seat=seat, card=card_to_proto(card), by_stand_in=stand_in)
            )
        case schieber.StoeckScored(seat, points):
            assert isinstance(match, schieber.Match)
            message.stoeck_scored.CopyFrom(Message.StoeckScored(seat=seat, points=points * match.multiplier))
        case schieber.TrickWon(seat, number, points):
            message.trick_won.CopyFrom(Message.TrickWon(seat=seat, trick=number, points=points))
        case schieber.Claimed(seat, success):
            message.claimed.CopyFrom(Message.Claimed(seat=seat, successful=success))
        case schieber.DealScored() | differenzler.PenaltiesScored():
            message.deal_scored.CopyFrom(deal_message(event))
        case schieber.MatchEnded() | differenzler.RoundsEnded():
            message.match_ended.outcome.CopyFrom(outcome_to_proto(outcome_of(event)))
        case _:
            assert_never(event)


@lru_cache(maxsize=4096)
def deal_message(deal: schieber.DealScored | differenzler.PenaltiesScored) -> Message.DealScored:
    """Return a scored deal as a message, to be copied and never changed: every view of its match has it."""
    return _deal_scored(deal) if isinstance(deal, schieber.DealScored) else _penalties_scored(deal)


def _deal_scored(event: schieber.DealScored) -> table_pb2.TableEvent.DealScored:
    def multiplied(points: Iterable[int]) -> list[int]:
        return [event.multiplier * part for part in points]

    return Message.DealScored(
        deal=event.deal,
        card_points=event.card_points,
        weis=multiplied(event.weis),
        stoeck=multiplied(event.stoeck),
        match_bonus=multiplied(event.match_bonus),
        multiplier=event.multiplier,
        score=event.score,
        totals=event.totals,
    )


def _penalties_scored(event: differenzler.PenaltiesScored) -> table_pb2.TableEvent.DealScored:
    return Message.DealScored(
        deal=event.deal,
        card_points=event.made,
        multiplier=1,
        score=event.penalties,
        totals=event.totals,
        announced=event.announced,
    )


def weis_message(weis: Weis, points: int) -> table_pb2.Weis:
    """Return a Weis with its cards."""
    return table_pb2.Weis(
        kind=_KINDS[weis.kind],
        length=weis.length,
        points=points,
        cards=[card_to_proto(card) for card in cards_in(weis.cards)],
    )


def declared(seat: int, notices: Sequence[WeisNotice]) -> table_pb2.DeclaredWeis:
    """Return a declaration as all may know it, without cards."""
    weis = [
        table_pb2.Weis(kind=_KINDS[notice.kind], length=notice.length, points=notice.points)
        for notice in notices
    ]
    return table_pb2.DeclaredWeis(seat=seat, weis=weis)


def shown_by_seat(shown: Iterable[ShownWeis]) -> list[table_pb2.DeclaredWeis]:
    """Return the Weis that score, with their cards, one item a seat in the order given."""
    by_seat: dict[int, table_pb2.DeclaredWeis] = {}
    for each in shown:
        item = by_seat.setdefault(each.seat, table_pb2.DeclaredWeis(seat=each.seat, scored=True))
        item.weis.append(weis_message(each.weis, each.points))
    return list(by_seat.values())
