"""Calls the table service: create, look, abort, compare."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from enum import StrEnum
from typing import Any, Final, TypeVar
from uuid import UUID

import grpc

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.table.v1 import table_pb2, table_pb2_grpc
from jasshaus.contracts.rules import rule_set_to_proto
from jasshaus.matchmaking.domain import Game, Hold, Result
from jasshaus.matchmaking.pots.port import Refused
from jasshaus.matchmaking.remote import FinalAnswer, ask
from jasshaus.platform.calls import Method

_SECONDS: Final = 10.0
# The table service calls the wallet and this service in turn.
_RECONCILE_SECONDS: Final = 20.0
_MAX_REASON: Final = 64

Response = TypeVar("Response")


class TableState(StrEnum):
    """State of a table, as far as it matters to a game."""

    PLAYING = "PLAYING"
    SETTLING = "SETTLING"
    FINISHED = "FINISHED"
    VOIDED = "VOIDED"


class Finding(StrEnum):
    """The result of comparing a table, or its result record, with its pot and its game."""

    UNKNOWN = "UNKNOWN"
    """Neither the table nor its result exists."""
    IN_ORDER = "IN_ORDER"
    REPAIRED = "REPAIRED"
    UNMATCHED = "UNMATCHED"
    """The pot is unknown or belongs to another table."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A match's result record: how it ended, and who played, if recorded."""

    result: Result
    holds: tuple[Hold, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table's state; `result` once it is FINISHED or VOIDED."""

    game_id: str
    state: TableState
    result: Result | None


class Tables:
    """Each call may be repeated. Raises `Refused`, or Fault TABLE_UNAVAILABLE: outcome unknown."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = table_pb2_grpc.TableServiceStub(channel)

    async def create(self, game: Game) -> None:
        """CreateTable for a game that is STARTING."""
        assert game.table_id is not None
        terms = game.terms
        stake = Amount(currency_code=terms.currency, minor_units=terms.stake) if terms.staked else None
        request = table_pb2.CreateTableRequest(
            table_id=str(game.table_id),
            game_id=str(game.game_id),
            tenant=terms.tenant,
            seats=[
                table_pb2.Seat(seat=hold.seat, player_id=hold.player, reservation_id=str(hold.reservation))
                for hold in game.holds
            ],
            rule_set=rule_set_to_proto(terms.rules, terms.preset),
            stake=stake,
        )
        await _ask(self._stub.CreateTable, request)

    async def get(self, table_id: UUID) -> Table | None:
        """GetTable; None if the table service is healthy and does not know the table."""
        try:
            response = await _ask(self._stub.GetTable, table_pb2.GetTableRequest(table_id=str(table_id)))
        except Refused as refused:
            if refused.reason == "TABLE_NOT_FOUND":
                return None
            raise
        return _table(response.view)

    async def result(self, table_id: UUID) -> Result | None:
        """GetResult: how a match ended; see `kept`."""
        kept = await self.kept(table_id)
        return None if kept is None else kept.result

    async def kept(self, table_id: UUID) -> Kept | None:
        """GetResult: what is kept of a match after its table is gone; None if there is nothing.

        What was paid is up to the pot.
        """
        try:
            response = await _ask(self._stub.GetResult, table_pb2.GetResultRequest(table_id=str(table_id)))
        except Refused as refused:
            if refused.reason == "RESULT_NOT_FOUND":
                return None
            raise
        kept = response.result
        result = Result(
            voided=not kept.winning_seats,
            winning_seats=tuple(kept.winning_seats),
            points=tuple(kept.points),
            end_time=kept.end_time.ToDatetime(UTC) if kept.HasField("end_time") else None,
        )
        pairs = list(zip(kept.player_ids, kept.reservation_ids, strict=False))
        holds = (Hold(seat, player, UUID(named)) for seat, (player, named) in enumerate(pairs))
        return Kept(result, tuple(holds))

    async def reconcile(self, table_id: UUID, game_id: UUID) -> Finding:
        """ReconcileTable: have the table service bring table, pot and game in line."""
        request = table_pb2.ReconcileTableRequest(table_id=str(table_id), game_id=str(game_id))
        response = await _ask(self._stub.ReconcileTable, request, _RECONCILE_SECONDS)
        return Finding(table_pb2.Finding.Name(response.finding).removeprefix("FINDING_"))

    async def abort(self, table_id: UUID, reason: str) -> bool:
        """AbortTable: fence the id. Returns whether there was a table; Refused if a winner is known."""
        request = table_pb2.AbortTableRequest(table_id=str(table_id), reason=reason[:_MAX_REASON])
        return (await _ask(self._stub.AbortTable, request)).HasField("view")


async def _ask(method: Method[Response], request: Any, seconds: float | None = None) -> Response:
    try:
        return await ask(method, request, seconds=seconds or _SECONDS, away="TABLE_UNAVAILABLE")
    except FinalAnswer as answer:
        raise Refused(answer.fault.reason, answer.fault.message) from answer


def _table(view: table_pb2.TableView) -> Table:
    state = TableState(table_pb2.TableStatus.Name(view.status).removeprefix("TABLE_STATUS_"))
    outcome = view.outcome
    match state:
        case TableState.FINISHED:
            result = Result(
                voided=False,
                winning_seats=tuple(outcome.winning_seats),
                payouts=tuple(payout.minor_units for payout in outcome.payouts),
                fee=outcome.fee.minor_units if outcome.HasField("fee") else None,
                points=tuple(outcome.points),
            )
        case TableState.VOIDED:
            result = Result(voided=True, points=tuple(outcome.points))
        case TableState.PLAYING | TableState.SETTLING:
            return Table(view.game_id, state, None)
    return Table(view.game_id, state, result)
