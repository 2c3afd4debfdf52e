"""Rewrites lost rows from tables' reports, after the database was restored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

import structlog

from jasshaus.matchmaking.domain import Game, Hold, Match, Played, Quote
from jasshaus.matchmaking.games.lifecycle import Lifecycle
from jasshaus.matchmaking.metrics import LobbyMetrics
from jasshaus.matchmaking.pots.free import FreePots
from jasshaus.matchmaking.pots.port import Pot, PotState
from jasshaus.matchmaking.pots.wallet import WalletPots
from jasshaus.matchmaking.rows.corrections import Corrections
from jasshaus.matchmaking.rows.store import GameStore, Intervals
from jasshaus.platform.errors import Fault, failed_precondition, unavailable
from jasshaus.rules.core.options import RuleSet

# For seats of a game without a stake whose table was created by a release that did not keep reservations.
_UNKNOWN: Final = UUID("2a0c5c58-5a0e-4d8b-9a52-0d9c8f1b7e64")

log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ReportedSeat:
    """A seat as reported by its table; without its reservation if a release did not keep that."""

    seat: int
    player: str
    reservation: UUID | None


@dataclass(frozen=True, slots=True)
class Report:
    """A game as reported by its table. `quote` only with a stake; `end_time` only if the match is over."""

    game_id: UUID
    table_id: UUID
    tenant: str
    seats: tuple[ReportedSeat, ...]
    preset: str
    rules: RuleSet
    quote: Quote | None
    end_time: datetime | None = None

    @property
    def holds(self) -> tuple[Hold, ...]:
        """Return the seats as holds."""
        return tuple(
            Hold(
                each.seat,
                each.player,
                each.reservation or uuid5(_UNKNOWN, f"{self.table_id}|{each.seat}"),
            )
            for each in self.seats
        )


class Restoring:
    """Brings a row to PLAYING at the reporting table, if the game's pot belongs to it. Repeatable."""

    def __init__(
        self,
        store: GameStore,
        corrections: Corrections,
        lifecycle: Lifecycle,
        staked: WalletPots,
        free: FreePots,
        metrics: LobbyMetrics,
        intervals: Intervals,
        currency: str,
    ) -> None:
        self._store = store
        self._corrections = corrections
        self._lifecycle = lifecycle
        self._staked = staked
        self._free = free
        self._metrics = metrics
        self._intervals = intervals
        self._currency = currency

    async def hurry(self, game_id: UUID) -> None:
        """Have a row that its table contradicts compared with its pot at once."""
        await self._corrections.hurry(game_id)

    async def unnamed(self, table_ids: Sequence[UUID]) -> list[UUID]:
        """Return the tables among these that no row names."""
        named = await self._corrections.named(table_ids)
        return [table_id for table_id in table_ids if table_id not in named]

    async def restore(self, report: Report) -> bool:
        """Return whether anything had to be written. Raises GAME_CONFLICT; UNAVAILABLE: report again."""
        game = await self._store.get(report.game_id)
        if game is not None and (
            game.terms.tenant != report.tenant or game.terms.staked is (report.quote is None)
        ):
            raise _conflict("the game is another one")
        if report.quote is None:
            return await self._restore_free(report, game)
        pot = await self._staked.get(report.game_id)
        if game is not None and game.has_been_at(report.table_id):
            if game.status.over and (pot is None or not pot.over):
                # What its row still owes is done by the pot check.
                raise _conflict("the game is over")
            return False
        holds = _holds(report, pot, lost=game is None)
        quote = report.quote if pot is None or pot.quote is None else pot.quote
        return await self._write(report, game, holds, quote)

    async def _restore_free(self, report: Report, game: Game | None) -> bool:
        if game is not None and game.has_been_at(report.table_id):
            if game.status.over:
                raise _conflict("the game is over")
            return False
        if game is not None and game.table_id not in {None, report.table_id}:
            raise _conflict("the game is played at another table")
        await self._free.restore(report.game_id, report.holds, over=report.end_time is not None)
        return await self._write(report, game, report.holds, None)

    async def _write(
        self, report: Report, game: Game | None, holds: tuple[Hold, ...], quote: Quote | None
    ) -> bool:
        match = Match(report.table_id, holds)
        if game is None:
            played = Played(
                report.game_id,
                report.tenant,
                match,
                report.preset,
                report.rules,
                self._currency if quote is None else quote.currency,
                0 if quote is None else quote.stake,
                quote,
                report.end_time,
            )
            written = await self._corrections.rebuilt(played, self._intervals.look)
        else:
            written = await self._corrections.followed(report.game_id, match, quote)
        if written is None:
            # Another replica has just done it; or another row is in the way, and it is reported again.
            return False
        self._metrics.actions.labels("rebuilt").inc()
        log.warning(
            "row_rebuilt",
            game_id=str(report.game_id),
            table_id=str(report.table_id),
            was=None if game is None else str(game.status),
        )
        await self._lifecycle.forget(written)
        return True


def _holds(report: Report, pot: Pot | None, *, lost: bool) -> tuple[Hold, ...]:
    """Return the four stakes of a table whose pot is its own. Raises Fault.

    A closed pot without a table belongs to the table whose match is over, too, if the row is `lost`.
    """
    if pot is None:
        raise _conflict("there is no such pot")
    if pot.state is PotState.OPEN:
        raise unavailable("WALLET_UNAVAILABLE", "the pot is not locked for the table yet", retry_after=1.0)
    if pot.over:
        nobodys = pot.table_id is None and lost and report.end_time is not None
        if pot.table_id != report.table_id and not nobodys:
            raise _conflict("the pot was another table's")
        return report.holds
    seated = [(each.seat, each.player) for each in report.seats]
    if not pot.is_for(report.table_id) or [(hold.seat, hold.player) for hold in pot.holds] != seated:
        raise _conflict("the pot is locked for another table")
    return pot.holds


def _conflict(message: str) -> Fault:
    return failed_precondition("GAME_CONFLICT", message)
