"""Playouts of a Differenzler: each player steers for a figure of its own, by rules of thumb.

A player that still needs points wins what it surely can, the nearest fit first; one that has enough ducks,
and throws its dangerous cards under those of others. As in playout.py, they act on what is out, not on who
holds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jasshaus.bots.playout import PLAIN_ORDER, Setting, bars
from jasshaus.rules.cards import DEAL_POINTS, LAST_TRICK_POINTS
from jasshaus.rules.kernel import BIT_OF, CARDS_OF, SUIT_OF, follow_options

_SUITS: Final = (0, 1, 2, 3)
_EMPTY: Final = [0, 0, 0, 0]
#: What to announce for a hand, by trump rank, plain rank and a base: fitted by least squares to the points
#: made in deals of these players, then spread by 1.15 around the mean, where the misses were least. The four
#: figures of a deal add up to its 157 points: who announces otherwise makes others miss.
#                      6  7  8  9   T   U   O   K   A
_TRUMP_WORTH: Final = (9, 9, 9, 24, 15, 34, 12, 12, 18)
_PLAIN_WORTH: Final = (0, 0, 0, 0, -5, 1, 2, 5, 6)
_BASE_WORTH: Final = -3
#: What a player still to come adds to a trick on average, in points.
_TO_COME: Final = 4


def figure_of(hand: Sequence[int], trump: int) -> int:
    """Give what to announce for a hand of nine."""
    points = _BASE_WORTH
    for suit in _SUITS:
        worth = _TRUMP_WORTH if suit == trump else _PLAIN_WORTH
        points += sum(worth[card % 9] for card in CARDS_OF[suit][hand[suit]])
    return min(DEAL_POINTS, max(0, points))


def steer_on(
    game: Setting,
    hands: Sequence[list[int]],
    made: Sequence[int],
    goals: Sequence[int],
    table: Sequence[int],
    leader: int,
    card: int,
) -> list[int]:
    """Play a card to the trick begun by `leader`, with `table` on it so far, and then the deal to its end.

    `hands` are all that is held, and are emptied; `made` and `goals` are points by seat, those made before
    this trick and those steered for. Gives the points by seat of the whole deal.
    """
    points, orders, trump, over = game.points, game.orders, game.trump, game.over
    suit_of, bit_of = SUIT_OF, BIT_OF
    made = list(made)
    out = [a | b | c | d for a, b, c, d in zip(*hands, strict=True)]
    led = best = worth = 0
    winner = seat = leader
    for lying in table:
        if seat == leader:
            led = suit_of[lying]
        worth += points[lying]
        if orders[led][lying] > best:
            best, winner = orders[led][lying], seat
        seat = seat + 1 & 3
    place = len(table)
    while True:
        suit, bit = suit_of[card], bit_of[card]
        hands[seat][suit] ^= bit
        out[suit] ^= bit
        worth += points[card]
        if not place:
            led, best = suit, 0
        if orders[led][card] > best:
            best, winner = orders[led][card], seat
        if place < 3:  # noqa: PLR2004 - the trick's fourth card is still to come
            place += 1
            seat = seat + 1 & 3
            options = follow_options(hands[seat], led, best, trump, over)
            card = options[0]
            if len(options) > 1:
                need = goals[seat] - made[seat]
                card = follow_to(game, hands[seat], out, led, best, worth, options, need, 3 - place)
            continue
        made[winner] += worth
        if out == _EMPTY:
            made[winner] += LAST_TRICK_POINTS
            return made
        place = worth = 0
        seat = winner
        card = lead_to(game, hands[seat], out, goals[seat] - made[seat])


def lead_to(game: Setting, hand: list[int], out: list[int], need: int) -> int:
    """Choose a lead for a player that needs so many points more: a boss, or what others will likely beat.

    `out` are all cards still held, by suit, the own ones too.
    """
    boss, points, trump = game.boss, game.points, game.trump
    trumps_out = out[trump] & ~hand[trump]
    best, fit = -1, need
    low, risk = -1, 1000
    for suit in _SUITS:
        held = hand[suit]
        if not held:
            continue
        others = out[suit] & ~held
        high = held & boss[suit][out[suit]]
        # A suit nobody else holds any more is sure to be trumped.
        if high and (suit == trump or others or not trumps_out):
            card = CARDS_OF[suit][high][0]
            miss = abs(need - points[card] - 3 * _TO_COME)
            if miss < fit:
                best, fit = card, miss
        card = game.cheap[suit][held] if suit == trump else CARDS_OF[suit][held][0]
        beaten = (others & -BIT_OF[card]).bit_count()
        danger = 10 - 2 * beaten + held.bit_count() - others.bit_count() + (5 if suit == trump else 0)
        if danger < risk:
            low, risk = card, danger
    return low if best < 0 else best


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
    order, points, danger = game.orders[led], game.points, game.danger
    plain_bar, trump_bar = bars(game, hand, out, led) if to_come else (0, 0)
    win, fit, duck, forced = -1, need, -1, -1
    for card in options:
        height = order[card]
        if height <= best:
            # Ducking sheds the card most likely to win later on.
            if duck < 0 or danger[card] > danger[duck]:
                duck = card
            continue
        if height > (trump_bar if height > PLAIN_ORDER else plain_bar):
            miss = abs(need - worth - points[card] - to_come * _TO_COME)
            if miss < fit:
                win, fit = card, miss
        if forced < 0 or height < order[forced]:
            forced = card
    if win >= 0:
        return win
    if need > 0:
        # Nothing wins for sure that is wanted: keep what wins later.
        return min(options, key=game.price.__getitem__)
    if duck >= 0:
        return duck
    # Bound to go over: others to come may still beat the lowest, the last sheds its most dangerous card.
    return forced if to_come else max(options, key=lambda card: danger[card] - 4 * points[card])
