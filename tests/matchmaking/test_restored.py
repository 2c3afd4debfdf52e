"""Whatever earlier time row, pot and table tell of: no stake is left over, and nobody is paid twice."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Protocol
from uuid import uuid4

import pytest
from prometheus_client import CollectorRegistry

from contract.pots_bank import Bank
from contract.tables import PLAYING
from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.matchmaking.domain import Hold, Status
from jasshaus.matchmaking.wiring import assemble
from jasshaus.platform.stopping import Stopping
from matchmaking.harness import AT_ONCE, FOUR, Front, House
from matchmaking.restored import World, tables_of
from matchmaking.test_crashes import Death, Killed
from wallet.harness import serve_wallet

ROWS = ("missing", "OPEN", "STARTING", "PLAYING", "FINISHED", "VOIDED", "CLOSED")
POTS = ("none", "0", "1", "3", "4", "locked", "nameless", "elsewhere", "settled", "refunded")
TABLES = ("gone", "record", "playing", "finished")
DYING = (
    ("missing", "3", "gone"),
    ("missing", "locked", "gone"),
    ("FINISHED", "locked", "gone"),
    ("CLOSED", "locked", "playing"),
)
PASSES = 6
FUNDS = 1000


class Money(Protocol):
    """The players' money in one of the two wallets."""

    async def fund(self, *names: str) -> None:
        """Give each of them FUNDS."""

    async def balance(self, name: str) -> int:
        """Return what somebody can stake."""

    async def assert_sound(self) -> object:
        """The sum of everything is zero."""


class FakeMoney:
    def __init__(self, place: House) -> None:
        self._wallet = place.wallet

    async def fund(self, *names: str) -> None:
        self._wallet.fund(*names, amount=FUNDS)

    async def balance(self, name: str) -> int:
        return self._wallet.balance(name)

    async def assert_sound(self) -> object:
        assert self._wallet.total() == 0
        return None


class RealMoney:
    def __init__(self, bank: Bank) -> None:
        self._bank = bank

    async def fund(self, *names: str) -> None:
        for name in names:
            await self._bank.deposit(name, FUNDS)

    async def balance(self, name: str) -> int:
        return await self._bank.balance(name)

    async def assert_sound(self) -> object:
        return await self._bank.assert_sound()


async def world_of(place: House, front: Front, money: Money | None = None) -> World:
    number = uuid4().hex[:8]
    holds = tuple(Hold(seat, f"{name}-{number}", uuid4()) for seat, name in enumerate(FOUR))
    world = World(front, place.tables, front.edge.staked._stub, uuid4(), holds)
    tables_of(world)
    await (money or FakeMoney(place)).fund(*world.players, *world.others)
    return world


async def settle(front: Front) -> None:
    for _ in range(PASSES):
        await front.reconcile(1)
        await front.parts.watch.look()


async def state_of(world: World) -> str | None:
    pot = await world.pot()
    return None if pot is None else wallet_pb2.PotState.Name(pot.state).removeprefix("POT_STATE_")


async def assert_converged(place: House, world: World, money: Money) -> None:
    """All agree, and what the players had is where it belongs."""
    row, pot, state = await world.row(), await world.pot(), await state_of(world)
    balances = {name: await money.balance(name) - FUNDS for name in (*world.players, *world.others)}
    holding = {hold.player_id for hold in pot.holds} if pot is not None else set()
    if state in {"OPEN", "LOCKED"}:
        assert balances == {name: -100 if name in holding else 0 for name in balances}
    match state:
        case "SETTLED":
            assert list(balances.values()) == [95, -100, 95, -100, 0]
            assert row is None or row.status is Status.FINISHED
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
            assert row is None or row.status in {Status.VOIDED, Status.CLOSED}
        case None:
            assert set(balances.values()) == {0}
            assert row is None or row.status.over


async def assert_nothing_waits(front: Front, money: Money) -> None:
    """The sum of everything is zero, and no pot is left for somebody to look into."""
    await money.assert_sound()
    assert await front.edge.staked.unfinished("") is not None
    assert await front.parts.operator._strays.page(None, 10, 0) == []


async def assert_all_converge(
    place: House, front: Front, money: Money, row: str, times: Iterable[tuple[str, str]]
) -> None:
    """Let games of all these times come together at once: each game is its own players'."""
    worlds = {each: await world_of(place, front, money) for each in times}
    for (pot, table), world in worlds.items():
        await world.write_pot(pot)
        await world.write_row(row)
        await world.write_table(table)
    await settle(front)
    for (pot, table), world in worlds.items():
        try:
            await assert_converged(place, world, money)
        except AssertionError as error:
            found, state = await world.row(), await state_of(world)
            said = None if found is None else (str(found.status), found.table_id, found.result)
            raise AssertionError(f"{row} {pot} {table}: {said} {state}") from error
    await assert_nothing_waits(front, money)


