"""Deletes data of games after their retention period. Idempotent; any replica may run it.

A game that never started and never held a stake is deleted `KEPT_DAYS` after its end, with its seat
records. A game without a stake that was played keeps its row, which has the result, but loses its seat
records. All others are kept.

Later requests do no harm: an OpenGame of that age opens a game like a new request, and a hold or
release for deleted seats finds no pot and takes no seat.
"""

from __future__ import annotations

import random
from typing import Final

import structlog
from psycopg import Error as PostgresError
from psycopg_pool import PoolTimeout

from jasshaus.matchmaking.domain import Status
from jasshaus.matchmaking.metrics import LobbyMetrics
from jasshaus.platform.postgres import Pool
from jasshaus.platform.stopping import Stopping

KEPT_DAYS: Final = 30
BATCH: Final = 500
_EVERY_SECONDS: Final = (1800.0, 5400.0)
_BETWEEN_SECONDS: Final = 0.2

# The index game_retained has the same condition. A stake refused for these reasons was never held, so there
# is no journal of it.
_RETIRED: Final = """
    SELECT game_id, status FROM matchmaking.game
    WHERE end_time < now() - %(days)s * interval '1 day' AND pot_kept AND NOT refund_due AND NOT forget_due
        AND (stake = 0 OR (status = 'CLOSED' AND refusal IN ('INSUFFICIENT_FUNDS', 'TOO_MANY_GAMES')))
    ORDER BY end_time LIMIT %(limit)s FOR UPDATE SKIP LOCKED
"""

log = structlog.stdlib.get_logger(__name__)


class Retention:
    """`run` in the background."""

    def __init__(self, pool: Pool, metrics: LobbyMetrics) -> None:
        self._pool = pool
        self._metrics = metrics

    async def run(self, stopping: Stopping) -> None:
        """Pass about once an hour until draining begins, each replica at its own times."""
        while not await stopping.sleep(random.uniform(*_EVERY_SECONDS)):
            try:
                while await self.once() and not await stopping.sleep(_BETWEEN_SECONDS):
                    pass
            except (PostgresError, PoolTimeout, OSError) as error:
                log.warning("retention_failed", error=type(error).__name__)

    async def once(self) -> bool:
        """Delete a batch; return whether there may be more."""
        games, pots = await self._retire(KEPT_DAYS, BATCH)
        self._metrics.retired.labels("game").inc(games)
        self._metrics.retired.labels("seats").inc(pots)
        if games or pots:
            log.info("games_retired", games=games, seats=pots)
        return games + pots >= BATCH

    async def _retire(self, days: float, limit: int) -> tuple[int, int]:
        """Delete expired data of at most `limit` games.

        Returns how many games were deleted, and how many lost only their seat records.
        """
        async with self._pool.connection() as connection, connection.transaction():
            rows = await connection.execute(_RETIRED, {"days": days, "limit": limit})
            found = await rows.fetchall()
            ids = [game_id for game_id, _ in found]
            gone = [game_id for game_id, status in found if status == Status.CLOSED]
            for query, values in (
                ("DELETE FROM matchmaking.free_hold WHERE pot_id = ANY (%s)", ids),
                ("DELETE FROM matchmaking.free_pot WHERE pot_id = ANY (%s)", ids),
                ("DELETE FROM matchmaking.game WHERE game_id = ANY (%s)", gone),
                ("UPDATE matchmaking.game SET pot_kept = false WHERE game_id = ANY (%s)", ids),
            ):
                await connection.execute(query, (values,))
            return len(gone), len(ids) - len(gone)
