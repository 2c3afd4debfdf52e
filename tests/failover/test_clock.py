"""Redis' clock is set, back or on: nobody's time is up by it, and nobody waits for longer than a pause."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from uuid import UUID, uuid4

import grpc
import pytest
import redis.asyncio

from contract.history import FakeHistory
from contract.pots import FakeWallet
from jasshaus.api.table.v1 import table_pb2
from jasshaus.matchmaking.domain import Attempt
from jasshaus.matchmaking.lobby import store as lobby
from jasshaus.platform.errors import Fault, from_rpc_error
from jasshaus.platform.stopping import Stopping
from jasshaus.table.feed import FeedIntervals
from jasshaus.table.store import Script
from matchmaking import harness
from table.harness import AT_LEISURE, STAKE, Harness, Replica, closed, deadline, deciding, step, view_of

AHEAD = "test:ahead"
READS = "redis.call('TIME')"
PAUSE = 1_500
PACED = replace(AT_LEISURE, lead_pause=PAUSE)
STEPS = pytest.mark.parametrize("seconds", [-120, 120, -2, 3], ids="{:+d} s".format)


def stepping(source: str) -> str:
    """The script with a clock that is ahead of Redis' own by what a key says, in seconds."""
    assert source.count(READS) == 1
    ahead = (
        f"(function() local t = {READS}; t[1] = t[1] + (redis.call('GET', '{AHEAD}') or 0); return t end)()"
    )
    return source.replace(READS, ahead)


