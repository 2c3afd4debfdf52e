"""The same saga over the real wallet: what the fake promises holds with the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from jasshaus.api.wallet.v1 import wallet_pb2
from matchmaking.harness import CLOSED, FOUR, OPEN, PLAYING, SECRET, VOIDED, Front, Harness, refused
from wallet.harness import SECRET as WALLET_SECRET
from wallet.harness import RunningWallet, serve_wallet


@pytest.fixture
async def ledger(wallet_dsn: str) -> AsyncIterator[RunningWallet]:
    assert WALLET_SECRET == SECRET
    async with serve_wallet(wallet_dsn) as running:
        yield running


@pytest.fixture
async def staked(place: Harness, ledger: RunningWallet) -> AsyncIterator[Front]:
    async with (
        ledger.bank() as bank,
        replace(place, config=replace(place.config, wallet_address=ledger.address)).front() as front,
    ):
        for name in FOUR:
            await bank.deposit(name, 150)
        yield front


async def test_four_stakes_are_locked(staked: Front, ledger: RunningWallet, place: Harness):
    anna, *others = staked.players()
    game = await anna.open(100)
    assert game.quote.fee.minor_units == 10
    for player in others:
        game = (await player.join(game)).game
    assert game.status == PLAYING
    async with ledger.bank() as bank:
        pot = await bank.get(game.game_id)
        assert pot.state == wallet_pb2.POT_STATE_LOCKED
        assert [hold.player_id for hold in pot.holds] == [*FOUR]
        for name in FOUR:
            assert await bank.balance(name) == 50
        await bank.assert_sound()


async def test_a_second_game_is_too_much_for_the_balance(staked: Front, ledger: RunningWallet):
    anna, beat, *_ = staked.players()
    game = await anna.open(100)
    with refused("INSUFFICIENT_FUNDS"):
        await anna.open(100)
    other = await beat.open(100)
    with refused("INSUFFICIENT_FUNDS"):
        await anna.join(other)
    assert (await anna.leave(game)).status == CLOSED
    assert (await anna.join(other)).seat == 1
    async with ledger.bank() as bank:
        assert await bank.balance("anna") == 50
        await bank.assert_sound()


async def test_two_joins_against_one_balance(staked: Front, ledger: RunningWallet):
    anna, beat, cla, _ = staked.players()
    games = [await anna.open(100), await beat.open(100)]
    results = await asyncio.gather(*(cla.join(game) for game in games), return_exceptions=True)
    assert sum(1 for result in results if not isinstance(result, BaseException)) == 1
    async with ledger.bank() as bank:
        assert await bank.balance("cla") == 50
        await bank.assert_sound()


async def test_leaving_and_joining_again(staked: Front, ledger: RunningWallet):
    anna, beat, *_ = staked.players()
    game = await anna.open(100)
    for _ in range(3):
        assert (await beat.join(game)).seat == 1
        assert (await beat.leave(game)).status == OPEN
    async with ledger.bank() as bank:
        assert await bank.balance("beat") == 150
        await bank.assert_sound()


async def test_a_refused_table_gives_the_stakes_back(staked: Front, ledger: RunningWallet, place: Harness):
    place.tables.refuse("CreateTable", "POT_MISMATCH")
    anna, *others = staked.players()
    game = await anna.open(100)
    for player in others:
        game = (await player.join(game)).game
    assert game.status == VOIDED
    async with ledger.bank() as bank:
        assert (await bank.get(game.game_id)).state == wallet_pb2.POT_STATE_REFUNDED
        for name in FOUR:
            assert await bank.balance(name) == 150
        await bank.assert_sound()


async def test_holds_that_differ_come_back_with_the_pot(staked: Front, ledger: RunningWallet):
    anna, beat, cla, dora = staked.players()
    game = await anna.open(100)
    await beat.join(game)
    await cla.join(game)
    async with ledger.bank() as bank:
        pot = await bank.get(game.game_id)
        await bank.release(game.game_id, pot.holds[1].reservation_id)
        joined = (await dora.join(game)).game
        assert joined.status == OPEN
        assert [seat.player_id for seat in joined.seats] == ["anna", "", "cla", "dora"]
        assert (await beat.join(game)).game.status == PLAYING
        await bank.assert_sound()