@pytest.mark.parametrize("row", ROWS)
async def test_row_pot_and_table_of_different_times_come_together(place: House, row: str):
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        times = itertools.product(POTS, TABLES)
        await assert_all_converge(place, front, FakeMoney(place), row, times)


@pytest.mark.parametrize("pot", ["locked", "settled"])
async def test_a_row_that_lags_behind_has_the_points_of_the_result_its_table_left(place: House, pot: str):
    """After a restore nobody reports the match again whose pot is paid: matchmaking looks by itself."""
    async with place.front(lost_table_grace=0.0) as front:
        world = await world_of(place, front)
        await world.write_pot(pot)
        await world.write_row("PLAYING")
        await world.write_table("record")
        await settle(front)
        row = await world.row()
        assert row is not None
        assert row.status is Status.FINISHED
        assert row.result is not None
        assert (row.result.points, row.result.payouts) == ((1000, 700), (195, 195))


@pytest.mark.parametrize("row", ROWS)
async def test_the_ledger_comes_together_with_them(place: House, wallet_dsn: str, row: str):
    async with serve_wallet(wallet_dsn) as ledger, ledger.bank() as bank:
        there = replace(place, config=replace(place.config, wallet_address=ledger.address))
        async with there.front(lost_table_grace=0.0, pot_check=0.0) as front:
            times = itertools.product(
                ("3", "4", "locked", "nameless", "elsewhere"), ("gone", "record", "playing")
            )
            await assert_all_converge(there, front, RealMoney(bank), row, times)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("row", "pot", "table"), DYING)
async def test_a_replica_dies_while_it_looks(place: House, row: str, pot: str, table: str, when: str):
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        for at in range(1, 100):
            world = await world_of(place, front)
            await world.write_pot(pot)
            await world.write_row(row)
            await world.write_table(table)
            death = Death(at, after=when == "after")
            parts = assemble(front.config, death.wrap(front.edge), Stopping(), AT_ONCE, CollectorRegistry())
            with suppress(Killed):
                for _ in range(2):
                    await parts.watch.look()
            # What ran beside the one that was killed is dead, too.
            await asyncio.sleep(0.01)
            await settle(front)
            try:
                await assert_converged(place, world, FakeMoney(place))
                await assert_nothing_waits(front, FakeMoney(place))
            except AssertionError as error:
                raise AssertionError(f"killed {death.struck} ({at})") from error
            await world.end()
            if not death.struck:
                assert at > 5
                return
    raise AssertionError("more calls than expected")


async def test_a_row_that_follows_its_pot_has_the_points_of_the_result(place: House):
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        world = await world_of(place, front)
        await world.write_pot("settled")
        await world.write_row("VOIDED")
        await world.write_table("record")
        await front.parts.watch.look()
        row = await world.row()
        assert row is not None
        assert row.result is not None
        assert (row.status, row.result.points) == (Status.FINISHED, (1000, 700))
        assert front.metric("jasshaus_lobby_reconciler_total", action="followed") == 1
        await front.parts.watch.look()
        assert front.metric("jasshaus_lobby_reconciler_total", action="followed") == 1


async def test_games_that_ended_are_compared_page_by_page(place: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("jasshaus.matchmaking.ended._PAGE", 2)
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        worlds = [await world_of(place, front) for _ in range(5)]
        for world in worlds:
            await world.write_pot("refunded")
            await world.write_row("FINISHED")
        left = []
        for _ in range(3):
            await front.parts.watch.look()
            rows = [await world.row() for world in worlds]
            left.append(sum(row is not None and row.status is Status.FINISHED for row in rows))
        assert left == [3, 1, 0]


async def test_the_walk_waits_for_a_wallet_that_is_away(place: House):
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        world = await world_of(place, front)
        await world.write_pot("refunded")
        await world.write_row("FINISHED")
        place.wallet.unavailable("GetPot", 1000)
        await front.parts.watch.look()
        row = await world.row()
        assert row is not None
        assert row.status is Status.FINISHED
        place.wallet._before.clear()
        await front.parts.watch.look()
        row = await world.row()
        assert row is not None
        assert row.status is Status.VOIDED
