"""The strong bot at a Schieber: tries choices in many deals consistent with its view, played sensibly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from jasshaus.bots.core.knowledge import distinct, plays_of
from jasshaus.bots.core.playout import Setting, play_on, setting
from jasshaus.bots.core.search import Budget, race
from jasshaus.bots.schieber.calling import called
from jasshaus.bots.schieber.contracts import choose_contract
from jasshaus.bots.schieber.inference import know
from jasshaus.bots.schieber.likely import LikelyWorlds
from jasshaus.bots.schieber.plausible import Plausibility
from jasshaus.bots.schieber.reading import has_certainly_reached
from jasshaus.rules.core.cards import HAND_SIZE, Contract, points_table, side_of
from jasshaus.rules.registry import Command
from jasshaus.rules.schieber import Claim, DeclareWeis, PlayCard, View

_World = list[list[int]]


def choose(view: View, seat: int, rng: Random, budget: Budget) -> Command:
    """Return a legal command for the view's seat, after as many sampled deals as the budget allows.

    Claims exactly when it has surely counted enough, also out of turn. Raises ValueError when nothing is
    asked of the seat and it would not claim.
    """
    legal = view.legal
    assert legal is not None
    if legal.can_claim and has_certainly_reached(view, seat):
        return Claim(seat)
    if legal.contracts:
        return choose_contract(view, seat, rng, budget)
    if legal.can_declare_weis:
        return DeclareWeis(seat, legal.weis_recommended)
    if legal.cards and view.contract is not None:
        return PlayCard(seat, _choose_card(view, seat, view.contract, legal.cards, rng, budget))
    raise ValueError("nothing is asked of this seat")


def _choose_card(
    view: View, seat: int, contract: Contract, cards: tuple[int, ...], rng: Random, budget: Budget
) -> int:
    if len(cards) == 1:
        return cards[0]
    try:
        draw, value = sampling(view, seat, contract, rng)
    except ValueError:
        return cards[0]
    tricks = plays_of(view.tricks, view.leader, view.table)
    points = points_table(contract, view.rules.une_points)
    return race(distinct(cards, view.hand, tricks, points, contract), draw, value, budget)[0]


def sampling(
    view: View, seat: int, contract: Contract, rng: Random
) -> tuple[Callable[[], _World], Callable[[_World, int], float]]:
    """Return how to draw deals that fit the view, and what a card is worth in one of them.

    Raises ValueError when the view's hidden hands do not make up a deal.
    """
    known = know(view, seat)
    chooser = -1 if view.chooser is None else view.chooser
    game = setting(contract, view.rules.une_points, view.rules.undertrump, chooser)
    tricks = plays_of(view.tricks, view.leader, view.table)
    plausible = Plausibility(known, game, tricks, called(view))
    return LikelyWorlds(known, plausible, rng).draw, _judge(view, seat, game)


def _judge(view: View, seat: int, game: Setting) -> Callable[[Sequence[list[int]], int], float]:
    """Return what a card is worth in a world: the side's points from here on, with the match bonus."""
    table, leader = view.table, view.leader or 0
    side = side_of(seat)
    left = HAND_SIZE - len(view.tricks)
    bonus = view.rules.match_bonus
    all_of_side_0 = left if view.tricks_won[0] == len(view.tricks) else -1
    none_of_side_0 = 0 if view.tricks_won[1] == len(view.tricks) else -1
    sign = -1 if side else 1

    def worth(world: Sequence[list[int]], card: int) -> float:
        a, b, c, d = world
        taken = play_on(game, (a[:], b[:], c[:], d[:]), table, leader, card)
        if taken[2] == all_of_side_0:
            return taken[side] + sign * bonus
        if taken[2] == none_of_side_0:
            return taken[side] - sign * bonus
        return taken[side]

    return worth
