"""What survives what, one fault at a time, each against the whole stack."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest
import redis

from e2e.conftest import STAKE, House, Party, chf
from faults.findings import Findings
from faults.monkey import Monkey, Strike
from faults.witness import Witness
from jasshaus.api.matchmaking.v1.matchmaking_pb2 import GameStatus
from jasshaus.api.table.v1.table_pb2 import Action, TableStatus, TableView
from jasshaus.api.wallet.v1.wallet_pb2 import EntryKind, PotState
from jasshaus.cli.demo import audit
from jasshaus.cli.demo.players import choose
from jasshaus.client import Choose, NotFound
from jasshaus.platform.auth import Role
from jasshaus.table.redis_connection import ANSWER_SECONDS


def in_the_second_trick(view: TableView) -> bool:
    return len(view.tricks) == 1 and len(view.trick.cards) == 2


def once(reached: asyncio.Event, when: Callable[[TableView], bool] = in_the_second_trick) -> Choose:
    """A player who plays, and says when the match has come that far."""

    def play(view: TableView) -> Action | None:
        if when(view):
            reached.set()
        return choose(view)

    return play


def row(house: House, query: str, *values: object) -> tuple[Any, ...]:
    with psycopg.connect(house.stack.dsn(), autocommit=True) as connection:
        found = connection.execute(query, values).fetchone()
    assert found is not None
    return found


async def eventually(what: Callable[[], Awaitable[bool]], seconds: float = 45) -> None:
    async with asyncio.timeout(seconds):
        while not await what():
            await asyncio.sleep(0.1)


def look_now(house: House, game_id: str) -> None:
    """Spare the test the half minute after which the reconciler looks at a game that is played."""
    with psycopg.connect(house.stack.dsn(), autocommit=True) as connection:
        connection.execute(
            "UPDATE matchmaking.game SET next_check = now() WHERE game_id = %s", (UUID(game_id),)
        )


async def assert_paid_once(house: House, party: Party, view: TableView) -> None:
    books = await house.books(party, view)
    assert audit.disagreements(books) == []
    for entries in books.entries.values():
        kinds = [entry.kind for entry in entries]
        assert kinds.count(EntryKind.ENTRY_KIND_STAKE) == 1
        assert kinds.count(EntryKind.ENTRY_KIND_PAYOUT) <= 1


async def test_redis_that_lost_its_last_writes_costs_a_reset_and_nobody_is_paid_twice(
    house: House, monkey: Monkey, findings: Findings
) -> None:
    party = await house.seat_four(target=500)
    table_id = await party.table_id()
    findings.lossy = True
    reached = asyncio.Event()
    async with asyncio.timeout(120), asyncio.TaskGroup() as group:
        playing = [
            group.create_task(client.table.play(table_id, once(reached), observe=Witness(name, findings).see))
            for name, client in zip(party.players, party.clients, strict=True)
        ]
        await reached.wait()
        await monkey.lose_writes(1.0, least=1.0)
    assert findings.counts["bytes lost by Redis"] > 0
    assert findings.counts["resets"] >= 4
    await assert_paid_once(house, party, playing[0].result())


async def test_redis_that_lost_everything_gives_the_stakes_back_after_the_grace(
    house: House, monkey: Monkey, findings: Findings
) -> None:
    findings.lossy = True
    party = await house.seat_four(target=2500)
    table_id = await party.table_id()
    waiting = await house.people(2)
    opener, joiner = waiting.values()
    open_game = await opener.lobby.open_game("schieber-classic", stake=chf(STAKE))
    reached = asyncio.Event()
    playing = [asyncio.create_task(client.table.play(table_id, once(reached))) for client in party.clients]
    await reached.wait()
    with redis.Redis.from_url(house.stack.redis_url) as client:
        client.flushall()
    ends = await asyncio.gather(*playing, return_exceptions=True)
    assert all(isinstance(end, NotFound) for end in ends), ends

    async def voided() -> bool:
        look_now(house, party.game.game_id)
        game = await house.operator.lobby.get_game(party.game.game_id)
        return game.status == GameStatus.GAME_STATUS_VOIDED

    await eventually(voided)
    state, reason = row(
        house, "SELECT state::text, refund_reason FROM wallet.pot WHERE id = %s", UUID(party.game.game_id)
    )
    assert (state, reason) == ("REFUNDED", "TABLE_LOST")
    for name, client in zip(party.players, party.clients, strict=True):
        assert await client.wallet.get_balance("CHF") == party.before[name]
        entry = await anext(client.wallet.all_entries("CHF"))
        assert (entry.kind, entry.reference) == (EntryKind.ENTRY_KIND_REFUND, "TABLE_LOST")
    # The table's id is fenced, and nobody's open game was forgotten.
    service = await house.client("matchmaking", [Role.SERVICE])
    with pytest.raises(NotFound):
        await service.table.get_table(table_id)
    joined = await joiner.lobby.join_game(open_game.game_id)
    assert [seat.player_id for seat in joined.game.seats][:2] == list(waiting)
    for player in (opener, joiner):
        await player.lobby.leave_game(open_game.game_id)
        assert (await player.wallet.get_balance("CHF")).available == chf(1_000)


async def test_everything_killed_at_once_goes_on_where_it_was(
    house: House, monkey: Monkey, findings: Findings
) -> None:
    party = await house.seat_four(target=500)
    table_id = await party.table_id()
    reached = asyncio.Event()
    async with asyncio.timeout(120), asyncio.TaskGroup() as group:
        playing = [
            group.create_task(client.table.play(table_id, once(reached), observe=Witness(name, findings).see))
            for name, client in zip(party.players, party.clients, strict=True)
        ]
        await reached.wait()
        await monkey.run([Strike(0, "kill-everything", "everything", 0.5)])
    # Redis writes its file before it answers: killed alone, without the machine, it loses nothing.
    assert findings.counts["resets"] == 0
    await assert_paid_once(house, party, playing[0].result())


async def test_redis_that_answers_when_nobody_waits_any_more_does_nothing_twice(
    house: House, monkey: Monkey, findings: Findings
) -> None:
    party = await house.seat_four(target=500)
    table_id = await party.table_id()
    reached = asyncio.Event()
    async with asyncio.timeout(120), asyncio.TaskGroup() as group:
        playing = [
            group.create_task(client.table.play(table_id, once(reached), observe=Witness(name, findings).see))
            for name, client in zip(party.players, party.clients, strict=True)
        ]
        await reached.wait()
        await monkey.run([Strike(0, "pause", "redis", ANSWER_SECONDS + 2)])
    assert findings.counts["resets"] == 0
    await assert_paid_once(house, party, playing[0].result())


async def test_postgres_away_at_the_end_leaves_the_table_settling_and_pays_once(
    house: House, monkey: Monkey
) -> None:
    party = await house.seat_four(target=200)
    table_id = await party.table_id()
    assert house.stack.postgres is not None
    house.stack.postgres.kill()
    # They found the table before: nothing but the end of the match needs the database.
    playing = asyncio.gather(*(client.table.play(table_id, choose) for client in party.clients))

    async def settling() -> bool:
        view = await house.operator.table.get_table(table_id)
        return view.status == TableStatus.TABLE_STATUS_SETTLING

    await eventually(settling)
    await asyncio.sleep(2)
    assert await settling()
    house.stack.postgres.start()
    # However long it was away: nobody sits out a backoff that grew meanwhile.
    async with asyncio.timeout(12):
        views = await playing
    assert {view.status for view in views} == {TableStatus.TABLE_STATUS_FINISHED}
    await assert_paid_once(house, party, views[0])


async def test_matchmaking_killed_between_locking_the_pot_and_creating_the_table(
    house: House, monkey: Monkey
) -> None:
    people = await house.people(4)
    before = {name: await client.wallet.get_balance("CHF") for name, client in people.items()}
    processes = house.stack.processes
    first, *others = people.values()
    game = await first.lobby.open_game("schieber-classic", stake=chf(STAKE))
    for name in ("table-0", "table-1"):
        processes[name].kill()
    for client in others[:2]:
        await client.lobby.join_game(game.game_id)
    joining = asyncio.create_task(others[2].lobby.join_game(game.game_id))

    async def locked() -> bool:
        pot = await house.operator.wallet.get_pot(game.game_id)
        return pot.state == PotState.POT_STATE_LOCKED

    await eventually(locked)
    for name in ("matchmaking", "matchmaking-1"):
        processes[name].kill()
    for name in ("table-0", "table-1", "matchmaking", "matchmaking-1"):
        processes[name].start()
    assert (await joining).game.game_id == game.game_id
    party = Party(await first.lobby.get_game(game.game_id), list(people), list(people.values()), before)
    views = await house.play(party)
    await assert_paid_once(house, party, views[0])
    assert row(house, "SELECT count(*) FROM wallet.hold WHERE pot_id = %s", UUID(game.game_id)) == (4,)


async def test_a_replica_that_was_paused_for_longer_than_a_turn_owns_nothing_when_it_wakes(
    house: House, monkey: Monkey, findings: Findings
) -> None:
    party = await house.seat_four(target=500)
    table_id = await party.table_id()
    # Two people on each replica: those on the paused one are played for meanwhile.
    replicas = house.stack.endpoints.tables
    clients = [await house.client(name, table=replicas[seat % 2]) for seat, name in enumerate(party.players)]
    reached = asyncio.Event()
    paused = house.stack.processes["table-0"].pid
    assert paused is not None
    async with asyncio.timeout(120), asyncio.TaskGroup() as group:
        playing = [
            group.create_task(client.table.play(table_id, once(reached), observe=Witness(name, findings).see))
            for name, client in zip(party.players, clients, strict=True)
        ]
        await reached.wait()
        os.kill(paused, signal.SIGSTOP)
        version = (await clients[1].table.get_table(table_id)).version
        begun = time.monotonic()
        while (await clients[1].table.get_table(table_id)).version < version + 8:
            assert time.monotonic() < begun + 30
            await asyncio.sleep(0.1)
        os.kill(paused, signal.SIGCONT)
    assert findings.counts["resets"] == 0
    await assert_paid_once(house, party, playing[0].result())
