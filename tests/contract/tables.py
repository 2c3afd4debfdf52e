"""Owns FakeTables: the table service in memory, as far as matchmaking needs it, with faults on demand."""

# ruff: noqa: N802 (gRPC names its methods so)

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc

from jasshaus.api.common.v1 import money_pb2
from jasshaus.api.table.v1 import table_pb2, table_pb2_grpc
from jasshaus.contracts.rules import rule_set_from_proto
from jasshaus.platform.errors import Fault, failed_precondition, not_found, to_status_metadata, unavailable
from jasshaus.platform.validation import uuid_field

PLAYING = table_pb2.TABLE_STATUS_PLAYING
FINISHED = table_pb2.TABLE_STATUS_FINISHED
VOIDED = table_pb2.TABLE_STATUS_VOIDED


class FakeTables(table_pb2_grpc.TableServiceServicer):
    """Tables that are created, looked at and aborted; nothing is played. Any caller may do anything.

    `calls` lists (method, request) as they came. On demand: `down`, `unavailable`, `lose_answer`, `refuse`.
    """

    def __init__(self) -> None:
        self.tables: dict[str, table_pb2.TableView] = {}
        self.requests: dict[str, bytes] = {}
        self.created: Counter[str] = Counter()
        self.fenced: set[str] = set()
        self.calls: list[tuple[str, Any]] = []
        self.down = False
        self._before: Counter[str] = Counter()
        self._after: Counter[str] = Counter()
        self._refusals: dict[str, str] = {}
        self._gates: dict[str, asyncio.Event] = {}

    def unavailable(self, method: str, times: int = 1) -> None:
        """Refuse the next calls with UNAVAILABLE, without any effect."""
        self._before[method] += times

    def lose_answer(self, method: str, times: int = 1) -> None:
        """Let the next calls take effect and answer UNAVAILABLE all the same."""
        self._after[method] += times

    def refuse(self, method: str, reason: str) -> None:
        """Refuse all calls from now on with FAILED_PRECONDITION."""
        self._refusals[method] = reason

    def pause(self, method: str) -> asyncio.Event:
        """Let calls wait until the event returned is set."""
        return self._gates.setdefault(method, asyncio.Event())

    def count(self, method: str) -> int:
        """Return how often a method was called."""
        return sum(1 for name, _ in self.calls if name == method)

    def lose(self, table_id: str) -> None:
        """Forget a table, as a store that lost it."""
        del self.tables[table_id], self.requests[table_id]

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

    @asynccontextmanager
    async def serve(self, address: str = "127.0.0.1:0") -> AsyncIterator[str]:
        """Serve on a plain server while inside; yields host:port."""
        server = grpc.aio.server()
        table_pb2_grpc.add_TableServiceServicer_to_server(self, server)
        port = server.add_insecure_port(address)
        await server.start()
        try:
            yield f"{address.rpartition(':')[0]}:{port}"
        finally:
            await server.stop(None)

    async def CreateTable(self, request: Any, context: Any) -> Any:
        def effect() -> table_pb2.CreateTableResponse:
            table_id = str(uuid_field(request.table_id, "table_id"))
            uuid_field(request.game_id, "game_id")
            rule_set_from_proto(request.rule_set)
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

        return await self._answer(context, "CreateTable", request, effect)

    async def GetTable(self, request: Any, context: Any) -> Any:
        def effect() -> table_pb2.GetTableResponse:
            if request.table_id not in self.tables:
                raise not_found("TABLE_NOT_FOUND", "no such table")
            return table_pb2.GetTableResponse(view=self.tables[request.table_id])

        return await self._answer(context, "GetTable", request, effect)

    async def AbortTable(self, request: Any, context: Any) -> Any:
        def effect() -> table_pb2.AbortTableResponse:
            assert 1 <= len(request.reason) <= 64
            view = self.tables.get(request.table_id)
            if view is None:
                self.fenced.add(request.table_id)
                return table_pb2.AbortTableResponse()
            if view.status == FINISHED:
                raise failed_precondition("TABLE_ENDED", "a winner is known")
            view.status = VOIDED
            return table_pb2.AbortTableResponse(view=view)

        return await self._answer(context, "AbortTable", request, effect)

    async def _answer(self, context: Any, method: str, request: Any, effect: Callable[[], Any]) -> Any:
        self.calls.append((method, request))
        try:
            if self.down or self._take(self._before, method):
                raise unavailable("STORE_UNAVAILABLE", "the fake was told to be down")
            if method in self._gates:
                await self._gates[method].wait()
            if method in self._refusals:
                raise failed_precondition(self._refusals[method], "the fake was told to refuse")
            response = effect()
            if self._take(self._after, method):
                raise unavailable("STORE_UNAVAILABLE", "the fake was told to lose the answer")
        except Fault as fault:
            context.set_trailing_metadata(to_status_metadata(fault))
            await context.abort(fault.code, fault.message)
        return response

    @staticmethod
    def _take(counter: Counter[str], method: str) -> bool:
        if counter[method] <= 0:
            return False
        counter[method] -= 1
        return True
