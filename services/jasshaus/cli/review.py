"""Owns `jasshaus review`: each card of a match beside the one `strong` would have played, and the cost."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import sqrt
from typing import Final

from rich.console import Console

from jasshaus.bots.strong import card_values
from jasshaus.cli.replay import SEAT_NAMES, UnreadableError, read_transcript
from jasshaus.cli.retelling import Retelling
from jasshaus.cli.running import FAILED
from jasshaus.cli.words import Style
from jasshaus.rules import schieber
from jasshaus.rules.game import Match, decide, new_match, replay, view
from jasshaus.rules.notation import Transcript

#: A difference counts where it is more than so many standard errors: less may be luck in the sampled deals.
_CLEARLY: Final = 2.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was played, what strong would have played, and what the difference costs, in expected points.

    In a Schieber the points of the own side, multiplied; in a Differenzler points of penalty. `error` is the
    standard error of the cost. `choices` counts the legal cards.
    """

    seat: int
    played: int
    best: int
    cost: float
    error: float
    choices: int

    @property
    def differs(self) -> bool:
        """Whether strong's card is clearly better."""
        return self.cost > _CLEARLY * self.error

    @property
    def forced(self) -> bool:
        """Whether no other card could be played."""
        return self.choices == 1


def judge(match: Match, command: schieber.PlayCard, worlds: int, rng_seed: int) -> Judgement:
    """Judge a legal card by what its player knew, in `worlds` sampled deals that fit it."""
    values = card_values(view(match, command.seat), rng_seed, worlds)
    played = values[command.card]
    # What was played comes first, so that of equals it is the best.
    best = max([command.card, *values], key=lambda card: sum(values[card]))
    factor = match.multiplier if isinstance(match, schieber.Match) else 1
    gaps = [factor * (better - done) for better, done in zip(values[best], played, strict=True)]
    cost, error = _mean_and_error(gaps)
    return Judgement(command.seat, command.card, best, cost, error, len(values))


def _mean_and_error(sample: Sequence[float]) -> tuple[float, float]:
    if not sample:
        return 0.0, 0.0
    mean = sum(sample) / len(sample)
    spread = sum((each - mean) ** 2 for each in sample)
    return mean, sqrt(spread / (len(sample) * max(1, len(sample) - 1)))


def review(source: str, console: Console, seat: int | None, worlds: int) -> int:
    """Print the review of a match, or of one seat's cards, while it is made, and a summary; the exit code."""
    try:
        transcript = read_transcript(source)
    except UnreadableError as faulty:
        print(faulty, file=sys.stderr)
        return FAILED
    judged: list[Judgement] = []
    lines = chain(_lines(transcript, seat, worlds, judged), summary(judged))
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True)
    return 0


def _lines(transcript: Transcript, seat: int | None, worlds: int, judged: list[Judgement]) -> Iterator[str]:
    """Tell the match; what is judged stands under its trick."""
    match: Match = new_match(transcript.rules)
    retelling = Retelling(SEAT_NAMES)
    moves = [move.command for move in transcript.moves if move.refused is None]
    rows: list[str] = []
    for number, command in enumerate(moves):
        if isinstance(command, schieber.PlayCard) and seat in {None, command.seat}:
            judged.append(judge(match, command, worlds, number))
            rows.append(row(judged[-1]))
        events = decide(match, command)
        match = replay(match, events)
        for event in events:
            yield from retelling.lines([event])
            if isinstance(event, schieber.TrickWon):
                yield from rows
                rows = []
    # A trick that the end of the match cut off.
    yield from rows


def row(judgement: Judgement) -> str:
    """Write a judgement in a line."""
    style = Style()
    said = f"       {SEAT_NAMES[judgement.seat]}  {style.card(judgement.played)}"
    if judgement.forced:
        return f"{said}  [dim]forced[/]"
    if judgement.played == judgement.best:
        return f"{said}  [dim]as strong[/]"
    better = f"{said}  strong {style.card(judgement.best)}  {judgement.cost:5.1f} ± {judgement.error:.1f}"
    return f"{better}  [bold]![/]" if judgement.differs else f"{better}  [dim]about equal[/]"


def summary(judged: Sequence[Judgement]) -> Iterator[str]:
    """Sum up by seat: free choices, how many were strong's or about equal, and what the others cost."""
    yield ""
    yield "[bold]Summary[/]  free choices, as good as strong's, cost of the others, dearest"
    for seat, name in enumerate(SEAT_NAMES):
        free = [each for each in judged if each.seat == seat and not each.forced]
        if not free:
            continue
        dear = [each for each in free if each.differs]
        worst = max(dear, key=lambda each: each.cost, default=None)
        said = "" if worst is None else f"  {Style().card(worst.played)} {worst.cost:.1f}"
        cost = sum(each.cost for each in dear)
        yield f"  {name}  {len(free):3}  {len(free) - len(dear):3}  {cost:6.1f}{said}"
