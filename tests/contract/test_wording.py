"""Rules in a player's words, as requests ask for them."""

from __future__ import annotations

import pytest

from jasshaus.api.common.v1 import card_pb2
from jasshaus.contracts.wording import WordsError, words_of
from jasshaus.rules.core.options import PRESETS
from jasshaus.rules.core.wording import LANGUAGES

SCHIEBER = PRESETS["schieber-classic"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_a_title_and_a_sentence_an_option(language: str) -> None:
    words = words_of(language, card_pb2.DECK_FRENCH)

    assert words.preset("schieber-classic")
    assert any("2500" in sentence for sentence in words.rules(SCHIEBER))


def test_of_a_tag_the_language_counts() -> None:
    assert words_of("de-CH", 0).rules(SCHIEBER) == words_of("de", 0).rules(SCHIEBER)


def test_the_deck_names_the_suits() -> None:
    said = {deck: " ".join(words_of("en", deck).rules(SCHIEBER)) for deck in card_pb2.Deck.values()}

    assert "acorns" in said[card_pb2.DECK_SWISS]
    assert "clubs" in said[card_pb2.DECK_FRENCH]
    assert said[card_pb2.DECK_UNSPECIFIED] == said[card_pb2.DECK_SWISS]


def test_without_a_language_nothing_is_said() -> None:
    assert words_of("", 0).rules(SCHIEBER) == ()
    assert not words_of("", 0).preset("schieber-classic")


@pytest.mark.parametrize(("language", "deck", "field"), [("tlh", 0, "language_code"), ("de", 9, "deck")])
def test_what_there_are_no_words_for_is_refused(language: str, deck: int, field: str) -> None:
    with pytest.raises(WordsError) as refused:
        words_of(language, deck)
    assert refused.value.field == field
