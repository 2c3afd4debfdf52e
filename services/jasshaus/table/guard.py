"""Checks a table that Redis returned with less history than it had.

Its match may be over meanwhile: paid, or its stakes given back. Then nobody may go on playing for them.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Final

import structlog

from jasshaus.platform.backoff import Backoff
from jasshaus.platform.calls import Undelivered
from jasshaus.platform.tasks import Tasks
from jasshaus.table.link import StoreAwayError
from jasshaus.table.reconcile import Reconciliation
from jasshaus.table.table import Status, Table
from jasshaus.table.tables import Tables

log = structlog.stdlib.get_logger(__name__)

_BACKOFF: Final = Backoff(1.0, 60.0)


class Guard:
    """Compares tables that were reset with their pots, each once at a time; tells `on_reset` of any."""

    def __init__(
        self, tables: Tables, reconciliation: Reconciliation, on_reset: Callable[[], None] = lambda: None
    ) -> None:
        self._reconciliation = reconciliation
        self._on_reset = on_reset
        self._checking = Tasks()
        tables.on_reset = self.check

    def check(self, table: Table) -> None:
        """Put a table in order whose history went back, as its pot and game say."""
        log.error("table_reset", table=str(table.table_id), version=table.version)
        self._on_reset()
        if table.status is not Status.PLAYING or table.table_id in self._checking:
            return
        self._checking.start(self._check(table), table.table_id)

    async def _check(self, table: Table) -> None:
        # Until there is an answer, however long the wallet is away: players may be playing for nothing.
        for failures in itertools.count():
            try:
                await self._reconciliation.compare(table.table_id)
            except (Undelivered, StoreAwayError) as error:
                delay = _BACKOFF.pause(failures)
                log.warning(
                    "table_unchecked", table=str(table.table_id), why=str(error), retry_in=round(delay, 2)
                )
                await asyncio.sleep(delay)
            else:
                return
