"""The SQL that corrects rows from another time, as a restored database has them, by their pots.

It decides nothing: `upkeep.pot_watch` finds such rows, `games.lifecycle` and `upkeep.restoring` correct them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from psycopg.types.json import Jsonb

from jasshaus.matchmaking import codec
from jasshaus.matchmaking.domain import Game, Match, Played, Quote, Result, Status
from jasshaus.matchmaking.rows.queries import LIVE, Rows, rules_columns
from jasshaus.platform.postgres import Pool

# Stands for the request that opened a game whose row was lost.
_REBUILT: Final = UUID("c9b5b7de-5d0f-4f7c-8a3b-2f4f1f2d6a10")
# The count a row that is written again begins with: no age counts for more than 2^20 (0001_games.sql), and no
# game changes a thousand times.
_AHEAD: Final = (1 << 20) + 1000

_REBUILD: Final = """
    INSERT INTO matchmaking.game (
        game_id, tenant, opener, request_id, request_digest, preset, variant, rule_set, rule_set_json,
        currency, stake, quote, opener_seat, status, table_id, seats, open_time, expire_time, start_time,
        forget_due, next_check, changes
    )
    VALUES (%(game_id)s, %(tenant)s, %(opener)s, %(request_id)s, '', %(preset)s, %(variant)s,
        %(rule_set)s, %(rule_set_json)s, %(currency)s, %(stake)s, %(quote)s, %(opener_seat)s, 'PLAYING',
        %(table_id)s, %(seats)s, least(now(), %(end_time)s), least(now(), %(end_time)s),
        least(now(), %(end_time)s), true, now() + %(look)s * interval '1 second', %(changes)s)
    ON CONFLICT DO NOTHING
    RETURNING *
