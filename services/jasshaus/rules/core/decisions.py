"""Pending decisions and legal actions, for matches of either game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.refusals import Reason
from jasshaus.rules.core.weis import Weis


class PendingKind(StrEnum):
    """The kind of a pending decision."""

    DEAL = "deal"
    CONTRACT = "contract"
    WEIS = "weis"
    ANNOUNCEMENT = "announcement"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class Pending:
    """A pending decision; `seat` is None when the table must deal."""

    seat: int | None
    kind: PendingKind


@dataclass(frozen=True, slots=True)
class LegalActions:
    """What a seat may do now. `illegal` gives a reason for each card in hand that it may not play now."""

    can_push: bool = False
    contracts: tuple[Contract, ...] = ()
    can_declare_weis: bool = False
    weis: tuple[Weis, ...] = ()  # every single combination in the hand, while it may declare
    weis_recommended: tuple[Weis, ...] = ()  # the best legal list of them
    cards: tuple[int, ...] = ()
    illegal: Mapping[int, Reason] = field(default_factory=dict)
    can_claim: bool = False
    can_announce: bool = False  # 0 to 157 points of a Differenzler
