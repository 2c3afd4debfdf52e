"""Matchmaking's rows as the table service sees them: results are reported, lost rows written again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

import grpc
import structlog
from google.protobuf.timestamp_pb2 import Timestamp

from jasshaus.api.common.v1 import money_pb2
from jasshaus.api.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from jasshaus.platform.errors import Fault
from jasshaus.table.codec import amount_to_proto, rule_set_message
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.remote import Undelivered, call
from jasshaus.table.table import Outcome, Table

log = structlog.stdlib.get_logger(__name__)

_BEHIND: Final = frozenset({"GAME_NOT_FOUND", "RESULT_CONFLICT"})
_REFUSALS: Final = frozenset(
    {grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.NOT_FOUND, grpc.StatusCode.INVALID_ARGUMENT}
)


@dataclass(frozen=True, slots=True)
class Report:
    """The end of a match. `known`: the table is still there, so that a lost row can be written again."""

    table_id: UUID
    game_id: UUID
    tenant: str
    voided: bool
    outcome: Outcome
    known: Table | None = None


class Games:
    """Calls to HistoryService. All of them may be repeated."""

    def __init__(self, matchmaking: grpc.aio.Channel, metrics: TableMetrics) -> None:
        self._stub = matchmaking_pb2_grpc.HistoryServiceStub(matchmaking)
        self._metrics = metrics

    async def report(self, report: Report, quote: money_pb2.Quote | None) -> bool:
        """Report the end of a match; return whether the row had to be restored for it. Raises Undelivered.

        `quote` is the pot's. A refusal that stands is for an operator: it holds nothing up.
        """
        try:
            await call(self._stub.ReportMatch, _request(report))
        except Fault as refused:
            if refused.reason not in _BEHIND:
                raise Undelivered(refused.reason) from refused
            return await self._report_again(report, quote, refused)
        return False

    async def _report_again(self, report: Report, quote: money_pb2.Quote | None, refused: Fault) -> bool:
        table = report.known
        # Without its pot a game with a stake has no quote: it is as unknown to the ledger as to its row.
        if table is None or (table.stake is not None and quote is None):
            self._refused(report, refused)
            return False
        restored = await self.restore(table, quote)
        if restored is not None:
            try:
                await call(self._stub.ReportMatch, _request(report))
            except Fault as again:
                if again.reason not in _BEHIND:
                    raise Undelivered(again.reason) from again
                refused = again
            else:
                return restored
        self._refused(report, refused)
        return False

    def _refused(self, report: Report, refused: Fault) -> None:
        self._metrics.settle_refusals.inc()
        log.error(
            "report_refused", table=str(report.table_id), game=str(report.game_id), reason=refused.reason
        )

    async def restore(self, table: Table, quote: money_pb2.Quote | None) -> bool | None:
        """See to it that the game's row is PLAYING at this table. Raises Undelivered.

        Returns whether the row had to be changed; None when the game has another table, or is over.
        """
        request = matchmaking_pb2.RestoreGameRequest(
            table_id=str(table.table_id),
            game_id=str(table.game_id),
            tenant=table.tenant,
            seats=[
                matchmaking_pb2.RestoredSeat(
                    seat=number,
                    player_id=seat.player_id,
                    reservation_id="" if seat.reservation is None else str(seat.reservation),
                )
                for number, seat in enumerate(table.seats)
            ],
            rule_set=rule_set_message(table.rules, table.preset),
            quote=quote,
        )
        try:
            restored = (await call(self._stub.RestoreGame, request)).restored
        except Fault as refused:
            if refused.code not in _REFUSALS:
                raise Undelivered(refused.reason) from refused
            log.error(  # noqa: TRY400 - an answer, no bug
                "game_conflict", table=str(table.table_id), game=str(table.game_id), reason=refused.reason
            )
            return None
        if restored:
            log.warning("game_restored", table=str(table.table_id), game=str(table.game_id))
        return restored


def _request(report: Report) -> matchmaking_pb2.ReportMatchRequest:
    outcome = report.outcome
    now = Timestamp()
    now.GetCurrentTime()
    return matchmaking_pb2.ReportMatchRequest(
        table_id=str(report.table_id),
        game_id=str(report.game_id),
        tenant=report.tenant,
        voided=report.voided,
        result=matchmaking_pb2.GameResult(
            winning_seats=outcome.winning_seats,
            payouts=[amount_to_proto(payout) for payout in outcome.payouts],
            fee=None if outcome.fee is None else amount_to_proto(outcome.fee),
            points=outcome.points,
            end_time=now,
        ),
    )
