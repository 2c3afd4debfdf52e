"""Compares what all readers of a storm's tables were told: one story for each table, and one end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from jasshaus.api.table.v1.table_pb2 import TableEvent, TableView

OWN = ("hand_dealt", "own_weis", "own_announcement")
"""The events that one seat alone is told."""


class Chronicle:
    """`ends`: the last view of each table that anybody was shown, as (player, view), by table id.

    `begun`: the tables at which somebody sat down, in order.
    """

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ends: defaultdict[str, list[tuple[str, TableView]]] = defaultdict(list)
        self._told: dict[tuple[str, int], bytes] = {}

    def end(self, player: str, view: TableView) -> None:
        """Somebody was shown a table for the last time."""
        self.ends[view.table_id].append((player, view))

    def agrees(self, table_id: str, version: int, events: Iterable[TableEvent]) -> bool:
        """Whether these events of a version are what others were told, but for what is only their reader's.

        Who says so first is believed.
        """
        shared = (event for event in events if event.WhichOneof("event") not in OWN)
        story = b"|".join(event.SerializeToString(deterministic=True) for event in shared)
        return self._told.setdefault((table_id, version), story) == story
