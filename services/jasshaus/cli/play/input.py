"""Parses input during a terminal match: a game command, or a request such as help."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Final

from jasshaus.cli.phrases import typed_words
from jasshaus.cli.words import Style, sentence
from jasshaus.rules.core.cards import DECK_SIZE, Contract, Suit, mask_of
from jasshaus.rules.core.decisions import LegalActions
from jasshaus.rules.core.refusals import Reason
from jasshaus.rules.core.weis import Weis, weis_of
from jasshaus.rules.core.wording import LANGUAGES, reason_text, suit_name
from jasshaus.rules.differenzler import Announce
from jasshaus.rules.registry import Command, PendingKind, View
from jasshaus.rules.schieber import ChooseContract, DeclareWeis, PlayCard, Push
from jasshaus.rules.schieber import View as SchieberView


class Wish(StrEnum):
    """What a person may request at any time."""

    HELP = "help"
    HAND = "hand"
    TABLE = "table"
    SCORE = "score"
    LAST = "last"
    RULES = "rules"
    CLAIM = "claim"
    QUIT = "quit"


class NotUnderstoodError(ValueError):
    """The input means nothing here; the text says what would."""


_SHORT: Final = {"?": Wish.HELP, "q": Wish.QUIT, "exit": Wish.QUIT}
_LONGEST_SHOWN: Final = 30
_NOTHING: Final = frozenset({"0", "-"})


def understand(text: str, view: View, kind: PendingKind, style: Style) -> Command | Wish:
    """Parse the input of the person in the view's seat when a decision of this kind is pending.

    Does not check whether the rules allow the command. Raises NotUnderstoodError.
    """
    said = _tidy(text)
    if (wish := _wishes(style.spoken).get(said)) is not None:
        return wish
    seat = view.viewer
    assert seat is not None
    match kind:
        case PendingKind.CONTRACT:
            return _contract(said, view, seat, style)
        case PendingKind.WEIS:
            assert isinstance(view, SchieberView)
            return DeclareWeis(seat, _weis(said, view, style))
        case PendingKind.ANNOUNCEMENT:
            return Announce(seat, _points(said, style))
        case PendingKind.CARD:
            return PlayCard(seat, _card(said, view, style))
        case PendingKind.DEAL:
            raise AssertionError("the table deals, not a player")


def understand_wish(text: str, style: Style) -> Wish:
    """Parse a request when no decision is pending. Raises NotUnderstoodError."""
    said = _tidy(text)
    wish = _wishes(style.spoken).get(said)
    if wish is None:
        words = ", ".join(style.say(f"commands.{each}") for each in Wish)
        raise _unknown(said, style.say("unclear.wish", words=words), style)
    return wish


def understand_yes_or_no(text: str, style: Style | None = None) -> bool:
    """Parse a yes or no, in any of the languages. Raises NotUnderstoodError."""
    said = _tidy(text)
    # All languages at once, since no word means yes in one and no in another.
    for answer in ("yes", "no"):
        if any(said in _answers(language, answer) for language in LANGUAGES):
            return answer == "yes"
    style = style or Style()
    if said:
        raise NotUnderstoodError(style.say("unclear.neither", said=_short(said)))
    raise NotUnderstoodError(style.say("unclear.yes_or_no"))


def weis_offered(legal: LegalActions) -> tuple[tuple[Weis, ...], ...]:
    """Return the numbered choices of Weis, from 1: the best list, then each Weis by itself."""
    best = legal.weis_recommended
    return best, *((weis,) for weis in legal.weis if best != (weis,))


def _tidy(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split()).lower()


@cache
def _wishes(language: str) -> Mapping[str, Wish]:
    """Return the requests by input word: the language's words, and always the English ones."""
    words = {wish: typed_words(language, "commands")[wish].lower() for wish in Wish}
    return {**{str(wish): wish for wish in Wish}, **_SHORT, **{word: wish for wish, word in words.items()}}


