"""Owns the running commentary of a match: what a card player wants to follow, from one seat's stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console

from jasshaus.api.table.v1.table_pb2 import Decision, Outcome, TableEvent, WatchTableResponse
from jasshaus.cli import words
from jasshaus.client import Update


class Commentary:
    """Prints the events of a table as they come; the same match gives the same text.

    `players` are the names by seat. Weis may be declared in any order, so they are printed together, by seat.
    """

    def __init__(self, console: Console, players: Sequence[str]) -> None:
        self._console = console
        self._players = players
        self._trick: list[str] = []
        self._declared: dict[int, str] = {}
        self._pusher: str | None = None

    def observe(self, update: Update) -> None:
        """Print what a Delta brings; a Snapshot brings no events, only where the match is."""
        match update:
            case WatchTableResponse.Snapshot():
                self._print(self._begin(update.view.deal, update.view.dealer, update.view.forehand))
            case WatchTableResponse.Delta():
                for event in update.events:
                    self._print(self._lines(event))
            case _:
                pass

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._console.print(line, highlight=False, soft_wrap=True)

    def _lines(self, event: TableEvent) -> Iterator[str]:  # noqa: C901, PLR0912 - one case an event
        match event.WhichOneof("event"):
            case "deal_started":
                started = event.deal_started
                yield from self._begin(started.deal, started.dealer, started.forehand)
            case "pushed":
                self._pusher = self._players[event.pushed.seat]
            case "contract_chosen":
                yield self._contract_chosen(event.contract_chosen)
            case "weis_declared":
                declared = event.weis_declared.declared
                self._declared[declared.seat] = ", ".join(map(words.weis, declared.weis))
            case "card_played":
                played = event.card_played
                mark = "*" if played.by_stand_in else ""
                self._trick.append(f"{self._players[played.seat]}{mark} {words.card(played.card)}")
            case "trick_won":
                yield from self._trick_won(event.trick_won)
            case "weis_scored":
                yield from self._weis_scored(event.weis_scored)
            case "stoeck_scored":
                stoeck = event.stoeck_scored
                yield f"  Stöck  {self._players[stoeck.seat]}, {stoeck.points}"
            case "claimed":
                yield f'  {self._players[event.claimed.seat]}: "Thank you, enough."'
            case "deal_scored":
                yield from _deal_scored(event.deal_scored)
            case "match_ended":
                yield from self._match_ended(event.match_ended.outcome)
            case "presence_changed":
                presence = event.presence_changed
                yield f"  {self._players[presence.seat]} is {'away' if presence.away else 'back'}"
            case _:
                pass

    def _begin(self, deal: int, dealer: int, forehand: int) -> Iterator[str]:
        self._trick, self._declared, self._pusher = [], {}, None
        yield f"\n[bold]Deal {deal}[/]  dealt by {self._players[dealer]}, {self._players[forehand]} begins"

    def _contract_chosen(self, chosen: TableEvent.ContractChosen) -> str:
        pushed = f"{self._pusher} pushes, " if self._pusher else ""
        contract = words.contract(chosen.contract)
        return f"  {pushed}{self._players[chosen.seat]} chooses {contract}, x{chosen.multiplier}"

    def _trick_won(self, won: TableEvent.TrickWon) -> Iterator[str]:
        yield from self._declarations()
        yield f"  {won.trick}  {'  '.join(self._trick)}  -> {self._players[won.seat]}"
        self._trick = []

    def _declarations(self) -> Iterator[str]:
        said = [f"{self._players[seat]} {text}" for seat, text in sorted(self._declared.items()) if text]
        if said:
            yield f"  Weis   {'; '.join(said)}"
        self._declared = {}

    def _weis_scored(self, scored: TableEvent.WeisScored) -> Iterator[str]:
        if scored.HasField("side"):
            shown = "; ".join(
                f"{self._players[each.seat]} {words.weis(weis)}" for each in scored.weis for weis in each.weis
            )
            side = words.names(self._players[scored.side :: 2])
            yield f"  Weis   {scored.points} for {side}: {shown}"

    def _match_ended(self, outcome: Outcome) -> Iterator[str]:
        if self._trick:
            yield f"  -  {'  '.join(self._trick)}"
        yield ""
        yield f"[bold]{result(outcome, self._players)}[/]"


def result(outcome: Outcome, players: Sequence[str]) -> str:
    """Write how a match ended, in one sentence."""
    if not outcome.winning_seats:
        return f"The match was aborted ({outcome.abort_reason}): nobody won."
    how = {
        Decision.DECISION_CLAIM: "claimed and had enough",
        Decision.DECISION_FALSE_CLAIM: "win: the others claimed and had not enough",
        Decision.DECISION_STOECK: "win with Stöck",
        Decision.DECISION_WEIS: "win with Weis",
        Decision.DECISION_TRICK: "win with a trick",
    }.get(outcome.decision, "win")
    winners = words.names(players[seat] for seat in outcome.winning_seats)
    schneider = ", Schneider" if outcome.schneider else ""
    return f"{winners} {how}: {_versus(outcome.points)}{schneider}"


def _deal_scored(deal: TableEvent.DealScored) -> Iterator[str]:
    parts = [f"cards {_versus(deal.card_points)} x{deal.multiplier}"]
    extras = (("Weis", deal.weis), ("Stöck", deal.stoeck), ("match", deal.match_bonus))
    parts += [f"{name} {_versus(points)}" for name, points in extras if any(points)]
    yield f"  Score  {', '.join(parts)} = {_versus(deal.score)}"
    yield f"  Total  [bold]{_versus(deal.totals)}[/]"


def _versus(points: Sequence[int]) -> str:
    return " : ".join(map(str, points))
