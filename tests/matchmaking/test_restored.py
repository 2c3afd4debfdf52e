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
from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.api.matchmaking.v1 import matchmaking_pb2_grpc as pb_grpc
from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.matchmaking.domain import Hold, Status
from jasshaus.matchmaking.stuck import Why
from jasshaus.matchmaking.wiring import assemble
from jasshaus.platform.auth import mint_token
from jasshaus.platform.stopping import Stopping
from matchmaking.harness import AT_ONCE, FINISHED, FOUR, SECRET, Front, Harness
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
    def __init__(self, place: Harness) -> None:
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


async def world_of(place: Harness, front: Front, money: Money | None = None) -> World:
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


async def assert_converged(place: Harness, world: World, money: Money) -> None:
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


async def assert_nothing_waits(front: Front, money: Money, *other_ends: World) -> None:
    """The sum of everything is zero, and of no other pot is anything left for somebody to look into."""
    await money.assert_sound()
    assert await front.edge.staked.unfinished("") is not None
    waiting = await front.parts.operator._strays.page(None, 10, 0)
    assert {(each.stray.pot_id, each.stray.why) for each in waiting} == {
        (world.game_id, Why.OTHER_END) for world in other_ends
    }


async def assert_all_converge(
    place: Harness, front: Front, money: Money, row: str, times: Iterable[tuple[str, str]]
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
    # Who won stands in its row, and nowhere what they got for it.
    unpaid = [world for (pot, _), world in worlds.items() if row == "FINISHED" and pot == "none"]
    await assert_nothing_waits(front, money, *unpaid)


@pytest.mark.parametrize("row", ROWS)
async def test_row_pot_and_table_of_different_times_come_together(place: Harness, row: str):
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        times = itertools.product(POTS, TABLES)
        await assert_all_converge(place, front, FakeMoney(place), row, times)


@pytest.mark.parametrize("pot", ["locked", "settled"])
async def test_a_row_that_lags_behind_has_the_points_of_the_result_its_table_left(place: Harness, pot: str):
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
async def test_the_ledger_comes_together_with_them(place: Harness, wallet_dsn: str, row: str):
    async with serve_wallet(wallet_dsn) as ledger, ledger.bank() as bank:
        there = replace(place, config=replace(place.config, wallet_address=ledger.address))
        async with there.front(lost_table_grace=0.0, pot_check=0.0) as front:
            times = itertools.product(
                ("3", "4", "locked", "nameless", "elsewhere"), ("gone", "record", "playing")
            )
            await assert_all_converge(there, front, RealMoney(bank), row, times)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("row", "pot", "table"), DYING)
async def test_a_replica_dies_while_it_looks(place: Harness, row: str, pot: str, table: str, when: str):
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


async def test_a_row_that_follows_its_pot_has_the_points_of_the_result(place: Harness):
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


async def test_games_that_ended_are_compared_page_by_page(place: Harness, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("jasshaus.matchmaking.upkeep.ended._PAGE", 2)
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


async def test_the_walk_waits_for_a_wallet_that_is_away(place: Harness):
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


@pytest.mark.parametrize("kept", [True, False])
async def test_a_closed_row_that_follows_a_settled_pot_shows_who_sat_there(place, kept):
    """All four by the result their table left; without one those whom the pot paid."""
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        world = await world_of(place, front)
        await world.write_pot("settled")
        await world.write_row("CLOSED")
        await world.write_table("record" if kept else "gone")
        await front.parts.watch.look()
        shown = await front.player("anna").get(str(world.game_id))
        there = world.players if kept else (world.players[0], "", world.players[2], "")
        assert shown.status == FINISHED
        assert tuple(seat.player_id for seat in shown.seats) == there
        assert list(shown.result.winning_seats) == [0, 2]


# What cannot be brought to tell of one end is listed.


async def listed(front: Front) -> list[tuple[str, str]]:
    """(pot, detail) of the pots that are listed for having ended otherwise than their games."""
    metadata = (("authorization", f"Bearer {mint_token(SECRET, 'boss', ['operator'])}"),)
    stub = pb_grpc.OperatorServiceStub(front.channel)
    pots = (await stub.ListStuckPots(pb.ListStuckPotsRequest(), metadata=metadata, timeout=10)).pots
    other = pb.STUCK_REASON_OTHER_END
    return [(each.pot_id, each.detail) for each in pots if each.reason == other]


async def aged(front: Front, world: World, days: int) -> None:
    await world._set(f"end_time = now() - interval '{days} days'")


async def test_a_match_that_was_won_and_whose_pot_is_gone_is_listed_until_it_agrees(place: Harness):
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        gone, void = await world_of(place, front), await world_of(place, front)
        await gone.write_row("FINISHED")
        await void.write_row("VOIDED")
        for _ in range(3):
            await front.parts.watch.look()
            # That a ledger took no stakes which a game gave back is one end.
            assert await listed(front) == [(str(gone.game_id), "the game is FINISHED, its pot is gone")]
        await front.parts.watch.count()
        assert front.metric("jasshaus_lobby_stuck_pots", reason="OTHER_END") == 1
        await gone.write_pot("settled")
        await front.parts.watch.look()
        assert await listed(front) == []


async def test_a_closed_game_whose_settled_pot_names_no_table_is_listed(place: Harness):
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        world = await world_of(place, front)
        await world.write_pot("settled")
        await world.write_row("CLOSED")
        place.wallet.pots[str(world.game_id)].table = ""
        await front.parts.watch.look()
        detail = "the game is CLOSED, its pot SETTLED and names no table"
        assert await listed(front) == [(str(world.game_id), detail)]
        row = await world.row()
        assert row is not None
        assert row.status is Status.CLOSED


@pytest.mark.parametrize("days", [8, 29])
async def test_games_that_ended_earlier_follow_their_pots_or_are_listed(place: Harness, days: int):
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        follows, gone = await world_of(place, front), await world_of(place, front)
        await follows.write_pot("refunded")
        for world in (follows, gone):
            await world.write_row("FINISHED")
            await aged(front, world, days)
        await front.parts.watch.look()
        row = await follows.row()
        assert row is not None
        assert row.status is Status.VOIDED
        assert [pot_id for pot_id, _ in await listed(front)] == [str(gone.game_id)]
        await aged(front, gone, 31)
        await front.parts.watch.look()
        assert await listed(front) == []


async def test_many_old_games_do_not_hold_up_the_latest(place: Harness, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("jasshaus.matchmaking.upkeep.ended._PAGE", 1)
    async with place.front(lost_table_grace=0.0, pot_check=0.0) as front:
        old = [await world_of(place, front) for _ in range(3)]
        for world in old:
            await world.write_row("FINISHED")
            await aged(front, world, 8)
        late = await world_of(place, front)
        await late.write_row("FINISHED")
        await front.parts.watch.look()
        assert len(await listed(front)) == 2
        assert str(late.game_id) in dict(await listed(front))
