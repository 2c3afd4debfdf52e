"""The bot that takes any legal action, but never claims, which would give the match away."""

from __future__ import annotations

import random

from jasshaus.rules.core.cards import DEAL_POINTS
from jasshaus.rules.differenzler import Announce
from jasshaus.rules.registry import Command, View
from jasshaus.rules.schieber import ChooseContract, DeclareWeis, PlayCard, Push


def choose(view: View, rng_seed: int) -> Command:
    """Return a legal command for the view's seat. Raises ValueError if no decision is pending."""
    legal, seat = view.legal, view.viewer
    if legal is None or seat is None:
        raise ValueError("a spectator decides nothing")
    rng = random.Random(rng_seed)
    if legal.contracts:
        if legal.can_push and rng.random() < 1 / (1 + len(legal.contracts)):
            return Push(seat)
        return ChooseContract(seat, rng.choice(legal.contracts))
    if legal.can_declare_weis:
        return DeclareWeis(seat, legal.weis_recommended if rng.random() < 1 / 2 else ())
    if legal.can_announce:
        return Announce(seat, rng.randint(0, DEAL_POINTS))
    if legal.cards:
        return PlayCard(seat, rng.choice(legal.cards))
    raise ValueError("nothing is asked of this seat")
