"""Compares tables with their pots and games, and repairs differences. The only place that does.

Pots, games and tables may come from different points in time: PostgreSQL or Redis was restored, or lost its
last seconds. The table's state (running, or its result) wins over an older pot; a closed pot wins over its
table. Everything may be repeated, and run by several replicas at once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final
from uuid import UUID

import structlog

from jasshaus.platform.calls import Undelivered
from jasshaus.platform.errors import Fault
from jasshaus.table.decide import Refusal, Settled
from jasshaus.table.games import Games, Report, row_of, row_of_result
from jasshaus.table.history import settlement_digest
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.pots import LOCKED, Aborted, Playing, Pots, Verdict
from jasshaus.table.result import MatchResult
from jasshaus.table.settlement import closing_by, known_of, quote_of, report_of
from jasshaus.table.table import Decision, Outcome, Status, Table
from jasshaus.table.tables import Current, Tables

log = structlog.stdlib.get_logger(__name__)

ATTEMPTS: Final = 4
"""How often a table is compared again because it has changed meanwhile."""


class Finding(StrEnum):
    """The result of a comparison."""

    UNKNOWN = "unknown"  # neither the table nor its result record exists
    IN_ORDER = "in_order"
    REPAIRED = "repaired"
    UNMATCHED = "unmatched"  # the pot is unknown or belongs to another table


@dataclass(frozen=True, slots=True)
class Compared:
    """The result of a comparison; `status` is the table's afterwards, None if it is gone."""

    finding: Finding
    status: Status | None = None


Deliver = Callable[[UUID], Awaitable[None]]
"""Delivers the result of a table that is SETTLING. Raises Undelivered."""


