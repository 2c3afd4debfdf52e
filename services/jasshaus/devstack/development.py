"""Constants of a development stack: directory, players, currency, and client connections."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.client import Jasshaus
from jasshaus.devstack.stack import Stack
from jasshaus.platform.auth import Role

PLAYERS: Final = ("anna", "beat", "claudia", "dario")
OPERATOR: Final = "operator"
CURRENCY: Final = "CHF"
STAKES: Final = (100, 200, 500, 1000, 2000, 5000)

#: Default data directory of a stack, relative to the current directory.
DATA: Final = Path(".jasshaus")

#: A player's starting balance, in minor units.
PURSE: Final = 10_000


def chf(minor_units: int) -> Amount:
    """Return an amount of the development currency."""
    return Amount(currency_code=CURRENCY, minor_units=minor_units)


def connect(stack: Stack, subject: str, role: Role = Role.PLAYER) -> Jasshaus:
    """Return a client of the stack with its own token."""
    return Jasshaus(
        matchmaking=stack.endpoints.matchmaking,
        table=stack.endpoints.any_table,
        wallet=stack.endpoints.wallet,
        token=stack.token(subject, [role]),
    )


def offering(stake: int) -> dict[str, str]:
    """Return the setting that makes matchmaking offer the usual stakes plus this one."""
    stakes = sorted({*STAKES, stake} - {0})
    return {"JASSHAUS_STAKES": ",".join(map(str, stakes)), "JASSHAUS_CURRENCY": CURRENCY}
