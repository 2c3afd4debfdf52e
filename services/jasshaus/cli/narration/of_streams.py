"""Running commentary of a table, from its stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console

from jasshaus.api.common.v1.rules_pb2 import RuleSet, TieRoundEligible
from jasshaus.api.table.v1.table_pb2 import Decision, Outcome, TableEvent, WatchTableResponse
from jasshaus.cli import words
from jasshaus.cli.narration.of_rules import Retelling
from jasshaus.cli.narration.sentences import Telling
from jasshaus.client import Update
from jasshaus.contracts.events import event_from_proto
from jasshaus.contracts.rules import card_from_proto, contract_from_proto, rule_set_from_proto
from jasshaus.rules.core.events import CardPlayed, DealStarted
from jasshaus.rules.differenzler.events import PenaltiesScored


class Commentary:
    """Prints a table's events as they arrive; the same match gives the same text.

    `players` are the names by seat.
    """

    def __init__(self, console: Console, players: Sequence[str]) -> None:
        self._console = console
        self._players = players
        self._retelling = Retelling(players)
        self._rules = RuleSet()
        self._totals: Sequence[int] = ()
        self._contenders: Sequence[int] = ()

    def observe(self, update: Update) -> None:
        """Print a Delta's events; a Snapshot has no events, only the state of the match."""
        match update:
            case WatchTableResponse.Snapshot():
                view = update.view
                self._rules = view.rule_set
                self._totals, self._contenders = view.differenzler.totals, view.differenzler.contenders
                if view.contract and not view.trump_card:
                    multipliers = rule_set_from_proto(view.rule_set).multipliers
                    self._retelling.resume(multipliers[contract_from_proto(view.contract)])
                trump = card_from_proto(view.trump_card) if view.trump_card else None
                self._print(
                    self._begun(DealStarted(view.deal, view.dealer, view.forehand, (0, 0, 0, 0), trump))
                )
            case WatchTableResponse.Delta():
                for event in update.events:
                    self._print(self._lines(event))
            case _:
                pass

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._console.print(line, highlight=False, soft_wrap=True)

    def _lines(self, message: TableEvent) -> Iterator[str]:
        event = event_from_proto(message)
        match event:
            case None:
                yield from self._of_the_table(message)
            case DealStarted():
                yield from self._begun(event)
            case CardPlayed():
                yield from self._retelling.lines([event], "*" if message.card_played.by_stand_in else "")
            case _:
                if isinstance(event, PenaltiesScored):
                    self._totals = event.totals
                yield from self._retelling.lines([event])

    def _of_the_table(self, message: TableEvent) -> Iterator[str]:
        match message.WhichOneof("event"):
            case "match_ended":
                yield from self._retelling.broken_off()
                yield from ("", f"[bold]{result(message.match_ended.outcome, self._players)}[/]")
            case "presence_changed":
                presence = message.presence_changed
                yield f"  {self._players[presence.seat]} is {'away' if presence.away else 'back'}"
            case _:
                pass

    def _begun(self, started: DealStarted) -> Iterator[str]:
        begun, *turned_up = self._retelling.lines([started])
        yield begun
        if started.trump_card is not None and started.deal > self._rules.rounds:
            least = min(self._totals[seat] for seat in self._contenders)
            tied = [seat for seat in self._contenders if self._totals[seat] == least]
            if self._rules.tie_round_eligible == TieRoundEligible.TIE_ROUND_ELIGIBLE_TIED_ONLY:
                self._contenders = tied
            yield f"  {words.names(self._players[seat] for seat in tied)} are tied: one more deal"
        yield from turned_up


def result(outcome: Outcome, players: Sequence[str]) -> str:
    """Describe how a match ended, in one sentence."""
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
