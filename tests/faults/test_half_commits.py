"""Half of a commit, as a Redis applies it whose file was cut off within a transaction."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest
import redis.asyncio

from contract.pots import FakeWallet
from jasshaus.api.table.v1 import table_pb2
from jasshaus.table.keys import IDLE
from table.harness import (
    AT_LEISURE,
    PLAYERS,
    STAKE,
    FakeHistory,
    Harness,
    closed,
    deciding,
    play_until,
    view_of,
)


@pytest.mark.parametrize("status", ["playing", "settling"])
async def test_a_table_that_nobody_would_come_back_to_is_found(redis_url: str, status: str) -> None:
    wallet, history = FakeWallet(), FakeHistory()
    pace = replace(AT_LEISURE, idle_limit=500)
    async with wallet.serve() as wallet_address, history.serve() as history_address:
        harness = Harness(redis_url, wallet, history, wallet_address, history_address)
        async with harness.replica(pace=pace, ticking=False) as still:
            table_id = await harness.table(still, target=100, stake=STAKE)
            if status == "settling":
                wanted = table_pb2.TABLE_STATUS_SETTLING
                await play_until(still, table_id, lambda view: view.status == wanted)
            lane = still.store.names.of(UUID(table_id)).lane
            async with redis.asyncio.from_url(redis_url) as client:
                await client.delete(lane.timers, lane.outbox)
        async with harness.replica(pace=pace) as replica:
            view = await closed(replica, table_id)
    assert view.status == (
        table_pb2.TABLE_STATUS_VOIDED if status == "playing" else table_pb2.TABLE_STATUS_FINISHED
    )
    assert wallet.total() == 0
    if status == "playing":
        assert [wallet.balance(player) for player in PLAYERS] == [STAKE] * 4


@pytest.mark.parametrize("preset", ["schieber-classic", "differenzler-classic"])
async def test_seats_whose_timers_are_lost_get_new_ones(redis_url: str, preset: str) -> None:
    wallet, history = FakeWallet(), FakeHistory()
    pace = replace(AT_LEISURE, turn=100, weis=100, away=0)
    async with wallet.serve() as wallet_address, history.serve() as history_address:
        harness = Harness(redis_url, wallet, history, wallet_address, history_address)
        async with harness.replica(pace=pace, ticking=False) as still:
            table_id = await harness.table(still, preset, **({} if "diff" in preset else {"target": 100}))
            lane = still.store.names.of(UUID(table_id)).lane
            async with redis.asyncio.from_url(redis_url) as client:
                lost = [
                    member
                    for member in await client.zrange(lane.timers, 0, -1)
                    if member[-1:] != IDLE.encode()
                ]
                assert await client.zrem(lane.timers, *lost) == (1 if "schieber" in preset else 4)
            stream = still.as_("anna").watch(table_id)
            assert not view_of(await stream.next()).clock.deadlines
            seen = await still.service.get(table_id)
            assert [each.seat for each in seen.clock.deadlines] == deciding(seen)
            for each in seen.clock.deadlines:
                assert 0 < each.time.ToMilliseconds() - seen.clock.server_time.ToMilliseconds() <= 100
            stream.cancel()
        async with harness.replica(pace=pace) as replica, asyncio.timeout(10):
            while (await replica.service.get(table_id)).version < seen.version + 5:
                await asyncio.sleep(0.02)


async def test_timers_that_are_there_stay_as_they_are(redis_url: str) -> None:
    async with FakeWallet().serve() as wallet_address, FakeHistory().serve() as history_address:
        harness = Harness(redis_url, FakeWallet(), FakeHistory(), wallet_address, history_address)
        async with harness.replica(pace=replace(AT_LEISURE, turn=5_000), ticking=False) as replica:
            table_id = await harness.table(replica, "differenzler-classic")
            before = await replica.service.get(table_id)
            await asyncio.sleep(0.05)
            after = await replica.service.get(table_id)
            assert after.clock.deadlines == before.clock.deadlines
