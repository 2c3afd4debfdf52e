"""The greedy bot: plays at sight, by rules of thumb for each game. It stands in for absent players."""

from __future__ import annotations

from jasshaus.bots.differenzler import steering
from jasshaus.bots.schieber import greedy
from jasshaus.rules import differenzler
from jasshaus.rules.registry import Command, View


def choose(view: View, rng_seed: int) -> Command:
    """Return a legal command for the view's seat; the seed decides between equals.

    Claims exactly when it has surely counted enough, also out of turn. Raises ValueError if no decision is
    pending for the seat and it would not claim.
    """
    if view.legal is None or view.viewer is None:
        raise ValueError("a spectator decides nothing")
    if isinstance(view, differenzler.View):
        return steering.choose_at_sight(view, view.viewer)
    return greedy.choose(view, view.viewer, rng_seed)
