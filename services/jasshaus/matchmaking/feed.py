"""Owns lobby streams: one subscription a replica, fanned out; a snapshot whenever something was missed."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

import structlog
from psycopg import Error as PostgresError
from psycopg_pool import PoolTimeout
from redis.asyncio import Redis
from redis.exceptions import RedisError

from jasshaus.matchmaking.domain import GameView, SeatState, Status
from jasshaus.matchmaking.listing import Listing, visible
from jasshaus.matchmaking.lobby import CHANNEL, Lobby
from jasshaus.matchmaking.metrics import LobbyMetrics
from jasshaus.platform.errors import Fault
from jasshaus.platform.stopping import Stopping

_COMPARE_SECONDS: Final = 3.0
_LISTEN_SECONDS: Final = 0.5
_HEARTBEAT_SECONDS: Final = 15.0
_SHARE_SECONDS: Final = 1.0
_AGAIN_SECONDS: Final = 0.5
_CANCEL_SECONDS: Final = 0.2
_SUBSCRIBE_SECONDS: Final = 2.0
_MAX_PENDING: Final = 500
_RECONNECT_SECONDS: Final = (0.2, 2.0)

log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a watcher is to know, newest first."""

    views: list[GameView]


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing happened."""


@dataclass(frozen=True, slots=True)
class Reconnect:
    """The replica is going away: come back after `seconds`."""

    seconds: float


Update = Snapshot | GameView | Heartbeat | Reconnect


@dataclass(slots=True, eq=False)
class _Watcher:
    """One stream. What waits is kept once a game, the latest; too much of it becomes a snapshot."""

    player: str | None
    stale: bool = True
    shown: dict[UUID, int] = field(default_factory=dict)
    """The games it has, with the hash of what was last said of each."""
    pending: dict[UUID, GameView] = field(default_factory=dict)
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def offer(self, view: GameView) -> None:
        self.pending[view.game.game_id] = view
        if len(self.pending) > _MAX_PENDING:
            self.expire()
        self.wake.set()

    def expire(self) -> None:
        self.stale = True
        self.pending.clear()
        self.wake.set()

    def wants(self, view: GameView) -> bool:
        """Whether the stream says it: nothing twice; a game that leaves the stream is said a last time."""
        game_id = view.game.game_id
        if view.game.status is Status.OPENING or _deserted(view):
            return False
        if visible(view, self.player):
            before, face = self.shown.get(game_id), _face(view)
            self.shown[game_id] = face
            return before != face
        return self.shown.pop(game_id, None) is not None


def _deserted(view: GameView) -> bool:
    """Whether the last one has just left, and the game is about to be closed."""
    return view.game.status is Status.OPEN and not view.seats


def _face(view: GameView) -> int:
    """Return the hash of all that may change in what is said of a game."""
    game = view.game
    seats = tuple((seat.seat, seat.player, seat.state is SeatState.RESERVED) for seat in view.seats)
    return hash((game.status, game.quote, game.table_id, game.result, seats))


@dataclass(slots=True, eq=False)
class _Shared:
    """The open games of a tenant as read at a revision: nothing up to it is missing."""

    revision: int
    reading: asyncio.Future[list[GameView]]
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.reading.add_done_callback(_failed)

    def good_for(self, revision: int) -> bool:
        """Whether who needs the open games now may have these: recent, of this revision, no failure."""
        recent = time.monotonic() - self.began < _SHARE_SECONDS
        return recent and self.revision == revision and not (self.reading.done() and _failed(self.reading))


def _failed(reading: asyncio.Future[list[GameView]]) -> bool:
    # Asking is also what keeps asyncio from complaining where all who waited are gone.
    return reading.cancelled() or reading.exception() is not None


@dataclass(slots=True, eq=False)
class _Hub:
    """The watchers of one tenant, and which games changed since they were last told."""

    watchers: set[_Watcher] = field(default_factory=set)
    revision: int | None = None
    changed: set[UUID] = field(default_factory=set)
    shared: _Shared | None = None
    suspect: int | None = None
    """The revision at which the last comparison found that there should be a later one."""

    def expire(self) -> None:
        self.changed.clear()
        self.shared = None
        for watcher in self.watchers:
            watcher.expire()


class Feed:
    """`run` in the background; `watch` for each stream."""

    def __init__(self, redis: Redis, lobby: Lobby, listing: Listing, metrics: LobbyMetrics) -> None:
        self._redis = redis
        self._lobby = lobby
        self._listing = listing
        self._metrics = metrics
        self._hubs: dict[str, _Hub] = {}
        self._changed = asyncio.Event()
        self._subscribed = asyncio.Event()

    async def run(self, stopping: Stopping) -> None:
        """Read changes and hand them out until the replica has drained."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(each()) for each in (self._read, self._hand_out, self._compare)]
            await stopping.wait_finished()
            await _end(tasks)

    async def watch(self, tenant: str, player: str | None, stopping: Stopping) -> AsyncIterator[Update]:
        """Yield a snapshot, then every change, until the replica goes."""
        # Subscribed first, then read; without a subscription the next one brings another snapshot.
        with suppress(TimeoutError):
            async with asyncio.timeout(_SUBSCRIBE_SECONDS):
                await self._subscribed.wait()
        async with self._registered(tenant, player) as (hub, watcher):
            while not stopping.is_set():
                watcher.wake.clear()
                if watcher.stale:
                    # Registered before this is read: what changes meanwhile waits behind it.
                    watcher.stale = False
                    open_games = await self._open_games(tenant, hub)
                    views = await self._listing.snapshot(tenant, player, open_games)
                    watcher.shown = {view.game.game_id: _face(view) for view in views}
                    yield Snapshot(views)
                elif watcher.pending:
                    view = watcher.pending.pop(next(iter(watcher.pending)))
                    if watcher.wants(view):
                        yield view
                elif not await _woken(watcher, stopping):
                    yield Heartbeat()
            yield Reconnect(random.uniform(*_RECONNECT_SECONDS))

    async def _open_games(self, tenant: str, hub: _Hub) -> list[GameView]:
        """Read the open games once for all who need them at the same revision.

        After a broken subscription that is everybody at once.
        """
        if hub.revision is None:
            revision = await self._lobby.revision(tenant)
            if hub.revision is None:
                hub.revision = revision
        shared = hub.shared
        if shared is None or not shared.good_for(hub.revision):
            shared = _Shared(hub.revision, asyncio.ensure_future(self._listing.open_games(tenant)))
            hub.shared = shared
        return await asyncio.shield(shared.reading)

    @asynccontextmanager
    async def _registered(self, tenant: str, player: str | None) -> AsyncIterator[tuple[_Hub, _Watcher]]:
        hub = self._hubs.setdefault(tenant, _Hub())
        watcher = _Watcher(player)
        hub.watchers.add(watcher)
        self._metrics.watchers.inc()
        try:
            yield hub, watcher
        finally:
            self._metrics.watchers.dec()
            hub.watchers.discard(watcher)
            if not hub.watchers and self._hubs.get(tenant) is hub:
                del self._hubs[tenant]

    async def _read(self) -> None:
        """Keep the subscription; after each new one nobody can tell what was missed."""
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=False) as subscription:
                    epoch = self._lobby.primary.epoch
                    await subscription.subscribe(CHANNEL)
                    # On a server that is not the primary any more nothing would be heard, for ever.
                    while self._lobby.primary.epoch == epoch:
                        message = await subscription.get_message(timeout=_LISTEN_SECONDS)
                        if message is None:
                            continue
                        if message["type"] == "subscribe":
                            self._expire_all()
                            self._subscribed.set()
                        elif message["type"] == "message":
                            self._note(message["data"])
                self._subscribed.clear()
            except (RedisError, OSError) as error:
                self._subscribed.clear()
                log.warning("lobby_feed_lost", error=type(error).__name__)
                await asyncio.sleep(_AGAIN_SECONDS)

    def _note(self, text: str) -> None:
        try:
            number, game, tenant = text.split(" ", 2)
            revision, game_id = int(number), UUID(game)
        except ValueError:
            # Not ours; if it was, the next comparison finds out.
            log.warning("lobby_message_unreadable")
            return
        hub = self._hubs.get(tenant)
        if hub is None:
            return
        # One that comes late, after a comparison noticed what it tells, is no sign of a loss.
        if hub.revision is None or revision > hub.revision:
            if hub.revision is not None and revision != hub.revision + 1:
                hub.expire()
            hub.revision = revision
        hub.changed.add(game_id)
        self._changed.set()

    async def _hand_out(self) -> None:
        """Read what changed, once for all watchers of a tenant."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            for tenant, hub in list(self._hubs.items()):
                changed, hub.changed = hub.changed, set()
                if not changed:
                    continue
                try:
                    views = await self._listing.views(tenant, changed)
                except (RedisError, PostgresError, PoolTimeout, OSError, Fault) as error:
                    log.warning("lobby_feed_stale", error=type(error).__name__)
                    hub.expire()
                    continue
                except Exception:
                    # A bug met by one tenant's games must not end the streams of all.
                    log.exception("lobby_feed_broke_off", tenant=tenant)
                    hub.expire()
                    continue
                for view in views.values():
                    for watcher in hub.watchers:
                        watcher.offer(view)

    async def _compare(self) -> None:
        """Notice that the last message of a tenant was lost."""
        while True:
            await asyncio.sleep(_COMPARE_SECONDS)
            for tenant, hub in list(self._hubs.items()):
                try:
                    revision = await self._lobby.revision(tenant)
                except (RedisError, OSError):
                    break
                # The message may still be on its way: it is lost when the next comparison misses it as well.
                known = hub.revision
                if known is None or revision == known:
                    hub.suspect = None
                elif hub.suspect != known:
                    hub.suspect = known
                else:
                    hub.suspect = None
                    hub.expire()
                    hub.revision = revision

    def _expire_all(self) -> None:
        for hub in self._hubs.values():
            hub.revision = None
            hub.expire()


async def _end(tasks: list[asyncio.Task[None]]) -> None:
    """Cancel until it is heard: redis-py swallows a cancellation that comes while it connects."""
    while any(not task.done() for task in tasks):
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=_CANCEL_SECONDS)


async def _woken(watcher: _Watcher, stopping: Stopping) -> bool:
    """Wait for a change, for draining to begin, or for the next heartbeat; False for the last."""
    waits = [asyncio.ensure_future(watcher.wake.wait()), asyncio.ensure_future(stopping.wait())]
    try:
        done, _ = await asyncio.wait(waits, timeout=_HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        return bool(done)
    finally:
        for wait in waits:
            wait.cancel()
