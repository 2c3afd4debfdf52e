"""Compares the lobby's seats with the stakes that pots hold.

A Redis restored to an earlier time shows seats of players who have left, and free seats of players whose
stake is held. Row and pot are right then, so nothing else checks such a game before its next audit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from uuid import UUID

import structlog
from redis.exceptions import RedisError

from jasshaus.matchmaking.domain import Game, Status
from jasshaus.matchmaking.games.lifecycle import Lifecycle
from jasshaus.matchmaking.lobby.store import Entry, Lobby
from jasshaus.matchmaking.lobby.sync import LobbySync, shows
from jasshaus.matchmaking.metrics import LobbyMetrics
from jasshaus.matchmaking.pots.port import ListedPot, Pot, PotState, Refused
from jasshaus.matchmaking.rows.corrections import Corrections, Standing
from jasshaus.matchmaking.rows.store import GameStore
from jasshaus.platform.errors import Fault

log = structlog.stdlib.get_logger(__name__)


class Seating:
    """Compares pages of listed pots with the lobby. Moves no money; any replica may compare at any time."""

    def __init__(
        self,
        store: GameStore,
        corrections: Corrections,
        lobby: Lobby,
        sync: LobbySync,
        lifecycle: Lifecycle,
        metrics: LobbyMetrics,
    ) -> None:
        self._store = store
        self._corrections = corrections
        self._lobby = lobby
        self._sync = sync
        self._lifecycle = lifecycle
        self._metrics = metrics

    async def compare(self, page: list[ListedPot], standings: Mapping[UUID, Standing]) -> None:
        """Correct entries that differ from their pots. While Redis is down, a later check does."""
        wrong: list[UUID] = []
        try:
            for tenant, listed in _by_tenant(page).items():
                entries = await self._lobby.read_many(tenant, listed)
                wrong += [
                    game_id
                    for game_id, pot in listed.items()
                    if _differs(entries[game_id], pot, standings.get(game_id))
                ]
        except RedisError as error:
            log.warning("lobby_not_compared", error=type(error).__name__)
        for game in (await self._store.many(wrong)).values():
            try:
                await self._correct(game)
            except (Fault, Refused, RedisError) as error:
                log.warning("lobby_entry_not_corrected", game_id=str(game.game_id), error=str(error))

    async def _correct(self, game: Game) -> None:
        """Bring one entry in line with its pot, which is read again: the listed one may be outdated."""
        if game.status is Status.PLAYING:
            await self._lifecycle.forget(game)
        elif game.status is Status.OPEN:
            pot = await self._sync.resync(game)
            if pot is None or pot.over or not pot.holds:
                # The reconciler ends it, according to its pot or because it is empty.
                await self._corrections.hurry(game.game_id)
        else:
            return
        self._metrics.actions.labels("lobby_compared").inc()


def _by_tenant(page: list[ListedPot]) -> dict[str, dict[UUID, Pot]]:
    grouped: defaultdict[str, dict[UUID, Pot]] = defaultdict(dict)
    for listed in page:
        grouped[listed.tenant][listed.game_id] = listed.pot
    return grouped


def _differs(entry: Entry | None, pot: Pot, standing: Standing | None) -> bool:
    """Whether an entry has to be corrected. Starting games are advanced by their rows."""
    match None if standing is None else standing.status:
        case Status.OPEN:
            return pot.state is PotState.OPEN and not shows(entry, pot)
        case Status.PLAYING:
            return entry is not None
        case _:
            return False
