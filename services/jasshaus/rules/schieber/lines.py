"""Schieber lines of a transcript: its commands, and their consequences under the rules.

Format: docs/transcripts.md. Writing and checking use the same words. Groups of a line are two spaces apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from jasshaus.rules.core.cards import format_cards, format_contract
from jasshaus.rules.core.lines import Line, numbers
from jasshaus.rules.core.options import RuleSet, WeisDeclaration
from jasshaus.rules.core.weis import Weis
from jasshaus.rules.schieber.events import (
    ChooseContract,
    Claim,
    Claimed,
    Command,
    ContractChosen,
    DealScored,
    DeclareWeis,
    Event,
    MatchEnded,
    Push,
    Pushed,
    StoeckScored,
    WeisDeclared,
    WeisScored,
)

NONE_DECLARED: Final = "-"

#: How the rest of a command's line is read, by its keyword.
COMMANDS: Final[Mapping[str, Callable[[Line], Command]]] = {
    "push": lambda line: Push(line.seat()),
    "contract": lambda line: ChooseContract(line.seat(), line.contract()),
    "weis": lambda line: DeclareWeis(line.seat(), line.weis()),
    "claim": lambda line: Claim(line.seat()),
}


def outcomes(rules: RuleSet) -> frozenset[str]:
    """Return the keywords of lines that only describe consequences under these rules."""
    automatic = rules.weis_declaration is WeisDeclaration.AUTOMATIC
    return frozenset({"stoeck", "shown", "score", "end"} | ({"weis"} if automatic else set()))


def of_command(command: Command) -> str:
    """Write a command of this game's own."""
    match command:
        case Push(seat):
            return f"push {seat}"
        case ChooseContract(seat, contract):
            return f"contract {seat} {format_contract(contract)}"
        case DeclareWeis(seat, weis):
            return f"weis {seat}  {_weis(weis)}"
        case Claim(seat):
            return f"claim {seat}"
        case _:
            raise AssertionError(f"{command} has a line in every game")


def of_event(rules: RuleSet, event: Event) -> list[str]:
    """Write an event's lines; none for one that is described by its command's line."""
    match event:
        case WeisDeclared(seat, _, weis):
            automatic = rules.weis_declaration is WeisDeclaration.AUTOMATIC
            return [f"weis {seat}  {_weis(weis)}"] if automatic else []
        case StoeckScored(seat, points):
            return [f"stoeck {seat} for {points}"]
        case WeisScored(shown=shown):
            return [f"shown {each.seat}  {format_cards(each.weis.cards)} for {each.points}" for each in shown]
        case DealScored():
            return [_of_score(event)]
        case MatchEnded(winner, by, totals, schneider):
            return [f"end  side {winner} by {by}  totals {numbers(totals)}{'  schneider' * schneider}"]
        case _:
            return []


def command_of(rules: RuleSet, event: Event) -> Command | None:
    """Return the command that an event answers, None for a consequence."""
    match event:
        case Pushed(seat):
            return Push(seat)
        case ContractChosen(seat, contract):
            return ChooseContract(seat, contract)
        case WeisDeclared(seat, _, weis):
            return DeclareWeis(seat, weis) if rules.weis_declaration is WeisDeclaration.MANUAL else None
        case Claimed(seat):
            return Claim(seat)
        case _:
            return None


def _of_score(score: DealScored) -> str:
    parts = {"weis": score.weis, "stoeck": score.stoeck, "bonus": score.match_bonus}
    extra = "".join(f"  {name} {numbers(pair)}" for name, pair in parts.items() if any(pair))
    return (
        f"score  cards {numbers(score.card_points)}{extra}  times {score.multiplier}"
        f"  is {numbers(score.score)}  totals {numbers(score.totals)}"
    )


def _weis(weis: tuple[Weis, ...]) -> str:
    return ", ".join(format_cards(each.cards) for each in weis) or NONE_DECLARED
