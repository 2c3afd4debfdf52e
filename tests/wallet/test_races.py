"""Everything at once: whatever the order in which the database takes them, the money is right."""

from __future__ import annotations

import asyncio
from collections import Counter

import grpc
import psycopg
import pytest

from contract.pots_bank import FOUR, LOCKED, REFUNDED, SETTLED, TABLE, new_id, refused
from eventually import until
from jasshaus.platform.errors import Fault
from wallet.harness import WAITING_FOR_LOCKS

ANNA, BEAT, CLA, DORA = FOUR
ROUNDS = 12


async def outcomes(*calls):
    """What each call came to: its answer, or the reason of its refusal."""
    results = await asyncio.gather(*calls, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, Fault):
            raise result
    return [result.reason if isinstance(result, Fault) else result for result in results]


async def test_a_hundred_players_for_one_seat(bank):
    pot = await bank.seated(players=FOUR[:3])
    rivals = [f"rival-{number}" for number in range(100)]
    await asyncio.gather(*(bank.deposit(rival, 100) for rival in rivals))
    results = await outcomes(*(bank.hold(pot.pot_id, 3, rival) for rival in rivals))
    assert results.count("SEAT_TAKEN") == 99
    balances = await asyncio.gather(*(bank.balance(rival) for rival in rivals))
    assert Counter(balances) == {100: 99, 0: 1}
    holds = (await bank.get(pot.pot_id)).holds
    assert holds[3].player_id == rivals[balances.index(0)]
    await bank.assert_sound()


async def test_a_hundred_players_for_four_seats(bank):
    pot = await bank.open(100)
    rivals = [f"rival-{number}" for number in range(100)]
    await asyncio.gather(*(bank.deposit(rival, 100) for rival in rivals))
    results = await outcomes(*(bank.hold(pot.pot_id, place % 4, r) for place, r in enumerate(rivals)))
    assert results.count("SEAT_TAKEN") == 96
    pot = await bank.get(pot.pot_id)
    assert (await bank.lock(pot.pot_id, pot.holds)).state == LOCKED
    await bank.assert_sound()


@pytest.mark.parametrize("joins", [2, 5, 20])
async def test_joins_at_once_against_a_balance_for_one_less(bank, joins):
    await bank.deposit(ANNA, 100 * (joins - 1))
    pots = await asyncio.gather(*(bank.open(100) for _ in range(joins)))
    results = await outcomes(*(bank.hold(pot.pot_id, 0, ANNA) for pot in pots))
    assert results.count("INSUFFICIENT_FUNDS") == 1
    assert await bank.balances(ANNA) == [(0, 100 * (joins - 1), "CHF")]
    await bank.assert_sound()


async def test_one_player_in_all_seats_of_one_pot(bank):
    for _ in range(ROUNDS):
        pot = await bank.open(100)
        await bank.deposit(ANNA, 400)
        results = await outcomes(*(bank.hold(pot.pot_id, seat, ANNA) for seat in range(4)))
        assert results.count("PLAYER_ALREADY_HOLDS") == 3
        assert len((await bank.get(pot.pot_id)).holds) == 1
    await bank.assert_sound()


async def test_the_same_hold_many_times_at_once(bank):
    pot, reservation = await bank.open(100), new_id()
    await bank.deposit(ANNA, 1000)
    results = await outcomes(*(bank.hold(pot.pot_id, 0, ANNA, reservation) for _ in range(20)))
    assert all(result == results[0] for result in results)
    assert await bank.balance(ANNA) == 900


async def test_one_reservation_for_two_pots_at_once(bank):
    await bank.deposit(ANNA, 10_000)
    for _ in range(ROUNDS):
        one, two, reservation = await bank.open(100), await bank.open(100), new_id()
        results = await outcomes(*(bank.hold(pot.pot_id, 0, ANNA, reservation) for pot in (one, two)))
        assert results.count("RESERVATION_MISMATCH") == 1
    assert await bank.balance(ANNA) == 10_000 - ROUNDS * 100
    await bank.assert_sound()


async def test_a_hold_racing_its_release_costs_nothing_either_way(bank):
    await bank.deposit(ANNA, 100)
    for _ in range(ROUNDS):
        pot, reservation = await bank.open(100), new_id()
        held, released = await outcomes(
            bank.hold(pot.pot_id, 0, ANNA, reservation), bank.release(pot.pot_id, reservation)
        )
        assert (held == "RESERVATION_RELEASED") == (released is False)
        assert await bank.balance(ANNA) == 100
        assert not (await bank.get(pot.pot_id)).holds
    await bank.assert_sound()


async def test_a_release_racing_the_lock(bank):
    for _ in range(ROUNDS):
        pot = await bank.seated()
        released, locked = await outcomes(
            bank.release(pot.pot_id, pot.holds[1].reservation_id), bank.lock(pot.pot_id, pot.holds)
        )
        if released is True:
            assert locked == "HOLDS_DIFFER"
            assert len((await bank.get(pot.pot_id)).holds) == 3
        else:
            assert (released, locked.state) == ("POT_NOT_OPEN", LOCKED)
    await bank.assert_sound()


async def test_a_hold_racing_the_refund(bank):
    await bank.deposit(ANNA, 100)
    for _ in range(ROUNDS):
        pot = await bank.open(100)
        held, refunded = await outcomes(bank.hold(pot.pot_id, 0, ANNA), bank.refund(pot.pot_id))
        assert (held == "POT_NOT_OPEN") == (not refunded.payouts)
        assert await bank.balance(ANNA) == 100
    await bank.assert_sound()


