"""`jasshaus review`: compares each decision of a match with the `strong` bot's, and prices the difference."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

import typer
from rich.console import Console

from jasshaus.cli.narration.of_rules import Retelling
from jasshaus.cli.replay import SEAT_NAMES, UnreadableError, read_transcript, unfinished
from jasshaus.cli.review.judging import Figure, Judgement, judge, missed_claims
from jasshaus.cli.review.rows import row, summary
from jasshaus.cli.running import FAILED
from jasshaus.cli.words import Style
from jasshaus.rules import differenzler, schieber
from jasshaus.rules.registry import Command, Event, Match, advance, new_match
from jasshaus.rules.transcript import Transcript, play

#: Judgements are printed under the line of the latest of these events.
_Landmark = schieber.ContractChosen | schieber.TrickWon | schieber.Claimed


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to judge: a seat and a deal (None for all), and how many sampled deals to try each choice in."""

    seat: int | None
    deal: int | None
    worlds: int


def review(source: str, console: Console, style: Style, wanted: Wanted) -> int:
    """Print the review of a match as it is computed, then a summary; return the exit code.

    Raises BadParameter for an unreadable file, and for a deal that is not in the match.
    """
    try:
        transcript = read_transcript(source)
    except UnreadableError as faulty:
        print(faulty, file=sys.stderr)
        return FAILED
    final, events = play(transcript)
    if wanted.deal is not None and wanted.deal > final.deal:
        deals = f"{final.deal} deal{'' if final.deal == 1 else 's'}"
        raise typer.BadParameter(f"the match has {deals}", param_hint="--deal")
    judged: list[Judgement] = []
    lines = chain(
        _Review(transcript, final, style, wanted, judged).lines(),
        unfinished(events) if wanted.deal is None else (),
        summary(judged, style),
    )
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True)
    return 0


class _Review:
    """Narrates a match; judgements appear under their trick, or whatever else they belong to."""

    def __init__(
        self, transcript: Transcript, final: Match, style: Style, wanted: Wanted, judged: list[Judgement]
    ) -> None:
        self._transcript = transcript
        self._winner = final.outcome.winner if final.outcome else None
        self._style = style
        self._wanted = wanted
        self._judged = judged
        self._retelling = Retelling(SEAT_NAMES, style=style)
        self._waiting: list[Judgement] = []
        self._figures: list[Figure] = []
        self._missed: set[int] = set()

    def lines(self) -> Iterator[str]:
        match: Match = new_match(self._transcript.rules)
        moves = [move.command for move in self._transcript.moves if move.refused is None]
        for number, command in enumerate(moves):
            before = match
            match, events = advance(before, command)
            if self._wanted.deal not in {None, match.deal}:
                continue
            yield from self._rows(self._missed_before(before, command))
            self._judge(before, command, number)
            for event in events:
                yield from self._told(event)
        yield from self._retelling.broken_off()
        yield from self._rows([*self._waiting, *self._figures])

    def _missed_before(self, match: Match, command: Command) -> list[Judgement]:
        if isinstance(command, schieber.Claim):
            return []
        missed = [each for each in missed_claims(match, self._winner) if each.seat not in self._missed]
        # Once: a side that has enough keeps it.
        self._missed.update(each.seat for each in missed)
        return [each for each in missed if self._wanted.seat in {None, each.seat}]

    def _judge(self, match: Match, command: Command, number: int) -> None:
        if isinstance(command, schieber.StartDeal) or self._wanted.seat not in {None, command.seat}:
            return
        judgement = judge(match, command, self._wanted.worlds, number)
        if isinstance(judgement, Figure):
            self._figures.append(judgement)
        elif judgement is not None:
            self._waiting.append(judgement)

    def _told(self, event: Event) -> Iterator[str]:
        yield from self._retelling.lines([event])
        if isinstance(event, _Landmark):
            yield from self._rows(self._waiting)
            self._waiting = []
        elif isinstance(event, differenzler.PenaltiesScored):
            yield from self._rows([replace(each, made=event.made[each.seat]) for each in self._figures])
            self._figures = []

    def _rows(self, judgements: Iterable[Judgement]) -> Iterator[str]:
        for judgement in judgements:
            self._judged.append(judgement)
            yield row(judgement, self._style)