"""


# The index game_ended has the same condition.
_ENDED: Final = """
    SELECT end_time, game_id FROM matchmaking.game
    WHERE stake > 0 AND end_time IS NOT NULL AND status IN ('FINISHED', 'VOIDED', 'CLOSED')
        AND end_time > now() - %(oldest)s * interval '1 day'
        AND end_time <= now() - %(newest)s * interval '1 day'
        AND (%(end)s::timestamptz IS NULL OR (end_time, game_id) < (%(end)s, %(id)s))
    ORDER BY end_time DESC, game_id DESC LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a game is: the little of its row that is compared with its pot."""

    status: Status
    table_id: UUID | None
    refund_due: bool


class Corrections:
    """Games by id; errors, and what becomes of rows that cannot be read: see `Rows`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._rows = Rows(pool)

    async def standings(self, game_ids: Iterable[UUID]) -> dict[UUID, Standing]:
        """Return how far these games are, as far as they have a row; also of rows that cannot be read."""
        async with self._pool.connection() as connection:
            rows = await connection.execute(
                "SELECT game_id, status, table_id, refund_due FROM matchmaking.game WHERE game_id = ANY (%s)",
                (list(game_ids),),
            )
            return {row[0]: Standing(Status(row[1]), row[2], row[3]) for row in await rows.fetchall()}

    async def named(self, table_ids: Iterable[UUID]) -> set[UUID]:
        """Return the tables among these that a row names, also one that cannot be read."""
        async with self._pool.connection() as connection:
            rows = await connection.execute(
                "SELECT table_id FROM matchmaking.game WHERE table_id = ANY (%s)", (list(table_ids),)
            )
            return {row[0] for row in await rows.fetchall()}

    async def with_pot(self) -> set[UUID]:
        """Return the staked games that are open or being played, whose pots should not be over.

        Those that open or start are looked at by their rows every few seconds anyway.
        """
        async with self._pool.connection() as connection:
            rows = await connection.execute(
                "SELECT game_id FROM matchmaking.game WHERE status IN ('OPEN', 'PLAYING') AND stake > 0"
            )
            return {row[0] for row in await rows.fetchall()}

    async def ended(
        self, after: tuple[datetime, UUID] | None, days: tuple[int, int], limit: int
    ) -> tuple[list[tuple[datetime, UUID]], list[Game]]:
        """Return the (end, id) of the staked games that ended so many days ago, and the games; latest first.

        It goes on behind `after`. The keys include rows that cannot be read, and rows whose
        refund is still due.
        """
        end_time, game_id = after or (None, None)
        newest, oldest = days
        values = {"end": end_time, "id": game_id, "newest": newest, "oldest": oldest, "limit": limit}
        async with self._pool.connection() as connection:
            keys = await (await connection.execute(_ENDED, values)).fetchall()
        games = await self._rows.all(
            "SELECT * FROM matchmaking.game WHERE game_id = ANY (%s) AND NOT refund_due",
            ([key[1] for key in keys],),
        )
        return [(key[0], key[1]) for key in keys], games

    async def hurry(self, game_id: UUID) -> None:
        """Let the reconciler look at a game that is not over at once."""
        await self._rows.run(
            f"UPDATE matchmaking.game SET next_check = now() WHERE game_id = %s AND {LIVE}",  # noqa: S608
            (game_id,),
        )

    async def followed(self, game_id: UUID, match: Match, quote: Quote | None) -> Game | None:
        """Move whatever a row says, except that it is at this table already, to PLAYING at this table.

        For rows of another time than their pot, which is locked for this table: the pot decides.
        """
        return await self._rows.one(
            """
            UPDATE matchmaking.game SET status = 'PLAYING', table_id = %(table_id)s, seats = %(seats)s,
                quote = coalesce(quote, %(quote)s), result = NULL, refusal = NULL,
                start_time = coalesce(start_time, now()), end_time = NULL, missing_since = NULL,
                refund_due = false, forget_due = true, next_check = now()
            WHERE game_id = %(game_id)s
                AND (table_id IS DISTINCT FROM %(table_id)s
                    OR status NOT IN ('PLAYING', 'FINISHED', 'VOIDED'))
            RETURNING *
            """,
            {
                "game_id": game_id,
                "table_id": match.table_id,
                "seats": Jsonb(codec.holds_to_json(match.holds)),
                "quote": None if quote is None else Jsonb(codec.quote_to_json(quote)),
            },
        )

    async def rebuilt(self, played: Played, look: float) -> Game | None:
        """Write the row of a game that is PLAYING and has lost it; None when there is one.

        Its table is looked at in `look` seconds. Who opened the game is not known any more: whoever sits in
        the first seat stands in for them.
        """
        quote, match = played.quote, played.match
        first = match.holds[0]
        values = {
            **rules_columns(played.preset, played.rules),
            "currency": played.currency,
            "stake": played.stake,
            "quote": None if quote is None else Jsonb(codec.quote_to_json(quote)),
            "game_id": played.game_id,
            "tenant": played.tenant,
            "opener": first.player,
            "opener_seat": first.seat,
            "request_id": uuid5(_REBUILT, str(played.game_id)),
            "changes": _AHEAD,
            "table_id": match.table_id,
            "seats": Jsonb(codec.holds_to_json(match.holds)),
            "look": look,
            "end_time": played.end_time,
        }
        return await self._rows.one(_REBUILD, values)

    async def overruled(self, game: Game, match: Match, result: Result, retry: float) -> Game | None:
        """Move a row, if it is still as it was read, to its pot's end.

        The seats of a row that has none are the match's, as far as they are known.
        """
        return await self._rows.one(
            """
            UPDATE matchmaking.game SET status = %s, table_id = %s, seats = coalesce(seats, %s),
                result = %s, refusal = NULL, end_time = coalesce(%s, end_time, now()), missing_since = NULL,
                refund_due = false, forget_due = true, next_check = now() + %s * interval '1 second'
            WHERE game_id = %s AND status = %s RETURNING *
            """,
            (
                str(Status.VOIDED if result.voided else Status.FINISHED),
                match.table_id,
                Jsonb(codec.holds_to_json(match.holds)),
                Jsonb(codec.result_to_json(result)),
                result.end_time,
                retry,
                game.game_id,
                str(game.status),
            ),
        )
