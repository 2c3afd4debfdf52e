"""Owns how cards, contracts, Weis and money are written for a person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.rules.cards import Contract, format_card

_SUIT_STYLES: Final = ("green", "red", "blue", "yellow")
_CONTRACTS: Final = ("Acorns", "Roses", "Shields", "Bells", "Obenabe", "Unenufe")
_DECIMALS: Final = {"CHF": 2, "EUR": 2}


def in_suit(text: str, suit: int) -> str:
    """Put a text in the colour of a suit 0..3."""
    return f"[{_SUIT_STYLES[suit]}]{text}[/]"


def card(card: int) -> str:
    """Write a card 0..35, `RU`, in its suit's colour."""
    return in_suit(format_card(card), card // 9)


def cards(several: Iterable[int]) -> str:
    """Write cards, separated by spaces."""
    return " ".join(map(card, several))


def contract(chosen: Contract) -> str:
    """Write what is trumps."""
    name = _CONTRACTS[chosen]
    return in_suit(name, chosen) if chosen < Contract.OBENABE else f"[magenta]{name}[/]"


def weis(length: int, points: int, shown: Iterable[int] = (), *, quartet: bool) -> str:
    """Write a Weis as all may see it, with its cards once they are shown."""
    kind = "four of a kind" if quartet else f"run of {length}"
    return f"{kind} ({points}) {cards(shown)}".rstrip()


def versus(points: Iterable[int]) -> str:
    """Write points of sides or seats against each other."""
    return " : ".join(map(str, points))


def names(people: Iterable[str]) -> str:
    """Write a list of names: "Anna, Beat and Claudia"."""
    *some, last = people
    return f"{', '.join(some)} and {last}" if some else last


def money(amount: Amount) -> str:
    """Write an amount: "CHF 3.95"."""
    decimals = _DECIMALS.get(amount.currency_code, 0)
    sign = "-" if amount.minor_units < 0 else ""
    whole, rest = divmod(abs(amount.minor_units), 10**decimals)
    return f"{amount.currency_code} {sign}{whole}" + (f".{rest:0{decimals}}" if decimals else "")
