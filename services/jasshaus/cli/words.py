"""Formats cards, contracts, Weis and money for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.cli.phrases import phrase
from jasshaus.rules.core.cards import Contract, Suit
from jasshaus.rules.core.wording import Deck, suit_name

_SUIT_STYLES: Final = ("green", "red", "blue", "yellow")
_DECIMALS: Final = {"CHF": 2, "EUR": 2}

_SUIT_LETTERS: Final = {Deck.SWISS: "ERSB", Deck.GERMAN: "ELHS", Deck.FRENCH: "CSHD"}
_RANK_LETTERS: Final = {Deck.SWISS: "6789TUOKA", Deck.GERMAN: "6789TUOKA", Deck.FRENCH: "6789TJQKA"}
_WITHOUT_TRUMPS: Final = {Contract.OBENABE: "Obenabe", Contract.UNENUFE: "Unenufe"}


@dataclass(frozen=True, slots=True)
class Style:
    """A person's deck and language. Card letters depend on the deck: `RU`, `LU`, `SJ`.

    `language` applies to suits, ranks, rules and refusals, `spoken` to everything else.
    """

    deck: Deck = Deck.SWISS
    language: str = "en"
    spoken: str = "en"

    def say(self, key: str, **values: object) -> str:
        """Return a phrase in the person's language, see `jasshaus.cli.phrases`."""
        return phrase(self.spoken, key, **values)

    def plain(self, card: int) -> str:
        """Format a card 0..35 without colour."""
        return self.suit_letter(card // 9) + _RANK_LETTERS[self.deck][card % 9]

    def suit_letter(self, suit: int) -> str:
        """Return the letter of a suit 0..3."""
        return _SUIT_LETTERS[self.deck][suit]

    def card(self, card: int) -> str:
        """Format a card 0..35 in its suit's colour."""
        return in_suit(self.plain(card), card // 9)

    def cards(self, several: Iterable[int]) -> str:
        """Format cards, separated by spaces."""
        return " ".join(map(self.card, several))

    def contract(self, chosen: Contract) -> str:
        """Format a contract."""
        if chosen in _WITHOUT_TRUMPS:
            return f"[magenta]{_WITHOUT_TRUMPS[chosen]}[/]"
        return in_suit(capitalized(suit_name(Suit(int(chosen)), self.deck, self.language)), chosen)

    def weis(self, length: int, points: int, shown: Iterable[int] = (), *, quartet: bool) -> str:
        """Format a Weis as visible to all, with its cards once they are shown."""
        kind = self.say("table.quartet") if quartet else self.say("table.run", length=length)
        return f"{kind} ({points}) {self.cards(shown)}".rstrip()


def in_suit(text: str, suit: int) -> str:
    """Colour a text like a suit 0..3."""
    return f"[{_SUIT_STYLES[suit]}]{text}[/]"


def capitalized(text: str) -> str:
    """Capitalise the first letter of a text."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Make a text a sentence: capital letter and full stop."""
    return capitalized(text.rstrip(".")) + "."


def harmless(text: str) -> str:
    """Neutralise control characters from files or input, preserving the length."""
    return "".join(mark if mark.isprintable() or mark == "\t" else "?" for mark in text)


def versus(points: Iterable[int]) -> str:
    """Format points of sides or seats against each other."""
    return " : ".join(map(str, points))


def names(people: Iterable[str], conjunction: str = "and") -> str:
    """Format a list of names: "Anna, Beat and Claudia"."""
    *some, last = people
    return f"{', '.join(some)} {conjunction} {last}" if some else last


def money(amount: Amount) -> str:
    """Format an amount: "CHF 3.95"."""
    decimals = _DECIMALS.get(amount.currency_code, 0)
    sign = "-" if amount.minor_units < 0 else ""
    whole, rest = divmod(abs(amount.minor_units), 10**decimals)
    return f"{amount.currency_code} {sign}{whole}" + (f".{rest:0{decimals}}" if decimals else "")
