"""Owns the help a person gets at the terminal while playing."""

from __future__ import annotations

from collections.abc import Iterator

from jasshaus.cli.words import Style, capitalized
from jasshaus.rules.cards import Rank, Suit
from jasshaus.rules.options import Finish, RuleSet, Variant
from jasshaus.rules.wording import describe, rank_name, suit_name


def usage(rules: RuleSet, style: Style) -> Iterator[str]:
    """Tell what can be typed."""
    suits = ", ".join(
        f"{style.suit_letter(suit)} {suit_name(suit, style.deck, style.language)}" for suit in Suit
    )
    ranks = ", ".join(
        f"{style.plain(rank)[1]} {rank_name(rank, style.deck, style.language)}"
        for rank in (Rank.BANNER, Rank.UNDER, Rank.OBER, Rank.KING, Rank.ACE)
    )
    example = style.plain(Suit.ROSES * 9 + Rank.UNDER)
    yield f"  {example}, or the number under it: play a card. Cards without a number may not be played now."
    yield f"    suits: {suits}"
    yield f"    ranks: 6 to 9, {ranks}"
    if rules.variant is Variant.SCHIEBER:
        yield f"  {style.suit_letter(Suit.ROSES)}, OBE, UNE, or a number: choose what is played"
        yield "  push: leave the choice to your partner"
        run = " ".join(map(style.plain, range(3)))
        yield f"  Weis: Enter or 1 declares the best, 0 nothing; numbers, or cards ({run}), what you choose"
    else:
        yield "  0 to 157: announce how many points you will make"
    if rules.finish is Finish.CLAIM:
        yield "  claim: thank you, enough! Your side has the points it needs (if it has not, you lose)"
    yield "  hand, table, score, last (the last trick), rules, quit"


def rules_in_words(rules: RuleSet, style: Style) -> Iterator[str]:
    """Put the rules of this table into words."""
    for sentence in describe(rules, style.language, style.deck):
        yield f"  {capitalized(sentence)}"
