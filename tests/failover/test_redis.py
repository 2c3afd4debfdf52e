"""Redis changes places with its replica while all connections stay open: play goes on at the new primary."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar
from uuid import UUID

import pytest

from failover.redis_pair import RedisPair
from failover.relay import Relay
from jasshaus.api.table.v1 import table_pb2
from jasshaus.platform.errors import Fault
from jasshaus.platform.primary import Primary
from jasshaus.platform.stopping import Stopping
from jasshaus.table.feed import FeedIntervals
from jasshaus.table.redis_connection import RedisConnection, StoreAwayError
from jasshaus.table.subscriber import Subscriber
from table.harness import STAKE, Harness, Replica, closed, step, view_of

T = TypeVar("T")
AWAY = "STORE_UNAVAILABLE"
# No change is found by comparing: what is not heard is missed.
DEAF = FeedIntervals(compare=3600.0)


async def soon(call: Callable[[], Awaitable[T]], seconds: float = 5.0) -> T:
    """What a call answers at last; until then only that the store is away."""
    async with asyncio.timeout(seconds):
        while True:
            try:
                return await call()
            except StoreAwayError:
                pass
            except Fault as fault:
                assert fault.reason == AWAY
            await asyncio.sleep(0.05)


def hand_over(pair: RedisPair) -> None:
    pair.first.hand_over(pair.second)


def promote(pair: RedisPair) -> None:
    pair.second.promote()
    pair.first.follow(pair.second)


SWITCHES = pytest.mark.parametrize("switch", [hand_over, promote], ids=["FAILOVER", "REPLICAOF"])


async def switched(pair: RedisPair, relay: Relay, switch: Callable[[RedisPair], None]) -> None:
    await asyncio.to_thread(switch, pair)
    relay.target = pair.second.port


@SWITCHES
async def test_play_goes_on_where_the_name_leads(
    pair: RedisPair, relay: Relay, moving: Harness, switch: Callable[[RedisPair], None]
) -> None:
    async with moving.replica(feed_intervals=DEAF) as replica, moving.replica(feed_intervals=DEAF) as other:
        table_id = await moving.table(replica, stake=STAKE, target=100)
        stream = other.as_("anna").watch(table_id)
        await stream.next()
        before = await step(replica, table_id)
        await stream.next()
        await switched(pair, relay, switch)

        after = await soon(lambda: step(replica, table_id))
        assert after.version == before.version + 1
        # The other replica only listens, on a connection of its own that is as good as any, to look at it.
        await soon(other.store.ping)
        assert view_of(await stream.next()).version == after.version
        latest = await step(replica, table_id)
        assert view_of(await stream.next()).version == latest.version

        while (await replica.service.get(table_id)).status == table_pb2.TABLE_STATUS_PLAYING:
            await step(replica, table_id)
        assert (await closed(replica, table_id)).status == table_pb2.TABLE_STATUS_FINISHED
        assert moving.wallet.total() == 0
        assert moving.wallet.count("SettlePot") == 1


async def test_a_demoted_server_that_the_name_still_leads_to_is_no_primary(
    pair: RedisPair, relay: Relay, moving: Harness
) -> None:
    async with moving.replica() as replica:
        table_id = await moving.table(replica)
        before = await step(replica, table_id)
        await asyncio.to_thread(hand_over, pair)
        with pytest.raises(StoreAwayError):
            await replica.store.ping()
        # What it has is old by now: it is not read either.
        with pytest.raises(Fault) as refused:
            await replica.service.get(table_id)
        assert refused.value.reason == AWAY
        relay.target = pair.second.port
        await soon(replica.store.ping)
        assert (await soon(lambda: step(replica, table_id))).version == before.version + 1


async def test_a_primary_that_the_name_no_longer_leads_to_is_left(
    pair: RedisPair, relay: Relay, moving: Harness
) -> None:
    async with moving.replica(feed_intervals=DEAF) as replica:
        table_id = await moving.table(replica)
        stream = replica.as_("anna").watch(table_id)
        await stream.next()
        # The old one is not told: it takes writes for as long as somebody makes them there.
        pair.second.promote()
        relay.target = pair.second.port
        await replica.store.ping()
        view = await step(replica, table_id)
        assert view_of(await stream.next()).version == view.version
        key = replica.store.names.of(UUID(table_id)).table
        assert pair.second.client.hget(key, "e")[:8] == view.version.to_bytes(8, "big")


async def test_what_was_lost_in_the_switch_is_shown_as_a_reset(
    pair: RedisPair, relay: Relay, moving: Harness
) -> None:
    async with moving.replica(feed_intervals=DEAF) as replica:
        table_id = await moving.table(replica)
        stream = replica.as_("anna").watch(table_id)
        await stream.next()
        pair.second.promote()
        lost = await step(replica, table_id)
        assert view_of(await stream.next()).version == lost.version
        relay.target = pair.second.port
        await replica.store.ping()
        update = await stream.next()
        assert update.snapshot.reset
        assert update.snapshot.view.version == lost.version - 1


async def test_a_primary_gone_silent_is_left_when_the_name_moves(
    pair: RedisPair, relay: Relay, moving: Harness
) -> None:
    async with moving.replica(feed_intervals=DEAF) as replica:
        table_id = await moving.table(replica)
        stream = replica.as_("anna").watch(table_id)
        await stream.next()
        pair.second.promote()
        with stopped(pair):
            relay.target = pair.second.port
            view = await soon(lambda: step(replica, table_id), 20)
            # A look at the new server may come first, with the table as it was.
            while view_of(await stream.next()).version != view.version:
                pass


async def test_where_info_is_forbidden_a_refused_write_tells(pair: RedisPair, relay: Relay) -> None:
    for node in (pair.first, pair.second):
        node.client.execute_command(
            *["ACL", "SETUSER", "plain", "on", ">secret", "~*", "&*", "+@all", "-@admin", "-@dangerous"]
        )
    url = f"redis://plain:secret@127.0.0.1:{relay.port}/0"
    primary = Primary(url)
    redis, subscriber = RedisConnection(url, primary=primary), Subscriber(url, primary=primary)
    heard: list[bytes] = []
    subscriber.on_message = lambda _channel, message: heard.append(message)
    stopping = Stopping()
    running = asyncio.create_task(subscriber.run(stopping))
    await soon(lambda: subscriber.subscribe("news"))
    await redis.call("SET", "a", "1")
    await switched(pair, relay, hand_over)
    await soon(lambda: redis.call("SET", "a", "2"))

    async def hear() -> None:
        await redis.call("SPUBLISH", "news", "new")
        if not heard:
            raise StoreAwayError("not heard yet")

    await soon(hear)
    stopping.drain()
    stopping.finish()
    await running
    await redis.close()


async def test_a_name_that_leads_to_nobody_for_a_while_changes_nothing(
    pair: RedisPair, relay: Relay, moving: Harness
) -> None:
    async with moving.replica() as replica:
        table_id = await moving.table(replica)
        relay.target = 1
        opened = replica.redis.opened
        await replica.store.ping()
        # Nor does a replica, while the primary it was promoted from still is one.
        relay.target = pair.second.port
        await replica.store.ping()
        await step(replica, table_id)
        assert replica.redis.opened == opened


@SWITCHES
async def test_a_result_is_paid_once_across_the_switch(
    pair: RedisPair, relay: Relay, moving: Harness, switch: Callable[[RedisPair], None]
) -> None:
    async with moving.replica() as replica:
        tables = [await moving.table(replica, stake=STAKE) for _ in range(8)]
        # Each waits for the disk: the switch comes in the middle of some.
        aborting = [asyncio.create_task(_aborted(replica, each)) for each in tables]
        await asyncio.sleep(0.05)
        await switched(pair, relay, switch)
        await asyncio.gather(*aborting)
        for table_id in tables:
            assert await _ended(replica, table_id) == table_pb2.TABLE_STATUS_VOIDED
        assert moving.wallet.total() == 0
        assert moving.wallet.count("RefundPot") >= len(tables)


async def test_a_connection_that_wrote_nothing_does_not_vouch_for_a_result(
    pair: RedisPair, moving: Harness
) -> None:
    # Nothing reaches the disk for certain, so nothing may be paid.
    pair.first.client.config_set("appendfsync", "no")
    async with moving.replica() as replica:
        lease = replica.outbox._lease

        async def lease_and_lose(keys: list[str], *arguments: str | int) -> object:
            taken = await lease(keys, *arguments)
            await replica.outbox._redis._drop("lost in the middle")
            return taken

        replica.outbox._lease = lease_and_lose  # type: ignore[assignment]
        table_id = await moving.table(replica, stake=STAKE)
        await replica.service.abort(table_id)
        async with asyncio.timeout(20):
            while replica.metric("jasshaus_table_settle_failures_total") < 3:
                await asyncio.sleep(0.05)
        assert moving.wallet.count("RefundPot") == 0
        pair.first.client.config_set("appendfsync", "always")
        replica.outbox._lease = lease
        assert await _ended(replica, table_id) == table_pb2.TABLE_STATUS_VOIDED


async def test_switching_to_and_fro_in_play_ends_well(pair: RedisPair, relay: Relay, moving: Harness) -> None:
    async with moving.replica() as replica, moving.replica() as other:
        table_id = await moving.table(replica, stake=STAKE, target=200)
        playing = asyncio.create_task(_play(replica, table_id))
        stream = other.as_("anna").watch(table_id)
        for turn in range(4):
            old, new = (pair.first, pair.second) if turn % 2 == 0 else (pair.second, pair.first)
            await asyncio.sleep(0.5)
            await asyncio.to_thread(old.hand_over, new)
            relay.target = new.port
        await asyncio.wait_for(playing, 60)
        await stream.until(lambda view: view.status == table_pb2.TABLE_STATUS_FINISHED, 30)
        assert moving.wallet.total() == 0
        assert moving.wallet.count("SettlePot") >= 1


async def _play(replica: Replica, table_id: str) -> None:
    while (await soon(lambda: replica.service.get(table_id), 30)).status == table_pb2.TABLE_STATUS_PLAYING:
        with contextlib.suppress(Fault):
            await step(replica, table_id)
        await asyncio.sleep(0.02)


async def _aborted(replica: Replica, table_id: str) -> None:
    await soon(lambda: replica.service.abort(table_id), 20)


async def _ended(replica: Replica, table_id: str) -> int:
    final = (table_pb2.TABLE_STATUS_FINISHED, table_pb2.TABLE_STATUS_VOIDED)
    async with asyncio.timeout(45):
        while (view := await soon(lambda: replica.service.get(table_id), 20)).status not in final:
            await asyncio.sleep(0.02)
    return view.status


@contextlib.contextmanager
def stopped(pair: RedisPair) -> Iterator[None]:
    pid = pair.first.server.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)
