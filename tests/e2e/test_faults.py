"""What survives what: the wallet away at the last card, a replica or a store killed in a trick."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from jasshaus.api.table.v1.table_pb2 import Action, TableStatus, TableView
from jasshaus.api.wallet.v1.wallet_pb2 import EntryKind
from jasshaus.cli.demo import audit
from jasshaus.cli.demo.players import choose as play_well

from .conftest import House, Party


@pytest.fixture
async def whole(house: House) -> AsyncIterator[House]:
    """The house; every process runs again afterwards."""
    yield house
    for process in house.stack.processes.values():
        if not process.running:
            process.start()
    await asyncio.gather(*(process.ready() for process in house.stack.processes.values()))


def once(when: object, do: object) -> object:
    """A player who does something the first time that a view is like that."""
    done: list[bool] = []

    def choose(view: TableView) -> Action | None:
        if not done and when(view):  # type: ignore[operator]
            done.append(True)
            do()  # type: ignore[operator]
        return play_well(view)

    return choose


def in_a_trick(view: TableView) -> bool:
    return len(view.tricks) == 3 and len(view.trick.cards) == 2


async def assert_paid_once(house: House, party: Party, view: TableView) -> None:
    books = await house.books(party, view)
    assert audit.disagreements(books) == []
    for entries in books.entries.values():
        assert len([entry for entry in entries if entry.kind == EntryKind.ENTRY_KIND_PAYOUT]) <= 1


async def test_the_wallet_is_away_at_the_last_card_and_pays_once_when_it_is_back(whole: House) -> None:
    house = whole
    party = await house.seat_four(target=300)
    table_id = await party.table_id()
    wallet = house.stack.processes["wallet"]
    wallet.kill()
    playing = asyncio.create_task(house.play(party))
    async with asyncio.timeout(60):
        while (await house.operator.table.get_table(table_id)).status != TableStatus.TABLE_STATUS_SETTLING:
            await asyncio.sleep(0.1)
    await asyncio.sleep(2)
    view = await house.operator.table.get_table(table_id)
    assert view.status == TableStatus.TABLE_STATUS_SETTLING
    assert view.outcome.winning_seats
    wallet.start()
    await wallet.ready()
    views = await playing
    assert views[0].status == TableStatus.TABLE_STATUS_FINISHED
    await assert_paid_once(house, party, views[0])


@pytest.mark.parametrize("victim", ["table-0", "table-1"])
async def test_a_replica_killed_in_a_trick_costs_a_reconnect(whole: House, victim: str) -> None:
    house = whole
    party = await house.seat_four(target=500)
    process = house.stack.processes[victim]
    killer = once(in_a_trick, process.kill)
    views = await house.play(party, [killer, play_well, play_well, play_well])  # type: ignore[list-item]
    assert not process.running
    await assert_paid_once(house, party, views[0])


async def test_both_replicas_killed_in_a_trick_and_one_comes_back(whole: House) -> None:
    house = whole
    party = await house.seat_four(target=500)
    killed = asyncio.Event()

    def kill() -> None:
        house.stack.processes["table-0"].kill()
        house.stack.processes["table-1"].kill()
        killed.set()

    playing = asyncio.create_task(
        house.play(party, [once(in_a_trick, kill), play_well, play_well, play_well])  # type: ignore[list-item]
    )
    await killed.wait()
    await asyncio.sleep(1)
    house.stack.processes["table-1"].start()
    views = await playing
    await assert_paid_once(house, party, views[0])


async def test_a_replica_that_drains_takes_nobody_with_it(whole: House) -> None:
    house = whole
    party = await house.seat_four(target=500)
    drained = asyncio.Event()
    playing = asyncio.create_task(
        house.play(party, [once(in_a_trick, drained.set), play_well, play_well, play_well])  # type: ignore[list-item]
    )
    await drained.wait()
    assert await house.stack.processes["table-0"].terminate() == 0
    views = await playing
    await assert_paid_once(house, party, views[0])


async def test_matchmaking_killed_in_mid_match_hears_of_the_result(whole: House) -> None:
    house = whole
    party = await house.seat_four(target=300)
    await party.table_id()
    house.stack.processes["matchmaking"].kill()
    playing = asyncio.create_task(house.play(party, play_well))
    await asyncio.sleep(1)
    house.stack.processes["matchmaking"].start()
    views = await playing
    await assert_paid_once(house, party, views[0])


async def test_redis_killed_in_a_trick_is_a_pause(whole: House) -> None:
    house = whole
    redis = house.stack.redis
    assert redis is not None
    party = await house.seat_four(target=500)
    killed = asyncio.Event()

    def kill() -> None:
        redis.kill()
        killed.set()

    playing = asyncio.create_task(
        house.play(party, [once(in_a_trick, kill), play_well, play_well, play_well])  # type: ignore[list-item]
    )
    await killed.wait()
    await asyncio.sleep(2)
    redis.start()
    views = await playing
    await assert_paid_once(house, party, views[0])


async def test_postgres_killed_in_a_trick_is_noticed_at_the_payout_only(whole: House) -> None:
    house = whole
    postgres = house.stack.postgres
    assert postgres is not None
    party = await house.seat_four(target=300)
    table_id = await party.table_id()
    playing = asyncio.create_task(
        house.play(party, [once(in_a_trick, postgres.kill), play_well, play_well, play_well])  # type: ignore[list-item]
    )
    async with asyncio.timeout(60):
        while (await house.operator.table.get_table(table_id)).status != TableStatus.TABLE_STATUS_SETTLING:
            await asyncio.sleep(0.1)
    postgres.start()
    views = await playing
    await assert_paid_once(house, party, views[0])
