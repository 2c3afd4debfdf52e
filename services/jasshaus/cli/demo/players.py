"""The demo's players: ordinary clients that see only their views and play like the greedy bot.

The same view gives the same action.
"""

from __future__ import annotations

from dataclasses import replace

from jasshaus.api.table.v1.table_pb2 import Action, TableView
from jasshaus.bots import BOTS
from jasshaus.client import actions
from jasshaus.contracts.views import action_of, view_from_proto


def choose(view: TableView) -> Action | None:
    """Return the action on a table's view, None if no decision is pending.

    In a Schieber, players claim only when it is their turn to play a card: if both partners claimed, the
    faster one would decide the match.
    """
    legal = view.legal_actions
    if legal.come_back:
        return actions.come_back()
    if not (legal.contracts or legal.declare_weis or legal.cards or legal.announce_points):
        return None
    seen = view_from_proto(view)
    if seen.legal is not None and not legal.cards:
        seen = replace(seen, legal=replace(seen.legal, can_claim=False))
    return action_of(BOTS["greedy"](seen, 0))
