"""What players read: complete, and another in every language."""

from __future__ import annotations

import random
import re
import string
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from jasshaus.rules.core import options, wording
from jasshaus.rules.core.cards import Contract, Rank, Suit, parse_card
from jasshaus.rules.core.options import PRESETS, RuleSet, Variant, applicable, rule_set
from jasshaus.rules.core.refusals import Reason
from jasshaus.rules.core.wording import (
    LANGUAGES,
    Deck,
    card_name,
    contract_name,
    describe,
    preset_name,
    rank_name,
    reason_text,
    suit_name,
)

FOLDER = Path(wording.__file__).parent / "texts"
SAME_WORDS = {("fr", "roses")}
ENGLISH_WORDS = re.compile(r"\b(the|are|and|with|not|you|your|must|this|trick|deal|which|when)\b")


def texts(language: str) -> dict[str, str]:
    """Flatten a language's file: the key of a text is its path."""

    def flatten(table, path):
        for key, value in table.items():
            if isinstance(value, str):
                yield f"{path}{key}", value
            else:
                yield from flatten(value, f"{path}{key}.")

    return dict(flatten(tomllib.loads((FOLDER / f"{language}.toml").read_text()), ""))


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


ENGLISH = texts("en")


def test_there_is_a_file_for_each_language_and_no_other():
    assert {path.stem for path in FOLDER.iterdir()} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_text_with_the_same_placeholders(language):
    found = texts(language)
    assert list(found) == list(ENGLISH)
    for key, text in found.items():
        assert text.strip() == text != "", key
        assert placeholders(text) == placeholders(ENGLISH[key]), key


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_nothing_is_left_in_english(language):
    for key, text in texts(language).items():
        assert not ENGLISH_WORDS.search(text), key
        if key.startswith(("options", "reasons", "presets", "variants", "language")):
            assert text != ENGLISH[key], key
        if (
            key.startswith("decks")
            and (language, text) not in SAME_WORDS
            and any(letter.isalpha() for letter in placeholders_cut(text))
        ):
            assert text != ENGLISH[key], key
        if language == "hi" and any(letter.isalpha() for letter in placeholders_cut(text)):
            assert re.search(r"[\u0900-\u097f]", text), key


