"""Reads a `TableEvent` as the rules' event in its public form, that is `registry.project(event, None)`.

Points on the wire are multiplied, those in the rules' events are not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jasshaus.api.table.v1 import table_pb2
from jasshaus.contracts.rules import card_from_proto, contract_from_proto
from jasshaus.contracts.views import by_seat, by_side, notice_from_proto, shown_from_proto
from jasshaus.rules import differenzler, schieber
from jasshaus.rules.core.cards import side_of
from jasshaus.rules.registry import Event
from jasshaus.rules.schieber.scoring import STOECK_POINTS

_NO_HANDS: Final = (0, 0, 0, 0)
# The wire does not say whether a trick that decided the match was the first one of its deal.
_ENDED_BY: Final = {
    table_pb2.DECISION_CLAIM: schieber.EndedBy.CLAIM,
    table_pb2.DECISION_FALSE_CLAIM: schieber.EndedBy.FALSE_CLAIM,
    table_pb2.DECISION_DEAL: schieber.EndedBy.DEAL,
    table_pb2.DECISION_STOECK: schieber.EndedBy.STOECK,
    table_pb2.DECISION_WEIS: schieber.EndedBy.WEIS,
    table_pb2.DECISION_TRICK: schieber.EndedBy.AUTOMATIC,
}


def event_from_proto(event: table_pb2.TableEvent) -> Event | None:  # noqa: C901, PLR0911, PLR0912 - one case an event
    """Return the rules' event; None for a seat's own event, presence, an abort and the table's close.

    Raises ValueError for a card or contract that this release does not know.
    """
    match event.WhichOneof("event"):
        case "deal_started":
            started = event.deal_started
            trump = card_from_proto(started.trump_card) if started.trump_card else None
            return schieber.DealStarted(started.deal, started.dealer, started.forehand, _NO_HANDS, trump)
        case "pushed":
            return schieber.Pushed(event.pushed.seat)
        case "contract_chosen":
            chosen = event.contract_chosen
            return schieber.ContractChosen(
                chosen.seat, contract_from_proto(chosen.contract), chosen.multiplier
            )
        case "points_announced":
            said = event.points_announced
            hidden = not said.HasField("points")
            return differenzler.Announced(said.seat, None if hidden else said.points, hidden)
        case "weis_declared":
            declared = event.weis_declared.declared
            return schieber.WeisDeclared(declared.seat, tuple(map(notice_from_proto, declared.weis)), ())
        case "weis_scored" if event.weis_scored.HasField("side"):
            shown = shown_from_proto(event.weis_scored.weis)
            return schieber.WeisScored(event.weis_scored.side, sum(each.points for each in shown), shown)
        case "card_played":
            return schieber.CardPlayed(event.card_played.seat, card_from_proto(event.card_played.card))
        case "stoeck_scored":
            return schieber.StoeckScored(event.stoeck_scored.seat, STOECK_POINTS)
        case "trick_won":
            won = event.trick_won
            return schieber.TrickWon(won.seat, won.trick, won.points if won.HasField("points") else None)
        case "claimed":
            return schieber.Claimed(event.claimed.seat, event.claimed.successful)
        case "deal_scored":
            return _deal_scored(event.deal_scored)
        case "match_ended":
            return _match_ended(event.match_ended.outcome)
        case _:
            return None


def _deal_scored(deal: table_pb2.TableEvent.DealScored) -> schieber.DealScored | differenzler.PenaltiesScored:
    if deal.announced:
        return differenzler.PenaltiesScored(
            deal.deal,
            by_seat(deal.announced),
            by_seat(deal.card_points),
            by_seat(deal.score),
            by_seat(deal.totals),
        )

    def plain(points: Iterable[int]) -> tuple[int, int]:
        return by_side(part // deal.multiplier for part in points)

    return schieber.DealScored(
        deal.deal,
        by_side(deal.card_points),
        plain(deal.weis),
        plain(deal.stoeck),
        plain(deal.match_bonus),
        deal.multiplier,
        by_side(deal.score),
        by_side(deal.totals),
    )


def _match_ended(outcome: table_pb2.Outcome) -> schieber.MatchEnded | differenzler.RoundsEnded | None:
    if outcome.decision == table_pb2.DECISION_ROUNDS:
        return differenzler.RoundsEnded(outcome.winning_seats[0], by_seat(outcome.points))
    by = _ENDED_BY.get(outcome.decision)
    if by is None:
        return None
    return schieber.MatchEnded(
        side_of(outcome.winning_seats[0]), by, by_side(outcome.points), outcome.schneider
    )
