"""Follows the lobby over one subscription a replica: keeps boards current and feeds the streams.

Each change in the lobby raises the tenant's revision by one and publishes `revision game tenant`, without
content.

    A board

    none     --asked for-->                              current (read once for everybody)
    current  --next revision-->                          current (the game is read, once for all watchers)
    current  --gap, lost subscription, comparison-->     none

A stream starts with a snapshot and then gets each changed game, in its latest state only. It never replays:
a stream that may have missed something gets a new snapshot. So there is no resume token, and nothing is kept
for a watcher who is away.

- A message is lost: the next one reveals a gap; if none follows, a comparison finds out within seconds.
- The subscription is lost: what was missed is unknown, so every stream gets a new snapshot.
- Redis moves to another server: the subscription is dropped with its connection (`platform.primary`).
- The replica drains: streams are asked to reconnect, after random delays.
- A watcher is slow: one state per game waits for it; more than `hub.MAX_PENDING` games become a snapshot.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import structlog
from psycopg import Error as PostgresError
from psycopg_pool import PoolTimeout
from redis.asyncio import Redis
from redis.exceptions import RedisError

from jasshaus.matchmaking.lobby.board import Board, Notice
from jasshaus.matchmaking.lobby.hub import Hub, Reading, Watcher, put
from jasshaus.matchmaking.lobby.listing import Listing
from jasshaus.matchmaking.lobby.store import CHANNEL, Lobby
from jasshaus.matchmaking.metrics import LobbyMetrics
from jasshaus.platform.errors import Fault, unavailable
from jasshaus.platform.stopping import Stopping

_COMPARE_SECONDS: Final = 3.0
_LISTEN_SECONDS: Final = 0.5
_HEARTBEAT_SECONDS: Final = 15.0
_SHARE_SECONDS: Final = 1.0
"""Maximum age of a board that nothing keeps current."""
_CATCH_UP_SECONDS: Final = 2.0
"""How long a change notification may take; then it counts as lost, and the board is reread."""
_SNAPSHOT_GAMES: Final = 2000
_TELL_GAMES: Final = 100
"""Games read and sent at once, so that other work on the loop does not wait for long."""
_READS: Final = 3
_AGAIN_SECONDS: Final = 0.5
_CANCEL_SECONDS: Final = 0.2
_SUBSCRIBE_SECONDS: Final = 0.5
_RECONNECT_SECONDS: Final = (0.2, 2.0)

log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All games for a watcher, newest first."""

    notices: list[Notice]


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing has happened."""


@dataclass(frozen=True, slots=True)
class Reconnect:
    """The replica is shutting down: reconnect after `seconds`."""

    seconds: float


Update = Snapshot | Notice | Heartbeat | Reconnect


class Feed:
    """`run` in the background; `board` for a list, `watch` for each stream."""

    def __init__(self, redis: Redis, lobby: Lobby, listing: Listing, metrics: LobbyMetrics) -> None:
        self._redis = redis
        self._lobby = lobby
        self._listing = listing
        self._metrics = metrics
        self._hubs: dict[str, Hub] = {}
        self._changed = asyncio.Event()
        self._subscribed = asyncio.Event()

    async def run(self, stopping: Stopping) -> None:
        """Read changes and distribute them until the replica has drained."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(each()) for each in (self._read, self._hand_out, self._compare)]
            await stopping.wait_finished()
            await _end(tasks)

    async def watch(self, tenant: str, player: str | None, stopping: Stopping) -> AsyncIterator[Update]:
        """Yield a snapshot, then every change, until the replica drains."""
        # Subscribe first, then read; if the subscription fails, the next one brings another snapshot.
        await self._subscription()
        async with self._registered(tenant, player) as watcher:
            while not stopping.is_set():
                watcher.wake.clear()
                if watcher.stale:
                    # Registered before reading, so that changes meanwhile are queued.
                    watcher.stale = False
                    open_games = (await self.board(tenant)).newest(_SNAPSHOT_GAMES)
                    notices = await self._listing.snapshot(tenant, player, open_games)
                    watcher.shown = {each.game_id: (each.version, each.face) for each in notices}
                    yield Snapshot(notices)
                elif watcher.pending:
                    notice = watcher.pending.pop(next(iter(watcher.pending)))
                    if watcher.wants(notice):
                        yield notice
                elif not await _woken(watcher, stopping):
                    yield Heartbeat()
            yield Reconnect(random.uniform(*_RECONNECT_SECONDS))

    async def _subscription(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_SUBSCRIBE_SECONDS):
                await self._subscribed.wait()

    async def board(self, tenant: str) -> Board:
        """Return a tenant's open games, including every change made before the call.

        Without a subscription to keep them current, they may be `_SHARE_SECONDS` old.
        """
        hub = self._hubs.setdefault(tenant, Hub())
        asked = hub.used_at = time.monotonic()
        if hub.kept is not None and asked - hub.kept.began < _SHARE_SECONDS:
            return hub.kept.board
        await self._subscription()
        revision = await self._listing.revision(tenant)
        for _ in range(_READS):
            if hub.board is not None and await _reached(hub, revision):
                return hub.board
            if hub.board is not None:
                log.warning("lobby_word_lost", tenant=tenant)
                hub.expire()
            read = await self._read_board(tenant, hub)
            if read.began >= asked or read.revision >= revision:
                return read.board
        raise unavailable("STORE_UNAVAILABLE", "the lobby is changing too fast", retry_after=1.0)

    async def _read_board(self, tenant: str, hub: Hub) -> Reading:
        """Read the open games once for all current callers.

        After a broken subscription that is everybody at once.
        """
        if hub.task is None:
            self._metrics.reads.inc()
            hub.task = asyncio.create_task(self._reading(tenant, hub))
            hub.task.add_done_callback(_ended)
        return await asyncio.shield(hub.task)

    async def _reading(self, tenant: str, hub: Hub) -> Reading:
        try:
            # Listen first, then read: changes in between are in `later`, or in what is read.
            read = hub.reading = Reading(time.monotonic())
            read.revision = await self._listing.revision(tenant)
            if hub.revision is None:
                # 0 is none yet: the first is not the one after it.
                hub.revision = read.revision or None
            async for view in self._listing.open_games(tenant):
                read.board.put(Notice.of(view))
            for news in read.later:
                put(read.board, news)
            if not self._subscribed.is_set():
                hub.kept = read
            elif hub.reading is read:
                # Otherwise a word was lost meanwhile.
                hub.board = read.board
                hub.reach(read.revision)
            return read
        finally:
            hub.reading = hub.task = None

    @asynccontextmanager
    async def _registered(self, tenant: str, player: str | None) -> AsyncIterator[Watcher]:
        hub = self._hubs.setdefault(tenant, Hub())
        watcher = Watcher(player)
        hub.watchers.add(watcher)
        self._metrics.watchers.inc()
        try:
            yield watcher
        finally:
            self._metrics.watchers.dec()
            hub.watchers.discard(watcher)
            hub.used_at = time.monotonic()

    async def _read(self) -> None:
        """Keep the subscription; after each new one, what was missed is unknown."""
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=False) as subscription:
                    epoch = self._lobby.primary.epoch
                    await subscription.subscribe(CHANNEL)
                    # On a server that is no longer the primary, no notifications would ever arrive.
                    while self._lobby.primary.epoch == epoch:
                        message = await subscription.get_message(timeout=_LISTEN_SECONDS)
                        if message is None:
                            continue
                        if message["type"] == "subscribe":
                            self._expire_all()
                            self._subscribed.set()
                        elif message["type"] == "message":
                            self._note(message["data"])
                self._unplug()
            except (RedisError, OSError) as error:
                self._unplug()
                log.warning("lobby_feed_lost", error=type(error).__name__)
                await asyncio.sleep(_AGAIN_SECONDS)

    def _unplug(self) -> None:
        self._subscribed.clear()
        for hub in self._hubs.values():
            hub.unplug()

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
        # A late message whose change a comparison already found is no sign of a loss.
        if hub.revision is None or revision > hub.revision:
            if hub.revision is not None and revision != hub.revision + 1:
                hub.expire()
            hub.revision = revision
        hub.changed.add(game_id)
        self._changed.set()

    async def _hand_out(self) -> None:
        """Read changed games once for all watchers of a tenant."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            for tenant, hub in list(self._hubs.items()):
                changed, hub.changed = hub.changed, set()
                revision = hub.revision
                if not changed or revision is None:
                    continue
                try:
                    if not hub.deaf:
                        await self._tell(tenant, hub, list(changed))
                    hub.reach(revision)
                except (RedisError, PostgresError, PoolTimeout, OSError, Fault) as error:
                    log.warning("lobby_feed_stale", error=type(error).__name__)
                    hub.expire()
                    continue
                except Exception:
                    # A bug with one tenant's games must not end everyone's streams.
                    log.exception("lobby_feed_broke_off", tenant=tenant)
                    hub.expire()
                    continue

    async def _tell(self, tenant: str, hub: Hub, changed: list[UUID]) -> None:
        for start in range(0, len(changed), _TELL_GAMES):
            some = changed[start : start + _TELL_GAMES]
            views = await self._listing.views(tenant, some)
            for game_id in some:
                hub.take(Notice.of(views[game_id]) if game_id in views else game_id)

    async def _compare(self) -> None:
        """Detect that a tenant's last message was lost or never sent; drop tenants that nobody uses."""
        while True:
            await asyncio.sleep(_COMPARE_SECONDS)
            for tenant, hub in list(self._hubs.items()):
                if hub.idle and hub.task is None:
                    del self._hubs[tenant]
                    continue
                try:
                    await self._compare_revision(tenant, hub)
                    await self._compare_rows(tenant, hub)
                except (RedisError, PostgresError, PoolTimeout, OSError):
                    break

    async def _compare_revision(self, tenant: str, hub: Hub) -> None:
        revision = await self._lobby.revision(tenant)
        # The message may still be in flight: it counts as lost if the next comparison misses it, too.
        known = hub.revision
        if known is None or revision == known:
            hub.suspect = None
        elif hub.suspect != known:
            hub.suspect = known
        else:
            hub.suspect = None
            hub.expire()
            hub.revision = revision

    async def _compare_rows(self, tenant: str, hub: Hub) -> None:
        """Reread entries that differ from their rows: a process may have died before notifying."""
        if hub.board is None:
            return
        board, rows = hub.board, await self._listing.row_changes(tenant)
        wrong = {game_id for game_id, changes in board.rows() if rows.get(game_id) != changes}
        if wrong and hub.board is board:
            hub.changed |= wrong
            self._changed.set()

    def _expire_all(self) -> None:
        for hub in self._hubs.values():
            hub.revision, hub.reached = None, 0
            hub.expire()


async def _reached(hub: Hub, revision: int) -> bool:
    """Wait until the board has reached a revision; False when it does not, or is gone."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_CATCH_UP_SECONDS):
            while hub.board is not None and hub.reached < revision:
                await hub.moved.wait()
    return hub.board is not None and hub.reached >= revision


def _ended(task: asyncio.Task[Reading]) -> None:
    # If all waiters are gone, nobody else retrieves the error.
    if not task.cancelled():
        task.exception()


async def _end(tasks: list[asyncio.Task[None]]) -> None:
    """Cancel until it takes effect: redis-py swallows a cancellation while connecting."""
    while any(not task.done() for task in tasks):
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=_CANCEL_SECONDS)


async def _woken(watcher: Watcher, stopping: Stopping) -> bool:
    """Wait for a change, for draining to begin, or for the next heartbeat; False for the last."""
    waits = [asyncio.ensure_future(watcher.wake.wait()), asyncio.ensure_future(stopping.wait())]
    try:
        done, _ = await asyncio.wait(waits, timeout=_HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        return bool(done)
    finally:
        for wait in waits:
            wait.cancel()