def placeholders_cut(text: str) -> str:
    return re.sub(r"\{\w+\}", "", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_swiss_spelling_and_typography(language):
    for key, text in texts(language).items():
        assert "ß" not in text, key
        assert "  " not in text, key
        if key.startswith(("options", "reasons", "variants")):
            assert text[-1] in ".!।", key


def test_the_files_name_what_the_rules_know():
    named = {key.split(".")[1] for key in ENGLISH if key.startswith("options.")}
    assert named == {field.name for field in fields(RuleSet)} - {"variant"}
    assert {key.removeprefix("reasons.") for key in ENGLISH if key.startswith("reasons.")} == set(Reason)
    assert {key.removeprefix("presets.") for key in ENGLISH if key.startswith("presets.")} == set(PRESETS)
    assert {key.removeprefix("variants.") for key in ENGLISH if key.startswith("variants.")} == set(Variant)


def test_every_value_of_an_option_has_its_text_and_no_other():
    known = {name: {str(value) for value in choice} for name, choice in options._CHOICES.items()}
    known |= {name: {"true", "false"} for name in options._SWITCHES}
    for name, values in known.items():
        assert {key.split(".")[2] for key in ENGLISH if key.startswith(f"options.{name}.")} == values
    for name, allowed in options._NUMBERS.items():
        told = {key.split(".")[2] for key in ENGLISH if key.startswith(f"options.{name}.")}
        exact = {text for text in told if text.isdecimal()}
        assert exact <= {str(number) for number in allowed}
        assert "value" in told or exact == {str(number) for number in allowed}


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_rule_set_is_described_option_by_option(language, random_rules, random_differenzler_rules):
    rng = random.Random(2)
    for make in (random_rules, random_differenzler_rules):
        for _ in range(60):
            rules = make(rng)
            for deck in Deck:
                described = describe(rules, language, deck)
                assert len(described) == 1 + len(applicable(rules))
                assert len(set(described)) == len(described)
                assert not any("{" in sentence or "None" in sentence for sentence in described)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("deck", Deck)
def test_every_card_has_its_own_name(language, deck):
    assert len({card_name(card, deck, language) for card in range(36)}) == 36
    assert len({suit_name(suit, deck, language) for suit in Suit}) == 4
    assert len({rank_name(rank, deck, language) for rank in Rank}) == 9
    assert len({contract_name(contract, deck, language) for contract in Contract}) == 6


@pytest.mark.parametrize(
    ("card", "deck", "language", "name"),
    [
        ("RU", Deck.SWISS, "en", "under of roses"),
        ("RU", Deck.SWISS, "de", "Rosen-Under"),
        ("RU", Deck.GERMAN, "de", "Laub-Unter"),
        ("RU", Deck.FRENCH, "de", "Schaufel-Bauer"),
        ("ST", Deck.SWISS, "de", "Schilten-Banner"),
        ("SA", Deck.SWISS, "fr", "as d’écus"),  # noqa: RUF001 - typography
        ("BO", Deck.FRENCH, "fr", "dame de carreau"),
        ("EK", Deck.SWISS, "it", "re di ghiande"),
        ("RO", Deck.FRENCH, "sl", "pik dama"),
        ("B7", Deck.GERMAN, "hu", "tök hetes"),
        ("BO", Deck.SWISS, "hu", "tök felső"),
        ("BU", Deck.SWISS, "sl", "kraguljček pod"),
        ("BO", Deck.GERMAN, "sl", "kraguljček nad"),
        ("EU", Deck.FRENCH, "es", "sota de tréboles"),
        ("RO", Deck.FRENCH, "es", "caballo de picas"),
        ("EO", Deck.SWISS, "es", "caballo de bellotas"),
        ("E6", Deck.SWISS, "hi", "बलूत के फल का छक्का"),
        ("RO", Deck.FRENCH, "hi", "हुकुम की बेगम"),
        ("RO", Deck.SWISS, "hi", "गुलाब का ओबर"),
    ],
)
def test_a_card_by_name(card, deck, language, name):
    assert card_name(parse_card(card), deck, language) == name


def test_a_rule_set_reads_like_this():
    rules = rule_set("differenzler-classic", {"exact_bonus": 10})
    assert describe(rules, "en") == (
        "Differenzler: everybody plays alone; who comes closest to the points announced wins.",
        "A trump below another trump may always be played.",
        "The points of the deal are shown while it is played.",
        "Who begins the first deal is drawn by lot.",
        "Number of deals: 4. The lowest sum of differences wins.",
        "Points are announced secretly and shown after the deal.",
        "Hitting the announced points exactly takes 10 off the total (not with 0 announced).",
        "A tie for the lowest total means one more deal, which anybody can win.",
    )
    spoken = describe(rule_set("schieber-3000"), "de", Deck.GERMAN)
    assert "Wer die Karte Laub-7 hat, beginnt die erste Runde." in spoken
    factors = [sentence for sentence in spoken if sentence.startswith("Die Punkte zählen mehrfach: Eichel")]
    assert factors[0].endswith("Herz × 2, Schellen × 2, Obenabe × 3, Unenufe × 4.")  # noqa: RUF001


def test_a_refusal_and_a_preset_in_words():
    assert reason_text(Reason.UNDERTRUMP, "fr").startswith("Un atout plus fort")
    assert preset_name("schieber-3000", "it") == "Schieber a 3000 (annunci e fine automatici)"


@pytest.mark.parametrize(
    ("language", "wrong"),
    [
        ("hu", r"figur"),  # a court card, not a Weis
        # Who sings ("cantar") shows king and horse, the horse is the rank, a hand is no deal (a "ronda").
        ("es", r"\bcant|caballero|\bmanos\b|(primera|otra|de la|una) mano\b"),
        ("fr", r"(^|[;:] )Qui |[Ss]eul qui|gagne qui|de qui a"),
        ("sl", r"zvonč|spodnik|zgornik"),
    ],
)
def test_the_words_are_those_of_card_players(language, wrong):
    assert [key for key, text in texts(language).items() if re.search(wrong, text)] == []


def test_a_language_there_are_no_texts_for_is_refused():
    with pytest.raises(ValueError, match="no texts in 'rm'"):
        describe(rule_set("schieber-classic"), "rm")
    with pytest.raises(ValueError, match="no texts in"):
        reason_text(Reason.UNDERTRUMP, "../en")
