"""Names of cards and contracts, rule sets and refusals in the words of a player's language.

The texts are package data, texts/<language>.toml, with the same keys in every language.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jasshaus.rules.core.cards import Contract, Rank, Suit, card_of, rank_of, suit_of
from jasshaus.rules.core.options import RuleSet, applicable
from jasshaus.rules.core.refusals import Reason

#: The languages there are texts for, as BCP 47 tags.
LANGUAGES: Final = ("en", "de", "fr", "it", "sl", "hu", "es", "hi")

_ROSE_SEVEN: Final = card_of(Suit.ROSES, Rank.SEVEN)


class Deck(StrEnum):
    """The deck style shown to a player."""

    SWISS = "swiss"
    GERMAN = "german"
    FRENCH = "french"


def describe(rules: RuleSet, language: str, deck: Deck = Deck.SWISS) -> tuple[str, ...]:
    """Describe a rule set in sentences: the game, then each option that has a meaning under it.

    Raises ValueError for a language without texts, as does every function here.
    """
    options = [field.name for field in fields(RuleSet) if field.name in applicable(rules)]
    sentences = [_option(rules, name, language, deck) for name in options]
    return (_text(language, "variants", rules.variant), *sentences)


def _option(rules: RuleSet, name: str, language: str, deck: Deck) -> str:
    value = getattr(rules, name)
    texts = _table(language, "options", name)
    said = "none" if value is None else str(value).lower()
    shown = _multipliers(value, language, deck) if name == "multipliers" else value
    text = texts.get(said) or texts["value"]
    return text.format(
        value=shown,
        card=card_name(_ROSE_SEVEN, deck, language),
        king=rank_name(Rank.KING, deck, language),
        ober=rank_name(Rank.OBER, deck, language),
    )


def _multipliers(factors: tuple[int, ...], language: str, deck: Deck) -> str:
    pattern = _text(language, "contracts", "multiplier")
    names = [suit_name(suit, deck, language) for suit in Suit]
    names += [contract_name(contract, deck, language) for contract in (Contract.OBENABE, Contract.UNENUFE)]
    pairs = zip(names, factors, strict=True)
    return ", ".join(pattern.format(contract=name, factor=factor) for name, factor in pairs)


def preset_name(preset: str, language: str) -> str:
    """Return a preset's name in a few words. Raises KeyError for an unknown preset."""
    return _text(language, "presets", preset)


def contract_name(contract: Contract, deck: Deck, language: str) -> str:
    """Return a contract's name."""
    if contract >= Contract.OBENABE:
        return _text(language, "contracts", contract.name.lower())
    suit = suit_name(Suit(int(contract)), deck, language)
    return _text(language, "contracts", "trump").format(suit=suit)


def suit_name(suit: Suit, deck: Deck, language: str) -> str:
    """Return a suit's name."""
    return _text(language, "decks", deck, "suits", suit.name.lower())


def rank_name(rank: Rank, deck: Deck, language: str) -> str:
    """Return a rank's name."""
    return _text(language, "decks", deck, "ranks", rank.name.lower())


def card_name(card: int, deck: Deck, language: str) -> str:
    """Return a card's name, e.g. `Rosen-Under`."""
    suit, rank = suit_of(card), rank_of(card)
    # In some languages the queen is the only card with different grammar.
    pattern = _text(language, "decks", deck, "card_ober" if rank is Rank.OBER else "card")
    of = _text(language, "decks", deck, "of", suit.name.lower())
    return pattern.format(rank=rank_name(rank, deck, language), of=of)


def reason_text(reason: Reason, language: str) -> str:
    """Return a player's explanation of why an action was refused."""
    return _text(language, "reasons", reason)


def _text(language: str, *keys: str) -> str:
    *tables, last = keys
    return _table(language, *tables)[last]


def _table(language: str, *keys: str) -> Mapping[str, str]:
    table = _texts(language)
    for key in keys:
        table = table[key]
    return table


@cache
def _texts(language: str) -> Mapping[str, Any]:
    if language not in LANGUAGES:
        message = f"no texts in {language!r}: there are {', '.join(LANGUAGES)}"
        raise ValueError(message)
    return tomllib.loads((files("jasshaus.rules.core") / "texts" / f"{language}.toml").read_text("utf-8"))
