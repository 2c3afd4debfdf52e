"""Watches pots: finds open and locked pots without a live game and ends them.

Game rows alone do not show stakes whose row is missing or outdated because one of the
databases was restored. First the row, then the table is asked about such a pot. Only stakes that
nobody knows of, with all services healthy for the whole grace period, are refunded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, Final, TypeVar, assert_never
from uuid import UUID

import structlog

from jasshaus.matchmaking.domain import Game, Match, Status
from jasshaus.matchmaking.games.lifecycle import Lifecycle
from jasshaus.matchmaking.games.tables import Finding, Tables, TableState
from jasshaus.matchmaking.metrics import STUCK, LobbyMetrics
from jasshaus.matchmaking.pots.port import ListedPot, Pot, PotState, RefundReason, Refused
from jasshaus.matchmaking.pots.wallet import WalletPots
from jasshaus.matchmaking.rows.corrections import Corrections, Standing
from jasshaus.matchmaking.rows.queries import UnreadableError
from jasshaus.matchmaking.rows.store import GameStore
from jasshaus.matchmaking.rows.strays import StrayStore
from jasshaus.matchmaking.stuck import Stray, Why
from jasshaus.matchmaking.upkeep.ended import Ended
from jasshaus.matchmaking.upkeep.seating import Seating
from jasshaus.platform.errors import Fault, unavailable

_PARALLEL: Final = 4
# How long a running check keeps other replicas from starting one; each page of 200 pots renews it.
_LEASE_SECONDS: Final = 120.0
_SILENT: Final = "TABLE_UNAVAILABLE"

T = TypeVar("T")

log = structlog.stdlib.get_logger(__name__)


class PotWatch:
    """Any replica may check at any time, even concurrently: taking turns only saves work."""

    def __init__(
        self,
        store: GameStore,
        corrections: Corrections,
        strays: StrayStore,
        seating: Seating,
        ended: Ended,
        lifecycle: Lifecycle,
        wallet: WalletPots,
        tables: Tables,
        metrics: LobbyMetrics,
        *,
        grace: float,
        every: float,
    ) -> None:
        self._store = store
        self._corrections = corrections
        self._strays = strays
        self._seating = seating
        self._ended = ended
        self._lifecycle = lifecycle
        self._wallet = wallet
        self._tables = tables
        self._metrics = metrics
        self._grace = grace
        self._every = every
        self._gap = 3 * every + 5.0
        self._silent = False

    async def look(self) -> None:
        """Check all open and locked pots, if it is time to."""
        began = await self._strays.claim(max(self._every, _LEASE_SECONDS))
        if began is None:
            return
        self._silent = False
        try:
            unlisted = await self._corrections.with_pot()
            after = ""
            while True:
                page, after = await self._wallet.unfinished(after)
                await self._compare_all(page)
                unlisted.difference_update(listed.game_id for listed in page)
                if not after:
                    break
                await self._strays.put_off(_LEASE_SECONDS)
            # A game still open or running although its pot is over or gone ends like the pot.
            await self._each(
                [self._compare_unlisted(game) for game in (await self._store.many(unlisted)).values()]
            )
            await self._strays.forget_before(began)
            await self._ended.compare_pages()
        finally:
            await self._strays.put_off(self._every)

    async def count(self) -> None:
        """Publish how many pots wait."""
        counts = await self._strays.counts()
        for reason in STUCK:
            self._metrics.stuck.labels(reason).set(counts.get(Why(reason), 0))

    async def _compare_all(self, page: list[ListedPot]) -> None:
        found = await self._corrections.standings(listed.game_id for listed in page)
        await self._each(
            [
                self._compare(listed, found.get(listed.game_id))
                for listed in page
                if not _agree(listed.pot, found.get(listed.game_id))
            ]
        )
        agreeing = [listed for listed in page if _agree(listed.pot, found.get(listed.game_id))]
        await self._seating.compare(agreeing, found)

    async def _each(self, looks: list[Awaitable[None]]) -> None:
        limit = asyncio.Semaphore(_PARALLEL)

        async def one(look: Awaitable[None]) -> None:
            async with limit:
                await look

        await asyncio.gather(*map(one, looks))

    async def _compare(self, listed: ListedPot, standing: Standing | None) -> None:
        """Check one pot; record what cannot be done now."""
        try:
            if standing is None:
                await self._without_game(listed)
            elif (game := await self._store.get(listed.game_id)) is not None:
                await self._with_game(listed, game)
        except Fault as fault:
            self._silent = self._silent or fault.reason == _SILENT
            await self._note(listed, Why.UNANSWERED, fault.reason)
        except Refused as refused:
            log.error(  # noqa: TRY400 - an answer, no bug
                "stray_pot_refused", game_id=str(listed.game_id), reason=refused.reason
            )
            await self._note(listed, Why.REFUSED, refused.reason)
        except UnreadableError:
            log.exception("game_unreadable", game_id=str(listed.game_id))
            await self._note(listed, Why.REFUSED, "the game's row cannot be read")

    async def _compare_unlisted(self, game: Game) -> None:
        try:
            pot = await self._wallet.get(game.game_id)
            if pot is not None and not pot.over:
                return
            if game.status is Status.PLAYING:
                await self._reconcile(game.match.table_id, game.game_id)
            elif game.status is Status.OPEN and pot is None:
                await self._lifecycle.close_lost(game)
            elif game.status is Status.OPEN:
                await self._corrections.hurry(game.game_id)
        except (Fault, Refused) as error:
            log.warning("game_not_compared", game_id=str(game.game_id), error=str(error))

    async def _with_game(self, listed: ListedPot, game: Game) -> None:
        match game.status:
            case Status.OPENING | Status.OPEN:
                # It moves to its table by itself at its next check.
                await self._corrections.hurry(game.game_id)
            case Status.STARTING:
                pass
            case Status.PLAYING:
                await self._with_match(game)
            case Status.FINISHED | Status.VOIDED | Status.CLOSED:
                if not game.refund_due:
                    await self._over(listed, game)
            case _:
                assert_never(game.status)

    async def _with_match(self, game: Game) -> None:
        """Check a running game whose pot, when listed, was not locked for it."""
        pot = await self._wallet.get(game.game_id)
        if pot is None or pot.is_for(game.table_id) or pot.over:
            return
        if pot.state is PotState.LOCKED:
            await self._lifecycle.follow(game, pot)
        else:
            await self._reconcile(game.match.table_id, game.game_id)

    async def _over(self, listed: ListedPot, game: Game) -> None:
        """Check a finished game whose pot was not over when listed."""
        pot = await self._wallet.get(game.game_id)
        if pot is None or pot.over:
            return
        log.warning(
            "game_over_pot_not", game_id=str(game.game_id), status=str(game.status), pot=str(pot.state)
        )
        elsewhere = pot.state is PotState.LOCKED and not pot.is_for(game.table_id)
        if elsewhere or (game.status is Status.CLOSED and pot.state is PotState.LOCKED):
            await self._lifecycle.follow(game, pot)
            return
        if game.status is Status.FINISHED:
            await self.settle_again(game)
        elif game.status is Status.VOIDED:
            await self._void_again(game)
        else:
            await self._lifecycle.refund(game)
        pot = await self._wallet.get(game.game_id)
        if pot is None or pot.over:
            return
        await self._note(listed, Why.GAME_OVER, f"the game is {game.status}, its pot {pot.state}")

    async def settle_again(self, game: Game) -> None:
        """Bring the pot of a FINISHED game to that end: by its table, otherwise by its row."""
        table_id = game.match.table_id
        table = await self._asked(self._tables.get(table_id))
        ending = table is not None and table.state in {TableState.SETTLING, TableState.FINISHED}
        if ending or await self._tables.result(table_id) is not None:
            await self._reconcile(table_id, game.game_id)
        pot = await self._wallet.get(game.game_id)
        if pot is not None and not pot.over:
            await self._wallet.settle_again(game)
            self._metrics.actions.labels("settled_again").inc()
            pot = await self._wallet.get(game.game_id)
            # A table still running, from before its end, closes according to its pot.
            await self._reconcile(table_id, game.game_id)
        if pot is not None and pot.over:
            await self._lifecycle.overrule(game, pot)

    async def _void_again(self, game: Game) -> None:
        """Bring the pot of a VOIDED game to that end, unless its table knows a winner."""
        table_id = game.match.table_id
        try:
            await self._asked(self._tables.abort(table_id, "game_voided"))
        except Refused:
            await self._reconcile(table_id, game.game_id)
        pot = await self._wallet.get(game.game_id)
        if pot is not None and not pot.over:
            await self._wallet.refund(game.game_id, RefundReason.TABLE_ABORTED, game.match)
            pot = await self._wallet.get(game.game_id)
        if pot is not None and pot.over:
            await self._lifecycle.overrule(game, pot)

    async def _without_game(self, listed: ListedPot) -> None:
        """Ask the table of a pot without a game, which rebuilds the row; without a table the grace begins."""
        pot = await self._wallet.get(listed.game_id)
        if pot is None or pot.over:
            return
        table_id = pot.table(listed.game_id)
        finding = Finding.UNKNOWN
        if table_id is not None:
            finding = await self._reconcile(table_id, listed.game_id)
        if finding is not Finding.UNKNOWN:
            pot = await self._wallet.get(listed.game_id)
            if pot is None or pot.over or await self._corrections.standings([listed.game_id]):
                return
        if finding is not Finding.UNKNOWN and pot.state is PotState.LOCKED:
            # Its table exists but could not be brought in line: an operator has to look at it.
            await self._note(listed, Why.NO_GAME, f"its table is {finding.lower()}", table_id)
            return
        if await self._note(listed, Why.NO_GAME, "", table_id, counts=True):
            await self._give_back(listed, pot, table_id)

    async def _give_back(self, listed: ListedPot, pot: Pot, table_id: UUID | None) -> None:
        game_id = listed.game_id
        log.error(
            "stray_pot_refunded",
            game_id=str(game_id),
            pot=str(pot.state),
            table_id=None if table_id is None else str(table_id),
            opened=listed.open_time.isoformat(),
        )
        if table_id is not None:
            await self._tables.abort(table_id, "no_game")
        if pot.state is PotState.LOCKED and table_id is not None:
            await self._wallet.refund(game_id, RefundReason.TABLE_LOST, Match(table_id, pot.holds))
        else:
            await self._wallet.refund(game_id, RefundReason.GAME_CLOSED)
        self._metrics.actions.labels("stray_refunded").inc()
        await self._strays.forget([game_id])

    async def _note(
        self, listed: ListedPot, why: Why, detail: str, table_id: UUID | None = None, *, counts: bool = False
    ) -> bool:
        stray = Stray(listed.game_id, listed.tenant, why, detail, table_id)
        return await self._strays.note(stray, grace=self._grace, gap=self._gap, counts=counts)

    async def _reconcile(self, table_id: UUID, game_id: UUID) -> Finding:
        return await self._asked(self._tables.reconcile(table_id, game_id))

    async def _asked(self, call: Coroutine[Any, Any, T]) -> T:
        """Wait for the table service, unless it was silent in this check: it would be for every pot."""
        if self._silent:
            call.close()
            raise unavailable(_SILENT, "not asked again in this check")
        return await call


def _agree(pot: Pot, standing: Standing | None) -> bool:
    """Whether an open or locked pot needs nothing, because its game moves it."""
    match None if standing is None else standing.status:
        case Status.OPENING | Status.OPEN:
            return pot.state is PotState.OPEN
        case Status.STARTING:
            return True
        case Status.PLAYING:
            return standing is not None and pot.is_for(standing.table_id)
        case Status.FINISHED | Status.VOIDED | Status.CLOSED:
            return standing is not None and standing.refund_due
        case None:
            return False
