"""Redis dies and comes back in the middle of things: a pause, nothing lost, nothing twice."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import grpc
import pytest
import redis.asyncio

from contract.pots import FakeWallet
from jasshaus.api.table.v1 import table_pb2
from jasshaus.devstack.folder import DataFolder
from jasshaus.devstack.redis import EmbeddedRedis
from jasshaus.platform.errors import Fault
from jasshaus.platform.primary import Primary
from jasshaus.platform.stopping import Stopping
from jasshaus.table.feed import FeedIntervals
from jasshaus.table.redis_connection import RedisConnection, StoreAwayError
from jasshaus.table.subscriber import Subscriber
from table.harness import (
    AT_LEISURE,
    PLAYERS,
    STAKE,
    FakeHistory,
    Harness,
    Replica,
    closed,
    deadline,
    deciding,
    step,
    token_of,
    view_of,
)

PUSH = table_pb2.Action(push=table_pb2.Action.Push())


@pytest.fixture
def own_redis() -> Iterator[EmbeddedRedis]:
    """A Redis that a test may kill."""
    path = Path(tempfile.mkdtemp(prefix="jasshaus-outage-"))
    if os.geteuid() == 0:
        path.chmod(0o711)
    folder = DataFolder(path).hold()
    server = EmbeddedRedis(folder)
    server.start()
    yield server
    server.stop()
    folder.release()
    shutil.rmtree(path)


@pytest.fixture
async def shaky(own_redis: EmbeddedRedis) -> AsyncIterator[Harness]:
    wallet, history = FakeWallet(), FakeHistory()
    async with wallet.serve() as wallet_address, history.serve() as history_address:
        yield Harness(own_redis.url, wallet, history, wallet_address, history_address)


async def on_disk(harness: Harness) -> None:
    """Return when what was committed is on disk: the append-only file is written once a second."""
    redis = RedisConnection(harness.redis_url)
    await redis.call("SET", "written", "1")
    await redis.call("WAITAOF", 1, 0, 3000)
    await redis.close()


async def test_the_match_goes_on_where_it_was(own_redis: EmbeddedRedis, shaky: Harness) -> None:
    async with shaky.replica(feed_intervals=FeedIntervals(compare=0.2)) as replica:
        table_id = await shaky.table(replica, stake=STAKE, target=100)
        stream = replica.as_("anna").watch(table_id)
        await stream.next()
        before = await step(replica, table_id)
        await stream.next()
        await on_disk(shaky)
        own_redis.kill()
        with pytest.raises(Fault) as refused:
            await replica.service.get(table_id)
        assert (refused.value.code, refused.value.reason) == (
            grpc.StatusCode.UNAVAILABLE,
            "STORE_UNAVAILABLE",
        )
        assert refused.value.retry_after is not None

        own_redis.start()

        view = await replica.service.get(table_id)
        assert view.version == before.version
        after = await step(replica, table_id)
        async with asyncio.timeout(10):
            update = await stream.next()
        assert view_of(update).version == after.version
        while (await replica.service.get(table_id)).status == table_pb2.TABLE_STATUS_PLAYING:
            await step(replica, table_id)
        assert (await closed(replica, table_id)).status == table_pb2.TABLE_STATUS_FINISHED
        assert shaky.wallet.total() == 0
        assert shaky.wallet.count("SettlePot") == 1


async def test_a_request_made_again_after_the_outage_is_one_action(
    own_redis: EmbeddedRedis, shaky: Harness
) -> None:
    async with shaky.replica() as replica:
        table_id = await shaky.table(replica)
        view = await replica.service.get(table_id)
        forehand, request_id = replica.as_(PLAYERS[view.forehand]), str(uuid4())
        await forehand.act(table_id, PUSH, request_id=request_id)
        await on_disk(shaky)
        own_redis.kill()
        with pytest.raises(Fault) as refused:
            await forehand.act(table_id, PUSH, request_id=request_id)
        assert refused.value.reason == "STORE_UNAVAILABLE"
        own_redis.start()
        assert (await forehand.act(table_id, PUSH, request_id=request_id)).version == 2


async def test_without_an_append_only_file_results_are_delivered_all_the_same(
    own_redis: EmbeddedRedis, shaky: Harness
) -> None:
    async with shaky.replica() as replica:
        await replica.redis.call("CONFIG", "SET", "appendonly", "no")
        table_id = await shaky.table(replica, stake=STAKE)
        await replica.service.abort(table_id)
        assert (await closed(replica, table_id)).status == table_pb2.TABLE_STATUS_VOIDED
        assert replica.metric("jasshaus_table_settle_failures_total") == 0


async def test_the_outage_costs_nobody_his_turn(own_redis: EmbeddedRedis, shaky: Harness) -> None:
    pace = replace(AT_LEISURE, turn=5_500, weis=5_500)
    async with shaky.replica(pace=pace) as replica:
        table_id = await shaky.table(replica)
        await replica.clock.look()
        await on_disk(shaky)
        before = await replica.service.get(table_id)
        own_redis.kill()
        await asyncio.sleep(6.5)
        own_redis.start()

        await asyncio.sleep(0.3)
        after = await replica.service.get(table_id)

        assert after.version == before.version
        seat = deciding(after)[0]
        assert deadline(after, seat).ToMilliseconds() - after.clock.server_time.ToMilliseconds() > 2_000


async def test_writes_that_redis_lost_are_a_reset_not_a_merge(
    own_redis: EmbeddedRedis, shaky: Harness
) -> None:
    async with shaky.replica(feed_intervals=FeedIntervals(compare=0.2)) as replica:
        table_id = await shaky.table(replica)
        await on_disk(shaky)
        stream = replica.as_("anna").watch(table_id)
        await stream.next()
        keys = replica.store.names.of(UUID(table_id))
        dumps = {key: await replica.redis.call("DUMP", key) for key in (keys.table, keys.events)}
        await step(replica, table_id)
        token = token_of(await stream.next())
        # As an append-only file does that ends before the last writes.
        for key, dump in dumps.items():
            await replica.redis.call("RESTORE", key, 0, dump, "REPLACE")
        update = await stream.next()
        assert update.snapshot.reset
        assert update.snapshot.view.version == 1
        assert (await replica.as_("anna").watch(table_id, token=token).next()).snapshot.reset
        assert (await step(replica, table_id)).version == 2


async def test_a_cancelled_call_leaves_the_connection_in_order(redis_url: str) -> None:
    redis = RedisConnection(redis_url)
    await redis.call("SET", "a", "1")
    for round_ in range(200):
        calls = [asyncio.create_task(redis.call("ECHO", f"{round_}-{number}")) for number in range(10)]
        await asyncio.sleep(0)
        for call in calls[::3]:
            call.cancel()
        answers = await asyncio.gather(*calls, return_exceptions=True)
        for number, answer in enumerate(answers):
            if not isinstance(answer, BaseException):
                assert answer == f"{round_}-{number}".encode()
    await redis.close()


class LateConnection:
    """A connection whose answers come when the test says so, even after it was closed."""

    def __init__(self) -> None:
        self.is_connected = True
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    async def connect(self) -> None:
        return

    async def send_packed_command(self, *_: object, **__: object) -> None:
        return

    async def read_response(self, **_: object) -> bytes:
        with contextlib.suppress(asyncio.CancelledError):
            return await asyncio.shield(self.answer)
        # As when the answer had arrived before it was closed.
        return await self.answer

    async def disconnect(self, **_: object) -> None:
        self.is_connected = False

    @staticmethod
    def pack_command(*_: object) -> list[bytes]:
        return [b""]


async def test_an_answer_on_a_dropped_connection_is_nobodys(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[LateConnection] = []

    def connection(_primary: Primary) -> LateConnection:
        made.append(LateConnection())
        return made[-1]

    monkeypatch.setattr(Primary, "connection", connection)
    monkeypatch.setattr(Primary, "holds", lambda _primary, _connection: True)
    redis = RedisConnection("redis://", answer_seconds=0.05)
    with pytest.raises(StoreAwayError):
        await redis.call("GET", "one")
    call = asyncio.create_task(redis.call("GET", "two"))
    await asyncio.sleep(0.01)
    _, old, new = made
    old.answer.set_result(b"one")
    await asyncio.sleep(0.01)
    new.answer.set_result(b"two")
    assert await call == b"two"


async def test_a_server_that_does_not_answer_is_given_up(redis_url: str) -> None:
    redis = RedisConnection(redis_url, answer_seconds=0.2)
    other = RedisConnection(redis_url)
    await other.call("CLIENT", "PAUSE", 500, "ALL")
    with pytest.raises(StoreAwayError):
        await redis.call("PING")
    await asyncio.sleep(0.5)
    assert await redis.call("ECHO", "later") == b"later"
    await redis.close()
    await other.close()


@contextlib.asynccontextmanager
async def silenced_at_will(redis_url: str) -> AsyncIterator[tuple[str, list[asyncio.Event]]]:
    """Return a URL of the same Redis, and an event for each connection made: set, nothing passes any more."""
    silences: list[asyncio.Event] = []
    running: set[asyncio.Task[None]] = set()
    open_: list[asyncio.StreamWriter] = []
    to = urlsplit(redis_url)

    async def pass_on(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, silent: asyncio.Event
    ) -> None:
        while got := await reader.read(65_536):
            if not silent.is_set():
                writer.write(got)

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        silences.append(silent := asyncio.Event())
        if to.scheme == "unix":
            ends = await asyncio.open_unix_connection(to.path)
        else:
            ends = await asyncio.open_connection(to.hostname, to.port)
        open_.extend((writer, ends[1]))
        running.add(asyncio.create_task(pass_on(reader, ends[1], silent)))
        running.add(asyncio.create_task(pass_on(ends[0], writer, silent)))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    login = f"{to.netloc.rpartition('@')[0]}@" if "@" in to.netloc else ""
    yield f"redis://{login}127.0.0.1:{port}", silences
    server.close()
    for task in running:
        task.cancel()
    for writer in open_:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def subscribed(subscriber: Subscriber, channel: str) -> None:
    """Subscribe as the feed's callers do, who come again."""
    async with asyncio.timeout(20):
        while True:
            with contextlib.suppress(StoreAwayError):
                return await subscriber.subscribe(channel)


