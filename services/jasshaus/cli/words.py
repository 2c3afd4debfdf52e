"""Owns how cards, contracts, Weis and money are written for a person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.table.v1.table_pb2 import Weis, WeisKind
from jasshaus.rules.cards import format_card

_SUIT_STYLES: Final = ("green", "red", "blue", "yellow")
_CONTRACTS: Final = ("Acorns", "Roses", "Shields", "Bells", "Obenabe", "Unenufe")
_DECIMALS: Final = {"CHF": 2, "EUR": 2}


def card(wire: int) -> str:
    """Write a card, `RU`, in its suit's colour."""
    style = _SUIT_STYLES[(wire - 1) // 9]
    return f"[{style}]{format_card(wire - 1)}[/]"


def cards(wire: Iterable[int]) -> str:
    """Write cards, separated by spaces."""
    return " ".join(map(card, wire))


def contract(wire: int) -> str:
    """Write what is trumps."""
    style = _SUIT_STYLES[wire - 1] if wire <= len(_SUIT_STYLES) else "magenta"
    return f"[{style}]{_CONTRACTS[wire - 1]}[/]"


def weis(shown: Weis) -> str:
    """Write a Weis as all may see it, with its cards once they are shown."""
    kind = "four of a kind" if shown.kind == WeisKind.WEIS_KIND_QUARTET else f"run of {shown.length}"
    return f"{kind} ({shown.points})" + (f" {cards(shown.cards)}" if shown.cards else "")


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
