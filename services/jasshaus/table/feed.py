"""Feeds the streams of this process: subscribe first, then look, and compare from time to time.

A message on a table's channel only says "look". What is sent is always read from Redis, so a lost or
doubled message costs nothing but time, and a comparison every few seconds bounds that.

    A stream, when it opens

    no resume token                                snapshot
    token names a commit that is still kept        delta with all events since
    token names another history, or one too old    snapshot with reset

    later, at each look

    same history, later                            delta
    presence or deadlines alone have changed       delta without events
    another history (Redis lost writes)            snapshot with reset
    events of a format this release cannot read    snapshot

A resume token is a version and the nonce of the commit that led to it; the nonce tells two histories
apart that reached the same version.

- The subscription is lost: all watched tables are looked at when it is back, and compared meanwhile.
- The player opens the stream again elsewhere: the newer one, by Redis' clock, ends the older ones
  (`replaced`), on any replica.
- The replica drains: streams get `reconnect` with a random delay, and resume at another replica by their
  token.
- A watcher does not read: after `FeedIntervals.stall` seconds its stream ends (WATCHER_TOO_SLOW). Others
  are not held up.
- The process dies: as a drain, without the message.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID, uuid4

import grpc
import structlog
from google.protobuf.duration_pb2 import Duration

from jasshaus.platform.errors import Fault
from jasshaus.platform.stopping import Stopping
from jasshaus.table.bundles import Bundle, decode
from jasshaus.table.history import ResumePoint
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.players import Player, seat_at
from jasshaus.table.redis_connection import StoreAwayError
from jasshaus.table.subscriber import Subscriber
from jasshaus.table.table import Status
from jasshaus.table.tables import Current, Tables
from jasshaus.table.views import timestamp
from jasshaus.table.watcher import Message, StreamKey, Watcher, delta, snapshot

log = structlog.stdlib.get_logger(__name__)

Write = Callable[[Message], Awaitable[None]]

_FINAL: Final = (Status.FINISHED, Status.VOIDED)
_STAMP_DIGITS: Final = 16
_RECONNECT_SECONDS: Final = (0.1, 2.0)
_COMPARED_AT_ONCE: Final = 500
_KEYS_REMEMBERED: Final = 256


@dataclass(frozen=True, slots=True)
class FeedIntervals:
    """How patient the feed is, in seconds."""

    heartbeat: float = 15.0
    compare: float = 3.0
    stall: float = 20.0


@dataclass(slots=True, eq=False)
class _Topic:
    """A table with local watchers. `users` counts streams that are being opened, too."""

    table_id: UUID
    channel: str
    users: int = 0
    current: Current | None = None
    watchers: set[Watcher] = field(default_factory=set)
    newest: dict[StreamKey, tuple[int, str]] = field(default_factory=dict)
    dirty: bool = False
    looking: asyncio.Task[None] | None = None


class Feed:
    """All streams of this process."""

    def __init__(
        self, tables: Tables, subscriber: Subscriber, metrics: TableMetrics, pace: FeedIntervals | None = None
    ) -> None:
        self._tables = tables
        self._subscriber = subscriber
        self._metrics = metrics
        self._pace = pace or FeedIntervals()
        self._topics: dict[str, _Topic] = {}
        self._draining = False
        # The store's clock as last seen, and when by ours: for signs of life between looks.
        self._clock = (int(time.time() * 1000), time.monotonic())
        subscriber.on_message = self._heard
        subscriber.on_back = self._look_everywhere

    async def run(self, stopping: Stopping) -> None:
        """Compare every few seconds until the process drains, then send all streams away."""
        comparing = asyncio.create_task(self._compare_for_ever())
        await stopping.wait()
        comparing.cancel()
        self._draining = True
        for topic in list(self._topics.values()):
            for watcher in topic.watchers:
                watcher.wake.set()

    async def watch(
        self, table_id: UUID, player: Player, device: str, resume: ResumePoint | None, write: Write
    ) -> None:
        """Send a stream's messages with `write` until it ends. Raises Fault, StoreAwayError."""
        seat = seat_at(await self._tables.load(table_id), player)
        async with self._topic(table_id) as topic:
            await self._subscriber.subscribe(topic.channel)
            key, name = StreamKey(player.player_id, device), uuid4().hex
            stamp = (await self._tables.store.announce(table_id, _announcement(key, name)), name)
            since = None if resume is None else resume.version
            current, stored = await self._tables.load_stored(table_id, since=since)
            self._saw(current)
            watcher = Watcher(key, seat, current, current.table.version, stamp, current.times.presence)
            watcher.replaced = topic.newest.get(key, stamp) > stamp
            first = _first_message(current, seat, resume, [decode(each) for each in stored.bundles])
            if topic.current is None:
                topic.current = current
            topic.watchers.add(watcher)
            try:
                # Another stream's look may have been earlier or later than this one.
                if (topic.current.etag, topic.current.revision) != (current.etag, current.revision):
                    self._look(topic)
                with self._metrics.watchers.track_inprogress():
                    why = await self._stream(watcher, first, write)
            finally:
                topic.watchers.discard(watcher)
            self._metrics.watchers_ended.labels(why).inc()

    @asynccontextmanager
    async def _topic(self, table_id: UUID) -> AsyncIterator[_Topic]:
        channel = self._tables.store.names.of(table_id).channel
        topic = self._topics.setdefault(channel, _Topic(table_id, channel))
        topic.users += 1
        try:
            yield topic
        finally:
            topic.users -= 1
            if not topic.users:
                del self._topics[channel]
                await self._subscriber.unsubscribe(channel)

    async def _stream(self, watcher: Watcher, first: Message, write: Write) -> str:
        """Send messages until the stream ends; return why it did."""
        message: Message | None = first
        while True:
            if message is not None:
                await self._send(write, message)
            watcher.wake.clear()
            if watcher.replaced:
                await self._send(write, Message(replaced=Message.Replaced()))
                return "replaced"
            if watcher.fault is not None:
                raise watcher.fault
            message = watcher.next_message()
            if message is not None:
                continue
            if watcher.current.table.status in _FINAL:
                return "end"
            if self._draining:
                await self._send(write, _reconnect())
                return "drain"
            try:
                async with asyncio.timeout(self._pace.heartbeat):
                    await watcher.wake.wait()
            except TimeoutError:
                message = Message(heartbeat=Message.Heartbeat(server_time=timestamp(self._now())))

    async def _send(self, write: Write, message: Message) -> None:
        try:
            async with asyncio.timeout(self._pace.stall):
                await write(message)
        except TimeoutError:
            self._metrics.watchers_ended.labels("slow").inc()
            raise Fault(
                grpc.StatusCode.RESOURCE_EXHAUSTED, "WATCHER_TOO_SLOW", "messages were not taken off"
            ) from None

    # What is heard, and looked at because of it.

    def _heard(self, channel: str, message: bytes) -> None:
        topic = self._topics.get(channel)
        if topic is None:
            return
        if message.startswith(b"w"):
            _replace_older(topic, message[1:])
        else:
            self._look(topic)

    def _look_everywhere(self) -> None:
        for topic in self._topics.values():
            self._look(topic)

    def _look(self, topic: _Topic) -> None:
        topic.dirty = True
        if topic.current is not None and (topic.looking is None or topic.looking.done()):
            topic.looking = asyncio.create_task(self._look_until_clean(topic))

    async def _look_until_clean(self, topic: _Topic) -> None:
        while topic.dirty:
            topic.dirty = False
            try:
                await self._look_once(topic)
            except StoreAwayError:
                # The next comparing, or the subscriber's return, looks again.
                return
            except Fault as gone:
                for watcher in topic.watchers:
                    watcher.fault = gone
                    watcher.wake.set()
            except Exception:
                log.exception("feed_failed", table=str(topic.table_id))

    async def _look_once(self, topic: _Topic) -> bool:
        """Read the table and tell the watchers what is new; return whether anything was."""
        before = topic.current
        assert before is not None
        current, stored = await self._tables.load_stored(topic.table_id, since=before.table.version)
        self._saw(current)
        topic.current = current
        if current.etag == before.etag:
            # Who is there, and deadlines, change without a commit.
            for watcher in topic.watchers:
                if current.revision > before.revision:
                    watcher.tell(current, ())
                elif current.revision < before.revision:
                    # Redis has lost that.
                    watcher.be_shown(current, reset=True)
            return current.revision != before.revision
        bundles = [decode(each) for each in stored.bundles]
        same_history = bool(bundles) and (
            (bundles[0].version, bundles[0].nonce) == (before.table.version, before.nonce)
        )
        for watcher in topic.watchers:
            if not same_history:
                watcher.be_shown(current, reset=True)
            elif all(bundle.readable for bundle in bundles[1:]):
                watcher.tell(current, bundles[1:])
            else:
                watcher.be_shown(current, reset=False)
        return True

    async def _compare_for_ever(self) -> None:
        while True:
            await asyncio.sleep(self._pace.compare)
            await self._compare()

    async def _compare(self) -> None:
        """Look at every watched table: the message about its last change may have been lost."""
        topics = [topic for topic in self._topics.values() if topic.current is not None]
        for start in range(0, len(topics), _COMPARED_AT_ONCE):
            part = topics[start : start + _COMPARED_AT_ONCE]
            for topic in part:
                self._look(topic)
            await asyncio.gather(*(topic.looking for topic in part if topic.looking is not None))

    # The store's clock.

    def _saw(self, current: Current) -> None:
        self._clock = (current.times.now, time.monotonic())

    def _now(self) -> int:
        seen, when = self._clock
        return seen + round((time.monotonic() - when) * 1000)


