"""What a contract, or a push, tells of the hand of the player that chose."""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import Final

from jasshaus.bots.greedy import FAIR_SHARE, PUSH_BELOW, expected_points
from jasshaus.rules.cards import Contract
from jasshaus.rules.view import View

# How far, in points of a deal, players' own judgement of a hand strays from the rules of thumb, and how often
# they choose for reasons of their own.
_STRAY: Final = 6.0
_PUSH_STRAY: Final = 3.0
_WHIM: Final = 0.1


def called(view: View) -> Callable[[int, int], float]:
    """Give the chance of what a seat chose in a view, if anything, by seat and hand dealt, a mask."""
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
        # Far from the threshold there is no doubt: exp is spared what it cannot hold.
        short = (points[surplus.index(most)] - PUSH_BELOW) / _PUSH_STRAY
        pushes = 1 / (1 + exp(max(-20.0, min(20.0, short))))
        if seat != chooser:
            return _mixed(pushes, 2)
        named = _mixed(
            exp(surplus[contract] - most) / sum(exp(each - most) for each in surplus), len(Contract)
        )
        return named if view.pushed else named * _mixed(1 - pushes, 2)

    return chance


def _mixed(chance: float, choices: int) -> float:
    return _WHIM / choices + (1 - _WHIM) * chance
