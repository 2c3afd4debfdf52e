"""The strong bot: tries what it may do in many deals that fit all it knows, played on by sensible players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Final

from jasshaus.bots.contracts import choose_contract
from jasshaus.bots.inference import Plays, know, plays_of
from jasshaus.bots.plausible import plausibility
from jasshaus.bots.playout import Setting, play_on, setting
from jasshaus.bots.reading import HIGHER, has_certainly_reached
from jasshaus.bots.search import Budget, race
from jasshaus.bots.worlds import Worlds
from jasshaus.rules.cards import (
    FULL_DECK,
    HAND_SIZE,
    STRENGTH,
    Contract,
    mask_of,
    points_table,
    side_of,
)
from jasshaus.rules.events import Claim, Command, DeclareWeis, PlayCard
from jasshaus.rules.view import View

DEFAULT_BUDGET_MS: Final = 50.0
_DRAWS: Final = 3


def choose(
    view: View, rng_seed: int, budget_ms: float | None = DEFAULT_BUDGET_MS, worlds: int | None = None
) -> Command:
    """Give a legal command for the view's seat, after at most `budget_ms` of CPU or `worlds` sampled deals.

    With a number of worlds and no `budget_ms` the same view and seed give the same command. Claims exactly
    when it has surely counted enough, also out of turn. Raises ValueError when nothing is asked of the
    seat and it would not claim.
    """
    legal, seat = view.legal, view.viewer
    if legal is None or seat is None:
        raise ValueError("a spectator decides nothing")
    budget = Budget(budget_ms, worlds)
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
        worlds = Worlds(know(view, seat), rng)
    except ValueError:
        return cards[0]
    chooser = -1 if view.chooser is None else view.chooser
    game = setting(contract, view.rules.une_points, view.rules.undertrump, chooser)
    tricks = plays_of(view.tricks, view.leader, view.table)
    draw = (
        partial(_draw_plausible, worlds, game, tricks, seat, rng)
        if any(trick.cards for trick in tricks)
        else worlds.draw
    )
    return race(_distinct(view, contract, cards), draw, _judge(view, seat, game), budget)[0]


def _distinct(view: View, contract: Contract, cards: tuple[int, ...]) -> list[int]:
    """Leave out a card that does what the next lower one does: worth as much, and no other between."""
    own = mask_of(view.hand)
    gone = mask_of(card for trick in view.tricks for card in trick.cards)
    others = FULL_DECK & ~own & ~gone
    points, strength = points_table(contract, view.rules.une_points), STRENGTH[contract]
    kept: list[int] = []
    last = -1
    for card in sorted(cards, key=lambda card: (card // 9, strength[card])):
        twin = last >= 0 and last // 9 == card // 9 and points[last] == points[card]
        if not twin or HIGHER[contract][last] & ~HIGHER[contract][card] & ~(1 << card) & others:
            kept.append(card)
        last = card
    return kept


def _draw_plausible(
    worlds: Worlds, game: Setting, tricks: Sequence[Plays], seat: int, rng: Random
) -> list[list[int]]:
    """Draw a few deals and keep one of them, with a chance in proportion to its plausibility."""
    drawn = [worlds.draw() for _ in range(_DRAWS)]
    return rng.choices(drawn, [plausibility(game, world, tricks, seat) for world in drawn])[0]


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
