"""FakeTables: the table service in memory, as far as matchmaking needs it, with faults on demand.

It keeps the same contract as the real one: tests/contract/test_tables.py runs against both.
"""

# ruff: noqa: N802 (gRPC names its methods so)

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import grpc

from contract.faulty import Faulty
from jasshaus.api.common.v1 import money_pb2
from jasshaus.api.table.v1 import table_pb2, table_pb2_grpc
from jasshaus.contracts.rules import rule_set_from_proto
from jasshaus.platform.errors import failed_precondition, invalid_argument, not_found
from jasshaus.platform.validation import uuid_field
from jasshaus.rules.core.options import OptionError

UNSPECIFIED = table_pb2.TABLE_STATUS_UNSPECIFIED
PLAYING = table_pb2.TABLE_STATUS_PLAYING
FINISHED = table_pb2.TABLE_STATUS_FINISHED
VOIDED = table_pb2.TABLE_STATUS_VOIDED


class FakeTables(Faulty, table_pb2_grpc.TableServiceServicer):
    """Tables that are created, looked at and aborted; nothing is played. Any caller may do anything.

    `reconcile` stands for what comparing a table, or the result it left, with its pot and game does to those:
    it is called with the table's game, and returns what was found.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, table_pb2.TableView] = {}
        self.results: dict[str, table_pb2.MatchResult] = {}
        self.requests: dict[str, bytes] = {}
        self.created: Counter[str] = Counter()
        self.fenced: set[str] = set()
        self.reconcile: Callable[[str], table_pb2.Finding.ValueType] = _in_order

    def lose(self, table_id: str, *, result: bool = True) -> None:
        """Forget a table, as a store that lost it; with `result` what is kept of its match, too."""
        del self.tables[table_id], self.requests[table_id]
        if result:
            self.results.pop(table_id, None)

    def finish(
        self, table_id: str, seats: list[int], payouts: list[int], fee: int, points: list[int]
    ) -> None:
        """Let a match be over and paid."""
        view = self.tables[table_id]
        view.status = FINISHED
        view.outcome.winning_seats.extend(seats)
        view.outcome.points.extend(points)
        for units in payouts:
            view.outcome.payouts.append(money_pb2.Amount(currency_code="CHF", minor_units=units))
        if payouts:
            view.outcome.fee.CopyFrom(money_pb2.Amount(currency_code="CHF", minor_units=fee))
        self._keep_result(table_id)

    def register(self, server: grpc.aio.Server) -> None:
        """Add the service to a server."""
        table_pb2_grpc.add_TableServiceServicer_to_server(self, server)

    async def CreateTable(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "CreateTable", request, self._create)

    async def GetTable(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "GetTable", request, self._get)

    async def AbortTable(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "AbortTable", request, self._abort)

    async def GetResult(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "GetResult", request, self._result)

    async def ReconcileTable(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "ReconcileTable", request, self._reconcile)

    def _create(self, request: table_pb2.CreateTableRequest) -> table_pb2.CreateTableResponse:
        table_id = str(uuid_field(request.table_id, "table_id"))
        uuid_field(request.game_id, "game_id")
        try:
            rule_set_from_proto(request.rule_set)
        except OptionError as error:
            name, problem = error.faults[0]
            raise invalid_argument(f"rule_set.{name}", problem, "OPTION_INVALID") from None
        assert sorted(seat.seat for seat in request.seats) == [0, 1, 2, 3]
        assert len({seat.player_id for seat in request.seats}) == 4
        body = request.SerializeToString(deterministic=True)
        if table_id in self.fenced:
            raise failed_precondition("TABLE_FENCED", "aborted before it was created")
        if self.requests.setdefault(table_id, body) != body:
            raise failed_precondition("TABLE_CONFLICT", "exists with other content")
        if table_id not in self.tables:
            self.created[request.game_id] += 1
            self.tables[table_id] = table_pb2.TableView(
                table_id=table_id,
                game_id=request.game_id,
                version=1,
                status=PLAYING,
                rule_set=request.rule_set,
                stake=request.stake if request.HasField("stake") else None,
                seats=[
                    table_pb2.SeatView(seat=seat.seat, player_id=seat.player_id) for seat in request.seats
                ],
            )
        return table_pb2.CreateTableResponse(view=self.tables[table_id])

    def _get(self, request: table_pb2.GetTableRequest) -> table_pb2.GetTableResponse:
        if request.table_id not in self.tables:
            raise not_found("TABLE_NOT_FOUND", "no such table")
        return table_pb2.GetTableResponse(view=self.tables[request.table_id])

    def _abort(self, request: table_pb2.AbortTableRequest) -> table_pb2.AbortTableResponse:
        assert 1 <= len(request.reason) <= 64
        view = self.tables.get(request.table_id)
        if view is None:
            self.fenced.add(request.table_id)
            return table_pb2.AbortTableResponse()
        if view.status == FINISHED:
            raise failed_precondition("TABLE_ENDED", "a winner is known")
        view.status = VOIDED
        self._keep_result(request.table_id)
        return table_pb2.AbortTableResponse(view=view)

    def _result(self, request: table_pb2.GetResultRequest) -> table_pb2.GetResultResponse:
        table_id = str(uuid_field(request.table_id, "table_id"))
        if table_id not in self.results:
            raise not_found("RESULT_NOT_FOUND", "no result of such a table is kept")
        return table_pb2.GetResultResponse(result=self.results[table_id])

    def _reconcile(self, request: table_pb2.ReconcileTableRequest) -> table_pb2.ReconcileTableResponse:
        table_id = str(uuid_field(request.table_id, "table_id"))
        game_id = str(uuid_field(request.game_id, "game_id"))
        view, result = self.tables.get(table_id), self.results.get(table_id)
        known = view or result
        if known is None or known.game_id != game_id:
            return table_pb2.ReconcileTableResponse(finding=table_pb2.FINDING_UNKNOWN)
        finding = self.reconcile(game_id)
        status = self.tables[table_id].status if table_id in self.tables else UNSPECIFIED
        return table_pb2.ReconcileTableResponse(finding=finding, status=status)

    def _keep_result(self, table_id: str) -> None:
        view = self.tables[table_id]
        request = table_pb2.CreateTableRequest.FromString(self.requests[table_id])
        seats = sorted(request.seats, key=lambda seat: seat.seat)
        named = [seat.reservation_id for seat in seats if seat.reservation_id]
        result = table_pb2.MatchResult(
            table_id=table_id,
            game_id=view.game_id,
            tenant=request.tenant,
            reservation_ids=named if len(named) == len(seats) else [],
            winning_seats=view.outcome.winning_seats,
            points=view.outcome.points,
            result_digest=hashlib.sha256(table_id.encode()).digest(),
            staked=view.HasField("stake"),
            player_ids=[seat.player_id for seat in seats],
        )
        result.end_time.GetCurrentTime()
        self.results.setdefault(table_id, result)


def _in_order(_game_id: str) -> table_pb2.Finding.ValueType:
    return table_pb2.FINDING_IN_ORDER
