"""Decides for a seat whose time is up: the greedy bot, on that seat's view.

The choice is made for one state of the table. It is committed on that state or not at all; after a lost race
it is made anew.
"""

from __future__ import annotations

from dataclasses import replace

from jasshaus.bots import BOTS
from jasshaus.rules import registry
from jasshaus.rules.registry import Command, Match, PendingKind
from jasshaus.rules.schieber import DeclareWeis
from jasshaus.table.decide import Timeout
from jasshaus.table.table import Status, Table, Unreadable, awaited


def time_out(table: Table, seat: int) -> Timeout:
    """Return the command for a seat whose time is up; without moves where nothing is awaited of it."""
    kinds = {each.kind for each in awaited(table) if each.seat == seat}
    if table.status is not Status.PLAYING or isinstance(table.match, Unreadable) or not kinds:
        return Timeout(seat, ())
    move = choose(table.match, seat)
    if isinstance(move, DeclareWeis) and PendingKind.CARD in kinds:
        # One decision, one timeout, one commit: as for a seat that has nothing to declare.
        return Timeout(seat, (move, choose(registry.advance(table.match, move)[0], seat)))
    return Timeout(seat, (move,))


def choose(match: Match, seat: int) -> Command:
    """Return a sound move of a seat, by its view; never a claim, which could lose the match."""
    seen = registry.view(match, seat)
    assert seen.legal is not None
    return BOTS["greedy"](replace(seen, legal=replace(seen.legal, can_claim=False)), match.deal)