@cache
def _answers(language: str, answer: str) -> frozenset[str]:
    return frozenset(typed_words(language, "answers")[answer].split())


def _none(style: Style) -> frozenset[str]:
    return _NOTHING | _answers("en", "none") | _answers(style.spoken, "none")


def _contract(said: str, view: View, seat: int, style: Style) -> Command:
    legal = view.legal
    assert legal is not None
    choices = len(legal.contracts)
    if _is_number(said):
        number = int(said)
        if 1 <= number <= choices:
            return ChooseContract(seat, legal.contracts[number - 1])
        if number == choices + 1 and legal.can_push:
            return Push(seat)
        raise NotUnderstoodError(style.say("unclear.choices", last=choices + legal.can_push))
    push = style.say("commands.push")
    if said in {"push", "p", push}:
        return Push(seat)
    for contract in Contract:
        if said in _names_of(contract, style):
            return ChooseContract(seat, contract)
    expected = "unclear.contract_or_push" if legal.can_push else "unclear.contract"
    raise _unknown(said, style.say(expected, push=push), style)


def _names_of(contract: Contract, style: Style) -> set[str]:
    if contract is Contract.OBENABE:
        return {"obe", "obenabe"}
    if contract is Contract.UNENUFE:
        return {"une", "unenufe"}
    suit = Suit(int(contract))
    names = {suit_name(suit, style.deck, language).lower() for language in {"en", style.language}}
    return names | {style.suit_letter(suit).lower()}


def _weis(said: str, view: SchieberView, style: Style) -> tuple[Weis, ...]:
    legal = view.legal
    assert legal is not None
    if said in {"", "1"}:
        return legal.weis_recommended
    if said in _none(style):
        return ()
    listed = said.replace(",", " ").split()
    if listed and all(map(_is_number, listed)):
        offers = weis_offered(legal)
        numbers = [int(word) for word in listed]
        if not all(1 <= number <= len(offers) for number in numbers):
            raise NotUnderstoodError(style.say("unclear.weis_numbers", last=len(offers)))
        return tuple(dict.fromkeys(weis for number in numbers for weis in offers[number - 1]))
    return tuple(_one_weis(part, style) for part in said.split(","))


def _one_weis(said: str, style: Style) -> Weis:
    made = weis_of(mask_of(_named_card(word, style) for word in said.split()))
    if made is None:
        raise NotUnderstoodError(sentence(reason_text(Reason.WEIS_NOT_A_COMBINATION, style.language)))
    return made


def _points(said: str, style: Style) -> int:
    if not _is_number(said):
        raise _unknown(said, style.say("unclear.points"), style)
    return int(said)


def _card(said: str, view: View, style: Style) -> int:
    legal = view.legal
    assert legal is not None
    if not said and len(legal.cards) == 1:
        return legal.cards[0]
    if _is_number(said):
        number = int(said)
        if 1 <= number <= len(legal.cards):
            return legal.cards[number - 1]
        raise NotUnderstoodError(style.say("unclear.card_numbers", last=len(legal.cards)))
    return _named_card(said, style)


def _named_card(said: str, style: Style) -> int:
    written = said.replace("10", "t").upper()
    for card in range(DECK_SIZE):
        if style.plain(card) == written:
            return card
    examples = {"first": style.plain(0), "last": style.plain(DECK_SIZE - 1)}
    raise _unknown(said, style.say("unclear.card", **examples), style)


def _is_number(said: str) -> bool:
    return said.isascii() and said.isdecimal() and len(said) < 6  # noqa: PLR2004 - longer ones mean nothing


def _unknown(said: str, expected: str, style: Style) -> NotUnderstoodError:
    if not said:
        return NotUnderstoodError(style.say("unclear.nothing", expected=expected))
    return NotUnderstoodError(style.say("unclear.unknown", said=_short(said), expected=expected))


def _short(said: str) -> str:
    return said if len(said) <= _LONGEST_SHOWN else said[:_LONGEST_SHOWN] + "..."
