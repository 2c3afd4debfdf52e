"""Facts about the other hands in a Differenzler: from cards played and from the trump card."""

from __future__ import annotations

from jasshaus.bots.core.knowledge import Knowledge, first_forehand_holds, knowledge, plays_of, shown_voids
from jasshaus.rules.differenzler import View


def know(view: View, seat: int) -> Knowledge:
    """Return what seat `seat` can conclude from its view of a Differenzler deal."""
    tricks = plays_of(view.tricks, view.leader, view.table)
    shown = [0, 0, 0, 0]
    voids = [0, 0, 0, 0]
    if view.trump_card is not None and view.trump_holder is not None and view.contract is not None:
        shown[view.trump_holder] |= 1 << view.trump_card
        voids = shown_voids(tricks, view.contract, view.rules.undertrump)
    first_forehand_holds(view.rules, view.deal, view.forehand, shown)
    return knowledge(seat, view.hand, view.hand_sizes, tricks, voids, shown)
