"""Differenzler: announcing a target and steering for it, by rules of thumb or by sampled deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from jasshaus.bots.core.knowledge import distinct, plays_of
from jasshaus.bots.core.playout import Setting, setting
from jasshaus.bots.core.search import Budget, once_a_world, race
from jasshaus.bots.core.worlds import Worlds
from jasshaus.bots.differenzler.inference import know
from jasshaus.bots.differenzler.targets import figure_of, follow_to, lead_to, steer_on
from jasshaus.rules.core.cards import FULL_DECK, Contract, mask_of, points_table
from jasshaus.rules.core.kernel import SUIT_OF, split
from jasshaus.rules.core.tricks import trick_points
from jasshaus.rules.differenzler import Announce, PlayCard, View
from jasshaus.rules.differenzler.scoring import penalty

_NOBODY: Final = -1

_Hands = list[list[int]]


def choose_at_sight(view: View, seat: int) -> Announce | PlayCard:
    """Announce a target that suits the hand, and play for it by rules of thumb.

    Raises ValueError if no decision is pending.
    """
    legal, contract = view.legal, view.contract
    if legal is None or contract is None or not (legal.can_announce or legal.cards):
        raise ValueError("nothing is asked of this seat")
    hand = split(mask_of(view.hand))
    if legal.can_announce:
        return Announce(seat, figure_of(hand, contract))
    if len(legal.cards) == 1:
        return PlayCard(seat, legal.cards[0])
    game = setting(contract, None, view.rules.undertrump, _NOBODY)
    gone = mask_of(view.table) | mask_of(card for trick in view.tricks for card in trick.cards)
    out = split(FULL_DECK & ~gone)
    need = (view.announced[seat] or 0) - _made(view, contract)[seat]
    if not view.table:
        return PlayCard(seat, lead_to(game, hand, out, need))
    led = SUIT_OF[view.table[0]]
    best = max(game.orders[led][card] for card in view.table)
    worth = sum(game.points[card] for card in view.table)
    to_come = 3 - len(view.table)
    return PlayCard(seat, follow_to(game, hand, out, led, best, worth, legal.cards, need, to_come))


def choose(view: View, seat: int, rng: Random, budget: Budget) -> Announce | PlayCard:
    """Announce by rule of thumb, and play the card that misses the target least on average in sampled deals.

    The target is not searched for: one fitted to the own hand alone leaves too few points, or too many, for
    the others, and everyone misses. Raises ValueError if no decision is pending.
    """
    at_sight = choose_at_sight(view, seat)
    legal, contract = view.legal, view.contract
    assert legal is not None
    assert contract is not None
    if isinstance(at_sight, Announce) or len(legal.cards) == 1:
        return at_sight
    try:
        draw, value = sampling(view, seat, contract, rng)
    except ValueError:
        return at_sight
    tricks = plays_of(view.tricks, view.leader, view.table)
    cards = distinct(legal.cards, view.hand, tricks, points_table(contract, None), contract)
    return PlayCard(seat, race(cards, draw, value, budget)[0])


def sampling(
    view: View, seat: int, contract: Contract, rng: Random
) -> tuple[Callable[[], _Hands], Callable[[_Hands, int], float]]:
    """Return how to draw deals that fit the view, and how well a card meets the figure in one, 0 at best.

    Raises ValueError when the view's hidden hands do not make up a deal.
    """
    worlds = Worlds(know(view, seat), rng)
    game = setting(contract, None, view.rules.undertrump, _NOBODY)
    return worlds.draw, _hit_by_card(view, seat, game)


def _hit_by_card(view: View, seat: int, game: Setting) -> Callable[[_Hands, int], float]:
    """Return how well the own target is met in a world when a card is played, 0 at best."""
    table, leader = view.table, view.leader or 0
    made = _made(view, Contract(game.trump))
    played = [0, 0, 0, 0]
    for trick in view.tricks:
        for place, card in enumerate(trick.cards):
            played[trick.leader + place & 3] |= 1 << card
    for place, card in enumerate(table):
        played[leader + place & 3] |= 1 << card
    figure = view.announced[seat] or 0
    goals = _goals(view, game.trump, played)
    steered: Callable[[_Hands], Setting] = once_a_world(lambda world: replace(game, goals=goals(world)))

    def hit(world: _Hands, card: int) -> float:
        a, b, c, d = world
        done = steer_on(steered(world), (a[:], b[:], c[:], d[:]), made, table, leader, card)
        return _hit(view, figure, done[seat])

    return hit


def _hit(view: View, figure: int, made: int) -> float:
    return -penalty(figure, made, view.rules.exact_bonus)


def _goals(view: View, trump: int, played: Sequence[int]) -> Callable[[_Hands], list[int]]:
    """Return the players' targets in a world: what they announced, or would with the hand as dealt."""
    before = [split(mask) for mask in played]

    def goals(world: _Hands) -> list[int]:
        figures = []
        for seat, announced in enumerate(view.announced):
            if announced is not None:
                figures.append(announced)
                continue
            dealt = [left | gone for left, gone in zip(world[seat], before[seat], strict=True)]
            figures.append(figure_of(dealt, trump))
        return figures

    return goals


def _made(view: View, contract: Contract) -> tuple[int, int, int, int]:
    """Count each seat's points so far, which the table may not show."""
    made = [0, 0, 0, 0]
    for trick in view.tricks:
        made[trick.winner] += trick_points(trick.cards, contract, None, last=False)
    return made[0], made[1], made[2], made[3]
