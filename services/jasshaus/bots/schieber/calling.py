"""What a contract, or a push, reveals about the hand of the player who chose it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp
from typing import Final

from jasshaus.bots.schieber.greedy import FAIR_SHARE, PUSH_BELOW, expected_points
from jasshaus.rules.core.cards import Contract
from jasshaus.rules.schieber import View

# How far, in points of a deal, players' own judgement of a hand deviates from the rules of thumb.
_STRAY: Final = 6.0
_PUSH_STRAY: Final = 3.0
# How players who name a contract decide: by the rules of thumb, including multipliers and push; by the hand
# alone, ignoring the multiplier and never considering a push; or for reasons of their own. The second kind
# never pushes. If all were held to the rules of thumb, a contract that these would not name would imply a
# hand that nobody has.
_BY_THE_RULES: Final = 0.55
_BY_THE_HAND: Final = 0.3
_BY_WHIM: Final = 0.15
_PUSH_WHIM: Final = 0.2


def called(view: View) -> Callable[[int, int], float]:
    """Return the likelihood of a seat's choice in a view, if any, by seat and hand as dealt, a mask."""
    chooser, contract = view.chooser, view.contract
    pusher = view.forehand if view.pushed else None
    multipliers = view.rules.multipliers
    # As in greedy.best_contract a contract counts by its surplus, multiplied.
    scale = _STRAY * sum(multipliers) / len(multipliers)

    def chance(seat: int, dealt: int) -> float:
        if contract is None or seat not in (chooser, pusher):
            return 1.0
        points = expected_points(dealt)
        surplus = [
            each * (worth - FAIR_SHARE) / scale for each, worth in zip(multipliers, points, strict=True)
        ]
        most = max(surplus)
        # Far from the threshold there is no doubt, and exp would overflow.
        short = (points[surplus.index(most)] - PUSH_BELOW) / _PUSH_STRAY
        pushes = 1 / (1 + exp(max(-20.0, min(20.0, short))))
        if seat != chooser:
            return _PUSH_WHIM / 2 + (1 - _PUSH_WHIM) * pushes
        by_the_rules = _share(surplus, contract) * (1.0 if view.pushed else 1 - pushes)
        by_the_hand = _share([worth / _STRAY for worth in points], contract)
        return _BY_THE_RULES * by_the_rules + _BY_THE_HAND * by_the_hand + _BY_WHIM / len(Contract)

    return chance


def _share(worths: Sequence[float], chosen: int) -> float:
    """Return the probability of choosing one of several: better ones are chosen more often."""
    most = max(worths)
    return exp(worths[chosen] - most) / sum(exp(each - most) for each in worths)