def _first_message(
    current: Current, seat: int, resume: ResumePoint | None, bundles: Sequence[Bundle]
) -> Message:
    """Return what a new stream begins with: what was missed since the resume point, or the whole table."""
    if resume is None:
        return snapshot(current, seat, reset=False)
    if bundles and (bundles[0].version, bundles[0].nonce) == (resume.version, resume.nonce):
        if all(bundle.readable for bundle in bundles[1:]):
            return delta(current, seat, bundles[1:])
        return snapshot(current, seat, reset=False)
    return snapshot(current, seat, reset=True)


def _reconnect() -> Message:
    # Spread, so that those sent away do not all arrive elsewhere at once.
    delay = Duration()
    delay.FromMilliseconds(round(random.uniform(*_RECONNECT_SECONDS) * 1000))
    return Message(reconnect=Message.Reconnect(delay=delay))


def _announcement(key: StreamKey, name: str) -> bytes:
    return f"{name}\0{key.player_id}\0{key.device}".encode()


def _replace_older(topic: _Topic, message: bytes) -> None:
    """Take note of a new stream, here or at another replica; older ones of the same key end."""
    stamp = int(message[:_STAMP_DIGITS])
    name, player_id, device = message[_STAMP_DIGITS:].decode().split("\0")
    key, newest = StreamKey(player_id, device), (stamp, name)
    if len(topic.newest) >= _KEYS_REMEMBERED:
        topic.newest.clear()
    topic.newest[key] = max(newest, topic.newest.get(key, newest))
    for watcher in topic.watchers:
        if watcher.key == key and watcher.stamp < newest:
            watcher.replaced = True
            watcher.wake.set()
