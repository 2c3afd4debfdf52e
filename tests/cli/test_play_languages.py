"""`jasshaus play` in every language it offers: complete, answered in its own words, nothing in English."""

from __future__ import annotations

import io
import re
import string
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from jasshaus.cli import phrases
from jasshaus.cli.play.command import Options, play
from jasshaus.cli.play.input import Wish, understand_wish, understand_yes_or_no
from jasshaus.cli.words import Style
from jasshaus.rules.core import wording
from jasshaus.rules.core.cards import Suit
from jasshaus.rules.core.options import PRESETS, rule_set
from jasshaus.rules.core.wording import LANGUAGES, Deck, suit_name

from .test_play_terminal import Terminal

FOLDERS = [Path(module.__file__).parent / "texts" for module in (phrases, wording)]
OTHERS = [each for each in LANGUAGES if each != "en"]
#: Names, and what is typed the same everywhere.
SAME = {"beat", "claudia", "dario", "obe", "une", "obenabe", "unenufe", "greedy", "schieber", "differenzler"}


def flat(table: dict[str, object], path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", str(value)


def texts(language: str, folder: Path = FOLDERS[0]) -> dict[str, str]:
    return dict(flat(tomllib.loads((folder / f"{language}.toml").read_text())))


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{3,}", re.sub(r"\{[^}]*\}", " ", text).lower()))


def vocabulary(language: str) -> set[str]:
    return {word for folder in FOLDERS for text in texts(language, folder).values() for word in words(text)}


def english_in(text: str, language: str) -> set[str]:
    """The English words of the texts that a session in another language shows, and that are not its own."""
    return words(text) & (vocabulary("en") - vocabulary(language) - SAME)


def placeholders(text: str) -> set[tuple[str, str | None]]:
    return {(name, spec) for _, name, spec, _ in string.Formatter().parse(text) if name is not None}


def test_there_is_a_file_for_each_language_and_no_other() -> None:
    assert {path.stem for path in FOLDERS[0].iterdir()} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_phrase_with_the_same_placeholders(language: str) -> None:
    found, english = texts(language), texts("en")
    assert list(found) == list(english)
    for key, text in found.items():
        assert text, key
        assert placeholders(text) == placeholders(english[key]), key
        assert "ß" not in text, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_typed_means_one_thing(language: str) -> None:
    style = Style(Deck.SWISS, language, language)
    commands = [phrases.phrase(language, f"commands.{wish}") for wish in Wish]
    push = phrases.phrase(language, "commands.push")
    assert len({*commands, push}) == len(commands) + 1
    assert [understand_wish(typed, style) for typed in commands] == list(Wish)
    # English works everywhere.
    assert [understand_wish(str(wish), style) for wish in Wish] == list(Wish)
    for deck in Deck:
        suits = {suit_name(suit, deck, language).lower() for suit in Suit}
        assert suits.isdisjoint({*commands, push})
    answers = {answer: phrases.typed_words(language, "answers")[answer].split() for answer in ("yes", "no")}
    assert all(
        understand_yes_or_no(word) is (answer == "yes") for answer in answers for word in answers[answer]
    )


class Person:
    """Tries everything there is to type, then plays the first thing on offer."""

    def __init__(self, language: str) -> None:
        say = phrases.phrase
        self._left = [say(language, f"commands.{wish}") for wish in Wish if wish is not Wish.QUIT]
        # Long enough to be cut, out of every range, no card, nothing at all, no Weis.
        self._left += ["x" * 50, "999", "7777777", "-", "", "E6 E7", "RU", "1 1 99"]
        self._tries: dict[str, list[str]] = {}
        self._last = ""
        self._yes = say(language, "sitting.yes_or_no", question="")
        self._no = phrases.typed_words(language, "answers")["no"].split()[0]

    def __call__(self, question: str) -> str:
        if question.endswith(self._yes):
            unclear = self._tries.setdefault(question, ["", "maybe"])
            return unclear.pop(0) if unclear else self._no
        kind = re.sub(r"\d+", "", question)
        left = self._tries.setdefault(kind, self._left[:])
        # One of the two answers any question: the first on offer, or to go on.
        self._last = "" if self._last else "1"
        return left.pop(0) if left else self._last


def session(language: str, preset: str, person: Callable[[str], str], **options: object) -> str:
    out = io.StringIO()
    style = Style(Deck.SWISS, language, language)
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        assert len(asked) < 2000
        return person(question)

    rules = rule_set(preset, dict(options))
    console = Console(file=out, width=100)
    play(Options(preset, rules, "greedy", style, 5), console, ask, offer_to_save=False)
    return out.getvalue() + "\n".join(asked)


GAMES = [
    ("schieber-classic", {"target": 300, "live_points": True}),
    ("schieber-classic", {"target": 200, "weis_when": "own_first_card", "live_points": False}),
    ("schieber-3000", {"target": 300}),
    ("differenzler-classic", {"rounds": 2, "announcements": "open"}),
    ("differenzler-swisslos", {"rounds": 1}),
]


@pytest.mark.parametrize(("preset", "options"), GAMES)
@pytest.mark.parametrize("language", OTHERS)
def test_a_whole_match_has_nothing_in_english(language: str, preset: str, options: dict[str, object]) -> None:
    told = session(language, preset, Person(language), **options)
    assert english_in(told, language) == set()
    assert phrases.phrase(language, "table.deal", deal=1) in told


@pytest.mark.parametrize("language", OTHERS)
def test_the_check_for_english_sees_what_is_english(language: str) -> None:
    assert len(english_in(session("en", "schieber-classic", Person("en"), target=300), language)) > 50


def test_a_german_session_on_a_terminal_has_nothing_in_english(tmp_path: Path) -> None:
    path = tmp_path / "partie.jass"
    terminal = Terminal("--language", "de", "--preset", "schieber-partner", "--target", "150")
    answers = iter(
        ["hilfe", "regeln", "stand", "letzter", "tisch", "hand", "unsinn", "ende", "vielleicht", "nein"]
    )
    while (question := terminal.question()) is not None:
        typed = str(path) if "speichern" in question else next(answers, "1")
        terminal.type(f"{typed}\n")
    assert terminal.close() == 0
    assert "gewonnen" in terminal.text.lower()
    assert path.exists()
    told = terminal.text.replace("unsinn", "").replace("vielleicht", "").replace(str(path), "")
    # The command that reviews a match is a command, and a Weis is called so by all.
    told = re.sub(r"jasshaus review.*", "", told)
    assert english_in(told, "de") == set()


@pytest.mark.parametrize(("rounds", "said"), [(2, "deals: 2"), (1, "deals: 1"), (4, "(four deals)")])
def test_the_greeting_says_how_many_deals_are_played(rounds: int, said: str) -> None:
    def leave(question: str) -> str:
        return "y" if "y/n" in question else "quit"

    first = session("en", "differenzler-classic", leave, rounds=rounds).splitlines()[0]
    assert said in first
    assert ("four" in first) == (rounds == PRESETS["differenzler-classic"].rounds)
    assert replace(Style(), spoken="en") == Style()
