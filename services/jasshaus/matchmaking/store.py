"""Owns the game rows in PostgreSQL: what decides. Every change of status is a compare-and-set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from uuid import UUID, uuid4, uuid5

import structlog
from google.protobuf.json_format import MessageToDict
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb

from jasshaus.api.common.v1.rules_pb2 import RuleSet as RuleSetMessage
from jasshaus.contracts.rules import rule_set_to_proto, stored_rule_set
from jasshaus.matchmaking import codec
from jasshaus.matchmaking.domain import Game, Hold, Match, Quote, Result, Status, Terms, table_of
from jasshaus.platform.postgres import Pool
from jasshaus.rules.options import RuleSet

# Stands for the request that opened a game whose row was lost.
_REBUILT: Final = UUID("c9b5b7de-5d0f-4f7c-8a3b-2f4f1f2d6a10")
_RULE_SETS: Final = 1024
_LIVE: Final = "status IN ('OPENING', 'OPEN', 'STARTING', 'PLAYING')"

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

_REBUILD: Final = """
    INSERT INTO matchmaking.game (
        game_id, tenant, opener, request_id, request_digest, preset, variant, rule_set, rule_set_json,
        currency, stake, quote, opener_seat, status, table_id, seats, open_time, expire_time, start_time,
        forget_due, next_check
    )
    VALUES (%(game_id)s, %(tenant)s, %(opener)s, %(request_id)s, '', %(preset)s, %(variant)s,
        %(rule_set)s, %(rule_set_json)s, %(currency)s, %(stake)s, %(quote)s, %(opener_seat)s, 'PLAYING',
        %(table_id)s, %(seats)s, now(), now(), now(), true, now() + %(look)s * interval '1 second')
    ON CONFLICT DO NOTHING
    RETURNING *
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

# The index game_retained has the same condition. A stake refused for these reasons was never held: there is
# no journal of it.
_RETIRED: Final = """
    SELECT game_id, status FROM matchmaking.game
    WHERE end_time < now() - %(days)s * interval '1 day' AND pot_kept AND NOT refund_due AND NOT forget_due
        AND (stake = 0 OR (status = 'CLOSED' AND refusal IN ('INSUFFICIENT_FUNDS', 'TOO_MANY_GAMES')))
    ORDER BY end_time LIMIT %(limit)s FOR UPDATE SKIP LOCKED
"""

log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
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
    """How long a claimed game is left to who claimed it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a game is: the little of its row that is compared with its pot."""

    status: Status
    table_id: UUID | None
    refund_due: bool


class UnreadableError(Exception):
    """A row is not as this release writes it: by a later one, or by a bug."""


