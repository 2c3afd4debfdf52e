"""Reads the language and deck requested by a caller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from jasshaus.api.common.v1 import card_pb2
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.core.wording import LANGUAGES, Deck, describe, preset_name

_DECKS: Final[dict[int, Deck]] = {
    card_pb2.DECK_UNSPECIFIED: Deck.SWISS,
    card_pb2.DECK_SWISS: Deck.SWISS,
    card_pb2.DECK_GERMAN: Deck.GERMAN,
    card_pb2.DECK_FRENCH: Deck.FRENCH,
}


class WordsError(ValueError):
    """The requested words do not exist; `field` is the request's, `text` lists what there is."""

    def __init__(self, field: str, text: str) -> None:
        """Name the field and what it must be."""
        super().__init__(f"{field}: {text}")
        self.field = field
        self.text = text


@dataclass(frozen=True, slots=True)
class Words:
    """A language and a deck; without a language there are no words."""

    language: str
    deck: Deck

    def rules(self, rules: RuleSet) -> tuple[str, ...]:
        """Describe a rule set in sentences."""
        return describe(rules, self.language, self.deck) if self.language else ()

    def preset(self, name: str) -> str:
        """Return a preset's display name."""
        return preset_name(name, self.language) if self.language else ""


def words_of(language_code: str, deck: int) -> Words:
    """Return the words for a request; only the language of a BCP 47 tag counts. Raises WordsError."""
    language = language_code.replace("_", "-").split("-")[0].lower()
    if language_code and language not in LANGUAGES:
        raise WordsError("language_code", f"must be a BCP 47 tag of {', '.join(LANGUAGES)}, or empty")
    if deck not in _DECKS:
        raise WordsError("deck", "is not known")
    return Words(language, _DECKS[deck])
