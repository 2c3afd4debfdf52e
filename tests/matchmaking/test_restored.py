"""Whatever earlier time row, pot and table tell of: no stake is left over, and nobody is paid twice."""

from __future__ import annotations

import itertools
from uuid import uuid4

import grpc
import pytest

from contract.tables import PLAYING
from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from jasshaus.matchmaking.domain import Hold, Status
from matchmaking.harness import FOUR, Front, House
from matchmaking.restored import World, tables_of

ROWS = ("missing", "OPEN", "STARTING", "PLAYING", "FINISHED", "VOIDED", "CLOSED")
POTS = ("none", "0", "1", "3", "4", "locked", "nameless", "elsewhere", "settled", "refunded")
TABLES = ("gone", "record", "playing", "finished")
PASSES = 6
FUNDS = 1000


async def world_of(place: House, front: Front) -> World:
    channel = grpc.aio.insecure_channel(front.config.wallet_address)
    number = uuid4().hex[:8]
    holds = tuple(Hold(seat, f"{name}-{number}", uuid4()) for seat, name in enumerate(FOUR))
    world = World(front, place.tables, wallet_pb2_grpc.PotServiceStub(channel), uuid4(), holds)
    tables_of(world)
    place.wallet.fund(*world.players, *world.others, amount=FUNDS)
    return world


async def settle(front: Front) -> None:
    for _ in range(PASSES):
        await front.reconcile(1)
        await front.parts.watch.look()


async def state_of(world: World) -> str | None:
    pot = await world.pot()
    return None if pot is None else wallet_pb2.PotState.Name(pot.state).removeprefix("POT_STATE_")


async def assert_converged(place: House, world: World, *, was_over: bool) -> None:
    """All agree, and what the players had is where it belongs.

    A row and a pot that were over before stay as they were: there is nothing to move, and nobody looks.
    """
    row, pot, state = await world.row(), await world.pot(), await state_of(world)
    assert place.wallet.total() == 0
    balances = {name: place.wallet.balance(name) - FUNDS for name in (*world.players, *world.others)}
    holding = {hold.player_id for hold in pot.holds} if pot is not None else set()
    if state in {"OPEN", "LOCKED"}:
        assert balances == {name: -100 if name in holding else 0 for name in balances}
    match state:
        case "SETTLED":
            assert list(balances.values()) == [95, -100, 95, -100, 0]
            assert row is None or was_over or row.status is Status.FINISHED
        case "LOCKED":
            # It is played, at the table it is locked for.
            assert row is not None
            assert pot is not None
            assert row.status is Status.PLAYING
            assert pot.table_id in {"", str(row.table_id)}
            assert place.tables.tables[str(row.table_id)].status == PLAYING
            assert len(holding) == len(world.players)
        case "OPEN":
            assert row is not None
            assert pot is not None
            assert row.status is Status.OPEN
            assert 0 < len(holding) < len(world.players)
        case "REFUNDED":
            assert set(balances.values()) == {0}
            assert row is None or was_over or row.status in {Status.VOIDED, Status.CLOSED}
        case None:
            assert set(balances.values()) == {0}
            assert row is None or row.status.over
    assert await world.front.edge.staked.unfinished("") is not None
    assert await world.front.parts.operator._strays.page(None, 10, 0) == []


@pytest.mark.parametrize("row", ROWS)
async def test_row_pot_and_table_of_different_times_come_together(place: House, row: str):
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        for pot, table in itertools.product(POTS, TABLES):
            world = await world_of(place, front)
            await world.write_pot(pot)
            await world.write_row(row)
            await world.write_table(table)
            try:
                await settle(front)
                over = row in {"FINISHED", "VOIDED", "CLOSED"} and pot in {"settled", "refunded"}
                await assert_converged(place, world, was_over=over)
            except AssertionError as error:
                found, state = await world.row(), await state_of(world)
                said = None if found is None else (str(found.status), found.table_id, found.result)
                raise AssertionError(f"{row} {pot} {table}: {said} {state}") from error
