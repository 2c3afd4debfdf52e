"""Playouts of a Differenzler: each player steers for a target, by rules of thumb.

A player plays the card after which the points it still needs best match what its hand can still make: players
who need more win tricks, players who need less duck and shed dangerous cards. As in playout.py, they
consider which cards are out, not who holds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jasshaus.bots.core.playout import PLAIN_ORDER, Setting, bars, play
from jasshaus.rules.core.cards import DEAL_POINTS, HIGHER, Contract, Rank, points_table
from jasshaus.rules.core.kernel import BIT_OF, CARDS_OF, SUIT_OF

_SUITS: Final = (0, 1, 2, 3)
#: What to announce for a hand, by trump rank, plain rank and a base: fitted by least squares to the points
#: made in deals of these players, then spread by 1.15 around the mean, which minimised the misses. The four
#: targets of a deal add up to its 157 points: a player who announces otherwise makes others miss.
#                      6  7  8  9   T   U   O   K   A
_TRUMP_WORTH: Final = (9, 9, 9, 24, 15, 34, 12, 12, 18)
_PLAIN_WORTH: Final = (0, 0, 0, 0, -5, 1, 2, 5, 6)
_BASE_WORTH: Final = -3
_ALL_RANKS: Final = (1 << 9) - 1
_FAR: Final = 1e9
_COMPANY: Final = 11.0  # points that others put on a trick one wins
_LEAD_WINS: Final = (1.0, 0.3, 0.1, 0.03, 0.0)  # by how many cards out beat the one led
_BOSS_HOLDS: Final = 0.75  # while it may be trumped
_HOLDS: Final = (1.0, 0.6, 0.4, 0.3)  # by how many players are to come, for a card that can be beaten
#: What a player still to come adds to a trick on average, in points.
_TO_COME: Final = 4


class _Prospects(dict[int, float]):
    """What cards held in a suit will make, roughly, by `held << 9 | those in the other hands`.

    A card makes its points and those that come with it, by the chance that it ever wins: chances[n] when n of
    the cards out beat it. Counted when first asked for.
    """

    def __init__(self, contract: Contract, chances: tuple[float, ...]) -> None:
        super().__init__()
        # The suit of acorns stands for each suit like it: trumps under ACORNS, plain under ROSES.
        self.higher = HIGHER[contract][: len(Rank)]
        self._points = points_table(contract, None)
        self._chances = chances

    def __missing__(self, key: int) -> float:
        total = 0.0
        for card in CARDS_OF[0][key >> 9]:
            beaten_by = (self.higher[card] & key & _ALL_RANKS).bit_count()
            chance = self._chances[min(beaten_by, len(self._chances) - 1)]
            total += chance * (self._points[card] + _COMPANY)
        self[key] = total
        return total


_TRUMP: Final = _Prospects(Contract.ACORNS, (1.0, 0.75, 0.6, 0.5, 0.45))
#: Plain cards while trumps are in other hands, and when there are none any more.
_PLAIN: Final = _Prospects(Contract.ROSES, (0.4, 0.2, 0.08, 0.03, 0.0))
_SAFE: Final = _Prospects(Contract.ROSES, (0.85, 0.3, 0.1, 0.03, 0.0))


def figure_of(hand: Sequence[int], trump: int) -> int:
    """Return the announcement for a hand of nine."""
    points = _BASE_WORTH
    for suit in _SUITS:
        worth = _TRUMP_WORTH if suit == trump else _PLAIN_WORTH
        points += sum(worth[card % 9] for card in CARDS_OF[suit][hand[suit]])
    return min(DEAL_POINTS, max(0, points))


def steer_on(
    game: Setting,
    hands: Sequence[list[int]],
    made: Sequence[int],
    table: Sequence[int],
    leader: int,
    card: int,
) -> list[int]:
    """Play a card to the trick begun by `leader`, with `table` on it so far, and then the deal to its end.

    Each seat steers for its goal in `game`. `hands` are all that is held, and are emptied; `made` are points
    by seat before this trick. Gives the points by seat of the whole deal.
    """
    made = list(made)
    play(game, _lead, _follow, hands, made, table, leader, card)
    return made


def _lead(game: Setting, hand: list[int], out: list[int], seat: int, made: Sequence[int]) -> int:
    return lead_to(game, hand, out, game.goals[seat] - made[seat])


def _follow(
    game: Setting,
    hand: list[int],
    out: list[int],
    led: int,
    best: int,
    worth: int,
    options: tuple[int, ...],
    seat: int,
    _winner: int,
    place: int,
    made: Sequence[int],
) -> int:
    need = game.goals[seat] - made[seat]
    return follow_to(game, hand, out, led, best, worth, options, need, 3 - place)


def lead_to(game: Setting, hand: list[int], out: list[int], need: int) -> int:
    """Choose a lead for a player that needs so many points more: the card after which the rest fits best.

    `out` are all cards still held, by suit, the own ones too.
    """
    trump, points = game.trump, game.points
    trumps_out = out[trump] & ~hand[trump]
    plain = _PLAIN if trumps_out else _SAFE
    total = _total(hand, out, trump, plain)
    choice, least = -1, _FAR
    for suit in _SUITS:
        held = hand[suit]
        others = out[suit] & ~held
        known = _TRUMP if suit == trump else plain
        base = total - known[held << 9 | others]
        for card in CARDS_OF[suit][held]:
            chance = _LEAD_WINS[min(len(_LEAD_WINS) - 1, (known.higher[card % 9] & others).bit_count())]
            if chance == 1 and suit != trump and trumps_out:
                # A suit that nobody else holds any more is sure to be trumped.
                chance = _BOSS_HOLDS if others else 0.0
            rest = need - base - known[(held ^ BIT_OF[card]) << 9 | others]
            gain = points[card] + 3 * _TO_COME
            miss = chance * abs(rest - gain) + (1 - chance) * abs(rest)
            if miss < least:
                choice, least = card, miss
    return choice


def follow_to(
    game: Setting,
    hand: list[int],
    out: list[int],
    led: int,
    best: int,
    worth: int,
    options: tuple[int, ...],
    need: int,
    to_come: int,
) -> int:
    """Choose a card to follow for a player that needs so many points more; `to_come` players follow it.

    `best` is the order of the card that wins so far, `worth` the points on the table.
    """
    trump, points, order = game.trump, game.points, game.orders[led]
    plain_bar, trump_bar = bars(game, hand, out, led) if to_come else (0, 0)
    plain = _PLAIN if out[trump] & ~hand[trump] else _SAFE
    total = _total(hand, out, trump, plain)
    choice, least = -1, _FAR
    for card in options:
        suit, height = SUIT_OF[card], order[card]
        held = hand[suit]
        others = out[suit] & ~held
        known = _TRUMP if suit == trump else plain
        rest = need - total + known[held << 9 | others] - known[(held ^ BIT_OF[card]) << 9 | others]
        miss = abs(rest)
        if height > best:
            over = abs(rest - worth - points[card] - to_come * _TO_COME)
            if height > (trump_bar if height > PLAIN_ORDER else plain_bar):
                miss = over
            else:
                miss += _HOLDS[to_come] * (over - miss)
        if miss < least:
            choice, least = card, miss
    return choice


def _total(hand: list[int], out: list[int], trump: int, plain: _Prospects) -> float:
    total = 0.0
    for suit in _SUITS:
        held = hand[suit]
        if held:
            total += (_TRUMP if suit == trump else plain)[held << 9 | out[suit] & ~held]
    return total
