"""The operations of the table service: create, look, act, abort."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

import grpc
import structlog

from jasshaus.platform.calls import Undelivered
from jasshaus.platform.errors import Fault, failed_precondition, not_found, unavailable
from jasshaus.rules.core.refusals import RuleViolation
from jasshaus.table.acts import Acts, Operator
from jasshaus.table.decide import Abort, Begin, Refusal, asked
from jasshaus.table.decide import Command as TableCommand
from jasshaus.table.history import FENCED_ETAG, NO_ETAG
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.players import Player, seat_at
from jasshaus.table.reconcile import Compared, Reconciliation
from jasshaus.table.result import MatchResult
from jasshaus.table.store import Moved
from jasshaus.table.table import (
    Decision,
    NewTable,
    Pace,
    Seat,
    Status,
    Table,
    Unreadable,
    seat_of,
)
from jasshaus.table.tables import Current, Done, Request, StaleVersion, Tables
from jasshaus.table.times import Times

log = structlog.stdlib.get_logger(__name__)


class PotCheck(Protocol):
    """Raises Fault unless the pot of a new table is locked on its seats' stakes."""

    def __call__(self, new: NewTable) -> Awaitable[None]:
        """Check."""


@dataclass(frozen=True, slots=True)
class PresenceChange:
    """A player leaves, or comes back: no part of the match."""

    away: bool


Move = Callable[[int], TableCommand] | PresenceChange


