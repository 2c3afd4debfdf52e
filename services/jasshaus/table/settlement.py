"""Owns what becomes of a finished match's money and result: what wallet and matchmaking answer, as outcomes.

Both calls are idempotent by the pot and the table, so they are simply made again until they are answered.
"""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any, Final, Protocol, TypeVar
from uuid import UUID

import grpc
import structlog
from google.protobuf.timestamp_pb2 import Timestamp

from jasshaus.api.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from jasshaus.platform.errors import Fault, failed_precondition, from_rpc_error, unavailable
from jasshaus.table.codec import amount_from_proto, amount_to_proto
from jasshaus.table.decide import Settled
from jasshaus.table.history import settlement_digest
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.service import NewTable
from jasshaus.table.table import Decision, Outcome, Status, Table
from jasshaus.table.tables import Current

log = structlog.stdlib.get_logger(__name__)

Response = TypeVar("Response", covariant=True)  # noqa: PLC0105 - the name of what it is

_CALL_SECONDS: Final = 5.0
# The wallet's last word on a pot. Anything else (no answer, a token refused, a bug) may change.
_PERMANENT: Final = frozenset(
    {"POT_REFUNDED", "POT_SETTLED", "SETTLEMENT_CONFLICT", "POT_NOT_FOUND", "POT_NOT_LOCKED"}
)
_REPORT_PERMANENT: Final = frozenset({"GAME_NOT_FOUND", "RESULT_CONFLICT"})


class Undelivered(Exception):  # noqa: N818 - to be tried again, not an error of ours
    """A call brought no final answer."""


class _Method(Protocol[Response]):
    def __call__(self, request: Any, *, timeout: float | None = None) -> Awaitable[Response]: ...


