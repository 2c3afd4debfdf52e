"""Builds actions at a table: one function per action, returning the `Action` for Act."""

from __future__ import annotations

from collections.abc import Iterable

from jasshaus.api.common.v1.card_pb2 import Card, Contract
from jasshaus.api.table.v1.table_pb2 import Action, Weis


def push() -> Action:
    """Pass the choice of the contract to the partner."""
    return Action(push=Action.Push())


def choose_contract(contract: Contract.ValueType) -> Action:
    """Choose the contract, one of `legal_actions.contracts`."""
    return Action(choose_contract=Action.ChooseContract(contract=contract))


def announce_points(points: int) -> Action:
    """Announce points, 0 to 157 (Differenzler)."""
    return Action(announce_points=Action.AnnouncePoints(points=points))


def declare_weis(weis: Iterable[Weis] = ()) -> Action:
    """Declare these Weis, e.g. `legal_actions.best_weis`; none for "nothing to declare"."""
    combinations = [Action.Combination(cards=each.cards) for each in weis]
    return Action(declare_weis=Action.DeclareWeis(weis=combinations))


def play_card(card: Card.ValueType) -> Action:
    """Play a card, one of `legal_actions.cards`."""
    return Action(play_card=Action.PlayCard(card=card))


def claim() -> Action:
    """Say "thank you, enough". Final: a false claim loses the match."""
    return Action(claim=Action.Claim())


def leave() -> Action:
    """Leave the table: a stand-in plays on, and the stake stays in."""
    return Action(leave=Action.Leave())


def come_back() -> Action:
    """Come back to a seat that is away."""
    return Action(come_back=Action.ComeBack())
