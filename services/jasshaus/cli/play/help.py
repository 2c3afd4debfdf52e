"""The help shown during a terminal match."""

from __future__ import annotations

from collections.abc import Iterator

from jasshaus.cli.phrases import typed_words
from jasshaus.cli.words import Style, capitalized
from jasshaus.rules.core.cards import Rank, Suit
from jasshaus.rules.core.options import Finish, RuleSet, Variant
from jasshaus.rules.core.wording import describe, rank_name, suit_name


def usage(rules: RuleSet, style: Style) -> Iterator[str]:
    """List what can be typed."""
    suits = ", ".join(
        f"{style.suit_letter(suit)} {suit_name(suit, style.deck, style.language)}" for suit in Suit
    )
    ranks = ", ".join(
        f"{style.plain(rank)[1]} {rank_name(rank, style.deck, style.language)}"
        for rank in (Rank.BANNER, Rank.UNDER, Rank.OBER, Rank.KING, Rank.ACE)
    )
    example = style.plain(Suit.ROSES * 9 + Rank.UNDER)
    commands = typed_words(style.spoken, "commands")
    yield f"  {style.say('help.card', card=example)}"
    yield f"    {style.say('help.suits', suits=suits)}"
    yield f"    {style.say('help.ranks', ranks=ranks)}"
    if rules.variant is Variant.SCHIEBER:
        yield f"  {style.say('help.contract', suit=style.suit_letter(Suit.ROSES))}"
        yield f"  {style.say('help.push', **commands)}"
        yield f"  {style.say('help.weis', run=' '.join(map(style.plain, range(3))))}"
    else:
        yield f"  {style.say('help.points')}"
    if rules.finish is Finish.CLAIM:
        yield f"  {style.say('help.claim', **commands)}"
    yield f"  {style.say('help.any_time', **commands)}"


def rules_in_words(rules: RuleSet, style: Style) -> Iterator[str]:
    """Describe the rules of this table in words."""
    for sentence in describe(rules, style.language, style.deck):
        yield f"  {capitalized(sentence)}"
