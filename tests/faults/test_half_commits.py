"""Half of a commit, as a Redis applies it whose file was cut off within a transaction."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
import redis.asyncio

from contract.pots import FakeWallet
from jasshaus.api.table.v1 import table_pb2
from table.house import AT_LEISURE, PLAYERS, STAKE, FakeHistory, House, closed, play_until


@pytest.mark.parametrize("status", ["playing", "settling"])
async def test_a_table_that_nobody_would_come_back_to_is_found(redis_url: str, status: str) -> None:
    wallet, history = FakeWallet(), FakeHistory()
    pace = replace(AT_LEISURE, idle_limit=500)
    async with wallet.serve() as wallet_address, history.serve() as history_address:
        house = House(redis_url, wallet, history, wallet_address, history_address)
        async with house.replica(pace=pace, ticking=False) as still:
            table_id = await house.table(still, target=100, stake=STAKE)
            if status == "settling":
                wanted = table_pb2.TABLE_STATUS_SETTLING
                await play_until(still, table_id, lambda view: view.status == wanted)
            lane = still.store.names.of(UUID(table_id)).lane
            async with redis.asyncio.from_url(redis_url) as client:
                await client.delete(lane.timers, lane.outbox)
        async with house.replica(pace=pace) as replica:
            view = await closed(replica, table_id)
    assert view.status == (
        table_pb2.TABLE_STATUS_VOIDED if status == "playing" else table_pb2.TABLE_STATUS_FINISHED
    )
    assert wallet.total() == 0
    if status == "playing":
        assert [wallet.balance(player) for player in PLAYERS] == [STAKE] * 4
