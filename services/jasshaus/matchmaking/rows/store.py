"""Game rows in PostgreSQL, the source of truth. Every change of status is a compare-and-set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid4

from psycopg.types.json import Jsonb

from jasshaus.matchmaking import codec
from jasshaus.matchmaking.domain import Game, Hold, Opening, Quote, Result, Status, table_of
from jasshaus.matchmaking.rows.queries import LIVE, Rows, rules_columns
from jasshaus.platform.postgres import Pool

_INSERT: Final = """
    INSERT INTO matchmaking.game (
        game_id, tenant, opener, request_id, request_digest, preset, variant, rule_set, rule_set_json,
        currency, stake, opener_seat, status, open_time, expire_time, next_check
    )
    SELECT %(game_id)s, %(tenant)s, %(opener)s, %(request_id)s, %(digest)s, %(preset)s, %(variant)s,
        %(rule_set)s, %(rule_set_json)s, %(currency)s, %(stake)s, %(opener_seat)s, 'OPENING', now_ms,
        now_ms + %(ttl)s * interval '1 second', now_ms + %(patience)s * interval '1 second'
    FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS now_ms) AS clock
    ON CONFLICT (tenant, opener, request_id) DO NOTHING
"""

# When the reconciler looks again, by what the game is now. Whoever is in between has a lease until then.
_REST: Final = """
    UPDATE matchmaking.game SET next_check = CASE
        WHEN status = 'OPENING' THEN greatest(next_check, now())
        WHEN status = 'OPEN' THEN least(expire_time, now() + %(audit)s * interval '1 second')
        WHEN status = 'STARTING' THEN now() + %(retry)s * interval '1 second'
        WHEN refund_due OR forget_due THEN now() + %(retry)s * interval '1 second'
        WHEN status = 'PLAYING' AND missing_since IS NULL THEN now() + %(look)s * interval '1 second'
        WHEN status = 'PLAYING' THEN now() + %(missing)s * interval '1 second'
    END
    WHERE game_id = %(game_id)s
"""

_CLAIM: Final = """
    UPDATE matchmaking.game SET next_check = now() + %(lease)s * interval '1 second'
    WHERE game_id IN (
        SELECT game_id FROM matchmaking.game WHERE next_check <= now()
        ORDER BY next_check LIMIT %(limit)s FOR UPDATE SKIP LOCKED
    )
    RETURNING *
"""

_MISSING: Final = """
    UPDATE matchmaking.game SET
        missing_since = CASE
            WHEN asked_at > now() - %(gap)s * interval '1 second' THEN coalesce(missing_since, now())
            ELSE now()
        END,
        asked_at = now()
    WHERE game_id = %(game_id)s AND status = 'PLAYING'
    RETURNING missing_since <= now() - %(grace)s * interval '1 second' AS lost