async def test_a_refund_racing_the_settlement(bank):
    for _ in range(ROUNDS):
        pot = await bank.locked()
        before = {player: await bank.balance(player) for player in FOUR}
        settled, refunded = await outcomes(bank.settle(pot.pot_id), bank.refund(pot.pot_id, table_id=TABLE))
        gains = [await bank.balance(player) - before[player] for player in FOUR]
        if refunded == "POT_SETTLED":
            assert (settled.state, gains) == (SETTLED, [195, 0, 195, 0])
        else:
            assert (settled, refunded.state, gains) == ("POT_REFUNDED", REFUNDED, [100] * 4)
    await bank.assert_sound()


async def test_settlements_and_refunds_many_times_at_once(bank):
    settled, refunded = await bank.locked(), await bank.locked()
    results = await outcomes(*(bank.settle(settled.pot_id) for _ in range(20)))
    assert all(result == results[0] for result in results)
    results = await outcomes(*(bank.refund(refunded.pot_id, table_id=TABLE) for _ in range(20)))
    assert all(result == results[0] for result in results)
    assert [await bank.balance(player) for player in FOUR] == [2095, 1900, 2095, 1900]
    await bank.assert_sound()


async def test_two_results_at_once(bank, wallet):
    for _ in range(ROUNDS):
        pot = await bank.locked()
        results = await outcomes(bank.settle(pot.pot_id, (0, 2)), bank.settle(pot.pot_id, (1, 3)))
        assert results.count("SETTLEMENT_CONFLICT") == 1
    assert wallet.metric("jasshaus_wallet_settlement_conflicts_total") == ROUNDS
    await bank.assert_sound()


async def test_the_same_deposit_many_times_at_once(bank):
    request_id = new_id()
    results = await outcomes(*(bank.deposit(ANNA, 300, request_id=request_id) for _ in range(20)))
    assert all(result == results[0] for result in results)
    assert await bank.balance(ANNA) == 300
    await bank.assert_sound()


async def test_first_deposits_of_many_players_and_currencies_at_once(bank):
    calls = [
        bank.deposit(player, 10, currency=code, tenant=tenant)
        for code in ("CHF", "EUR", "POINTS")
        for tenant in ("red", "blue")
        for player in (*FOUR, *FOUR, *reversed(FOUR))
    ]
    await asyncio.gather(*calls)
    for code in ("CHF", "EUR", "POINTS"):
        assert [await bank.balance(player, code, "red") for player in FOUR] == [30] * 4
    trial = await bank.assert_sound()
    assert len(trial.lines) == 6


async def test_the_same_pot_opened_many_times_at_once(bank):
    pot_id = new_id()
    results = await outcomes(
        *(bank.open(100, pot_id=pot_id) for _ in range(10)),
        *(bank.open(200, pot_id=pot_id) for _ in range(10)),
    )
    assert results.count("POT_CONFLICT") == 10


async def test_the_same_players_in_many_games_at_once_never_block_each_other(bank, wallet):
    """Forty pots of the same players in turned seats: money crosses between the same accounts in all ways."""
    for player in FOUR:
        await bank.deposit(player, 100_000)

    async def play(number: int) -> None:
        pot_id = (await bank.open(100)).pot_id
        turned = [FOUR[(seat + number) % 4] for seat in range(4)]
        await asyncio.gather(*(bank.hold(pot_id, seat, player) for seat, player in enumerate(turned)))
        await bank.lock(pot_id, (await bank.get(pot_id)).holds)
        if number % 3:
            await bank.settle(pot_id, (number % 2, 2 + number % 2))
        else:
            await bank.refund(pot_id, table_id=TABLE)

    await asyncio.gather(*(play(number) for number in range(40)))
    total = sum([await bank.balance(player) for player in FOUR])
    assert total == 400_000 - 10 * len([number for number in range(40) if number % 3])
    assert wallet.metric("jasshaus_wallet_store_retries_total", cause="conflict") == 0
    await bank.assert_sound()


async def test_a_lock_that_is_never_given_back_is_a_passing_fault(bank, owner):
    pot = await bank.seated(players=(ANNA,))
    with owner.transaction():
        owner.execute("SELECT FROM wallet.pot FOR UPDATE")
        with refused("STORE_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE) as caught:
            await bank.refund(pot.pot_id)
        assert 1 <= caught.fault.retry_after <= 1.5
    assert (await bank.refund(pot.pot_id)).state == REFUNDED


async def test_the_loser_of_a_deadlock_is_done_again(bank, wallet, owner):
    """Somebody with psql locks an account, then the pot: the other way round than the ledger does."""
    for _ in range(10):
        pot = await bank.seated(players=(ANNA,))
        try:
            with owner.transaction():
                owner.execute("SELECT FROM wallet.account WHERE owner = 'anna' FOR UPDATE")
                refund = asyncio.create_task(bank.refund(pot.pot_id))
                # It holds the pot by now. Who has waited for a second looks for a deadlock, and loses.
                await until(lambda: owner.execute(WAITING_FOR_LOCKS).fetchone() == (1,))
                await asyncio.to_thread(owner.execute, "SELECT FROM wallet.pot FOR UPDATE")
        except psycopg.errors.DeadlockDetected:
            # On a busy machine the refund may have looked before there was one: once more.
            assert (await refund).state == REFUNDED
            continue
        assert (await refund).state == REFUNDED
        # Not before the answer: that the database has decided does not mean that the service knows.
        assert wallet.metric("jasshaus_wallet_store_retries_total", cause="conflict") == 1
        break
    else:
        pytest.fail("the refund never lost")
    await bank.assert_sound()
