"""How plausible a hand is given what its player did with it: calls and cards played.

Here a trump that could have been played but was not, or a lead that fits a hand badly, counts against a deal
that is otherwise possible. A player's actions depend on its own hand and on what all have seen, so each hand
is judged by itself, once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from jasshaus.bots.core.knowledge import Knowledge, Plays
from jasshaus.bots.core.playout import Setting, follow, lead
from jasshaus.rules.core.cards import FULL_DECK
from jasshaus.rules.core.kernel import BIT_OF, SUIT_OF, follow_options, lead_options, split

# Some players go by the rules of thumb, some think for themselves, and their cards show which they are. How
# much more often than chance each follows the rules, in round figures; below 1, so that no hand is ruled out.
_BY_THE_BOOK: Final = 0.85
_BY_THOUGHT: Final = 0.25


class Moment(NamedTuple):
    """One card played, and what its player saw just before."""

    card: int
    later: list[int]  # this card and those the player played after it, as four masks
    out: list[int]  # all cards that were still held
    place: int  # 0 for a lead
    led: int
    best: int  # order of the card that won so far
    worth: int  # points on the table
    winner: int  # seat whose card won so far


class Plausibility:
    """Returns the likelihood, up to a factor, of a seat's actions given a hand; cached by hand."""

    def __init__(
        self,
        known: Knowledge,
        game: Setting,
        tricks: Sequence[Plays],
        called: Callable[[int, int], float],
    ) -> None:
        """Prepare to judge what was played; `tricks` are all of a deal, including the current one, last.

        `called` returns the likelihood of a seat's actions before the first card, by seat and hand as dealt.
        """
        self._known = known
        self._game = game
        self._called = called
        self._moments = _moments(game, tricks, known.played)
        self._judged: list[dict[int, float]] = [{}, {}, {}, {}]

    def of(self, seat: int, hand: int) -> float:
        """Judge a hand held now, a mask; 0 if the declarations prove it impossible."""
        judged = self._judged[seat]
        if hand not in judged:
            judged[hand] = self._judge(seat, hand)
        return judged[hand]

    def _judge(self, seat: int, hand: int) -> float:
        known, game = self._known, self._game
        dealt = hand | known.played[seat]
        if not known.fits(seat, dealt):
            return 0.0
        for choices in known.sets[seat]:
            if choices and all(choice & ~dealt for choice in choices):
                return 0.0
        a, b, c, d = split(hand)
        by_the_book = by_thought = 1.0
        for moment in self._moments[seat]:
            w, x, y, z = moment.later
            held = [a | w, b | x, c | y, d | z]
            if moment.place:
                options = follow_options(held, moment.led, moment.best, game.trump, game.over)
            else:
                options = lead_options(held)
            if len(options) > 1:
                hit = self._sensible(seat, held, moment, options) == moment.card
                by_the_book *= (1 - _BY_THE_BOOK) / len(options) + _BY_THE_BOOK * hit
                by_thought *= (1 - _BY_THOUGHT) / len(options) + _BY_THOUGHT * hit
        return (by_the_book + by_thought) * self._called(seat, dealt)

    def _sensible(self, seat: int, hand: list[int], moment: Moment, options: tuple[int, ...]) -> int:
        _, _, out, place, led, best, worth, winner = moment
        if not place:
            return lead(self._game, hand, out, seat, ())
        return follow(self._game, hand, out, led, best, worth, options, seat, winner, place, ())


def _moments(game: Setting, tricks: Sequence[Plays], played: Sequence[int]) -> list[list[Moment]]:
    """Return by seat the cards it played in a deal."""
    later = [split(mask) for mask in played]
    out = split(FULL_DECK)
    moments: list[list[Moment]] = [[], [], [], []]
    for leader, cards in tricks:
        led = best = worth = 0
        winner = leader
        for place, card in enumerate(cards):
            seat, suit = leader + place & 3, SUIT_OF[card]
            led = led if place else suit
            seen = Moment(card, later[seat][:], out[:], place, led, best, worth, winner)
            moments[seat].append(seen)
            later[seat][suit] ^= BIT_OF[card]
            out[suit] ^= BIT_OF[card]
            worth += game.points[card]
            if game.orders[led][card] > best:
                best, winner = game.orders[led][card], seat
    return moments