"""


@dataclass(frozen=True, slots=True)
class Intervals:
    """How often the reconciler looks at a game, in seconds, by what it is."""

    audit: float = 60.0
    """An open game is compared with its pot."""
    retry: float = 2.0
    """A game that starts, or still owes something."""
    look: float = 30.0
    """A game that is played: is its table there, and over?"""
    missing: float = 3.0
    """The same while the table is missing."""
    lease: float = 20.0
    """Lease: how long one reconciler owns a claimed game."""


class GameStore:
    """Games by id; errors, and what becomes of rows that cannot be read: see `Rows`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._rows = Rows(pool)

    async def insert(self, tenant: str, opener: str, request_id: UUID, digest: str, opening: Opening) -> Game:
        """Write the row of a new game (OPENING), or return the one this request wrote before."""
        values = {
            **rules_columns(opening.preset, opening.rules),
            "currency": opening.currency,
            "stake": opening.stake,
            "opener_seat": opening.opener_seat,
            "ttl": opening.ttl,
            "patience": opening.patience,
            "game_id": uuid4(),
            "tenant": tenant,
            "opener": opener,
            "request_id": request_id,
            "digest": digest.encode(),
        }
        async with self._pool.connection() as connection:
            await connection.execute(_INSERT, values)
        found = await self.opened_by(tenant, opener, request_id)
        assert found is not None
        return found

    async def opened_by(self, tenant: str, opener: str, request_id: UUID) -> Game | None:
        """Return the game that a request opened."""
        return await self._rows.one(
            "SELECT * FROM matchmaking.game WHERE tenant = %s AND opener = %s AND request_id = %s",
            (tenant, opener, request_id),
        )

    async def get(self, game_id: UUID) -> Game | None:
        """Return a game."""
        return await self._rows.one("SELECT * FROM matchmaking.game WHERE game_id = %s", (game_id,))

    async def many(self, game_ids: Iterable[UUID]) -> dict[UUID, Game]:
        """Return these games, as far as they exist."""
        ids = list(game_ids)
        if not ids:
            return {}
        games = await self._rows.all("SELECT * FROM matchmaking.game WHERE game_id = ANY(%s)", (ids,))
        return {game.game_id: game for game in games}

    async def live(self, tenant: str) -> list[Game]:
        """Return a tenant's games that are not over."""
        return await self._rows.all(f"SELECT * FROM matchmaking.game WHERE tenant = %s AND {LIVE}", (tenant,))  # noqa: S608

    async def open_changes(self, tenant: str) -> dict[UUID, int]:
        """Return `Game.changes` of a tenant's open games."""
        async with self._pool.connection() as connection:
            rows = await connection.execute(
                "SELECT game_id, changes FROM matchmaking.game WHERE tenant = %s AND status = 'OPEN'",
                (tenant,),
            )
            return dict(await rows.fetchall())

    async def over_among(self, game_ids: Iterable[UUID]) -> list[Game]:
        """Return those of these games that are over, and so never change again."""
        return await self._rows.all(
            f"SELECT * FROM matchmaking.game WHERE game_id = ANY (%s) AND NOT {LIVE}",  # noqa: S608
            (list(game_ids),),
        )

    async def tenants(self) -> list[str]:
        """Return the tenants that have games which are not over."""
        async with self._pool.connection() as connection:
            rows = await connection.execute(f"SELECT DISTINCT tenant FROM matchmaking.game WHERE {LIVE}")  # noqa: S608
            return [row[0] for row in await rows.fetchall()]

    async def counts(self) -> dict[Status, int]:
        """Return how many games there are that are not over, by status."""
        async with self._pool.connection() as connection:
            rows = await connection.execute(
                f"SELECT status, count(*) FROM matchmaking.game WHERE {LIVE} GROUP BY status"  # noqa: S608
            )
            return {Status(status): count for status, count in await rows.fetchall()}

    async def opened(self, game_id: UUID, quote: Quote | None, audit: float) -> Game | None:
        """Move OPENING -> OPEN; None when it is not OPENING any more."""
        return await self._rows.one(
            """
            UPDATE matchmaking.game SET status = 'OPEN', quote = %s,
                next_check = least(expire_time, now() + %s * interval '1 second')
            WHERE game_id = %s AND status = 'OPENING' RETURNING *
            """,
            (None if quote is None else Jsonb(codec.quote_to_json(quote)), audit, game_id),
        )

    async def started(self, game_id: UUID, holds: tuple[Hold, ...], retry: float) -> Game | None:
        """Move OPEN -> STARTING, fixing the table's id and the four stakes."""
        return await self._rows.one(
            """
            UPDATE matchmaking.game SET status = 'STARTING', table_id = %s, seats = %s, start_time = now(),
                next_check = now() + %s * interval '1 second'
            WHERE game_id = %s AND status = 'OPEN' RETURNING *
            """,
            (
                table_of(game_id, holds),
                Jsonb(codec.holds_to_json(holds)),
                retry,
                game_id,
            ),
        )

    async def reopened(self, game_id: UUID, table_id: UUID) -> Game | None:
        """Move STARTING -> OPEN: the pot was not locked, so the table was never asked for."""
        return await self._rows.one(
            """
            UPDATE matchmaking.game SET status = 'OPEN', table_id = NULL, seats = NULL, start_time = NULL,
                next_check = now()
            WHERE game_id = %s AND status = 'STARTING' AND table_id = %s RETURNING *
            """,
            (game_id, table_id),
        )

    async def playing(self, game_id: UUID, look: float) -> Game | None:
        """Move STARTING -> PLAYING: the table is there and is never created again."""
        return await self._rows.one(
            """
            UPDATE matchmaking.game SET status = 'PLAYING', forget_due = true,
                next_check = now() + %s * interval '1 second'
            WHERE game_id = %s AND status = 'STARTING' RETURNING *
            """,
            (look, game_id),
        )

    async def closed(
        self, game_id: UUID, status: Status, refusal: str | None, *, expired: bool, retry: float
    ) -> Game | None:
        """Move `status` -> CLOSED, stakes to give back; with `expired` only when its time is over."""
        return await self._rows.one(
            """
            UPDATE matchmaking.game SET status = 'CLOSED', refusal = %s, refund_due = true, forget_due = true,
                end_time = now(), next_check = now() + %s * interval '1 second'
            WHERE game_id = %s AND status = %s AND (NOT %s OR expire_time <= now()) RETURNING *
            """,
            (refusal, retry, game_id, str(status), expired),
        )

    async def ended(self, game_id: UUID, result: Result, retry: float) -> Game | None:
        """Move STARTING or PLAYING -> FINISHED or VOIDED, with the result.

        The stakes of a voided game are back by now; seats without a stake are still to be given up.
        """
        return await self._rows.one(
            """
            UPDATE matchmaking.game SET status = %s, result = %s, forget_due = true, missing_since = NULL,
                refund_due = %s AND stake = 0,
                end_time = coalesce(%s, now()), next_check = now() + %s * interval '1 second'
            WHERE game_id = %s AND status IN ('STARTING', 'PLAYING') RETURNING *
            """,
            (
                str(Status.VOIDED if result.voided else Status.FINISHED),
                Jsonb(codec.result_to_json(result)),
                result.voided,
                result.end_time,
                retry,
                game_id,
            ),
        )

    async def complete_result(self, game_id: UUID, result: Result) -> None:
        """Replace a result that agrees but did not know the points."""
        await self._rows.run(
            "UPDATE matchmaking.game SET result = %s WHERE game_id = %s",
            (Jsonb(codec.result_to_json(result)), game_id),
        )

    async def refunded(self, game_id: UUID) -> None:
        """Note that the stakes of a closed game are back."""
        await self._rows.run("UPDATE matchmaking.game SET refund_due = false WHERE game_id = %s", (game_id,))

    async def forgotten(self, game_id: UUID, status: Status) -> None:
        """Note that the lobby no longer has what a game of this status must not have there."""
        await self._rows.run(
            "UPDATE matchmaking.game SET forget_due = false WHERE game_id = %s AND status = %s",
            (game_id, str(status)),
        )

    async def claim(self, limit: int, lease: float) -> list[Game]:
        """Return games that are due, which no other replica then gets for `lease` seconds."""
        return await self._rows.all(_CLAIM, {"limit": limit, "lease": lease})

    async def rest(self, game_id: UUID, intervals: Intervals) -> None:
        """Set when the game is due next."""
        await self._rows.run(
            _REST,
            {
                "game_id": game_id,
                "audit": intervals.audit,
                "retry": intervals.retry,
                "look": intervals.look,
                "missing": intervals.missing,
            },
        )

    async def table_missing(self, game_id: UUID, grace: float, gap: float) -> bool:
        """Note that the table service does not know the table; returns whether the grace is over.

        More than `gap` seconds since it was last asked start the grace anew: it counts only what was seen.
        """
        async with self._pool.connection() as connection:
            rows = await connection.execute(_MISSING, {"game_id": game_id, "grace": grace, "gap": gap})
            row = await rows.fetchone()
            return row is not None and bool(row[0])

    async def table_not_missing(self, game_id: UUID) -> None:
        """Note that the table is there, or the table service does not answer: the grace starts anew."""
        await self._rows.run(
            "UPDATE matchmaking.game SET missing_since = NULL, asked_at = now() WHERE game_id = %s",
            (game_id,),
        )

    async def ping(self) -> None:
        """Raise if the database does not answer, or has no games."""
        await self._rows.run("SELECT FROM matchmaking.game LIMIT 1", ())
