"""What may differ without a viewer's knowledge: a deal is played again from hands that fit what it has seen.

Both games use this; how a world is drawn, and what the rules themselves tell of it, is the game's own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.core.refusals import RuleViolation
from jasshaus.rules.core.weis import candidates
from jasshaus.rules.differenzler import Announce
from jasshaus.rules.registry import Command, Event, Match, advance, new_match, project, replay, view
from jasshaus.rules.schieber import ChooseContract, Claim, DeclareWeis, PlayCard, Push, StartDeal
from rules.layouts import VIEWERS


class Unfit(Exception):  # noqa: N818 - no error, but the ordinary outcome of most draws
    """The world does not fit what the viewer has seen."""


@dataclass
class Deal:
    """A deal as it was played, perhaps not to its end."""

    before: Match
    match: Match
    commands: list[Command] = field(default_factory=list)
    caused: list[tuple[Event, ...]] = field(default_factory=list)


Draw = Callable[[random.Random, Match], Command]
Choose = Callable[[Command, Match, tuple[Event, ...]], Command]
Tells = Callable[[Match, Match, Event | None, Event | None], bool]
Again = Callable[[random.Random, Deal, int | None], Match]


def part_of_a_match(rng: random.Random, rules: RuleSet, draw: Draw) -> Deal:
    """Play a number of commands; give the last deal begun."""
    match = new_match(rules)
    deal = Deal(match, match)
    for _ in range(rng.randint(1, 46)):
        command = draw(rng, deal.match)
        if isinstance(command, StartDeal):
            deal = Deal(deal.match, deal.match)
        deal.match, events = advance(deal.match, command)
        deal.commands.append(command)
        deal.caused.append(events)
        if deal.match.outcome is not None:
            break
    return deal


def play_again(deal: Deal, viewer: int | None, choose: Choose, tells: Tells) -> Match:
    """Play a deal again by the commands chosen for those made; every event must look as it did before.

    Raises Unfit when the world is another by what the rules tell the viewer: `tells` says so of two states
    and the events that differ next, and a refused command of another seat says so too.
    """
    match = before = deal.before
    for made, caused_before in zip(deal.commands, deal.caused, strict=True):
        command = choose(made, match, caused_before)
        try:
            after, caused = advance(match, command)
        except RuleViolation:
            assert viewer is None or getattr(made, "seat", None) != viewer, "refused for an unseen card"
            raise Unfit from None
        for number in range(max(len(caused), len(caused_before))):
            mine, theirs = ((*events, None)[: number + 1][-1] for events in (caused, caused_before))
            if repr(mine and project(mine, viewer)) != repr(theirs and project(theirs, viewer)):
                if tells(match, before, mine, theirs):
                    raise Unfit
                raise AssertionError(f"{viewer} was told {mine} and not {theirs}")
            match, before = replay(match, [mine]), replay(before, [theirs])
        assert match == after
    return match


def answers(match: Match, seat: int) -> list[str]:
    """Ask for everything a seat could try and note how it is refused, or accepted as far as it sees."""
    asked: list[Command] = [PlayCard(seat, card) for card in range(36)]
    asked += [ChooseContract(seat, contract) for contract in Contract]
    asked += [Announce(seat, points) for points in (-1, 0, 60, 158)]
    asked += [Push(seat), Claim(seat), DeclareWeis(seat)]
    if match.rules.weis_table is not None:
        asked.append(DeclareWeis(seat, candidates(match.dealt[seat], match.rules)[:1]))
    noted = []
    for command in asked:
        try:
            events = advance(match, command)[1]
        except RuleViolation as refused:
            noted.append(repr((refused.reason, refused.text, refused.args)))
        else:
            # What a claim comes to is told by the rules.
            noted.append("claimed" if isinstance(command, Claim) else repr(project(events[0], seat)))
    return noted


def alike_worlds(
    rng: random.Random, matches: int, draw_rules: Callable[[random.Random], RuleSet], draw: Draw, again: Again
) -> Iterator[tuple[int | None, Match, Match]]:
    """Draw deals and worlds alike, check that a viewer sees the same; give viewer and both matches."""
    for _ in range(matches):
        deal = part_of_a_match(rng, draw_rules(rng), draw)
        for viewer in VIEWERS:
            for _ in range(6):
                try:
                    other = again(rng, deal, viewer)
                except Unfit:
                    continue
                assert repr(view(other, viewer)) == repr(view(deal.match, viewer))
                if viewer is not None:
                    assert answers(other, viewer) == answers(deal.match, viewer)
                yield viewer, deal.match, other
