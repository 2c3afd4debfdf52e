"""Deletes what is kept of games for a while only. Idempotent; any replica may run it.

A game that never started and never held a stake goes `KEPT_DAYS` after its end, with the records of its
seats. A game without a stake that was played keeps its row, which has the result, and gives up the records
of its seats. All others stay.

What comes after that does no harm: an OpenGame of that age opens a game as a new request would, a hold or
release for seats that are gone finds no pot, and takes no seat.
"""

from __future__ import annotations

import random
from typing import Final

import structlog
from psycopg import Error as PostgresError
from psycopg_pool import PoolTimeout

from jasshaus.matchmaking.metrics import LobbyMetrics
from jasshaus.matchmaking.store import GameStore
from jasshaus.platform.stopping import Stopping

KEPT_DAYS: Final = 30
BATCH: Final = 500
_EVERY_SECONDS: Final = (1800.0, 5400.0)
_BETWEEN_SECONDS: Final = 0.2

log = structlog.stdlib.get_logger(__name__)


class Retention:
    """`run` in the background."""

    def __init__(self, store: GameStore, metrics: LobbyMetrics) -> None:
        self._store = store
        self._metrics = metrics

    async def run(self, stopping: Stopping) -> None:
        """Pass about once an hour until draining begins, each replica at times of its own."""
        while not await stopping.sleep(random.uniform(*_EVERY_SECONDS)):
            try:
                while await self.once() and not await stopping.sleep(_BETWEEN_SECONDS):
                    pass
            except (PostgresError, PoolTimeout, OSError) as error:
                log.warning("retention_failed", error=type(error).__name__)

    async def once(self) -> bool:
        """Delete a batch; returns whether there may be more."""
        games, pots = await self._store.retire(KEPT_DAYS, BATCH)
        self._metrics.retired.labels("game").inc(games)
        self._metrics.retired.labels("seats").inc(pots)
        if games or pots:
            log.info("games_retired", games=games, seats=pots)
        return games + pots >= BATCH
