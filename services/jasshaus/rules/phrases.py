"""The words of a transcript's lines: how a command is written, and what the rules say happened.

Writing and checking use the same words. Groups of a line are two spaces apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from jasshaus.rules import differenzler, schieber
from jasshaus.rules.cards import format_card, format_cards, format_contract
from jasshaus.rules.game import Command, Event
from jasshaus.rules.tricks import Trick
from jasshaus.rules.weis import Weis

NONE_DECLARED = "-"


def of_option(name: str, value: object) -> str:
    """Write an option of the heading."""
    if isinstance(value, tuple):
        return f"{name} {_numbers(value)}"
    return f"{name} {'none' if value is None else str(value).lower()}"


def of_deal(event: schieber.DealStarted) -> list[str]:
    """Write the lines of a new deal."""
    lines = [f"deal {event.deal}  dealer {event.dealer}  forehand {event.forehand}"]
    if event.trump_card is not None:
        lines.append(f"trump {format_card(event.trump_card)}")
    return lines + [f"hand {seat}  {format_cards(hand)}" for seat, hand in enumerate(event.hands)]


def of_command(command: Command) -> str:  # noqa: PLR0911 - one case for each command
    """Write a command, except that a deal and an accepted card have lines of their own."""
    match command:
        case schieber.StartDeal():
            return "deal"
        case schieber.Push(seat):
            return f"push {seat}"
        case schieber.ChooseContract(seat, contract):
            return f"contract {seat} {format_contract(contract)}"
        case schieber.DeclareWeis(seat, weis):
            return f"weis {seat}  {_weis(weis)}"
        case differenzler.Announce(seat, points):
            return f"announce {seat} {points}"
        case schieber.PlayCard(seat, card):
            return f"play {seat} {format_card(card)}"
        case schieber.Claim(seat):
            return f"claim {seat}"
        case _:
            assert_never(command)


def of_trick(number: int, leader: int | None, cards: Iterable[int], complete: Trick | None) -> str:
    """Write a trick, or a part of one: no `leader` where it goes on, not `complete` where it does not end."""
    by = "" if leader is None else f"  by {leader}"
    to = "" if complete is None else f"  to {complete.winner} for {complete.points}"
    return f"trick {number}{by}  {' '.join(map(format_card, cards))}{to}"


def of_events(events: Iterable[Event], *, automatic: bool) -> list[str]:
    """Write what followed by itself; `automatic` says that declarations did too."""
    return [line for event in events for line in _of_event(event, automatic=automatic)]


def _of_event(event: Event, *, automatic: bool) -> list[str]:  # noqa: PLR0911 - one case for each event
    match event:
        case schieber.WeisDeclared(seat, _, weis):
            return [f"weis {seat}  {_weis(weis)}"] if automatic else []
        case schieber.StoeckScored(seat, points):
            return [f"stoeck {seat} for {points}"]
        case schieber.WeisScored(shown=shown):
            return [f"shown {each.seat}  {format_cards(each.weis.cards)} for {each.points}" for each in shown]
        case schieber.DealScored():
            return [_of_score(event)]
        case differenzler.PenaltiesScored():
            return [_of_penalties(event)]
        case schieber.MatchEnded(winner, by, totals, schneider):
            return [f"end  side {winner} by {by}  totals {_numbers(totals)}{'  schneider' * schneider}"]
        case differenzler.RoundsEnded(winner, totals):
            return [f"end  seat {winner}  totals {_numbers(totals)}"]
        case _:
            return []


def _of_score(score: schieber.DealScored) -> str:
    parts = {"weis": score.weis, "stoeck": score.stoeck, "bonus": score.match_bonus}
    extra = "".join(f"  {name} {_numbers(pair)}" for name, pair in parts.items() if any(pair))
    return (
        f"score  cards {_numbers(score.card_points)}{extra}  times {score.multiplier}"
        f"  is {_numbers(score.score)}  totals {_numbers(score.totals)}"
    )


def _of_penalties(score: differenzler.PenaltiesScored) -> str:
    return (
        f"score  announced {_numbers(score.announced)}  made {_numbers(score.made)}"
        f"  penalties {_numbers(score.penalties)}  totals {_numbers(score.totals)}"
    )


def _weis(weis: tuple[Weis, ...]) -> str:
    return ", ".join(format_cards(each.cards) for each in weis) or NONE_DECLARED


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
