"""Owns calls to the table service: create, look, abort."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar
from uuid import UUID

import grpc

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.table.v1 import table_pb2, table_pb2_grpc
from jasshaus.contracts.rules import rule_set_to_proto
from jasshaus.matchmaking.domain import Game, Result
from jasshaus.matchmaking.pots import Refused
from jasshaus.matchmaking.remote import FinalAnswer, Method, ask

_SECONDS: Final = 10.0
_MAX_REASON: Final = 64

Response = TypeVar("Response")


class TableState(StrEnum):
    """State of a table, as far as a game depends on it."""

    PLAYING = "PLAYING"
    SETTLING = "SETTLING"
    FINISHED = "FINISHED"
    VOIDED = "VOIDED"


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is; `result` once it is FINISHED or VOIDED."""

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
            seats=[table_pb2.Seat(seat=hold.seat, player_id=hold.player) for hold in game.holds],
            rule_set=rule_set_to_proto(terms.rules, terms.preset),
            stake=stake,
        )
        await _ask(self._stub.CreateTable, request)

    async def get(self, table_id: UUID) -> Table | None:
        """GetTable; None when the table service, answering healthily, does not know the table."""
        try:
            response = await _ask(self._stub.GetTable, table_pb2.GetTableRequest(table_id=str(table_id)))
        except Refused as refused:
            if refused.reason == "TABLE_NOT_FOUND":
                return None
            raise
        return _table(response.view)

    async def abort(self, table_id: UUID, reason: str) -> bool:
        """AbortTable: fence the id. Returns whether there was a table; Refused when a winner is known."""
        request = table_pb2.AbortTableRequest(table_id=str(table_id), reason=reason[:_MAX_REASON])
        return (await _ask(self._stub.AbortTable, request)).HasField("view")


async def _ask(method: Method[Any, Response], request: Any) -> Response:
    try:
        return await ask(method, request, seconds=_SECONDS, away="TABLE_UNAVAILABLE")
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
