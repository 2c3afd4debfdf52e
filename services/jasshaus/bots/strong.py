"""The strong bot: tries what it may do in many deals that fit all it knows, played on by sensible players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from jasshaus.bots import steering
from jasshaus.bots.calling import called
from jasshaus.bots.contracts import choose_contract
from jasshaus.bots.inference import distinct, know, plays_of
from jasshaus.bots.likely import LikelyWorlds
from jasshaus.bots.plausible import Plausibility
from jasshaus.bots.playout import Setting, play_on, setting
from jasshaus.bots.reading import has_certainly_reached
from jasshaus.bots.search import Budget, race
from jasshaus.rules.core.cards import HAND_SIZE, Contract, points_table, side_of
from jasshaus.rules.differenzler import View as DifferenzlerView
from jasshaus.rules.registry import Command
from jasshaus.rules.schieber import Claim, DeclareWeis, PlayCard, View

DEFAULT_BUDGET_MS: Final = 50.0

_World = list[list[int]]


def choose(
    view: View | DifferenzlerView,
    rng_seed: int,
    budget_ms: float | None = DEFAULT_BUDGET_MS,
    worlds: int | None = None,
) -> Command:
    """Give a legal command for the view's seat, after at most `budget_ms` of CPU or `worlds` sampled deals.

    With a number of worlds and no `budget_ms` the same view and seed give the same command; with neither, one
    deal is looked at. Claims exactly when it has surely counted enough, also out of turn. Raises ValueError
    when nothing is asked of the seat and it would not claim, and for a budget below 0 ms or 1 world.
    """
    legal, seat = view.legal, view.viewer
    if legal is None or seat is None:
        raise ValueError("a spectator decides nothing")
    budget = Budget(budget_ms, worlds)
    if isinstance(view, DifferenzlerView):
        return steering.choose(view, seat, Random(rng_seed), budget)
    if legal.can_claim and has_certainly_reached(view, seat):
        return Claim(seat)
    if legal.contracts:
        return choose_contract(view, seat, Random(rng_seed), budget)
    if legal.can_declare_weis:
        return DeclareWeis(seat, legal.weis_recommended)
    if legal.cards and view.contract is not None:
        return PlayCard(seat, _choose_card(view, seat, view.contract, legal.cards, Random(rng_seed), budget))
    raise ValueError("nothing is asked of this seat")


def _choose_card(
    view: View, seat: int, contract: Contract, cards: tuple[int, ...], rng: Random, budget: Budget
) -> int:
    if len(cards) == 1:
        return cards[0]
    try:
        draw, value = _sampling(view, seat, contract, rng)
    except ValueError:
        return cards[0]
    tricks = plays_of(view.tricks, view.leader, view.table)
    points = points_table(contract, view.rules.une_points)
    return race(distinct(cards, view.hand, tricks, points, contract), draw, value, budget)[0]


def _sampling(
    view: View, seat: int, contract: Contract, rng: Random
) -> tuple[Callable[[], _World], Callable[[_World, int], float]]:
    """Give how to draw deals that fit the view, and what a card is worth in one of them.

    Raises ValueError when the view's hidden hands do not make up a deal.
    """
    known = know(view, seat)
    chooser = -1 if view.chooser is None else view.chooser
    game = setting(contract, view.rules.une_points, view.rules.undertrump, chooser)
    tricks = plays_of(view.tricks, view.leader, view.table)
    plausible = Plausibility(known, game, tricks, called(view))
    return LikelyWorlds(known, plausible, rng).draw, _judge(view, seat, game)


def card_values(view: View | DifferenzlerView, rng_seed: int, worlds: int) -> dict[int, list[float]]:
    """Give for each legal card what it is worth in each of `worlds` sampled deals, the same for all cards.

    In a Schieber the points of the own side from this trick on, with the match bonus; in a Differenzler minus
    the points by which the own figure is missed. Raises ValueError when no card is asked of the view's seat.
    """
    legal, seat, contract = view.legal, view.viewer, view.contract
    if legal is None or seat is None or contract is None or not legal.cards:
        raise ValueError("no card is asked of this seat")
    rng = Random(rng_seed)
    if isinstance(view, DifferenzlerView):
        draw, value = steering.sampling(view, seat, contract, rng)
    else:
        draw, value = _sampling(view, seat, contract, rng)
    values: dict[int, list[float]] = {card: [] for card in legal.cards}
    for _ in range(worlds):
        world = draw()
        for card, of_card in values.items():
            of_card.append(value(world, card))
    return values


def _judge(view: View, seat: int, game: Setting) -> Callable[[Sequence[list[int]], int], float]:
    """Give what a card is worth in a world: the side's points from here on, with the match bonus."""
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
