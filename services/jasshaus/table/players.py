"""Who calls, and where they sit."""

from __future__ import annotations

from dataclasses import dataclass

from jasshaus.platform.errors import not_found
from jasshaus.table.table import seat_of
from jasshaus.table.tables import Current


@dataclass(frozen=True, slots=True)
class Player:
    """Who acts."""

    tenant: str
    player_id: str


def seat_at(current: Current, player: Player) -> int:
    """Return the player's seat. Raises Fault NOT_FOUND: who has none may not learn that there is a table."""
    seat = seat_of(current.table, player.tenant, player.player_id)
    if seat is None:
        raise not_found("TABLE_NOT_FOUND", "no such table")
    return seat
