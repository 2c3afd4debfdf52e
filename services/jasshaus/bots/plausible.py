"""How plausible a deal is by what its players did with the hands it gives them.

This is where a trump not played when it could be, or a lead that fits a hand badly, tells against a deal that
nothing forbids. A player is held to do the sensible thing half of the time, so that no deal is ruled out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jasshaus.bots.inference import Plays
from jasshaus.bots.playout import Setting, follow, lead
from jasshaus.rules.kernel import BIT_OF, SUIT_OF, follow_options, lead_options

_SENSIBLE: Final = 0.5


def plausibility(
    game: Setting, hands: Sequence[Sequence[int]], tricks: Sequence[Plays], own_seat: int
) -> float:
    """Give the chance, up to a factor, that the others' cards were played from such hands.

    `hands` are those held now, `tricks` all that was played in the deal, the trick on the table last.
    """
    dealt = [list(hand) for hand in hands]
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            dealt[leader + place & 3][SUIT_OF[card]] |= BIT_OF[card]
    out = [a | b | c | d for a, b, c, d in zip(*dealt, strict=True)]
    chance = 1.0
    for leader, cards in tricks:
        led = best = worth = 0
        winner = leader
        for place, card in enumerate(cards):
            seat = leader + place & 3
            hand = dealt[seat]
            if not place:
                led, options = SUIT_OF[card], lead_options(hand)
            else:
                options = follow_options(hand, led, best, game.trump, game.over)
            if seat != own_seat and len(options) > 1:
                if place:
                    ours, last = not winner - seat & 1, place == 3  # noqa: PLR2004 - the fourth card
                    sensible = follow(game, hand, out, led, best, worth, options, ours=ours, last=last)
                else:
                    sensible = lead(game, hand, out, seat)
                chance *= (1 - _SENSIBLE) / len(options) + (_SENSIBLE if sensible == card else 0.0)
            hand[SUIT_OF[card]] ^= BIT_OF[card]
            out[SUIT_OF[card]] ^= BIT_OF[card]
            worth += game.points[card]
            if game.orders[led][card] > best:
                best, winner = game.orders[led][card], seat
    return chance
