"""The strong bot: tries its choices in many deals consistent with what it knows, played out sensibly."""

from __future__ import annotations

from random import Random
from typing import Final

from jasshaus.bots.core.search import Budget
from jasshaus.bots.differenzler import steering
from jasshaus.bots.schieber import strong
from jasshaus.rules import differenzler
from jasshaus.rules.registry import Command, View

DEFAULT_BUDGET_MS: Final = 50.0


def choose(
    view: View,
    rng_seed: int,
    budget_ms: float | None = DEFAULT_BUDGET_MS,
    worlds: int | None = None,
) -> Command:
    """Return a legal command for the view's seat, after at most `budget_ms` of CPU or `worlds` sampled deals.

    With a number of worlds and no `budget_ms`, the same view and seed give the same command. If neither limit
    is given, the bot samples one deal. Claims exactly when it has surely counted enough, also out of turn.
    Raises ValueError if no decision is pending and it would not claim, and for a budget below 0 ms or 1
    world.
    """
    if view.legal is None or view.viewer is None:
        raise ValueError("a spectator decides nothing")
    budget = Budget(budget_ms, worlds)
    if isinstance(view, differenzler.View):
        return steering.choose(view, view.viewer, Random(rng_seed), budget)
    return strong.choose(view, view.viewer, Random(rng_seed), budget)


def card_values(view: View, rng_seed: int, worlds: int) -> dict[int, list[float]]:
    """Return each legal card's value in each of `worlds` sampled deals, the same deals for all cards.

    In a Schieber, the points of the own side from this trick on, with the match bonus; in a Differenzler,
    minus the points by which the own target is missed. Raises ValueError if the view's seat is not to play a
    card.
    """
    legal, seat, contract = view.legal, view.viewer, view.contract
    if legal is None or seat is None or contract is None or not legal.cards:
        raise ValueError("no card is asked of this seat")
    rng = Random(rng_seed)
    if isinstance(view, differenzler.View):
        draw, value = steering.sampling(view, seat, contract, rng)
    else:
        draw, value = strong.sampling(view, seat, contract, rng)
    values: dict[int, list[float]] = {card: [] for card in legal.cards}
    for _ in range(worlds):
        world = draw()
        for card, of_card in values.items():
            of_card.append(value(world, card))
    return values