@pytest.fixture
def setting_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all scripts made from now on read the clock that a test sets."""
    make, register = Script.__init__, redis.asyncio.Redis.register_script

    def make_stepping(script: Script, *args: object) -> None:
        make(script, *args)  # type: ignore[arg-type]
        script._source = stepping(script._source)

    monkeypatch.setattr(Script, "__init__", make_stepping)
    monkeypatch.setattr(
        lobby.Redis, "register_script", lambda client, source: register(client, stepping(source))
    )


@pytest.fixture
async def set_clock(setting_clocks: None, redis_url: str) -> AsyncIterator[Callable[[int], None]]:
    """Set the clock to so many seconds ahead."""
    with redis.Redis.from_url(redis_url) as client:
        yield lambda seconds: client.set(AHEAD, seconds)


@pytest.fixture
async def clocked(set_clock: object, redis_url: str) -> AsyncIterator[Harness]:
    wallet, history = FakeWallet(), FakeHistory()
    async with wallet.serve() as wallet_address, history.serve() as history_address:
        yield Harness(redis_url, wallet, history, wallet_address, history_address)


async def to_a_lead(replica: Replica, table_id: str) -> None:
    """Play until a trick has been taken, and the next is to be led."""
    while True:
        await step(replica, table_id)
        spectator = await replica.service.get(table_id)
        player = replica.as_(spectator.seats[deciding(spectator)[0]].player_id)
        if (await player.get(table_id)).clock.HasField("lead_after"):
            return


def left(view: table_pb2.TableView) -> float:
    """For how long the first seat that is awaited may think, in seconds."""
    due = deadline(view, deciding(view)[0])
    return due.ToMilliseconds() / 1000 - view.clock.server_time.ToMilliseconds() / 1000


@STEPS
async def test_the_next_card_waits_for_a_pause_at_most(
    clocked: Harness, set_clock: Callable[[int], None], seconds: int
) -> None:
    async with clocked.replica(pace=PACED) as replica:
        table_id = await clocked.table(replica)
        await to_a_lead(replica, table_id)
        set_clock(seconds)
        begun = time.monotonic()
        while True:
            try:
                await step(replica, table_id)
            except Fault as fault:
                assert fault.reason == "LEAD_PAUSE"
                assert fault.retry_after is not None
                assert fault.retry_after <= 2 * PAUSE / 1000 + abs(seconds) * (abs(seconds) < 5)
                await asyncio.sleep(0.1)
            else:
                break
        assert time.monotonic() - begun < 10
        for _ in range(8):
            await step_when_open(replica, table_id)


async def step_when_open(replica: Replica, table_id: str) -> None:
    async with asyncio.timeout(10):
        while True:
            try:
                await step(replica, table_id)
            except Fault as fault:
                assert fault.reason == "LEAD_PAUSE"
                await asyncio.sleep(0.1)
            else:
                return


@STEPS
async def test_nobodys_time_is_up_and_nobody_has_much_more(
    clocked: Harness, set_clock: Callable[[int], None], seconds: int
) -> None:
    async with clocked.replica(pace=replace(AT_LEISURE, turn=20_000)) as replica:
        table_id = await clocked.table(replica)
        before = await replica.service.get(table_id)
        set_clock(seconds)
        await asyncio.sleep(0.5)
        after = await replica.service.get(table_id)
        assert after.version == before.version
        assert replica.metric("jasshaus_table_timeouts_total") == 0
        assert left(before) - 5 < left(after) <= left(before) + 1.5
        keys = replica.store.names.of(UUID(table_id)).lane
        idle = float(await replica.redis.call("ZSCORE", keys.timers, f"{table_id}:i"))
        assert (
            idle / 1000 - after.clock.server_time.ToMilliseconds() / 1000 < AT_LEISURE.idle_limit / 1000 + 2
        )


async def test_a_stand_in_takes_over_as_soon_as_before(
    clocked: Harness, set_clock: Callable[[int], None]
) -> None:
    pace = replace(AT_LEISURE, turn=1_000, weis=1_000, away=1_000)
    async with clocked.replica(pace=pace) as replica:
        table_id = await clocked.table(replica)
        set_clock(-120)
        version = (await replica.service.get(table_id)).version
        async with asyncio.timeout(8):
            while (await replica.service.get(table_id)).version < version + 2:
                await asyncio.sleep(0.05)


async def test_watchers_are_told_where_the_deadlines_are_now(
    clocked: Harness, set_clock: Callable[[int], None]
) -> None:
    async with clocked.replica(feed_intervals=FeedIntervals(compare=0.2)) as replica:
        stream = replica.as_("anna").watch(await clocked.table(replica))
        before = view_of(await stream.next())
        set_clock(-120)
        after = view_of(await stream.next())
        assert after.revision > before.revision
        assert after.clock.server_time.ToSeconds() < before.clock.server_time.ToSeconds() - 100
        assert left(after) <= left(before) + 1.5


async def test_a_new_stream_replaces_the_old_one_all_the_same(
    clocked: Harness, set_clock: Callable[[int], None]
) -> None:
    async with clocked.replica() as replica:
        table_id = await clocked.table(replica)
        old = replica.as_("anna").watch(table_id, device="phone")
        await old.next()
        set_clock(-120)
        new = replica.as_("anna").watch(table_id, device="phone")
        assert (await new.next()).HasField("snapshot")
        assert (await old.next()).HasField("replaced")
        await step(replica, table_id)
        await new.until(lambda view: view.version == 2)


async def test_a_result_is_delivered_as_soon_as_before(
    clocked: Harness, set_clock: Callable[[int], None]
) -> None:
    async with clocked.replica(ticking=False) as sleeping:
        table_id = await clocked.table(sleeping, stake=STAKE)
        await sleeping.service.abort(table_id)
        lane = sleeping.store.names.of(UUID(table_id)).lane
        # Somebody had it in hand, and died.
        assert await sleeping.outbox._lease([lane.outbox], table_id, 2_000)
        await sleeping.store.look(lane, 1)
    set_clock(-120)
    async with clocked.replica() as replica:
        assert (await closed(replica, table_id)).status == table_pb2.TABLE_STATUS_VOIDED
        assert clocked.wallet.count("RefundPot") == 1


@pytest.fixture
async def place(matchmaking_dsn: str, redis_url: str, set_clock: object) -> AsyncIterator[harness.Harness]:
    async with harness.harness_of(matchmaking_dsn, redis_url, JASSHAUS_RESERVATION_TTL="2") as built:
        built.wallet.fund(*harness.FOUR, amount=1000)
        yield built


async def test_a_seat_that_waits_for_its_stake_is_free_again_in_time(
    place: harness.Harness, set_clock: Callable[[int], None]
) -> None:
    async with place.front() as front:
        anna, beat, *_ = front.players()
        game = await anna.open()
        found = await front.edge.store.get(UUID(game.game_id))
        assert found is not None
        # Who died in the middle of joining.
        attempt = Attempt("default", "cla", uuid4(), "digest")
        assert (await front.edge.lobby.reserve(found.terms, attempt, 1)).code == "RESERVED"
        set_clock(-120)
        stopping = Stopping()
        reconciling = asyncio.create_task(front.parts.reconciler.run(stopping))
        async with asyncio.timeout(20):
            while True:
                try:
                    await beat.join(game, 1)
                except grpc.aio.AioRpcError as error:
                    fault = from_rpc_error(error)
                    assert fault is not None
                    assert fault.reason == "SEAT_TAKEN"
                    await asyncio.sleep(0.2)
                else:
                    break
        stopping.drain()
        stopping.finish()
        await reconciling