class GameStore:
    """Games by id; unavailable databases raise psycopg's own errors.

    A row that cannot be read raises UnreadableError where it is asked for alone; lists leave it out, and say
    so in the log: it must not stand in the way of the others.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def insert(
        self, tenant: str, opener: str, request_id: UUID, digest: str, terms: Mapping[str, Any]
    ) -> Game:
        """Write the row of a new game (OPENING), or return the one this request wrote before.

        `terms`: preset, rules, currency, stake, opener_seat, ttl and patience (seconds until an unfinished
        opening is given up).
        """
        values = {
            **_terms(terms),
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
        return await self._one(
            "SELECT * FROM matchmaking.game WHERE tenant = %s AND opener = %s AND request_id = %s",
            (tenant, opener, request_id),
        )

    async def get(self, game_id: UUID) -> Game | None:
        """Return a game."""
        return await self._one("SELECT * FROM matchmaking.game WHERE game_id = %s", (game_id,))

    async def many(self, game_ids: Iterable[UUID]) -> dict[UUID, Game]:
        """Return these games, as far as they exist."""
        ids = list(game_ids)
        if not ids:
            return {}
        games = await self._all("SELECT * FROM matchmaking.game WHERE game_id = ANY(%s)", (ids,))
        return {game.game_id: game for game in games}

    async def live(self, tenant: str) -> list[Game]:
        """Return a tenant's games that are not over."""
        return await self._all(f"SELECT * FROM matchmaking.game WHERE tenant = %s AND {_LIVE}", (tenant,))  # noqa: S608

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
        return await self._all(
            f"SELECT * FROM matchmaking.game WHERE game_id = ANY (%s) AND NOT {_LIVE}",  # noqa: S608
            (list(game_ids),),
        )

    async def tenants(self) -> list[str]:
        """Return the tenants that have games which are not over."""
        async with self._pool.connection() as connection:
            rows = await connection.execute(f"SELECT DISTINCT tenant FROM matchmaking.game WHERE {_LIVE}")  # noqa: S608
            return [row[0] for row in await rows.fetchall()]

    async def counts(self) -> dict[Status, int]:
        """Return how many games there are that are not over, by status."""
        async with self._pool.connection() as connection:
            rows = await connection.execute(
                f"SELECT status, count(*) FROM matchmaking.game WHERE {_LIVE} GROUP BY status"  # noqa: S608
            )
            return {Status(status): count for status, count in await rows.fetchall()}

    async def opened(self, game_id: UUID, quote: Quote | None, audit: float) -> Game | None:
        """Move OPENING -> OPEN; None when it is not OPENING any more."""
        return await self._one(
            """
            UPDATE matchmaking.game SET status = 'OPEN', quote = %s,
                next_check = least(expire_time, now() + %s * interval '1 second')
            WHERE game_id = %s AND status = 'OPENING' RETURNING *
            """,
            (None if quote is None else Jsonb(codec.quote_to_json(quote)), audit, game_id),
        )

    async def started(self, game_id: UUID, holds: tuple[Hold, ...], retry: float) -> Game | None:
        """Move OPEN -> STARTING, fixing the table's id and the four stakes."""
        return await self._one(
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
        return await self._one(
            """
            UPDATE matchmaking.game SET status = 'OPEN', table_id = NULL, seats = NULL, start_time = NULL,
                next_check = now()
            WHERE game_id = %s AND status = 'STARTING' AND table_id = %s RETURNING *
            """,
            (game_id, table_id),
        )

    async def playing(self, game_id: UUID, look: float) -> Game | None:
        """Move STARTING -> PLAYING: the table is there and is never created again."""
        return await self._one(
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
        return await self._one(
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
        return await self._one(
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

    async def followed(self, game_id: UUID, match: Match, quote: Quote | None) -> Game | None:
        """Move whatever a row says, except that it is at this table already, to PLAYING at this table.

        For rows of another time than their pot, which is locked for this table: the pot decides.
        """
        return await self._one(
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

    async def rebuilt(
        self, game_id: UUID, tenant: str, match: Match, terms: Mapping[str, Any]
    ) -> Game | None:
        """Write the row of a game that is PLAYING and has lost it; None when there is one.

        `terms`: preset, rules, currency, stake, quote, and look (seconds until its table is looked at). Who
        opened it is not known any more: whoever sits in the first seat stands for them.
        """
        quote: Quote | None = terms["quote"]
        first = match.holds[0]
        values = {
            **_terms(terms),
            "quote": None if quote is None else Jsonb(codec.quote_to_json(quote)),
            "game_id": game_id,
            "tenant": tenant,
            "opener": first.player,
            "opener_seat": first.seat,
            "request_id": uuid5(_REBUILT, str(game_id)),
            "table_id": match.table_id,
            "seats": Jsonb(codec.holds_to_json(match.holds)),
        }
        return await self._one(_REBUILD, values)

    async def overruled(self, game: Game, table_id: UUID, result: Result, retry: float) -> Game | None:
        """Move a row, if it is still as it was read, to its pot's end. The seats may be unknown."""
        return await self._one(
            """
            UPDATE matchmaking.game SET status = %s, table_id = %s, seats = coalesce(seats, '[]'),
                result = %s, refusal = NULL, end_time = coalesce(%s, end_time, now()), missing_since = NULL,
                refund_due = false, forget_due = true, next_check = now() + %s * interval '1 second'
            WHERE game_id = %s AND status = %s RETURNING *
            """,
            (
                str(Status.VOIDED if result.voided else Status.FINISHED),
                table_id,
                Jsonb(codec.result_to_json(result)),
                result.end_time,
                retry,
                game.game_id,
                str(game.status),
            ),
        )

    async def standings(self, game_ids: Iterable[UUID]) -> dict[UUID, Standing]:
        """Return how far these games are, as far as they have a row; also of rows that cannot be read."""
        async with self._pool.connection() as connection:
            rows = await connection.execute(
                "SELECT game_id, status, table_id, refund_due FROM matchmaking.game WHERE game_id = ANY (%s)",
                (list(game_ids),),
            )
            return {row[0]: Standing(Status(row[1]), row[2], row[3]) for row in await rows.fetchall()}

    async def at_table(self) -> set[UUID]:
        """Return the staked games that are being played."""
        async with self._pool.connection() as connection:
            rows = await connection.execute(
                "SELECT game_id FROM matchmaking.game WHERE status = 'PLAYING' AND stake > 0"
            )
            return {row[0] for row in await rows.fetchall()}

    async def hurry(self, game_id: UUID) -> None:
        """Let the reconciler look at a game that is not over at once."""
        await self._run(
            f"UPDATE matchmaking.game SET next_check = now() WHERE game_id = %s AND {_LIVE}",  # noqa: S608
            (game_id,),
        )

    async def complete_result(self, game_id: UUID, result: Result) -> None:
        """Replace a result that agrees but did not know the points."""
        await self._run(
            "UPDATE matchmaking.game SET result = %s WHERE game_id = %s",
            (Jsonb(codec.result_to_json(result)), game_id),
        )

    async def refunded(self, game_id: UUID) -> None:
        """Note that the stakes of a closed game are back."""
        await self._run("UPDATE matchmaking.game SET refund_due = false WHERE game_id = %s", (game_id,))

    async def forgotten(self, game_id: UUID, status: Status) -> None:
        """Note that the lobby no longer has what a game of this status must not have there."""
        await self._run(
            "UPDATE matchmaking.game SET forget_due = false WHERE game_id = %s AND status = %s",
            (game_id, str(status)),
        )

    async def claim(self, limit: int, lease: float) -> list[Game]:
        """Return games that are due, which no other replica then gets for `lease` seconds."""
        return await self._all(_CLAIM, {"limit": limit, "lease": lease})

    async def rest(self, game_id: UUID, pace: Pace) -> None:
        """Set when the game is due next."""
        await self._run(
            _REST,
            {
                "game_id": game_id,
                "audit": pace.audit,
                "retry": pace.retry,
                "look": pace.look,
                "missing": pace.missing,
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
        await self._run(
            "UPDATE matchmaking.game SET missing_since = NULL, asked_at = now() WHERE game_id = %s",
            (game_id,),
        )

    async def retire(self, days: float, limit: int) -> tuple[int, int]:
        """Delete what is kept of at most `limit` games for that time only (see `retention`).

        Returns how many games went, and how many only gave up the records of their seats.
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

    async def ping(self) -> None:
        """Raise if the database does not answer, or has no games."""
        await self._run("SELECT FROM matchmaking.game LIMIT 1", ())

    async def _run(self, query: str, values: Any) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(query, values)

    async def _one(self, query: str, values: Any) -> Game | None:
        rows = await self._rows(query, values)
        return _game(rows[0]) if rows else None

    async def _all(self, query: str, values: Any) -> list[Game]:
        games = []
        for row in await self._rows(query, values):
            try:
                games.append(_game(row))
            except UnreadableError:
                log.exception("game_unreadable", game_id=str(row["game_id"]))
        return games

    async def _rows(self, query: str, values: Any) -> list[DictRow]:
        async with self._pool.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            await cursor.execute(query, values)
            return await cursor.fetchall()


def _terms(terms: Mapping[str, Any]) -> dict[str, Any]:
    """Return terms as columns: the rule set in both its forms, the rest as it is."""
    rules: RuleSet = terms["rules"]
    message = rule_set_to_proto(rules, terms["preset"])
    return {
        **{key: value for key, value in terms.items() if key != "rules"},
        "variant": str(rules.variant),
        "rule_set": message.SerializeToString(deterministic=True),
        "rule_set_json": Jsonb(MessageToDict(message, preserving_proto_field_name=True)),
    }


def _game(row: DictRow) -> Game:
    try:
        return _read(row)
    except Exception as error:
        raise UnreadableError(str(row["game_id"])) from error


@lru_cache(maxsize=_RULE_SETS)
def _rules(stored: bytes) -> RuleSet:
    # Most games are played by one of a few rule sets, and reading one takes longer than all the rest.
    return stored_rule_set(RuleSetMessage.FromString(stored))


def _read(row: DictRow) -> Game:
    terms = Terms(
        game_id=row["game_id"],
        tenant=row["tenant"],
        opener=row["opener"],
        opener_seat=row["opener_seat"],
        request_id=row["request_id"],
        preset=row["preset"],
        rules=_rules(row["rule_set"]),
        currency=row["currency"],
        stake=row["stake"],
        open_time=row["open_time"],
        expire_time=row["expire_time"],
    )
    return Game(
        terms=terms,
        status=Status(row["status"]),
        digest=row["request_digest"],
        refusal=row["refusal"],
        quote=None if row["quote"] is None else codec.quote_from_json(row["quote"]),
        table_id=row["table_id"],
        holds=() if row["seats"] is None else codec.holds_from_json(row["seats"]),
        result=None if row["result"] is None else codec.result_from_json(row["result"]),
        refund_due=row["refund_due"],
        forget_due=row["forget_due"],
        start_time=row["start_time"],
        end_time=row["end_time"],
        missing_since=row["missing_since"],
        asked_at=row["asked_at"],
        changes=row["changes"],
    )
