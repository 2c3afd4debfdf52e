"""Matchmaking's rows as the table service sees them: results are reported, lost rows written again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import grpc
import structlog
from google.protobuf.timestamp_pb2 import Timestamp

from jasshaus.api.common.v1 import money_pb2
from jasshaus.api.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from jasshaus.platform.calls import Undelivered, call
from jasshaus.platform.errors import Fault
from jasshaus.rules.core.options import RuleSet
from jasshaus.table.codec import amount_to_proto, rule_set_message
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.result import MatchResult
from jasshaus.table.table import Outcome, Table

log = structlog.stdlib.get_logger(__name__)

_BEHIND: Final = frozenset({"GAME_NOT_FOUND", "RESULT_CONFLICT"})
_REFUSALS: Final = frozenset(
    {grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.NOT_FOUND, grpc.StatusCode.INVALID_ARGUMENT}
)


@dataclass(frozen=True, slots=True)
class Row:
    """What a game's row is written again from: its table, or the result the table left."""

    table_id: UUID
    game_id: UUID
    tenant: str
    players: tuple[str, ...]
    reservations: tuple[UUID | None, ...]
    preset: str
    rules: RuleSet
    staked: bool
    ended_at: int = 0  # Unix milliseconds; 0 while it is played


@dataclass(frozen=True, slots=True)
class Report:
    """The end of a match. `row`: what a lost row can be written again from; None where nothing tells.

    `ended_at`: Unix milliseconds; 0 for now.
    """

    table_id: UUID
    game_id: UUID
    tenant: str
    voided: bool
    outcome: Outcome
    row: Row | None = None
    ended_at: int = 0


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
        row = report.row
        # Without its pot a game with a stake has no quote: it is as unknown to the ledger as to its row.
        if row is None or (row.staked and quote is None):
            self._refused(report, refused)
            return False
        restored = await self.restore(row, quote)
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

    async def unnamed(self, table_ids: Sequence[UUID]) -> list[UUID]:
        """Return the tables among these, at most 1,000, that no game names. Raises Undelivered."""
        request = matchmaking_pb2.CheckMatchesRequest(table_ids=map(str, table_ids))
        try:
            answer = await call(self._stub.CheckMatches, request)
        except Fault as refused:
            if refused.code is grpc.StatusCode.UNIMPLEMENTED:
                # The release before.
                return []
            raise Undelivered(refused.reason) from refused
        return [UUID(each) for each in answer.table_ids]

    async def restore(self, row: Row, quote: money_pb2.Quote | None) -> bool | None:
        """See to it that the game's row is PLAYING at this table. Raises Undelivered.

        Returns whether the row had to be changed; None when the game has another table, or is over.
        """
        request = matchmaking_pb2.RestoreGameRequest(
            table_id=str(row.table_id),
            game_id=str(row.game_id),
            tenant=row.tenant,
            seats=[
                matchmaking_pb2.RestoredSeat(
                    seat=number,
                    player_id=player,
                    reservation_id="" if reservation is None else str(reservation),
                )
                for number, (player, reservation) in enumerate(
                    zip(row.players, row.reservations, strict=True)
                )
            ],
            rule_set=rule_set_message(row.rules, row.preset),
            quote=quote,
            end_time=_moment(row.ended_at) if row.ended_at else None,
        )
        try:
            restored = (await call(self._stub.RestoreGame, request)).restored
        except Fault as refused:
            if refused.code not in _REFUSALS:
                raise Undelivered(refused.reason) from refused
            log.error(  # noqa: TRY400 - an answer, no bug
                "game_conflict", table=str(row.table_id), game=str(row.game_id), reason=refused.reason
            )
            return None
        if restored:
            log.warning("game_restored", table=str(row.table_id), game=str(row.game_id))
        return restored


def row_of(table: Table, ended_at: int = 0) -> Row:
    """Return what a table's game is written again from."""
    return Row(
        table.table_id,
        table.game_id,
        table.tenant,
        tuple(seat.player_id for seat in table.seats),
        tuple(seat.reservation for seat in table.seats),
        table.preset,
        table.rules,
        table.stake is not None,
        ended_at,
    )


def row_of_result(result: MatchResult) -> Row | None:
    """Return what a game is written again from; None where a release kept too little."""
    if result.rules is None or not result.players:
        return None
    return Row(
        result.table_id,
        result.game_id,
        result.tenant,
        result.players,
        result.reservations or (None,) * len(result.players),
        result.preset,
        result.rules,
        result.staked,
        result.ended_at,
    )


def _request(report: Report) -> matchmaking_pb2.ReportMatchRequest:
    outcome = report.outcome
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
            end_time=_moment(report.ended_at),
        ),
    )


def _moment(milliseconds: int) -> Timestamp:
    moment = Timestamp()
    if milliseconds:
        moment.FromMilliseconds(milliseconds)
    else:
        moment.GetCurrentTime()
    return moment
