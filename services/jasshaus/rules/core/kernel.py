"""The playout kernel: plays deals at random from given hands, fast, by the rules of tricks.py.

A hand here is a list of four masks of nine ranks, one per suit: small integers are fastest in Python.
Every table is built from the primitives of cards.py and tricks.py at import. Only the case analysis of the
rule is repeated here, for speed; tests/rules/test_kernel.py compares it with tricks.py. Entropy is passed in
as one large integer. The same source runs plain and compiled (setup.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jasshaus.rules.core.cards import (
    DECK_SIZE,
    HAND_SIZE,
    LAST_TRICK_POINTS,
    SEATS,
    STRENGTH,
    SUIT_MASKS,
    Contract,
    Suit,
    cards_in,
)
from jasshaus.rules.core.options import Undertrump
from jasshaus.rules.core.tricks import legal_cards

#: Bits sufficient for every choice of a deal: the product of all choices is below (9!) ** 4 < 2 ** 74.
PLAY_BITS: Final = 128
#: Bits sufficient for a shuffle: a key of 32 bits per card.
SHUFFLE_BITS: Final = 32 * DECK_SIZE

_RANKS: Final = 9
_WHOLE_SUIT: Final = (1 << _RANKS) - 1
#: The trump suit of a deal without trumps.
NO_TRUMP: Final = -1

#: SUIT_OF[card] and BIT_OF[card]: position of a card in a hand of four masks.
SUIT_OF: Final = [card // _RANKS for card in range(DECK_SIZE)]
BIT_OF: Final = [1 << card % _RANKS for card in range(DECK_SIZE)]
#: CARDS_OF[suit][mask]: the cards of a mask of ranks in a suit.
CARDS_OF: Final = [[cards_in(mask << _RANKS * suit) for mask in range(_WHOLE_SUIT + 1)] for suit in Suit]
#: OTHERS[suit][suit]: the two suits, or three, that are neither.
OTHERS: Final = [[[suit for suit in range(4) if suit not in (a, b)] for a in range(4)] for b in range(4)]

#: ORDER[contract][led][card]: the greatest in a trick wins it; 0 for a card that cannot win.
ORDER: Final = [
    [
        [
            STRENGTH[contract][card] + 1 if card // _RANKS in (led, int(contract)) else 0
            for card in range(DECK_SIZE)
        ]
        for led in Suit
    ]
    for contract in Contract
]


def _over(undertrump: Undertrump, *, follows: bool) -> list[int]:
    """Return over[best]: the ranks of trumps allowed on a plain lead whose best card has order `best`."""
    trump, led, other = Suit.ACORNS, Suit.ROSES, Suit.BELLS
    lead = led * _RANKS
    held = SUIT_MASKS[trump] | 1 << (lead + 1 if follows else other * _RANKS)
    over = [_WHOLE_SUIT] * (2 * _RANKS + 1)
    for bar in range(_RANKS):
        best = ORDER[trump][led][bar]
        over[best] = legal_cards(held, (lead, bar), Contract(trump), undertrump) & SUIT_MASKS[trump]
    return over


def _binds(mask: int) -> bool:
    """Return whether trumps of these ranks must be played to a trump lead."""
    plain = 1 << Suit.ROSES * _RANKS
    lead = (Suit.ACORNS * _RANKS,)
    return not legal_cards(mask | plain, lead, Contract.ACORNS, Undertrump.ALLOWED) & plain


#: OVER[undertrump][follows][best]: see `_over`; the same ranks in every suit.
OVER: Final = {rule: [_over(rule, follows=False), _over(rule, follows=True)] for rule in Undertrump}
#: BINDS[mask]: see `_binds`.
BINDS: Final = [_binds(mask) for mask in range(_WHOLE_SUIT + 1)]


def split(hand: int) -> list[int]:
    """Return a hand, a mask of 36 cards, as its four masks of ranks."""
    return [hand & 511, hand >> 9 & 511, hand >> 18 & 511, hand >> 27]


def shuffled_hands(entropy: int) -> list[list[int]]:
    """Deal all 36 cards to four hands, using SHUFFLE_BITS of entropy."""
    keys = memoryview(entropy.to_bytes(SHUFFLE_BITS // 8, "little")).cast("I").tolist()
    deck = sorted(range(DECK_SIZE), key=keys.__getitem__)
    suit_of, bit_of = SUIT_OF, BIT_OF
    hands = []
    for seat in SEATS:
        hand = [0, 0, 0, 0]
        for card in deck[seat * HAND_SIZE : seat * HAND_SIZE + HAND_SIZE]:
            hand[suit_of[card]] |= bit_of[card]
        hands.append(hand)
    return hands


def lead_options(hand: list[int]) -> tuple[int, ...]:
    """List all cards of a hand."""
    acorns, roses, shields, bells = CARDS_OF
    return acorns[hand[0]] + roses[hand[1]] + shields[hand[2]] + bells[hand[3]]


def follow_options(
    hand: list[int], led: int, best: int, trump: int, over: Sequence[list[int]]
) -> tuple[int, ...]:
    """List the cards a hand may play when suit `led` was led and the best card so far has order `best`.

    `trump` is the trump suit, or NO_TRUMP; `over` is OVER[undertrump]. Source: docs/rules.md, Legal cards.
    """
    held = hand[led]
    if trump == led:
        return CARDS_OF[led][held] if BINDS[held] else lead_options(hand)
    if trump == NO_TRUMP:
        return CARDS_OF[led][held] or lead_options(hand)
    trumps = hand[trump]
    if held:
        return CARDS_OF[led][held] + CARDS_OF[trump][trumps & over[1][best]]
    allowed = trumps & over[0][best]
    if allowed == trumps:
        return lead_options(hand)
    one, other = OTHERS[led][trump]
    plain = CARDS_OF[one][hand[one]] + CARDS_OF[other][hand[other]]
    return plain + CARDS_OF[trump][allowed] if plain else CARDS_OF[trump][trumps]


def play_out(
    hands: Sequence[list[int]],
    leader: int,
    contract: Contract,
    undertrump: Undertrump,
    points: Sequence[int],
    entropy: int,
) -> tuple[int, int, int]:
    """Play four hands of equal size to the end, each card drawn uniformly from the legal ones.

    `hands` are emptied. `points` are the 36 card points under the contract, `entropy` PLAY_BITS random bits.
    Returns the points of sides 0 and 1, including 5 for the last trick, and the number of tricks of side 0.
    """
    trump = int(contract) if contract < Contract.OBENABE else NO_TRUMP
    orders, over = ORDER[contract], OVER[undertrump]
    suit_of, bit_of = SUIT_OF, BIT_OF
    taken = [0, 0]
    tricks = 0
    size = len(lead_options(hands[leader]))
    while size:
        hand = hands[leader]
        # Each choice uses the remainder of a division and leaves the quotient to the next ones.
        card = lead_options(hand)[entropy % size]
        entropy //= size
        led = suit_of[card]
        hand[led] ^= bit_of[card]
        order = orders[led]
        best = order[card]
        worth = points[card]
        seat = winner = leader
        for _ in (1, 2, 3):
            seat = seat + 1 & 3
            hand = hands[seat]
            options = follow_options(hand, led, best, trump, over)
            choices = len(options)
            card = options[entropy % choices]
            entropy //= choices
            hand[suit_of[card]] ^= bit_of[card]
            worth += points[card]
            if order[card] > best:
                best = order[card]
                winner = seat
        taken[winner & 1] += worth
        tricks += winner + 1 & 1
        leader = winner
        size -= 1
    taken[leader & 1] += LAST_TRICK_POINTS
    return taken[0], taken[1], tricks
