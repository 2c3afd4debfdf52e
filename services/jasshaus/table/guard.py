"""Owns what is done about a table that Redis gave back with less history than it had.

Its stakes may have been given back meanwhile (the reconciler does that for lost tables): then nobody may go
on playing for them.
"""

from __future__ import annotations

import asyncio
from typing import Final
from uuid import UUID

import structlog

from jasshaus.platform.errors import Fault
from jasshaus.table.decide import Abort, Refusal
from jasshaus.table.link import StoreAwayError
from jasshaus.table.settlement import Settlement, Undelivered
from jasshaus.table.table import Status, Table
from jasshaus.table.tables import Tables

log = structlog.stdlib.get_logger(__name__)

_BACKOFF: Final = (1.0, 60.0)  # s


class Guard:
    """Checks the pots of tables that were reset, each once at a time."""

    def __init__(self, tables: Tables, settlement: Settlement) -> None:
        self._tables = tables
        self._settlement = settlement
        self._checking: dict[UUID, asyncio.Task[None]] = {}
        tables.on_reset = self.check

    def check(self, table: Table) -> None:
        """Find out whether the table's pot still holds its stakes; abort the table when they went back."""
        log.error("table_reset", table=str(table.table_id), version=table.version)
        if table.stake is None or table.status is not Status.PLAYING or table.table_id in self._checking:
            return
        task = asyncio.create_task(self._check(table))
        self._checking[table.table_id] = task
        task.add_done_callback(lambda _: self._checking.pop(table.table_id, None))

    async def _check(self, table: Table) -> None:
        # Until there is an answer, however long the wallet is away: players may be playing for nothing.
        delay, longest = _BACKOFF
        while True:
            try:
                if await self._settlement.is_refunded(table.game_id):
                    await self._tables.change(table.table_id, lambda _: Abort("pot_refunded"))
                    log.error("table_aborted", table=str(table.table_id), by="pot_refunded")
            except (Undelivered, StoreAwayError) as error:
                log.warning("pot_unchecked", table=str(table.table_id), why=str(error), retry_in=delay)
                await asyncio.sleep(delay)
                delay = min(delay * 2, longest)
            except (Fault, Refusal):
                # Gone, or over: settling asks the wallet anyway.
                return
            else:
                return
