"""Running commentary of a table, from its stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console

from jasshaus.api.common.v1.rules_pb2 import Announcements, RuleSet, TieRoundEligible
from jasshaus.api.table.v1.table_pb2 import (
    Decision,
    Outcome,
    TableEvent,
    WatchTableResponse,
    Weis,
    WeisKind,
)
from jasshaus.cli import words
from jasshaus.cli.narration.sentences import Telling
from jasshaus.cli.words import Style
from jasshaus.client import Update
from jasshaus.contracts.rules import card_from_proto, contract_from_proto


class Commentary:
    """Prints the events of a table as they come; the same match gives the same text.

    `players` are the names by seat.
    """

    def __init__(self, console: Console, players: Sequence[str]) -> None:
        self._console = console
        self._players = players
        self._telling = Telling(players)
        self._rules = RuleSet()
        self._totals: Sequence[int] = ()
        self._contenders: Sequence[int] = ()

    def observe(self, update: Update) -> None:
        """Print what a Delta brings; a Snapshot brings no events, only where the match is."""
        match update:
            case WatchTableResponse.Snapshot():
                view = update.view
                self._rules = view.rule_set
                self._totals, self._contenders = view.differenzler.totals, view.differenzler.contenders
                self._print(self._begun(view.deal, view.dealer, view.forehand, view.trump_card))
            case WatchTableResponse.Delta():
                for event in update.events:
                    self._print(self._lines(event))
            case _:
                pass

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._console.print(line, highlight=False, soft_wrap=True)

    def _lines(self, event: TableEvent) -> Iterator[str]:  # noqa: C901, PLR0912 - one case an event
        tell = self._telling
        match event.WhichOneof("event"):
            case "deal_started":
                started = event.deal_started
                yield from self._begun(started.deal, started.dealer, started.forehand, started.trump_card)
            case "pushed":
                tell.pushed(event.pushed.seat)
            case "contract_chosen":
                chosen = event.contract_chosen
                contract = contract_from_proto(chosen.contract)
                yield from tell.contract_chosen(chosen.seat, contract, chosen.multiplier)
            case "points_announced":
                # Hidden ones are told with the deal's score.
                if self._rules.announcements == Announcements.ANNOUNCEMENTS_OPEN:
                    tell.announced(event.points_announced.seat, event.points_announced.points)
            case "weis_declared":
                declared = event.weis_declared.declared
                tell.declared(declared.seat, [_weis(weis) for weis in declared.weis])
            case "card_played":
                played = event.card_played
                mark = "*" if played.by_stand_in else ""
                yield from tell.card_played(played.seat, card_from_proto(played.card), mark)
            case "trick_won":
                yield from tell.trick_won(event.trick_won.seat, event.trick_won.trick)
            case "weis_scored":
                scored = event.weis_scored
                if scored.HasField("side"):
                    shown = [(each.seat, _weis(weis)) for each in scored.weis for weis in each.weis]
                    plain = sum(weis.points for each in scored.weis for weis in each.weis)
                    # The stream's points are multiplied, those of each Weis are not.
                    multiplier = scored.points // plain if plain else 1
                    yield from tell.weis_scored(scored.side, plain, multiplier, shown)
            case "stoeck_scored":
                yield from tell.stoeck_scored(event.stoeck_scored.seat, event.stoeck_scored.points)
            case "claimed":
                yield from tell.claimed(event.claimed.seat)
            case "deal_scored":
                deal = event.deal_scored
                if deal.announced:
                    self._totals = deal.totals
                    yield from tell.penalties_scored(
                        deal.announced, deal.card_points, deal.score, deal.totals
                    )
                    return
                extras = {"weis": deal.weis, "stoeck": deal.stoeck, "match": deal.match_bonus}
                yield from tell.deal_scored(
                    deal.card_points, deal.multiplier, extras, deal.score, deal.totals
                )
            case "match_ended":
                yield from tell.ended(result(event.match_ended.outcome, self._players))
            case "presence_changed":
                presence = event.presence_changed
                yield f"  {self._players[presence.seat]} is {'away' if presence.away else 'back'}"
            case _:
                pass

    def _begun(self, deal: int, dealer: int, forehand: int, trump_card: int) -> Iterator[str]:
        yield from self._telling.begin(deal, dealer, forehand)
        if not trump_card:
            return
        if deal > self._rules.rounds:
            least = min(self._totals[seat] for seat in self._contenders)
            tied = [seat for seat in self._contenders if self._totals[seat] == least]
            if self._rules.tie_round_eligible == TieRoundEligible.TIE_ROUND_ELIGIBLE_TIED_ONLY:
                self._contenders = tied
            yield f"  {words.names(self._players[seat] for seat in tied)} are level: one deal more"
        yield from self._telling.trumps_turned_up(card_from_proto(trump_card))


def result(outcome: Outcome, players: Sequence[str]) -> str:
    """Write how a match ended, in one sentence."""
    if not outcome.winning_seats:
        return f"The match was aborted ({outcome.abort_reason}): nobody won."
    how = {
        Decision.DECISION_CLAIM: "win_claim",
        Decision.DECISION_FALSE_CLAIM: "win_false_claim",
        Decision.DECISION_STOECK: "win_stoeck",
        Decision.DECISION_WEIS: "win_weis",
        Decision.DECISION_TRICK: "win_trick",
    }.get(outcome.decision, "win")
    return Telling(players).victory(outcome.winning_seats, how, outcome.points, schneider=outcome.schneider)


def _weis(weis: Weis) -> str:
    shown = map(card_from_proto, weis.cards)
    quartet = weis.kind == WeisKind.WEIS_KIND_QUARTET
    return Style().weis(weis.length, weis.points, shown, quartet=quartet)
