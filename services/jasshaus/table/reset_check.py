"""Checks a table that Redis returned with less history than it had.

Its match may be over meanwhile, paid or refunded. Then nobody may continue to play it.
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
from jasshaus.table.reconcile import Reconciliation
from jasshaus.table.redis_connection import StoreAwayError
from jasshaus.table.table import Status, Table
from jasshaus.table.tables import Tables

log = structlog.stdlib.get_logger(__name__)

_BACKOFF: Final = Backoff(1.0, 60.0)


class ResetCheck:
    """Compares reset tables with their pots, each once at a time; calls `on_reset` for each."""

    def __init__(
        self, tables: Tables, reconciliation: Reconciliation, on_reset: Callable[[], None] = lambda: None
    ) -> None:
        self._reconciliation = reconciliation
        self._on_reset = on_reset
        self._checking = Tasks()
        tables.on_reset = self.check

    def check(self, table: Table) -> None:
        """Bring a table whose history went back in line with its pot and game."""
        log.error("table_reset", table=str(table.table_id), version=table.version)
        self._on_reset()
        if table.status is not Status.PLAYING or table.table_id in self._checking:
            return
        self._checking.start(self._check(table), table.table_id)

    async def _check(self, table: Table) -> None:
        # Until there is an answer, however long the wallet is down: players may be playing for nothing.
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