class Reconciliation:
    """Compares one table at a time."""

    def __init__(
        self, tables: Tables, pots: Pots, games: Games, deliver: Deliver, metrics: TableMetrics
    ) -> None:
        self._tables = tables
        self._pots = pots
        self._games = games
        self._deliver = deliver
        self._metrics = metrics

    async def compare(self, table_id: UUID, game_id: UUID | None = None) -> Compared:
        """Compare a table, or its result record; also UNKNOWN if its game is not `game_id`.

        Raises Undelivered, StoreAwayError: repeat later.
        """
        for _ in range(ATTEMPTS):
            compared = await self._compare(table_id, game_id)
            if compared is not None:
                self._metrics.reconciled.labels(compared.finding).inc()
                return compared
        raise Undelivered("the table moves on")

    async def otherwise(self, table_ids: Sequence[UUID]) -> list[UUID]:
        """Return which finished tables of a lane, at most `AT_ONCE`, must be compared one by one.

        The pots of all others ended as their results say. Matchmaking asks by itself for results it lacks:
        a game that is not over is checked again. `rows` finds lost rows.
        Raises Undelivered, StoreAwayError.
        """
        results = await self._tables.store.results(table_ids)
        staked = [result for result in results if result is not None and result.staked]
        games = await self._pots.otherwise(staked) if staked else frozenset()
        left = [
            table_id
            for table_id, result in zip(table_ids, results, strict=True)
            if result is None or (result.staked and result.game_id in games)
        ]
        self._metrics.reconciled.labels(Finding.IN_ORDER).inc(len(table_ids) - len(left))
        return left

    async def _compare(self, table_id: UUID, game_id: UUID | None) -> Compared | None:
        """Compare once; None if the table has changed meanwhile."""
        try:
            current = await self._tables.load(table_id)
        except Fault:
            result = await self._tables.store.result(table_id)
            if result is None or game_id not in {None, result.game_id}:
                return Compared(Finding.UNKNOWN)
            return Compared(await self._compare_result(result))
        table = current.table
        if game_id not in {None, table.game_id}:
            return Compared(Finding.UNKNOWN)
        if table.status is Status.PLAYING:
            return await self._compare_playing(table)
        if table.status is Status.SETTLING:
            await self._deliver(table_id)
            return await self._after_delivery(table_id)
        return await self._compare_over(current)

    async def _compare_playing(self, table: Table) -> Compared | None:
        verdict = None
        if table.stake is not None:
            verdict = await self._pots.reconcile(table, Playing())
            if verdict.refusal or verdict.pot is None or verdict.pot.state != LOCKED:
                closing = closing_by(Outcome(Decision.ABORTED), Playing(), verdict)
                return await self._close(table, closing, verdict)
        restored = await self._games.restore(row_of(table), quote_of(verdict))
        if restored is None and verdict is None:
            # Without a pot, only the game's row shows that the match is over.
            closing = Settled(Status.VOIDED, Outcome(Decision.ABORTED, abort_reason="game_conflict"))
            return await self._close(table, closing, None)
        repaired = restored or (verdict is not None and verdict.repaired)
        return Compared(Finding.REPAIRED if repaired else Finding.IN_ORDER, table.status)

    async def _close(self, table: Table, closing: Settled, verdict: Verdict | None) -> Compared | None:
        """Close a table according to its pot or game, if it is still running or closed differently."""
        if verdict is not None:
            await self._games.report(report_of(table, closing), quote_of(verdict))

        def close(current: Current) -> Settled:
            if current.table.status is not table.status:
                raise Refusal("TABLE_ENDED", "the table has moved on")
            return closing

        try:
            await self._tables.change(table.table_id, close)
        except (Fault, Refusal):
            return None
        log.error(
            "table_closed_by_its_pot",
            table=str(table.table_id),
            game=str(table.game_id),
            was=table.status.value,
            status=closing.status.value,
            decision=closing.outcome.decision.value,
            why=closing.outcome.abort_reason or None if verdict is None else verdict.refusal or None,
        )
        foreign = verdict is not None and verdict.foreign
        return Compared(Finding.UNMATCHED if foreign else Finding.REPAIRED, closing.status)

    async def _after_delivery(self, table_id: UUID) -> Compared | None:
        """Return how a delivered table ended; None if it has not, or only its result is left."""
        try:
            table = (await self._tables.load(table_id)).table
        except Fault:
            return None
        if table.status is Status.SETTLING:
            return None
        return Compared(Finding.IN_ORDER, table.status)

    async def _compare_over(self, current: Current) -> Compared | None:
        table = current.table
        assert table.outcome is not None
        result = await self._tables.store.result(table.table_id)
        # Closed by a release without result records: any digest will do, as long as it is always the same.
        digest = settlement_digest(current.etag, table.table_id) if result is None else result.digest
        known = known_of(table.outcome, digest)
        verdict = None
        if table.stake is not None:
            verdict = await self._pots.reconcile(table, known)
            closing = closing_by(table.outcome, known, verdict)
            if not _agrees(table, closing):
                return await self._close(table, closing, verdict)
        as_it_was = Settled(table.status, table.outcome)
        ended_at = 0 if result is None else result.ended_at
        restored = await self._games.report(report_of(table, as_it_was, ended_at), quote_of(verdict))
        finding = Finding.UNMATCHED if verdict is not None and verdict.foreign else Finding.IN_ORDER
        if restored or (verdict is not None and verdict.repaired):
            finding = Finding.REPAIRED
        return Compared(finding, table.status)

    async def _compare_result(self, result: MatchResult) -> Finding:
        outcome = Outcome(
            Decision.UNSPECIFIED if result.winning_seats else Decision.ABORTED,
            winning_seats=result.winning_seats,
            points=result.points,
        )
        known = known_of(outcome, result.digest)
        verdict, finding = None, Finding.IN_ORDER
        closing = Settled(Status.VOIDED if isinstance(known, Aborted) else Status.FINISHED, outcome)
        if result.staked:
            verdict = await self._pots.reconcile_result(result)
            closing = closing_by(outcome, known, verdict)
            if verdict.foreign:
                # Matchmaking finds out by itself whether a row is waiting for it.
                log.error(
                    "result_unmatched",
                    table=str(result.table_id),
                    game=str(result.game_id),
                    reason=verdict.refusal,
                )
                return Finding.UNMATCHED
            if verdict.repaired:
                finding = Finding.REPAIRED
        report = Report(
            table_id=result.table_id,
            game_id=result.game_id,
            tenant=result.tenant,
            voided=closing.status is Status.VOIDED,
            outcome=closing.outcome,
            row=row_of_result(result),
            ended_at=result.ended_at,
        )
        if await self._games.report(report, quote_of(verdict)):
            finding = Finding.REPAIRED
        if closing.outcome.winning_seats != result.winning_seats:
            log.error("result_follows_its_pot", table=str(result.table_id), game=str(result.game_id))
            followed = replace(
                result,
                winning_seats=closing.outcome.winning_seats,
                points=closing.outcome.points,
                digest=closing.digest or result.digest,
            )
            await self._tables.store.amend_result(followed)
        return finding


def _agrees(table: Table, closing: Settled) -> bool:
    """Whether a closed table agrees with its pot."""
    assert table.outcome is not None
    here, there = table.outcome, closing.outcome
    if table.status is not closing.status:
        return False
    return table.status is Status.VOIDED or (
        (here.winning_seats, here.payouts, here.fee) == (there.winning_seats, there.payouts, there.fee)
    )
