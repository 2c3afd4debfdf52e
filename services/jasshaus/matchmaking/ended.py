"""Compares games that are over with their pots.

No money moves between the two any more, so nothing else looks at them. After a restore of one database they
may tell of different ends; then the row follows the pot.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID

import structlog

from jasshaus.matchmaking.corrections import Corrections
from jasshaus.matchmaking.domain import Game, Result, Status
from jasshaus.matchmaking.fate import Fate, end_of
from jasshaus.matchmaking.pots import Pot, PotState, Refused
from jasshaus.matchmaking.tables import Tables
from jasshaus.matchmaking.wallet import WalletPots
from jasshaus.platform.errors import Fault

_PAGE: Final = 200
_DAYS: Final = 7
_PARALLEL: Final = 4

log = structlog.stdlib.get_logger(__name__)


class Ended:
    """Walks through the games that ended within `_DAYS`, latest first, one page a look, again and again."""

    def __init__(self, corrections: Corrections, fate: Fate, wallet: WalletPots, tables: Tables) -> None:
        self._corrections = corrections
        self._fate = fate
        self._wallet = wallet
        self._tables = tables
        self._after: tuple[datetime, UUID] | None = None

    async def compare_page(self) -> None:
        """Compare the next page; the walk stays where it is while the wallet does not answer."""
        keys, games = await self._corrections.ended(self._after, _DAYS, _PAGE)
        limit = asyncio.Semaphore(_PARALLEL)

        async def compare(game: Game) -> None:
            async with limit:
                await self._compare(game)

        try:
            await asyncio.gather(*map(compare, games))
        except (Fault, Refused) as error:
            log.warning("ended_games_not_compared", error=str(error))
            return
        self._after = keys[-1] if len(keys) == _PAGE else None

    async def _compare(self, game: Game) -> None:
        pot = await self._wallet.get(game.game_id)
        if pot is not None and pot.over and _disagree(game, pot):
            await self._fate.overrule(game, pot, await self._told(game, pot))

    async def _told(self, game: Game, pot: Pot) -> Result | None:
        """Return the result the table left, for the points, which the pot does not know."""
        table_id = game.table_id or pot.table_id
        if table_id is not None:
            with suppress(Fault, Refused):
                return await self._tables.result(table_id)
        return None


def _disagree(game: Game, pot: Pot) -> bool:
    if game.status is Status.CLOSED:
        return pot.state is PotState.SETTLED
    return game.result is None or not game.result.agrees(end_of(pot, game.result))
