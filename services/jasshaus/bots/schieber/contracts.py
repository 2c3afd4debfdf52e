"""Chooses the contract, or pushes, by playing every choice out in the same sampled deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from jasshaus.bots.core.playout import lead, play_on, setting
from jasshaus.bots.core.search import Budget, once_a_world, race
from jasshaus.bots.core.worlds import Worlds
from jasshaus.bots.schieber.greedy import best_contract, is_worth_choosing
from jasshaus.bots.schieber.inference import know
from jasshaus.rules.core.cards import DEAL_POINTS, HAND_SIZE, Contract, next_seat, side_of
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.core.weis import award, best_declaration
from jasshaus.rules.schieber import STOECK, ChooseContract, Push, View
from jasshaus.rules.schieber.scoring import STOECK_POINTS

_PUSHED_TRIES: Final = 6
_Hands = list[list[int]]


def choose_contract(view: View, seat: int, rng: Random, budget: Budget) -> ChooseContract | Push:
    """Return the choice of the greatest mean margin, multiplied, with Weis, Stöck and match bonus.

    Raises ValueError when the view's hidden hands do not make up a deal.
    """
    choices, draw, value = _sampling(view, seat, rng)
    return race(choices, draw, value, budget)[0]


def contract_values(view: View, rng_seed: int, worlds: int) -> dict[ChooseContract | Push, list[float]]:
    """Return for each choice what it is worth in each of `worlds` sampled deals, the same for all choices.

    The margin of the own side over the other, multiplied, with Weis, Stöck and match bonus. Raises ValueError
    when no contract is asked of the view's seat.
    """
    seat = view.viewer
    if view.legal is None or seat is None or not view.legal.contracts:
        raise ValueError("no contract is asked of this seat")
    choices, draw, value = _sampling(view, seat, Random(rng_seed))
    values: dict[ChooseContract | Push, list[float]] = {choice: [] for choice in choices}
    for _ in range(worlds):
        world = draw()
        for choice, of_choice in values.items():
            of_choice.append(value(world, choice))
    return values


def _sampling(
    view: View, seat: int, rng: Random
) -> tuple[
    list[ChooseContract | Push],
    Callable[[], _Hands],
    Callable[[_Hands, ChooseContract | Push], float],
]:
    """Return the choices, how to draw deals that fit the view, and what a choice is worth in one of them."""
    rules = view.rules
    forehand = seat if view.forehand is None else view.forehand
    side, mate = side_of(seat), next_seat(seat, 2)
    worlds = Worlds(know(view, seat), rng)
    draw = _dealt_to_a_pusher(worlds, mate, rules) if view.pushed else worlds.draw
    choices: list[ChooseContract | Push] = [ChooseContract(seat, contract) for contract in Contract]
    if not view.pushed:
        choices.append(Push(seat))
    margins = {contract: _margin(rules, contract, forehand, side) for contract in Contract}
    weis_margin: Callable[[_Hands], int] = once_a_world(
        lambda world: _weis_margin(world, forehand, rules, side)
    )

    def value(world: _Hands, choice: ChooseContract | Push) -> float:
        if isinstance(choice, ChooseContract):
            contract, chooser = choice.contract, seat
        else:
            contract, chooser = best_contract(_joined(world[mate]), rules), mate
        return margins[contract](world, chooser, weis_margin(world))

    return choices, draw, value


def _joined(hand: Sequence[int]) -> int:
    return hand[0] | hand[1] << 9 | hand[2] << 18 | hand[3] << 27


def _dealt_to_a_pusher(worlds: Worlds, mate: int, rules: RuleSet) -> Callable[[], _Hands]:
    """Draw deals in which the partner had a hand to push with, as far as a few tries find one."""

    def draw() -> _Hands:
        for _ in range(_PUSHED_TRIES):
            world = worlds.draw()
            if not is_worth_choosing(_joined(world[mate]), rules):
                break
        return world

    return draw


def _margin(
    rules: RuleSet, contract: Contract, forehand: int, side: int
) -> Callable[[_Hands, int, int], float]:
    """Return a side's margin over the other in a deal, by hands, chooser and margin of Weis."""
    settings = [setting(contract, rules.une_points, rules.undertrump, chooser) for chooser in range(4)]

    def margin(world: _Hands, chooser: int, weis: int) -> float:
        a, b, c, d = world
        game = settings[chooser]
        out = [(1 << 9) - 1] * 4
        card = lead(game, world[forehand], out, forehand, ())
        taken = play_on(game, (a[:], b[:], c[:], d[:]), (), forehand, card)
        points = 2 * taken[side] - DEAL_POINTS + weis + _stoeck_margin(world, contract, side)
        if taken[2] in (0, HAND_SIZE):
            won = (taken[2] == HAND_SIZE) == (side == 0)
            points += rules.match_bonus if won else -rules.match_bonus
        return rules.multipliers[contract] * points

    return margin


def _stoeck_margin(world: _Hands, contract: Contract, side: int) -> int:
    if contract >= Contract.OBENABE:
        return 0
    pair = STOECK[Contract.ACORNS]  # as ranks, like those of each other suit
    for seat, hand in enumerate(world):
        if hand[contract] & pair == pair:
            return STOECK_POINTS if side_of(seat) == side else -STOECK_POINTS
    return 0


def _weis_margin(world: _Hands, forehand: int, rules: RuleSet, side: int) -> int:
    # Which Weis is best hardly depends on the contract, so one count serves all.
    declared = [best_declaration(_joined(hand), Contract.ACORNS, rules) for hand in world]
    scored = award(declared, forehand, Contract.ACORNS, rules)
    points = sum(shown.points for shown in scored)
    return points if scored and side_of(scored[0].seat) == side else -points
