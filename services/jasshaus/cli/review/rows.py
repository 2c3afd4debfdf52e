"""Prints judgements: one line each, and a summary by seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from jasshaus.cli.replay import SEAT_NAMES
from jasshaus.cli.review.judging import (
    Choice,
    ClaimMade,
    ClaimMissed,
    Declaration,
    Figure,
    Judgement,
    Tried,
)
from jasshaus.cli.words import Style
from jasshaus.rules import schieber
from jasshaus.rules.core.cards import cards_in
from jasshaus.rules.core.weis import Weis, WeisKind

_MARK: Final = "[bold]![/]"


def row(judgement: Judgement, style: Style) -> str:
    """Format a judgement as one line."""
    match judgement:
        case Choice():
            said = _of_choice(judgement, style)
        case Declaration():
            said = _of_declaration(judgement, style)
        case ClaimMade(_, certain, true):
            said = f"claim  {_of_claim(certain=certain, true=true)}"
        case ClaimMissed(_, lost):
            cost = f"it costs the match  {_MARK}" if lost else "[dim]it cost nothing[/]"
            said = f"no claim  strong claims  {cost}"
        case Figure():
            said = _of_figure(judgement)
        case _:
            assert_never(judgement)
    return f"       {SEAT_NAMES[judgement.seat]}  {said}"


def _of_choice(choice: Choice, style: Style) -> str:
    said = _named(choice.done, style)
    if choice.forced:
        return f"{said}  [dim]forced[/]"
    if choice.done == choice.best:
        return f"{said}  [dim]as strong[/]"
    better = f"{said}  strong {_named(choice.best, style)}  {choice.cost:5.1f} ± {choice.error:.1f}"
    return f"{better}  {_MARK}" if choice.differs else f"{better}  [dim]about equal[/]"


def _named(done: Tried, style: Style) -> str:
    match done:
        case schieber.PlayCard(card=card):
            return style.card(card)
        case schieber.ChooseContract(contract=contract):
            return style.contract(contract)
        case schieber.Push():
            return "push"
        case _:
            assert_never(done)


def _of_declaration(declaration: Declaration, style: Style) -> str:
    said = _weis(declaration.declared, style)
    if set(declaration.declared) == set(declaration.best):
        return f"{said}  [dim]as strong[/]"
    better = f"{said}  strong {_weis(declaration.best, style)}"
    if not declaration.at_most:
        return f"{better}  [dim]no loss[/]"
    return f"{better}  up to {declaration.at_most}  {_MARK}"


def _weis(priced: Sequence[tuple[Weis, int]], style: Style) -> str:
    return (
        ", ".join(
            style.weis(weis.length, points, cards_in(weis.cards), quartet=weis.kind is WeisKind.QUARTET)
            for weis, points in priced
        )
        or "no Weis"
    )


def _of_claim(*, certain: bool, true: bool) -> str:
    if certain:
        return "[dim]as strong[/]"
    return "strong plays on  " + ("[dim]not certain, but true[/]" if true else f"it costs the match  {_MARK}")


def _of_figure(figure: Figure) -> str:
    strongs = "[dim]as strong[/]" if figure.announced == figure.strongs else f"strong {figure.strongs}"
    made = "" if figure.made is None else f"  made {figure.made}, {abs(figure.made - figure.announced)} off"
    return f"announced {figure.announced}  {strongs}{made}"


def summary(judged: Sequence[Judgement], style: Style) -> Iterator[str]:
    """Summarise by seat: free choices, how many were strong's or about equal, and the cost of the others."""
    yield ""
    rows = [list(_of_seat([each for each in judged if each.seat == seat], style)) for seat in range(4)]
    if not any(rows):
        yield "There was nothing to decide."
        return
    yield "[bold]Summary[/]  free choices, as good as strong's, cost of the others, dearest"
    for name, lines in zip(SEAT_NAMES, rows, strict=True):
        for place, line in enumerate(lines):
            yield f"  {'' if place else name:<6}  {line}"


def _of_seat(judged: Sequence[Judgement], style: Style) -> Iterator[str]:
    choices = [each for each in judged if isinstance(each, Choice) and not each.forced]
    yield from _of_choices("contracts", [each for each in choices if not each.trick], style)
    weis = [each for each in judged if isinstance(each, Declaration)]
    if weis:
        lost = [each.at_most for each in weis if each.at_most]
        said = f"{sum(lost):6.1f}{'  at most' if lost else ''}"
        yield _line("Weis", len(weis), len(weis) - len(lost), said)
    yield from _of_choices("cards", [each for each in choices if each.trick], style)
    claims = [each for each in judged if isinstance(each, ClaimMade | ClaimMissed)]
    if claims:
        right = sum(isinstance(each, ClaimMade) and each.certain for each in claims)
        yield _line("claims", len(claims), right)
    yield from _of_figures([each for each in judged if isinstance(each, Figure)])


def _of_choices(label: str, free: Sequence[Choice], style: Style) -> Iterator[str]:
    if not free:
        return
    dear = [each for each in free if each.differs]
    worst = max(dear, key=lambda each: each.cost, default=None)
    said = f"{sum(each.cost for each in dear):6.1f}"
    if worst is not None:
        trick = f", trick {worst.trick}" if worst.trick else ""
        said += f"  {_named(worst.done, style)} {worst.cost:.1f} [dim](deal {worst.deal}{trick})[/]"
    yield _line(label, len(free), len(free) - len(dear), said)


def _of_figures(figures: Sequence[Figure]) -> Iterator[str]:
    if not figures:
        return
    apart = sum(abs(each.announced - each.strongs) for each in figures) / len(figures)
    missed = [abs(each.made - each.announced) for each in figures if each.made is not None]
    off = f"; {sum(missed) / len(missed):.1f} off" if missed else ""
    yield f"announced {len(figures):3}  on average {apart:.1f} from strong's figure{off}"


def _line(label: str, free: int, good: int, said: str = "") -> str:
    return f"{label:<9} {free:3}  {good:3}  {said}".rstrip()
