"""Queries rows of matchmaking.game and maps them to games."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import structlog
from google.protobuf.json_format import MessageToDict
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb

from jasshaus.api.common.v1.rules_pb2 import RuleSet as RuleSetMessage
from jasshaus.contracts.rules import rule_set_to_proto, stored_rule_set
from jasshaus.matchmaking import codec
from jasshaus.matchmaking.domain import Game, Status, Terms
from jasshaus.platform.postgres import Pool
from jasshaus.rules.core.options import RuleSet

LIVE: Final = "status IN ('OPENING', 'OPEN', 'STARTING', 'PLAYING')"
"""The condition of games that are not over."""
_RULE_SETS: Final = 1024

log = structlog.stdlib.get_logger(__name__)


class UnreadableError(Exception):
    """A row is not as this release writes it: by a later one, or by a bug."""


class Rows:
    """Queries that return whole rows, read as games; unavailable databases raise psycopg's own errors.

    A row that cannot be read raises UnreadableError where it is asked for alone; lists leave it out, and say
    so in the log: it must not stand in the way of the others.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def run(self, query: str, values: Any) -> None:
        """Execute a query that returns nothing."""
        async with self._pool.connection() as connection:
            await connection.execute(query, values)

    async def one(self, query: str, values: Any) -> Game | None:
        """Return the first game a query finds; UnreadableError if its row cannot be read."""
        rows = await self._fetch(query, values)
        return _game(rows[0]) if rows else None

    async def all(self, query: str, values: Any) -> list[Game]:
        """Return the games a query finds, but those whose rows cannot be read."""
        games = []
        for row in await self._fetch(query, values):
            try:
                games.append(_game(row))
            except UnreadableError:
                log.exception("game_unreadable", game_id=str(row["game_id"]))
        return games

    async def _fetch(self, query: str, values: Any) -> list[DictRow]:
        async with self._pool.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            await cursor.execute(query, values)
            return await cursor.fetchall()


def rules_columns(preset: str, rules: RuleSet) -> dict[str, Any]:
    """Return the columns of a rule set, in both its forms."""
    message = rule_set_to_proto(rules, preset)
    return {
        "preset": preset,
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
