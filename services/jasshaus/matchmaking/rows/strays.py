"""Stores pots without a live game: why, since when, and how much of their grace period has passed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

from jasshaus.matchmaking.domain import Status
from jasshaus.matchmaking.stuck import Stray, Stuck, Why
from jasshaus.platform.postgres import Pool

_CLAIM: Final = """
    UPDATE matchmaking.pot_watch SET due = now() + %s * interval '1 second' WHERE due <= now()
    RETURNING clock_timestamp()
"""

# The grace counts on as long as all are asked often enough, and know nothing.
_NOTE: Final = """
    INSERT INTO matchmaking.stray_pot AS known (
        pot_id, tenant, reason, detail, table_id, since, missing_since, asked_at
    )
    VALUES (
        %(pot_id)s, %(tenant)s, %(reason)s, %(detail)s, %(table_id)s, clock_timestamp(),
        CASE WHEN %(counts)s THEN clock_timestamp() END, clock_timestamp()
    )
    ON CONFLICT (pot_id) DO UPDATE SET
        reason = excluded.reason, detail = excluded.detail, table_id = excluded.table_id,
        missing_since = CASE
            WHEN NOT %(counts)s THEN NULL
            WHEN known.asked_at > clock_timestamp() - %(gap)s * interval '1 second'
                THEN coalesce(known.missing_since, clock_timestamp())
            ELSE clock_timestamp()
        END,
        asked_at = excluded.asked_at
    RETURNING missing_since <= clock_timestamp() - %(grace)s * interval '1 second'
"""

_PAGE: Final = """
    SELECT pot_id, tenant, reason, detail, since,
        CASE WHEN missing_since IS NOT NULL THEN missing_since + %(grace)s * interval '1 second' END,
        status, table_id
    FROM matchmaking.stuck_pot
    WHERE (%(since)s::timestamptz IS NULL OR (since, pot_id) > (%(since)s, %(pot_id)s))
    ORDER BY since, pot_id LIMIT %(limit)s
"""


_FORGET_BEFORE: Final = """
    DELETE FROM matchmaking.stray_pot AS stray
    WHERE asked_at < %s AND (reason <> 'OTHER_END' OR NOT EXISTS (
        SELECT FROM matchmaking.game WHERE game.game_id = stray.pot_id
            AND game.status IN ('FINISHED', 'VOIDED', 'CLOSED')
            AND game.end_time > now() - %s * interval '1 day'
    ))
"""
OTHER_END_DAYS: Final = 30
"""For how many days from a game's end its pot's other end is listed."""


class StrayStore:
    """Pots by id; unavailable databases raise psycopg's own errors."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def claim(self, seconds: float) -> datetime | None:
        """Take the look that is due, which nobody else then takes for so long; returns now, else None."""
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_CLAIM, (seconds,))).fetchone()
            return None if row is None else row[0]

    async def put_off(self, seconds: float) -> None:
        """Let the next look be due after so many seconds from now."""
        await self._run(
            "UPDATE matchmaking.pot_watch SET due = clock_timestamp() + %s * interval '1 second'", (seconds,)
        )

    async def note(self, stray: Stray, *, grace: float, gap: float, counts: bool = False) -> bool:
        """Note a pot; returns whether its grace is over.

        `counts`: all who may know of it were asked, answered healthily, and did not. The grace counts only
        while that is so, and starts anew after more than `gap` seconds without an answer.
        """
        values = {
            "pot_id": stray.pot_id,
            "tenant": stray.tenant,
            "reason": str(stray.why),
            "detail": stray.detail,
            "table_id": stray.table_id,
            "grace": grace,
            "gap": gap,
            "counts": counts,
        }
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_NOTE, values)).fetchone()
            return row is not None and bool(row[0])

    async def forget(self, pot_ids: Iterable[UUID]) -> None:
        """Note that these pots do not wait any more."""
        await self._run("DELETE FROM matchmaking.stray_pot WHERE pot_id = ANY (%s)", (list(pot_ids),))

    async def forget_before(self, moment: datetime) -> None:
        """Forget the pots not noted since a moment: a whole look found nothing wrong with them.

        Pots that ended otherwise than their games are not part of each look: see `agree`. They go when their
        games ended more than `OTHER_END_DAYS` ago, or are not over any more.
        """
        await self._run(_FORGET_BEFORE, (moment, OTHER_END_DAYS))

    async def agree(self, pot_ids: Iterable[UUID]) -> None:
        """Note that these pots ended as their games did."""
        await self._run(
            "DELETE FROM matchmaking.stray_pot WHERE pot_id = ANY (%s) AND reason = 'OTHER_END'",
            (list(pot_ids),),
        )

    async def page(self, after: tuple[datetime, UUID] | None, limit: int, grace: float) -> list[Stuck]:
        """Return all that waits, oldest first, from behind (since, pot)."""
        since, pot_id = after or (None, None)
        values = {"since": since, "pot_id": pot_id, "limit": limit, "grace": grace}
        async with self._pool.connection() as connection:
            rows = await (await connection.execute(_PAGE, values)).fetchall()
        return [
            Stuck(
                Stray(row[0], row[1], Why(row[2]), row[3], row[7]),
                row[4],
                row[5],
                None if row[6] is None else Status(row[6]),
            )
            for row in rows
        ]

    async def counts(self) -> dict[Why, int]:
        """Return how many pots wait, by why."""
        async with self._pool.connection() as connection:
            rows = await connection.execute(
                "SELECT reason, count(*) FROM matchmaking.stuck_pot GROUP BY reason"
            )
            return {Why(why): count for why, count in await rows.fetchall()}

    async def _run(self, query: str, values: tuple[object, ...]) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(query, values)
