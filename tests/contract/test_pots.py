"""The wallet's contract, held by the real one and by the fake that stands in for it in other tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest

from contract.pots import FakeWallet
from contract.pots_bank import (
    FOUR,
    LOCKED,
    OPEN,
    REFUNDED,
    SETTLED,
    TABLE,
    Bank,
    Hold,
    amount,
    digest,
    malformed,
    new_id,
    not_found,
    refused,
)
from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.platform.errors import Fault
from wallet.harness import serve_wallet

ANNA, BEAT, CLA, DORA = FOUR


@pytest.fixture(params=["fake", "real"])
async def bank(request: pytest.FixtureRequest) -> AsyncIterator[Bank]:
    if request.param == "fake":
        async with FakeWallet().serve() as address, Bank(address) as bank:
            yield bank
    else:
        async with serve_wallet(request.getfixturevalue("wallet_dsn")) as wallet, wallet.bank() as bank:
            yield bank


# Quotes.


@pytest.mark.parametrize(
    ("stake", "fee", "payouts"),
    [(100, 10, [195, 195]), (101, 10, [197, 197]), (1, 0, [2, 2]), (10, 1, [20, 19]), (10**12, 10**11, None)],
)
async def test_a_quote_rounds_the_fee_down_and_gives_left_over_units_to_the_first(bank, stake, fee, payouts):
    (quote,) = await bank.quote(stake)
    assert (quote.pot.minor_units, quote.fee.minor_units) == (4 * stake, fee)
    assert quote.net.minor_units == 4 * stake - fee == sum(each.minor_units for each in quote.side_payouts)
    if payouts is not None:
        assert [each.minor_units for each in quote.side_payouts] == payouts


async def test_quotes_come_in_the_order_asked(bank):
    assert [quote.stake.minor_units for quote in await bank.quote(500, 100, 200)] == [500, 100, 200]
    assert await bank.quote() == []


@pytest.mark.parametrize("stake", [0, -1, 10**12 + 1])
async def test_a_stake_out_of_range_is_malformed(bank, stake):
    with malformed():
        await bank.quote(stake)
    with malformed():
        await bank.open(stake)


# OpenPot.


async def test_an_opened_pot_is_empty_and_quoted(bank):
    pot = await bank.open(100)
    assert (pot.state, pot.tenant, list(pot.holds), list(pot.payouts)) == (OPEN, "default", [], [])
    assert [pot.quote] == await bank.quote(100)
    assert not pot.HasField("fee_taken")
    assert pot == await bank.get(pot.pot_id)


async def test_opening_again_with_the_same_terms_is_the_same_answer(bank):
    pot = await bank.open(100)
    assert await bank.open(100, pot_id=pot.pot_id) == pot


@pytest.mark.parametrize("other", [{"stake": 200}, {"currency": "EUR"}, {"tenant": "elsewhere"}])
async def test_opening_again_with_other_terms_is_refused(bank, other):
    pot = await bank.open(100)
    with refused("POT_CONFLICT") as caught:
        await bank.open(**{"stake": 100, "pot_id": pot.pot_id, **other})
    assert caught.pot == pot == await bank.get(pot.pot_id)


async def test_an_unknown_pot_is_not_found(bank):
    unknown = new_id()
    holds = [Hold(seat=s, player_id=FOUR[s], reservation_id=new_id(), amount=amount(1)) for s in range(4)]
    for call in (
        bank.get(unknown),
        bank.hold(unknown, 0, ANNA),
        bank.release(unknown, new_id()),
        bank.lock(unknown, holds),
        bank.settle(unknown),
        bank.refund(unknown),
    ):
        with not_found():
            await call


# HoldStake.


async def test_a_hold_moves_the_stake_into_the_pot(bank):
    pot, reservation = await bank.open(100), new_id()
    await bank.deposit(ANNA, 250)
    hold = await bank.hold(pot.pot_id, 2, ANNA, reservation)
    assert hold == Hold(seat=2, player_id=ANNA, reservation_id=reservation, amount=amount(100))
    assert await bank.balances(ANNA) == [(150, 100, "CHF")]
    assert list((await bank.get(pot.pot_id)).holds) == [hold]
    await bank.assert_sound()


async def test_the_same_hold_again_is_the_same_answer_and_takes_nothing_more(bank):
    pot, reservation = await bank.open(100), new_id()
    await bank.deposit(ANNA, 250)
    first = await bank.hold(pot.pot_id, 2, ANNA, reservation)
    assert await bank.hold(pot.pot_id, 2, ANNA, reservation) == first
    assert await bank.balance(ANNA) == 150


@pytest.mark.parametrize("funds", [0, 99])
async def test_a_stake_not_covered_leaves_nothing(bank, funds):
    pot = await bank.open(100)
    if funds:
        await bank.deposit(ANNA, funds)
    with refused("INSUFFICIENT_FUNDS"):
        await bank.hold(pot.pot_id, 0, ANNA)
    assert await bank.balances(ANNA, "CHF") == [(funds, 0, "CHF")]
    assert not (await bank.get(pot.pot_id)).holds


async def test_money_of_another_currency_or_tenant_covers_nothing(bank):
    pot = await bank.open(100)
    await bank.deposit(ANNA, 1000, currency="EUR")
    await bank.deposit(ANNA, 1000, tenant="elsewhere")
    with refused("INSUFFICIENT_FUNDS"):
        await bank.hold(pot.pot_id, 0, ANNA)


async def test_a_refused_reservation_stays_refused_and_a_new_one_may_hold(bank):
    pot, reservation = await bank.open(100), new_id()
    with refused("INSUFFICIENT_FUNDS"):
        await bank.hold(pot.pot_id, 0, ANNA, reservation)
    await bank.deposit(ANNA, 1000)
    with refused("INSUFFICIENT_FUNDS"):
        await bank.hold(pot.pot_id, 0, ANNA, reservation)
    assert (await bank.hold(pot.pot_id, 0, ANNA)).seat == 0
    await bank.assert_sound()


async def test_a_seat_and_a_player_hold_once(bank):
    pot = await bank.seated(players=(ANNA,))
    await bank.deposit(BEAT, 1000)
    with refused("SEAT_TAKEN"):
        await bank.hold(pot.pot_id, 0, BEAT)
    with refused("PLAYER_ALREADY_HOLDS"):
        await bank.hold(pot.pot_id, 1, ANNA)
    assert [await bank.balance(player) for player in (ANNA, BEAT)] == [900, 1000]


@pytest.mark.parametrize("change", [{"seat": 1}, {"player": BEAT}, {"pot": True}])
async def test_a_reservation_is_of_one_seat_player_and_pot(bank, change):
    pot = await bank.seated(players=(ANNA,))
    await bank.deposit(BEAT, 1000)
    pot_id = (await bank.open(100)).pot_id if "pot" in change else pot.pot_id
    with refused("RESERVATION_MISMATCH"):
        await bank.hold(
            pot_id, change.get("seat", 0), change.get("player", ANNA), pot.holds[0].reservation_id
        )
    assert await bank.get(pot.pot_id) == pot


async def test_a_locked_or_closed_pot_takes_no_stake(bank):
    locked, closed = await bank.locked(), await bank.open(100)
    await bank.refund(closed.pot_id)
    await bank.deposit("eva", 1000)
    for pot in (locked, closed):
        with refused("POT_NOT_OPEN"):
            await bank.hold(pot.pot_id, 0, "eva")
    assert await bank.balance("eva") == 1000


# ReleaseStake.


async def test_a_release_gives_the_stake_back_once(bank):
    pot = await bank.seated(players=(ANNA,))
    reservation = pot.holds[0].reservation_id
    assert [await bank.release(pot.pot_id, reservation) for _ in range(3)] == [True, True, True]
    assert await bank.balances(ANNA) == [(1000, 0, "CHF")]
    assert not (await bank.get(pot.pot_id)).holds
    await bank.assert_sound()


async def test_a_released_reservation_never_holds_again_but_the_seat_is_free(bank):
    pot = await bank.seated(players=(ANNA,))
    await bank.release(pot.pot_id, pot.holds[0].reservation_id)
    with refused("RESERVATION_RELEASED"):
        await bank.hold(pot.pot_id, 0, ANNA, pot.holds[0].reservation_id)
    assert (await bank.hold(pot.pot_id, 0, ANNA)).player_id == ANNA


async def test_a_release_before_the_hold_closes_the_reservation(bank):
    pot, reservation = await bank.open(100), new_id()
    await bank.deposit(ANNA, 1000)
    assert [await bank.release(pot.pot_id, reservation) for _ in range(2)] == [False, False]
    with refused("RESERVATION_RELEASED"):
        await bank.hold(pot.pot_id, 0, ANNA, reservation)
    assert await bank.balance(ANNA) == 1000


async def test_releasing_a_refused_reservation_gives_nothing_and_changes_nothing(bank):
    pot, reservation = await bank.open(100), new_id()
    with refused("INSUFFICIENT_FUNDS"):
        await bank.hold(pot.pot_id, 0, ANNA, reservation)
    assert await bank.release(pot.pot_id, reservation) is False
    with refused("INSUFFICIENT_FUNDS"):
        await bank.hold(pot.pot_id, 0, ANNA, reservation)


async def test_a_reservation_of_another_pot_is_not_released(bank):
    pot, other = await bank.seated(players=(ANNA,)), await bank.open(100)
    with refused("RESERVATION_MISMATCH"):
        await bank.release(other.pot_id, pot.holds[0].reservation_id)
    assert await bank.get(pot.pot_id) == pot


async def test_a_locked_stake_is_not_released(bank):
    pot = await bank.locked()
    with refused("POT_NOT_OPEN") as caught:
        await bank.release(pot.pot_id, pot.holds[0].reservation_id)
    assert caught.pot == pot
    await bank.settle(pot.pot_id)
    with refused("POT_NOT_OPEN"):
        await bank.release(pot.pot_id, pot.holds[1].reservation_id)
    await bank.assert_sound()


async def test_a_stake_refunded_with_its_pot_counts_as_given_back(bank):
    pot = await bank.seated(players=(ANNA,))
    await bank.refund(pot.pot_id)
    assert await bank.release(pot.pot_id, pot.holds[0].reservation_id) is True
    with refused("RESERVATION_RELEASED"):
        await bank.hold(pot.pot_id, 0, ANNA, pot.holds[0].reservation_id)
    assert await bank.balance(ANNA) == 1000


# LockPot.


async def test_a_lock_on_the_four_holds_whatever_their_order(bank):
    pot = await bank.seated()
    locked = await bank.lock(pot.pot_id, list(reversed(pot.holds)))
    assert (locked.state, list(locked.holds)) == (LOCKED, list(pot.holds))
    assert await bank.lock(pot.pot_id, pot.holds) == locked == await bank.get(pot.pot_id)


@pytest.mark.parametrize(
    "change",
    [
        {"player_id": "eva"},
        {"reservation_id": "0" * 8 + "-0000-4000-8000-" + "0" * 12},
        {"amount": amount(99)},
        {"amount": amount(100, "EUR")},
    ],
)
async def test_a_lock_on_other_holds_is_refused_with_the_pot(bank, change):
    pot = await bank.seated()
    named = [Hold.FromString(hold.SerializeToString()) for hold in pot.holds]
    named[3].MergeFrom(Hold(**change))
    with refused("HOLDS_DIFFER") as caught:
        await bank.lock(pot.pot_id, named)
    assert caught.pot == pot == await bank.get(pot.pot_id)
    await bank.lock(pot.pot_id, pot.holds)
    with refused("HOLDS_DIFFER") as caught:
        await bank.lock(pot.pot_id, named)
    assert caught.pot.state == LOCKED


async def test_a_lock_on_a_hold_that_was_released_is_refused(bank):
    pot = await bank.seated()
    await bank.release(pot.pot_id, pot.holds[1].reservation_id)
    with refused("HOLDS_DIFFER") as caught:
        await bank.lock(pot.pot_id, pot.holds)
    assert [hold.seat for hold in caught.pot.holds] == [0, 2, 3]


async def test_a_lock_names_each_seat_once(bank):
    pot = await bank.seated()
    for holds in (pot.holds[:3], [*pot.holds, pot.holds[0]], [pot.holds[0], *pot.holds[:3]], []):
        with malformed():
            await bank.lock(pot.pot_id, holds)


async def test_the_same_lock_after_the_match_is_answered_and_another_is_not(bank):
    pot = await bank.locked()
    settled = await bank.settle(pot.pot_id)
    assert await bank.lock(pot.pot_id, pot.holds) == settled
    other = [*pot.holds[:3], Hold(seat=3, player_id="eva", reservation_id=new_id(), amount=amount(100))]
    with refused("POT_NOT_OPEN"):
        await bank.lock(pot.pot_id, other)


async def test_a_refunded_pot_is_not_locked(bank):
    pot = await bank.seated()
    refunded = await bank.refund(pot.pot_id)
    with refused("POT_NOT_OPEN") as caught:
        await bank.lock(pot.pot_id, pot.holds)
    assert caught.pot == refunded


# SettlePot.


async def test_a_side_gets_the_pot_without_the_fee(bank):
    pot = await bank.locked(101)
    settled = await bank.settle(pot.pot_id, (1, 3), "the others won")
    assert (settled.state, settled.fee_taken.minor_units) == (SETTLED, 10)
    assert [(p.seat, p.player_id, p.amount.minor_units) for p in settled.payouts] == [
        (1, BEAT, 197),
        (3, DORA, 197),
    ]
    assert settled.result_digest == digest("the others won")
    assert not settled.holds
    assert [await bank.balances(player) for player in FOUR] == [
        [(899, 0, "CHF")],
        [(1096, 0, "CHF")],
        [(899, 0, "CHF")],
        [(1096, 0, "CHF")],
    ]
    await bank.assert_sound()


async def test_one_winner_gets_all_and_left_over_units_go_in_seat_order(bank):
    single, pair = await bank.locked(10), await bank.locked(10)
    assert [p.amount.minor_units for p in (await bank.settle(single.pot_id, (3,))).payouts] == [39]
    assert [p.amount.minor_units for p in (await bank.settle(pair.pot_id, (1, 3))).payouts] == [20, 19]
    await bank.assert_sound()


async def test_the_same_result_again_pays_nothing_more(bank):
    pot = await bank.locked()
    settled = await bank.settle(pot.pot_id)
    assert await bank.settle(pot.pot_id) == settled
    assert await bank.balance(ANNA) == 900 + 195


@pytest.mark.parametrize("other", [{"seats": (1, 3)}, {"seats": (0,)}, {"result": "another"}])
async def test_another_result_is_refused_with_the_pot(bank, other):
    pot = await bank.locked()
    settled = await bank.settle(pot.pot_id)
    with refused("SETTLEMENT_CONFLICT") as caught:
        await bank.settle(pot.pot_id, **other)
    assert caught.pot == settled == await bank.get(pot.pot_id)
    await bank.assert_sound()


async def test_only_a_locked_pot_is_settled(bank):
    pot = await bank.seated()
    with refused("POT_NOT_LOCKED") as caught:
        await bank.settle(pot.pot_id)
    assert caught.pot == pot
    refunded = await bank.refund(pot.pot_id)
    with refused("POT_REFUNDED") as caught:
        await bank.settle(pot.pot_id)
    assert caught.pot == refunded


@pytest.mark.parametrize("seats", [(), (2, 0), (1, 1), (4,), (0, 1, 2)])
async def test_winning_seats_are_one_or_two_in_order(bank, seats):
    pot = await bank.locked()
    with malformed():
        await bank.settle(pot.pot_id, seats)
    assert (await bank.get(pot.pot_id)).state == LOCKED


# RefundPot.


async def test_a_refund_gives_every_stake_back_once(bank):
    pot = await bank.locked()
    refunded = await bank.refund(pot.pot_id, table_id=TABLE)
    assert (refunded.state, len(refunded.holds)) == (REFUNDED, 0)
    assert [(p.seat, p.player_id, p.amount.minor_units) for p in refunded.payouts] == [
        (seat, FOUR[seat], 100) for seat in range(4)
    ]
    assert not refunded.HasField("fee_taken")
    assert await bank.refund(pot.pot_id, table_id=TABLE) == refunded
    assert [await bank.balances(player) for player in FOUR] == [[(1000, 0, "CHF")]] * 4
    await bank.assert_sound()


async def test_an_open_pot_is_refunded_with_what_is_in_it(bank):
    pot, empty = await bank.seated(players=(ANNA, BEAT)), await bank.open(100)
    await bank.release(pot.pot_id, pot.holds[0].reservation_id)
    assert [p.player_id for p in (await bank.refund(pot.pot_id)).payouts] == [BEAT]
    assert (await bank.refund(empty.pot_id)).state == REFUNDED
    await bank.assert_sound()


async def test_a_settled_pot_is_not_refunded(bank):
    pot = await bank.locked()
    settled = await bank.settle(pot.pot_id)
    with refused("POT_SETTLED") as caught:
        await bank.refund(pot.pot_id)
    assert caught.pot == settled
    await bank.assert_sound()


async def test_a_locked_pot_is_not_refunded_as_if_its_game_had_never_started(bank):
    """The row that said the match was on was lost: the stakes stay, and the match is paid."""
    pot = await bank.locked()
    with refused("POT_NOT_OPEN") as caught:
        await bank.refund(pot.pot_id, wallet_pb2.REFUND_REASON_GAME_CLOSED)
    assert caught.pot == pot
    assert (await bank.settle(pot.pot_id)).state == SETTLED
    closed = await bank.seated()
    assert (await bank.refund(closed.pot_id, wallet_pb2.REFUND_REASON_GAME_CLOSED)).state == REFUNDED
    assert (await bank.refund(closed.pot_id, wallet_pb2.REFUND_REASON_GAME_CLOSED)).state == REFUNDED
    await bank.assert_sound()


# Deposit and GetBalance.


async def test_a_deposit_opens_an_account_and_adds(bank):
    assert await bank.balances(ANNA) == []
    assert await bank.balances(ANNA, "CHF") == [(0, 0, "CHF")]
    first, second = await bank.deposit(ANNA, 300), await bank.deposit(ANNA, 200)
    assert [(e.sequence, e.amount.minor_units, e.balance_after.minor_units) for e in (first, second)] == [
        (1, 300, 300),
        (2, 200, 500),
    ]
    await bank.deposit(ANNA, 7, currency="POINTS")
    assert await bank.balances(ANNA) == [(500, 0, "CHF"), (7, 0, "POINTS")]
    await bank.assert_sound()


async def test_the_same_deposit_again_is_the_same_answer(bank):
    request_id = new_id()
    first = await bank.deposit(ANNA, 300, request_id=request_id, reference="slip 17")
    await bank.deposit(ANNA, 1)
    assert await bank.deposit(ANNA, 300, request_id=request_id, reference="slip 17") == first
    assert await bank.balance(ANNA) == 301


@pytest.mark.parametrize("other", [{"minor_units": 301}, {"player": BEAT}, {"reference": "slip 18"}])
async def test_another_deposit_of_the_same_id_is_refused(bank, other):
    request_id = new_id()
    await bank.deposit(ANNA, 300, request_id=request_id, reference="slip 17")
    with refused("REQUEST_ID_REUSED"):
        await bank.deposit(
            **{"player": ANNA, "minor_units": 300, "reference": "slip 17", "request_id": request_id, **other}
        )
    assert (await bank.balance(ANNA), await bank.balance(BEAT)) == (300, 0)


@pytest.mark.parametrize("minor_units", [0, -5, 10**12 + 1])
async def test_a_deposit_out_of_range_is_malformed(bank, minor_units):
    with malformed():
        await bank.deposit(ANNA, minor_units)
    assert await bank.balances(ANNA) == []


# Races: the same on both, though only one of them has anything to race for.


async def test_of_many_stakes_for_the_last_seat_one_gets_in(bank):
    pot = await bank.seated(players=FOUR[:3])
    rivals = [f"rival-{number}" for number in range(20)]
    for rival in rivals:
        await bank.deposit(rival, 100)
    results = await asyncio.gather(
        *(bank.hold(pot.pot_id, 3, rival) for rival in rivals), return_exceptions=True
    )
    assert [r.reason for r in results if isinstance(r, Fault)] == ["SEAT_TAKEN"] * 19
    assert sorted([await bank.balance(rival) for rival in rivals]) == [0] + [100] * 19
    await bank.assert_sound()


# What only the fake can do.


async def test_the_fake_fails_on_demand():
    wallet = FakeWallet()
    wallet.fund(ANNA, amount=1000)
    async with wallet.serve() as address, Bank(address) as bank:
        pot, reservation = await bank.open(100), new_id()
        wallet.unavailable("HoldStake")
        wallet.lose_answer("HoldStake")
        for _ in range(2):
            with refused("STORE_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE):
                await bank.hold(pot.pot_id, 0, ANNA, reservation)
        assert wallet.balance(ANNA) == 900
        assert (await bank.hold(pot.pot_id, 0, ANNA, reservation)).reservation_id == reservation
        assert wallet.count("HoldStake") == 3
        gate = wallet.pause("GetPot")
        waiting = asyncio.create_task(bank.get(pot.pot_id))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        gate.set()
        assert (await waiting).pot_id == pot.pot_id
        wallet.delay("GetPot", 0.01)
        assert (await bank.get(pot.pot_id)).state == OPEN
        wallet.down = True
        with refused("STORE_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE):
            await bank.get(pot.pot_id)
        assert wallet.total() == 0
