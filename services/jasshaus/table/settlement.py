"""The outcome of a finished match's money and result, from the answers of wallet and matchmaking.

PostgreSQL decides: a table closes according to its pot. All calls are idempotent by pot and table, so they
are repeated until they are answered.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

import structlog

from jasshaus.api.common.v1 import money_pb2
from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.platform.calls import Undelivered
from jasshaus.table.codec import amount_from_proto
from jasshaus.table.decide import Settled
from jasshaus.table.games import Games, Report, row_of
from jasshaus.table.history import settlement_digest
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.pots import REFUNDED, SETTLED, Aborted, Known, Pots, Verdict, Won
from jasshaus.table.table import Decision, NewTable, Outcome, Status, Table
from jasshaus.table.tables import Current
from jasshaus.table.witness import Witness

log = structlog.stdlib.get_logger(__name__)


class Settlement:
    """Moves the money of a match that is over, and reports the result."""

    def __init__(self, pots: Pots, games: Games, witness: Witness, metrics: TableMetrics) -> None:
        self._pots = pots
        self._games = games
        self._witness = witness
        self._metrics = metrics

    async def check_pot(self, new: NewTable) -> None:
        """Raise Fault unless the new table's pot is locked on exactly its seats' stakes, and for it."""
        await self._pots.check(new)
        await self._witness.note()

    async def settle(self, current: Current) -> Settled:
        """Move the money, report the result, and return how to close the table. Raises Undelivered."""
        table = current.table
        assert table.outcome is not None
        known = known_of(table.outcome, settlement_digest(current.etag, table.table_id))
        if table.stake is None:
            verdict = None
            closing = Settled(Status.VOIDED if isinstance(known, Aborted) else Status.FINISHED, table.outcome)
        else:
            verdict = await self._move(table, known)
            closing = closing_by(table.outcome, known, verdict)
            if verdict.refusal:
                self._metrics.settle_refusals.inc()
                log.error(
                    "settlement_refused",
                    table=str(table.table_id),
                    game=str(table.game_id),
                    reason=verdict.refusal,
                )
            # If the ledger goes back in time, the movement just made must not be lost unnoticed.
            await self._witness.note()
        await self._games.report(report_of(table, closing), quote_of(verdict))
        return closing

    async def _move(self, table: Table, known: Won | Aborted) -> Verdict:
        match known:
            case Won():
                return await self._pots.settle(table, known)
            case Aborted():
                return await self._pots.refund(table)
            case _:
                assert_never(known)


def known_of(outcome: Outcome, digest: bytes) -> Won | Aborted:
    """Return the state of a match as known to a table with that outcome."""
    return Won(outcome.winning_seats, digest) if outcome.winning_seats else Aborted()


def closing_by(outcome: Outcome, known: Known, verdict: Verdict) -> Settled:
    """Return how a table closes according to its pot; `outcome` is its own. Raises Undelivered."""
    pot = verdict.pot
    if verdict.foreign:
        return Settled(Status.VOIDED, _voided(outcome, verdict.refusal.lower()))
    if pot is None:
        raise Undelivered(f"{verdict.refusal} without the pot")
    if pot.state == SETTLED:
        if isinstance(known, Won) and not verdict.refusal:
            return Settled(Status.FINISHED, _paid(outcome, pot))
        won = tuple(payout.seat for payout in pot.payouts)
        # If the ends differ, the pot only knows who was paid.
        return Settled(
            Status.FINISHED, _paid(Outcome(Decision.UNSPECIFIED, winning_seats=won), pot), pot.result_digest
        )
    if pot.state == REFUNDED:
        if isinstance(known, Aborted) and outcome.decision is Decision.ABORTED:
            return Settled(Status.VOIDED, outcome)
        missing = pot.refund_reason == wallet_pb2.REFUND_REASON_STAKES_MISSING
        return Settled(Status.VOIDED, _voided(outcome, "stakes_missing" if missing else "pot_refunded"))
    raise Undelivered(wallet_pb2.PotState.Name(pot.state))


def report_of(table: Table, closing: Settled, ended_at: int = 0) -> Report:
    """Return the report to matchmaking about a closing table whose match ended then (0: now)."""
    return Report(
        table_id=table.table_id,
        game_id=table.game_id,
        tenant=table.tenant,
        voided=closing.status is Status.VOIDED,
        outcome=closing.outcome,
        row=row_of(table, ended_at),
        ended_at=ended_at,
    )


def quote_of(verdict: Verdict | None) -> money_pb2.Quote | None:
    """Return the quote of a table's own pot."""
    if verdict is None or verdict.pot is None or verdict.foreign:
        return None
    return verdict.pot.quote


def _voided(outcome: Outcome, why: str) -> Outcome:
    return Outcome(Decision.ABORTED, points=outcome.points, abort_reason=why)


def _paid(outcome: Outcome, pot: wallet_pb2.Pot) -> Outcome:
    by_seat = {payout.seat: amount_from_proto(payout.amount) for payout in pot.payouts}
    return replace(
        outcome,
        payouts=tuple(by_seat[seat] for seat in outcome.winning_seats if seat in by_seat),
        fee=amount_from_proto(pot.fee_taken) if pot.HasField("fee_taken") else None,
    )
