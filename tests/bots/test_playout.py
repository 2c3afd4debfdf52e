"""The rules of thumb by which playouts go on, each where it decides."""

from __future__ import annotations

import pytest

from jasshaus.bots.core.playout import follow, setting
from jasshaus.rules.core.cards import FULL_DECK, Contract, mask_of, parse_card
from jasshaus.rules.core.kernel import ORDER, split
from jasshaus.rules.core.options import Undertrump


def follows(contract: Contract, lying: str, held: str, gone: str = "") -> int:
    """Return the card of a player who follows last, to a trick that the others have won."""
    game = setting(contract, None, Undertrump.FORBIDDEN, 0)
    table = [parse_card(text) for text in lying.split()]
    led = table[0] // 9
    best = max(ORDER[contract][led][card] for card in table)
    options = tuple(map(parse_card, held.split()))
    out = FULL_DECK & ~mask_of([*table, *map(parse_card, gone.split())])
    worth = sum(game.points[card] for card in table)
    return follow(game, split(mask_of(options)), split(out), led, best, worth, options, 3, 0, 3, ())


@pytest.mark.parametrize("contract", [Contract.OBENABE, Contract.ACORNS])
def test_what_would_win_a_trick_later_is_kept(contract):
    # With the ace gone the king is high: the ten is given, though it counts more.
    assert follows(contract, "RA R6 R7", "BK BT", "BA") == parse_card("BT")
    assert follows(contract, "RA R6 R7", "BK BT") == parse_card("BK")


def test_under_unenufe_it_is_the_low_card_that_is_kept():
    assert follows(Contract.UNENUFE, "R6 RK RA", "B7 BU", "B6") == parse_card("BU")
    assert follows(Contract.UNENUFE, "R6 RK RA", "B9 BU", "B6") == parse_card("B9")
