"""Owns what a person at the terminal may type, and what it means: a command of the rules, or a wish."""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from typing import Final

from jasshaus.cli.words import Style, sentence
from jasshaus.rules.cards import DECK_SIZE, Contract, Suit, mask_of
from jasshaus.rules.decisions import LegalActions
from jasshaus.rules.differenzler import Announce
from jasshaus.rules.events import ChooseContract, DeclareWeis, PlayCard, Push
from jasshaus.rules.game import Command, PendingKind, View
from jasshaus.rules.refusals import Reason
from jasshaus.rules.view import View as SchieberView
from jasshaus.rules.weis import Weis, weis_of
from jasshaus.rules.wording import reason_text, suit_name


class Wish(StrEnum):
    """What a person may ask for at any time."""

    HELP = "help"
    HAND = "hand"
    TABLE = "table"
    SCORE = "score"
    LAST = "last"
    RULES = "rules"
    CLAIM = "claim"
    QUIT = "quit"


class NotUnderstoodError(ValueError):
    """Something was typed that means nothing here; its text says what would."""


_SHORT: Final = {"?": Wish.HELP, "q": Wish.QUIT, "exit": Wish.QUIT}
_WISHES: Final = {**_SHORT, **{str(wish): wish for wish in Wish}}
_LONGEST_SHOWN: Final = 30
# In all languages of the texts at once, as no word says yes in one and no in another.
_YES: Final = frozenset({"y", "yes", "ja", "oui", "sì", "si", "da", "igen", "sí", "हाँ", "हां"})
_NO: Final = frozenset({"n", "no", "nein", "non", "ne", "nem", "नहीं"})
_NOTHING: Final = frozenset({"0", "-", "none", "nothing"})


def understand(text: str, view: View, kind: PendingKind, style: Style) -> Command | Wish:
    """Give what the person in the view's seat means, when a decision of this kind is asked of it.

    Whether the rules allow a command is not judged here. Raises NotUnderstoodError.
    """
    said = _tidy(text)
    if said in _WISHES:
        return _WISHES[said]
    seat = view.viewer
    assert seat is not None
    match kind:
        case PendingKind.CONTRACT:
            return _contract(said, view, seat, style)
        case PendingKind.WEIS:
            assert isinstance(view, SchieberView)
            return DeclareWeis(seat, _weis(said, view, style))
        case PendingKind.ANNOUNCEMENT:
            return Announce(seat, _points(said))
        case PendingKind.CARD:
            return PlayCard(seat, _card(said, view, style))
        case PendingKind.DEAL:
            raise AssertionError("the table deals, not a player")


def understand_wish(text: str) -> Wish:
    """Give what the person wishes when nothing is asked of it. Raises NotUnderstoodError."""
    said = _tidy(text)
    if said not in _WISHES:
        raise _unknown(said, f"one of {', '.join(Wish)}")
    return _WISHES[said]


def understand_yes_or_no(text: str) -> bool:
    """Give whether the person agrees, in any of the languages. Raises NotUnderstoodError."""
    said = _tidy(unicodedata.normalize("NFC", text))
    if said in _YES or said in _NO:
        return said in _YES
    unclear = f"{_short(said)!r} is neither yes nor no. " if said else ""
    raise NotUnderstoodError(f"{unclear}Type y for yes, n for no.")


def weis_offered(legal: LegalActions) -> tuple[tuple[Weis, ...], ...]:
    """Give the lists of Weis to choose from by number, from 1: the best list, then each Weis by itself."""
    best = legal.weis_recommended
    return best, *((weis,) for weis in legal.weis if best != (weis,))


def _tidy(text: str) -> str:
    return " ".join(text.split()).lower()


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
        raise NotUnderstoodError(f"The choices are 1 to {choices + legal.can_push}.")
    if said in {"push", "p"}:
        return Push(seat)
    for contract in Contract:
        if said in _names_of(contract, style):
            return ChooseContract(seat, contract)
    raise _unknown(said, f"a contract: its number or name{', or push' if legal.can_push else ''}")


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
    if said in _NOTHING:
        return ()
    listed = said.replace(",", " ").split()
    if listed and all(map(_is_number, listed)):
        offers = weis_offered(legal)
        numbers = [int(word) for word in listed]
        if not all(1 <= number <= len(offers) for number in numbers):
            raise NotUnderstoodError(f"The Weis are numbered 1 to {len(offers)}, and 0 is nothing.")
        return tuple(dict.fromkeys(weis for number in numbers for weis in offers[number - 1]))
    return tuple(_one_weis(part, style) for part in said.split(","))


def _one_weis(said: str, style: Style) -> Weis:
    made = weis_of(mask_of(_named_card(word, style) for word in said.split()))
    if made is None:
        raise NotUnderstoodError(sentence(reason_text(Reason.WEIS_NOT_A_COMBINATION, style.language)))
    return made


def _points(said: str) -> int:
    if not _is_number(said):
        raise _unknown(said, "a number of points, 0 to 157")
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
        raise NotUnderstoodError(f"The cards you may play are numbered 1 to {len(legal.cards)}.")
    return _named_card(said, style)


def _named_card(said: str, style: Style) -> int:
    written = said.replace("10", "t").upper()
    for card in range(DECK_SIZE):
        if style.plain(card) == written:
            return card
    raise _unknown(said, f"a card, such as {style.plain(0)} or {style.plain(DECK_SIZE - 1)}")


def _is_number(said: str) -> bool:
    return said.isascii() and said.isdecimal() and len(said) < 6  # noqa: PLR2004 - longer ones mean nothing


def _unknown(said: str, expected: str) -> NotUnderstoodError:
    if not said:
        return NotUnderstoodError(f"Type {expected}; ? for help.")
    return NotUnderstoodError(f"{_short(said)!r} is not {expected}; ? for help.")


def _short(said: str) -> str:
    return said if len(said) <= _LONGEST_SHOWN else said[:_LONGEST_SHOWN] + "..."