class Settlement:
    """Moves the money of a match that is over, and reports the result."""

    def __init__(
        self, wallet: grpc.aio.Channel, matchmaking: grpc.aio.Channel, metrics: TableMetrics
    ) -> None:
        self._pots = wallet_pb2_grpc.PotServiceStub(wallet)
        self._history = matchmaking_pb2_grpc.HistoryServiceStub(matchmaking)
        self._metrics = metrics

    async def check_pot(self, new: NewTable) -> None:
        """Raise Fault unless the new table's pot is locked on exactly its seats' stakes."""
        request = wallet_pb2.GetPotRequest(pot_id=str(new.game_id))
        try:
            pot = (await self._pots.GetPot(request, timeout=_CALL_SECONDS)).pot
        except grpc.aio.AioRpcError as error:
            fault = from_rpc_error(error)
            if fault is not None and fault.reason == "POT_NOT_FOUND":
                raise failed_precondition("POT_NOT_LOCKED", "there is no such pot") from None
            raise unavailable("WALLET_UNAVAILABLE", "the wallet does not answer", retry_after=1.0) from error
        if pot.state != wallet_pb2.POT_STATE_LOCKED:
            raise failed_precondition("POT_NOT_LOCKED", "the pot is not locked")
        assert new.stake is not None
        stake = amount_to_proto(new.stake)
        wanted = [(seat, player, stake) for seat, player in enumerate(new.players)]
        if pot.tenant != new.tenant or [(h.seat, h.player_id, h.amount) for h in pot.holds] != wanted:
            raise failed_precondition("POT_MISMATCH", "the pot's stakes are not those of the table's seats")

    async def is_refunded(self, game_id: UUID) -> bool:
        """Say whether a pot's stakes went back. Raises Undelivered."""
        try:
            pot = (await _call(self._pots.GetPot, wallet_pb2.GetPotRequest(pot_id=str(game_id)))).pot
        except Fault as refused:
            raise Undelivered(refused.reason) from refused
        return bool(pot.state == wallet_pb2.POT_STATE_REFUNDED)

    async def settle(self, current: Current) -> Settled:
        """Move the money, report the result, and return how to close the table. Raises Undelivered."""
        table = current.table
        assert table.outcome is not None
        if table.outcome.decision is Decision.ABORTED:
            closing = await self._refund(table, table.outcome)
        else:
            closing = await self._pay(table, table.outcome, settlement_digest(current.etag, table.table_id))
        await self._report(table, closing)
        return closing

    async def _pay(self, table: Table, outcome: Outcome, digest: bytes) -> Settled:
        if table.stake is None:
            return Settled(Status.FINISHED, outcome)
        request = wallet_pb2.SettlePotRequest(
            pot_id=str(table.game_id),
            winning_seats=outcome.winning_seats,
            result_digest=digest,
            table_id=str(table.table_id),
        )
        try:
            pot = (await _call(self._pots.SettlePot, request)).pot
        except Fault as refused:
            return await self._refused(table, outcome, refused)
        return Settled(Status.FINISHED, _paid(outcome, pot))

    async def _refund(self, table: Table, outcome: Outcome) -> Settled:
        if table.stake is None:
            return Settled(Status.VOIDED, outcome)
        request = wallet_pb2.RefundPotRequest(
            pot_id=str(table.game_id), reason=wallet_pb2.REFUND_REASON_TABLE_ABORTED
        )
        try:
            await _call(self._pots.RefundPot, request)
        except Fault as refused:
            return await self._refused(table, outcome, refused)
        return Settled(Status.VOIDED, outcome)

    async def _refused(self, table: Table, outcome: Outcome, refused: Fault) -> Settled:
        """Take the recorded pot's outcome over: PostgreSQL decides, the table only reports."""
        if refused.reason not in _PERMANENT:
            raise Undelivered(refused.reason) from refused
        self._metrics.settle_refusals.inc()
        log.error(
            "settlement_refused", table=str(table.table_id), game=str(table.game_id), reason=refused.reason
        )
        pot = refused.detail(wallet_pb2.Pot)
        if pot is not None and pot.state == wallet_pb2.POT_STATE_SETTLED:
            seats = tuple(payout.seat for payout in pot.payouts)
            return Settled(Status.FINISHED, _paid(replace(outcome, winning_seats=seats), pot))
        why = replace(
            outcome, decision=Decision.ABORTED, winning_seats=(), abort_reason=refused.reason.lower()
        )
        if refused.reason == "POT_NOT_LOCKED" and outcome.decision is not Decision.ABORTED:
            # Nobody can be paid from stakes that may still be taken back: they go back now.
            return await self._refund(table, why)
        return Settled(Status.VOIDED, why)

    async def _report(self, table: Table, closing: Settled) -> None:
        outcome, voided = closing.outcome, closing.status is Status.VOIDED
        now = Timestamp()
        now.GetCurrentTime()
        request = matchmaking_pb2.ReportMatchRequest(
            table_id=str(table.table_id),
            game_id=str(table.game_id),
            tenant=table.tenant,
            voided=voided,
            result=matchmaking_pb2.GameResult(
                winning_seats=outcome.winning_seats,
                payouts=[amount_to_proto(payout) for payout in outcome.payouts],
                fee=None if outcome.fee is None else amount_to_proto(outcome.fee),
                points=outcome.points,
                end_time=now,
            ),
        )
        try:
            await _call(self._history.ReportMatch, request)
        except Fault as refused:
            if refused.reason not in _REPORT_PERMANENT:
                raise Undelivered(refused.reason) from refused
            self._metrics.settle_refusals.inc()
            log.error(  # noqa: TRY400 - an answer, no bug
                "report_refused", table=str(table.table_id), game=str(table.game_id), reason=refused.reason
            )


async def _call(method: _Method[Response], request: Any) -> Response:
    """Call; raises Fault for an answer with a reason of ours, Undelivered for none."""
    try:
        return await method(request, timeout=_CALL_SECONDS)
    except grpc.aio.AioRpcError as error:
        fault = from_rpc_error(error)
        if fault is None:
            raise Undelivered(error.code().name) from error
        raise fault from error
    except Fault as away:
        # Our own service token cannot be had now.
        raise Undelivered(away.reason) from away


def _paid(outcome: Outcome, pot: wallet_pb2.Pot) -> Outcome:
    by_seat = {payout.seat: amount_from_proto(payout.amount) for payout in pot.payouts}
    return replace(
        outcome,
        payouts=tuple(by_seat[seat] for seat in outcome.winning_seats if seat in by_seat),
        fee=amount_from_proto(pot.fee_taken) if pot.HasField("fee_taken") else None,
    )
