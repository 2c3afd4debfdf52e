"""FakeHistory: matchmaking's record of results in memory, with faults on demand.

It keeps the same contract as the real one: tests/contract/test_history.py runs against both.
"""

# ruff: noqa: N802 (gRPC names its methods so)

from __future__ import annotations

from typing import Any

import grpc

from contract.faulty import Faulty
from jasshaus.api.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from jasshaus.platform.errors import failed_precondition, invalid_argument, not_found

MOST_TABLES = 1000


class FakeHistory(Faulty, matchmaking_pb2_grpc.HistoryServiceServicer):
    """Results of games; any game is taken for one in play until its result is known, unless it is lost."""

    def __init__(self) -> None:
        super().__init__()
        self.results: dict[str, matchmaking_pb2.ReportMatchRequest] = {}
        self.lost: set[str] = set()
        self.unnamed: set[str] = set()

    def lose(self, game_id: str, table_id: str = "") -> None:
        """Forget a game's row, as a database that was taken back to before it."""
        self.results.pop(game_id, None)
        self.lost.add(game_id)
        self.unnamed.add(table_id)

    @property
    def reports(self) -> list[matchmaking_pb2.ReportMatchRequest]:
        """All results that were reported, as they came."""
        return [request for method, request in self.calls if method == "ReportMatch"]

    def register(self, server: grpc.aio.Server) -> None:
        """Add the service to a server."""
        matchmaking_pb2_grpc.add_HistoryServiceServicer_to_server(self, server)

    async def ReportMatch(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "ReportMatch", request, self._report)

    async def RestoreGame(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "RestoreGame", request, self._restore)

    async def CheckMatches(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "CheckMatches", request, self._check)

    def _check(self, request: matchmaking_pb2.CheckMatchesRequest) -> matchmaking_pb2.CheckMatchesResponse:
        if len(request.table_ids) > MOST_TABLES:
            raise invalid_argument("table_ids", "are too many")
        return matchmaking_pb2.CheckMatchesResponse(
            table_ids=[each for each in request.table_ids if each in self.unnamed]
        )

    def _report(self, request: matchmaking_pb2.ReportMatchRequest) -> matchmaking_pb2.ReportMatchResponse:
        if not request.voided and not request.result.winning_seats:
            raise invalid_argument("result.winning_seats", "must name who won")
        if request.game_id in self.lost:
            raise not_found("GAME_NOT_FOUND", "no such game")
        known = self.results.setdefault(request.game_id, request)
        if not _agree(known, request):
            raise failed_precondition("RESULT_CONFLICT", "another result is recorded")
        return matchmaking_pb2.ReportMatchResponse()

    def _restore(self, request: matchmaking_pb2.RestoreGameRequest) -> matchmaking_pb2.RestoreGameResponse:
        if [seat.seat for seat in request.seats] != [0, 1, 2, 3]:
            raise invalid_argument("seats", "must be four, in seat order")
        restored = request.game_id in self.lost
        self.lost.discard(request.game_id)
        self.unnamed.discard(request.table_id)
        known = self.results.get(request.game_id)
        if known is not None and (known.table_id != request.table_id or not request.HasField("quote")):
            raise failed_precondition("GAME_CONFLICT", "the game is over, or has another table")
        return matchmaking_pb2.RestoreGameResponse(restored=restored)


def _agree(one: matchmaking_pb2.ReportMatchRequest, other: matchmaking_pb2.ReportMatchRequest) -> bool:
    """Whether both tell the same end: points may be unknown to one, and the time is whenever it was told."""
    if one.table_id != other.table_id or one.voided != other.voided:
        return False
    if one.voided:
        return True
    here, there = one.result, other.result
    same = (list(here.winning_seats), list(here.payouts), here.fee) == (
        list(there.winning_seats),
        list(there.payouts),
        there.fee,
    )
    return same and (not here.points or not there.points or list(here.points) == list(there.points))
