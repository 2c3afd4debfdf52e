"""Sensible playouts: a deal with known hands, played to the end by quick rules of thumb.

The strong bot judges a card by what follows it in many possible deals. Random play would judge it
by blunders; these players act sensibly: pull trumps, cash winners, feed the partner, win tricks that are
worth it. They consider which cards are out, not who holds them: no player sees the others' cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from jasshaus.rules.core.cards import (
    DECK_SIZE,
    LAST_TRICK_POINTS,
    STRENGTH,
    Contract,
    Rank,
    UnePoints,
    points_table,
)
from jasshaus.rules.core.kernel import BIT_OF, CARDS_OF, NO_TRUMP, ORDER, OVER, SUIT_OF, follow_options
from jasshaus.rules.core.options import Undertrump

#: The greatest order of a plain card.
PLAIN_ORDER: Final = 9

_MASKS: Final = range(1 << 9)
_SUITS: Final = (0, 1, 2, 3)
_EMPTY: Final = [0, 0, 0, 0]
_RICH_TRICK: Final = 10
_TRICK_TO_COME: Final = 25  # what giving away the highest card of a suit costs, for the trick it would win
_EARLY: Final = 8  # cards in hand while the chooser still leads trumps it cannot be sure of


@dataclass(frozen=True, slots=True)
class Setting:
    """What the players of a playout act on: the contract, its tables, and who chose it."""

    chooser: int  # seat; -1 if there are no partners
    trump: int  # suit or NO_TRUMP
    orders: list[list[int]]
    over: list[list[int]]
    points: tuple[int, ...]
    gift: list[int]  # what feeding a card to the partner is worth
    price: list[int]  # what giving a card away costs
    boss: list[list[int]]  # boss[suit][mask]: the bit of its highest card
    height: list[list[int]]  # height[suit][mask]: the order of its highest card in a trick it can win
    cheap: list[list[int]]  # cheap[suit][mask]: the card of least price
    goals: Sequence[int] = ()  # points by seat, where each steers for its own


#: Chooses a lead by game, hand, cards out, seat, and points made by seat.
Lead = Callable[[Setting, list[int], list[int], int, Sequence[int]], int]
#: Chooses a card to follow, of several allowed: see `follow`.
Follow = Callable[
    [Setting, list[int], list[int], int, int, int, tuple[int, ...], int, int, int, Sequence[int]], int
]


def _by_mask(suit: int, worth: Sequence[int]) -> list[int]:
    """Return best[mask]: the card of greatest worth among a mask's cards in a suit; -1 for an empty mask."""
    return [max(CARDS_OF[suit][mask], key=worth.__getitem__, default=-1) for mask in _MASKS]


