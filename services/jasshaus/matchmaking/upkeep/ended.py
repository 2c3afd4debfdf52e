"""Compares finished games with their pots.

No money moves between the two any more, so nothing else checks them. After a restore of one database they
may have different ends; then the row follows the pot. If it cannot, an operator is shown it.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Final
from uuid import UUID

import structlog

from jasshaus.matchmaking.domain import Game, Status
from jasshaus.matchmaking.games.lifecycle import Lifecycle, end_of
from jasshaus.matchmaking.pots.port import Pot, PotState, Refused
from jasshaus.matchmaking.pots.wallet import WalletPots
from jasshaus.matchmaking.rows.corrections import Corrections
from jasshaus.matchmaking.rows.strays import OTHER_END_DAYS, StrayStore
from jasshaus.matchmaking.stuck import Stray, Why
from jasshaus.platform.errors import Fault

_PAGE: Final = 200
_LATELY_DAYS: Final = 7
_PARALLEL: Final = 4

log = structlog.stdlib.get_logger(__name__)


class Ended:
    """Walks through the finished games in two loops, latest first, one page per check each.

    One loop covers the last `_LATELY_DAYS`, the other earlier games, which would otherwise delay
    the latest ones; a restore affects those more often.
    """

    def __init__(
        self, corrections: Corrections, strays: StrayStore, lifecycle: Lifecycle, wallet: WalletPots
    ) -> None:
        self._corrections = corrections
        self._strays = strays
        self._lifecycle = lifecycle
        self._wallet = wallet
        self._after: dict[tuple[int, int], tuple[datetime, UUID] | None] = {
            (0, _LATELY_DAYS): None,
            (_LATELY_DAYS, OTHER_END_DAYS): None,
        }

    async def compare_pages(self) -> None:
        """Compare the next page of each loop, which does not advance while the wallet does not answer."""
        for days in self._after:
            await self._compare_page(days)

    async def _compare_page(self, days: tuple[int, int]) -> None:
        keys, games = await self._corrections.ended(self._after[days], days, _PAGE)
        limit = asyncio.Semaphore(_PARALLEL)
        agreeing: list[UUID] = []

        async def compare(game: Game) -> None:
            async with limit:
                if await self._agree(game):
                    agreeing.append(game.game_id)

        try:
            await asyncio.gather(*map(compare, games))
        except (Fault, Refused) as error:
            log.warning("ended_games_not_compared", error=str(error))
            return
        await self._strays.agree(agreeing)
        self._after[days] = keys[-1] if len(keys) == _PAGE else None

    async def _agree(self, game: Game) -> bool:
        """Whether a game and its pot agree, once the row has followed; if not, it is recorded."""
        pot = await self._wallet.get(game.game_id)
        detail = _disagreement(game, pot)
        if detail and pot is not None:
            game = await self._lifecycle.overrule(game, pot)
            detail = _disagreement(game, pot)
        if detail:
            log.error("game_and_pot_end_otherwise", game_id=str(game.game_id), detail=detail)
            stray = Stray(game.game_id, game.terms.tenant, Why.OTHER_END, detail, game.table_id)
            await self._strays.note(stray, grace=0.0, gap=0.0)
        return not detail


def _disagreement(game: Game, pot: Pot | None) -> str:
    """Return how a game's end differs from its pot's; empty if it does not, or one is not over."""
    if not game.status.over:
        return ""
    if pot is None:
        # A game that refunded its stakes agrees with a ledger that never took any.
        return "the game is FINISHED, its pot is gone" if game.status is Status.FINISHED else ""
    if not pot.over:
        return ""
    if game.status is Status.CLOSED:
        same = pot.state is not PotState.SETTLED
    else:
        same = game.result is not None and game.result.agrees(end_of(pot, game.result))
    nameless = "" if pot.table_id else " and names no table"
    return "" if same else f"the game is {game.status}, its pot {pot.state}{nameless}"
