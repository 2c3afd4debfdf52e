from __future__ import annotations

import pytest

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.cli import words


@pytest.mark.parametrize(
    ("units", "currency", "text"),
    [
        (395, "CHF", "CHF 3.95"),
        (5, "CHF", "CHF 0.05"),
        (-200, "CHF", "CHF -2.00"),
        (-5, "CHF", "CHF -0.05"),
        (0, "CHF", "CHF 0.00"),
        (70, "POINTS", "POINTS 70"),
    ],
)
def test_money(units: int, currency: str, text: str) -> None:
    assert words.money(Amount(currency_code=currency, minor_units=units)) == text


def test_names() -> None:
    assert words.names(["Anna"]) == "Anna"
    assert words.names(["Anna", "Beat", "Claudia"]) == "Anna, Beat and Claudia"