def _make(contract: Contract, une_points: UnePoints) -> Setting:
    points = points_table(contract, une_points)
    strength = STRENGTH[contract]
    trump = int(contract) if contract < Contract.OBENABE else NO_TRUMP
    trumps = [card // 9 == trump for card in range(DECK_SIZE)]
    top = Rank.SIX if contract is Contract.UNENUFE else Rank.ACE
    price = [3 * points[card] + strength[card] % 9 + 25 * trumps[card] for card in range(DECK_SIZE)]
    highest = [_by_mask(suit, strength) for suit in _SUITS]
    return Setting(
        chooser=-1,
        trump=trump,
        orders=ORDER[contract],
        over=OVER[Undertrump.FORBIDDEN],
        points=points,
        gift=[
            points[card] - 30 * trumps[card] - 4 * (card % 9 == top and not trumps[card])
            for card in range(DECK_SIZE)
        ],
        price=price,
        boss=[[BIT_OF[card] if card >= 0 else 0 for card in highest[suit]] for suit in _SUITS],
        height=[
            [ORDER[contract][suit][card] if card >= 0 else 0 for card in highest[suit]] for suit in _SUITS
        ],
        cheap=[_by_mask(suit, [-each for each in price]) for suit in _SUITS],
    )


_SETTINGS: Final = {
    (contract, une_points): _make(contract, une_points) for contract in Contract for une_points in UnePoints
}


def setting(
    contract: Contract, une_points: UnePoints | None, undertrump: Undertrump, chooser: int
) -> Setting:
    """Return a game for the players; its tables are built once, at import."""
    base = _SETTINGS[contract, une_points or UnePoints.ACE11]
    return replace(base, over=OVER[undertrump], chooser=chooser)


def play_on(
    game: Setting, hands: Sequence[list[int]], table: Sequence[int], leader: int, card: int
) -> tuple[int, int, int]:
    """Play a card to the trick begun by `leader`, with `table` on it so far, and then the deal to its end.

    `hands` are all cards held, and are emptied. Returns the points of sides 0 and 1 from this trick on,
    including 5 for the last trick, and the number of tricks of side 0.
    """
    made = [0, 0, 0, 0]
    tricks = play(game, lead, follow, hands, made, table, leader, card)
    return made[0] + made[2], made[1] + made[3], tricks


def play(
    game: Setting,
    to_lead: Lead,
    to_follow: Follow,
    hands: Sequence[list[int]],
    made: list[int],
    table: Sequence[int],
    leader: int,
    card: int,
) -> int:
    """Play a card, and then the deal to its end by rules of thumb that choose where there is a choice.

    As `play_on`, but what each seat makes is added to `made`. Gives the number of tricks of side 0.
    """
    points, orders, trump, over = game.points, game.orders, game.trump, game.over
    suit_of, bit_of = SUIT_OF, BIT_OF
    tricks = 0
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
                card = to_follow(game, hands[seat], out, led, best, worth, options, seat, winner, place, made)
            continue
        made[winner] += worth
        tricks += winner + 1 & 1
        if out == _EMPTY:
            made[winner] += LAST_TRICK_POINTS
            return tricks
        place = worth = 0
        seat = winner
        card = to_lead(game, hands[seat], out, seat, made)


def lead(game: Setting, hand: list[int], out: list[int], seat: int, _made: Sequence[int]) -> int:
    """Choose a lead: pull trumps for the side that chose, cash winners, or give little away.

    `out` are all cards still held, by suit, including the own. Points made so far do not matter.
    """
    trump, boss = game.trump, game.boss
    trumps_out = 0
    if trump >= 0:
        trumps = hand[trump]
        trumps_out = out[trump] & ~trumps
        if trumps and trumps_out and game.chooser >= 0 and not game.chooser - seat & 1:
            high = trumps & boss[trump][out[trump]]
            if high:
                return CARDS_OF[trump][high][0]
            if game.chooser == seat and sum(map(int.bit_count, hand)) >= _EARLY:
                return game.cheap[trump][trumps]
    best, length, worth = -1, 0, 0
    cheapest, least = -1, 1000
    for suit in _SUITS:
        held = hand[suit]
        if not held:
            continue
        card = game.cheap[suit][held]
        if game.price[card] < least:
            cheapest, least = card, game.price[card]
        high = held & boss[suit][out[suit]]
        # A suit that nobody else holds any more is sure to be trumped.
        if high and suit != trump and (held != out[suit] or not trumps_out):
            card = CARDS_OF[suit][high][0]
            if (held.bit_count(), game.points[card]) > (length, worth):
                best, length, worth = card, held.bit_count(), game.points[card]
    return cheapest if best < 0 else best


def follow(
    game: Setting,
    hand: list[int],
    out: list[int],
    led: int,
    best: int,
    worth: int,
    options: tuple[int, ...],
    seat: int,
    winner: int,
    place: int,
    _made: Sequence[int],
) -> int:
    """Choose a card to follow: win with a card that will hold, feed the partner, give the others little.

    `best` is the order of the card winning so far, `worth` the points in the trick, `winner` the seat that is
    winning, and `place` counts the cards in the trick. Points made before do not matter.
    """
    order = game.orders[led]
    ours, last = not winner - seat & 1, place == 3  # noqa: PLR2004 - the trick's fourth card
    plain_bar, trump_bar = (0, 0) if last else bars(game, hand, out, led)
    if ours and best > (trump_bar if best > PLAIN_ORDER else plain_bar):
        return max(options, key=game.gift.__getitem__)
    top, top_points, ruff, ruff_order = -1, -1, -1, 99
    for card in options:
        height = order[card]
        if height <= best:
            continue
        if height > PLAIN_ORDER:
            if trump_bar < height < ruff_order:
                ruff, ruff_order = card, height
        elif height > plain_bar and game.points[card] > top_points:
            top, top_points = card, game.points[card]
    if top >= 0:
        return top
    if ruff >= 0 and (worth >= _RICH_TRICK or led == game.trump or last):
        return ruff
    return give_away(game, out, options)


def give_away(game: Setting, out: list[int], options: tuple[int, ...]) -> int:
    """Choose a card for the opponents: of low price, preferably not the highest of a suit still out."""
    choice, least = -1, 10_000
    for card in options:
        suit, price = SUIT_OF[card], game.price[card]
        if BIT_OF[card] & game.boss[suit][out[suit]]:
            price += _TRICK_TO_COME
        if price < least:
            choice, least = card, price
    return choice


def bars(game: Setting, hand: list[int], out: list[int], led: int) -> tuple[int, int]:
    """Return the orders that a plain card and a trump must exceed to hold against any hidden cards."""
    unseen = out[led] & ~hand[led]
    plain_bar = game.height[led][unseen]
    if game.trump == NO_TRUMP:
        return plain_bar, 0
    trumps_out = out[game.trump] & ~hand[game.trump]
    trump_bar = game.height[game.trump][trumps_out]
    # A suit that nobody else holds any more may be trumped.
    return plain_bar if unseen else trump_bar, trump_bar