class TableService:
    """What callers can have done at tables."""

    def __init__(
        self,
        tables: Tables,
        pace: Pace,
        check_pot: PotCheck,
        reconciliation: Reconciliation,
        acts: Acts,
        metrics: TableMetrics,
    ) -> None:
        self._tables = tables
        self._pace = pace
        self._check_pot = check_pot
        self._reconciliation = reconciliation
        self._acts = acts
        self._metrics = metrics

    async def create(self, new: NewTable) -> Current:
        """Set up a table and deal. Raises Fault TABLE_CONFLICT, TABLE_FENCED, and what the check raises."""
        existing = await self._existing(new)
        if existing is not None:
            return existing
        if new.stake is not None:
            await self._check_pot(new)
        table = Table(
            table_id=new.table_id,
            game_id=new.game_id,
            tenant=new.tenant,
            version=0,
            status=Status.PLAYING,
            seats=tuple(
                Seat(player, reservation=reservation)
                for player, reservation in zip(new.players, new.reservations, strict=True)
            ),
            preset=new.preset,
            rules=new.rules,
            stake=new.stake,
            pace=self._pace,
            match=Unreadable(b""),
            outcome=None,
            created_by=new.digest,
        )
        nothing = Current(table, NO_ETAG, b"", Times(0))
        result = await self._tables.write(nothing, self._tables.decide(table, Begin()))
        if isinstance(result, Current):
            self._metrics.created.inc()
            log.info("table_created", table=str(new.table_id), game=str(new.game_id))
            return result
        # Somebody was faster: another replica with the same request, or an abort of the id.
        assert isinstance(result, Moved)
        existing = await self._existing(new)
        if existing is None:
            raise Fault(
                grpc.StatusCode.ABORTED, "TABLE_BUSY", "the table is being created and removed at once"
            )
        return existing

    async def _existing(self, new: NewTable) -> Current | None:
        stored = await self._tables.store.load(new.table_id)
        if stored.etag == FENCED_ETAG:
            raise failed_precondition("TABLE_FENCED", "this table id was aborted before it was created")
        if not stored.exists:
            return None
        current = await self._tables.load(new.table_id)
        if not _is_made_of(current.table, new):
            raise failed_precondition("TABLE_CONFLICT", "the table exists with other content")
        return current

    async def look(self, table_id: UUID, player: Player, *, may_spectate: bool) -> tuple[Current, int | None]:
        """Return the table now and the player's seat, None for a spectator. Raises Fault NOT_FOUND."""
        current = await self._tables.load(table_id)
        if may_spectate:
            current = await self._attend(current)
            return current, seat_of(current.table, player.tenant, player.player_id)
        return current, seat_at(current, player)

    async def _attend(self, current: Current) -> Current:
        """Bring a table back that Redis lost half of: matchmaking looks at each one that is played on."""
        table = current.table
        if table.status in {Status.FINISHED, Status.VOIDED}:
            return current
        playing = table.status is Status.PLAYING
        idle = table.pace.idle_limit if playing else None
        presence = current.times.presence
        missing = await self._tables.store.attend(table.table_id, current.etag, idle, asked(table), presence)
        if not missing:
            return current
        log.error("table_unattended", table=str(table.table_id), status=table.status.value, missing=missing)
        return await self._tables.load(table.table_id)

    async def act(self, table_id: UUID, player: Player, request: Request, kind: str, move: Move) -> Done:
        """Do a player's action. Raises Fault, Refusal, RuleViolation, StaleVersion: nothing has changed."""

        def seat(current: Current) -> int:
            return seat_at(current, player)

        try:
            if isinstance(move, PresenceChange):
                done = await self._tables.mark(table_id, seat, request, away=move.away)
            else:
                done = await self._tables.change(
                    table_id, lambda current: move(seat(current)), seat=seat, request=request
                )
        except (Fault, Refusal, RuleViolation, StaleVersion) as refusal:
            self._metrics.refused(reason_of(refusal))
            raise
        self._metrics.moves.labels(kind).inc()
        return done

    async def abort(
        self, table_id: UUID, subject: str, why: str, operator: Operator | None = None
    ) -> Current | None:
        """End a match without a winner, or fence an id without a table (None).

        The outcome says by whom; an `operator` and why are recorded at the wallet first. Raises Refusal
        TABLE_ENDED, Fault WALLET_UNAVAILABLE, and Fault OWN_TABLE where the caller sits: nobody ends a match
        that they may be losing, whatever else they are.
        """
        by = "service" if operator is None else "operator"
        for _ in range(2):
            stored = await self._tables.store.load(table_id)
            if stored.exists:
                table = (await self._tables.load(table_id)).table
                _must_not_sit_at(table, subject)
                if operator is not None and table.status is Status.PLAYING:
                    await self._acts.abort(operator, table_id, table.tenant, why)
                return await self._abort(table_id, by, why)
            if operator is not None and stored.etag != FENCED_ETAG:
                await self._acts.abort(operator, table_id, "", why)
            if stored.etag == FENCED_ETAG or await self._tables.store.fence(table_id):
                log.warning("table_fenced", table=str(table_id), by=by, why=why)
                return None
        raise Fault(grpc.StatusCode.ABORTED, "TABLE_BUSY", "the table is being created and removed at once")

    async def result(self, table_id: UUID) -> MatchResult:
        """Return what is kept of a match. Raises Fault NOT_FOUND."""
        result = await self._tables.store.result(table_id)
        if result is None:
            raise not_found("RESULT_NOT_FOUND", "no result of such a table is kept")
        return result

    async def reconcile(self, table_id: UUID, game_id: UUID, operator: Operator | None = None) -> Compared:
        """Compare a table, or the result it left, with its pot and game.

        Raises Fault WALLET_UNAVAILABLE, and OWN_TABLE where the `operator` sits who asks for it.
        """
        if operator is not None:
            tenant = ""
            if (await self._tables.store.load(table_id)).exists:
                table = (await self._tables.load(table_id)).table
                _must_not_sit_at(table, operator.subject)
                tenant = table.tenant
            await self._acts.reconcile(operator, table_id, tenant)
        try:
            return await self._reconciliation.compare(table_id, game_id)
        except Undelivered as undelivered:
            raise unavailable(
                "WALLET_UNAVAILABLE", "wallet or matchmaking does not answer", retry_after=1.0
            ) from undelivered

    async def _abort(self, table_id: UUID, by: str, why: str) -> Current:
        try:
            done = await self._tables.change(table_id, lambda _: Abort(by))
        except Refusal:
            current = await self._tables.load(table_id)
            outcome = current.table.outcome
            if outcome is not None and outcome.decision is Decision.ABORTED:
                return current
            raise
        log.warning("table_aborted", table=str(table_id), by=by, why=why)
        return done.current


def _must_not_sit_at(table: Table, subject: str) -> None:
    # Of any tenant: an operator's role is the whole platform's, and a brand's name is theirs to choose.
    if any(seat.player_id == subject for seat in table.seats):
        raise failed_precondition("OWN_TABLE", "the caller sits at this table: somebody else must do it")


def _is_made_of(table: Table, new: NewTable) -> bool:
    """Whether a table is what was asked for, in however different words of another release's."""
    if table.created_by == new.digest:
        return True
    here = (table.game_id, table.tenant, tuple(seat.player_id for seat in table.seats), table.stake)
    if here != (new.game_id, new.tenant, new.players, new.stake) or table.rules != new.rules:
        return False
    known = zip((seat.reservation for seat in table.seats), new.reservations, strict=True)
    # The release before does not name them.
    return all(None in pair or pair[0] == pair[1] for pair in known)


def reason_of(refusal: Exception) -> str:
    """Return the name of ErrorReason that a refusal is answered with."""
    match refusal:
        case Fault(reason=reason) | Refusal(reason=reason):
            return reason
        case RuleViolation():
            return refusal.reason.name
        case StaleVersion():
            return "STALE_VERSION"
        case _:
            raise AssertionError(f"not a refusal: {refusal!r}")
