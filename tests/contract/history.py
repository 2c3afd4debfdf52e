"""Owns FakeHistory: matchmaking's record of results in memory, with faults on demand.

It keeps the same contract as the real one: tests/contract/test_history.py runs against both.
"""

# ruff: noqa: N802 (gRPC names its methods so)

from __future__ import annotations

from typing import Any

import grpc

from contract.faulty import Faulty
from jasshaus.api.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from jasshaus.platform.errors import failed_precondition, invalid_argument


class FakeHistory(Faulty, matchmaking_pb2_grpc.HistoryServiceServicer):
    """Results of games; any game is taken for one in play until its result is known."""

    def __init__(self) -> None:
        super().__init__()
        self.results: dict[str, matchmaking_pb2.ReportMatchRequest] = {}

    @property
    def reports(self) -> list[matchmaking_pb2.ReportMatchRequest]:
        """All that was reported, as it came."""
        return [request for _, request in self.calls]

    def register(self, server: grpc.aio.Server) -> None:
        """Add the service to a server."""
        matchmaking_pb2_grpc.add_HistoryServiceServicer_to_server(self, server)

    async def ReportMatch(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "ReportMatch", request, self._report)

    def _report(self, request: matchmaking_pb2.ReportMatchRequest) -> matchmaking_pb2.ReportMatchResponse:
        if not request.voided and not request.result.winning_seats:
            raise invalid_argument("result.winning_seats", "must name who won")
        if self.results.setdefault(request.game_id, request) != request:
            raise failed_precondition("RESULT_CONFLICT", "another result is recorded")
        return matchmaking_pb2.ReportMatchResponse()