async def test_a_subscription_lost_in_silence_is_made_again(redis_url: str) -> None:
    async with silenced_at_will(redis_url) as (url, silences):
        subscriber, stopping = Subscriber(url, answer_seconds=1.0), Stopping()
        heard: list[tuple[str, bytes]] = []
        subscriber.on_message = lambda channel, message: heard.append((channel, message))
        running = asyncio.create_task(subscriber.run(stopping))
        await subscribed(subscriber, "one")
        silences[0].set()

        with pytest.raises(StoreAwayError):
            await subscriber.subscribe("two")
        await subscribed(subscriber, "two")
        await subscribed(subscriber, "one")

        redis = RedisConnection(redis_url)
        for channel in ("one", "two"):
            await redis.call("SPUBLISH", channel, "news")
        async with asyncio.timeout(5):
            while len(heard) < 2:
                await asyncio.sleep(0.01)
        assert heard == [("one", b"news"), ("two", b"news")]
        await redis.close()
        stopping.drain()
        stopping.finish()
        await running


async def test_forgotten_scripts_are_loaded_again(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    await replica.redis.call("SCRIPT", "FLUSH")
    assert (await step(replica, table_id)).version == 2


@pytest.mark.parametrize(
    ("refuse", "allow"),
    [
        ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
        ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
        ("CONFIG SET min-replicas-to-write 1", "CONFIG SET min-replicas-to-write 0"),
    ],
    ids=["memory full", "replica", "replicas missing"],
)
async def test_a_redis_that_takes_no_writes_is_away(
    own_redis: EmbeddedRedis, shaky: Harness, refuse: str, allow: str
) -> None:
    async with shaky.replica() as replica, redis.asyncio.from_url(own_redis.url) as client:
        table_id = await shaky.table(replica, target=100)
        before = await step(replica, table_id)
        await replica.store.ping()
        await client.execute_command(*refuse.split())
        assert await client.ping()
        with pytest.raises(StoreAwayError):
            await replica.store.ping()
        with pytest.raises(Fault) as refused:
            await step(replica, table_id)
        assert (refused.value.code, refused.value.reason) == (
            grpc.StatusCode.UNAVAILABLE,
            "STORE_UNAVAILABLE",
        )
        await client.execute_command(*allow.split())
        await replica.store.ping()
        assert (await replica.service.get(table_id)).version == before.version
        assert (await step(replica, table_id)).version == before.version + 1


async def test_what_a_heartbeat_writes_ends_by_itself(harness: Harness, replica: Replica) -> None:
    await replica.store.ping()
    async with redis.asyncio.from_url(harness.redis_url) as client:
        assert 0 < await client.ttl("jasshaus:heartbeat:table") <= 60
