"""Fees and payouts against the rule in words, and which schedule counts."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract.pots_bank import TABLE, digest
from wallet.harness import serve_wallet

SETTINGS = settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
STAKES = st.one_of(st.integers(1, 1000), st.integers(1, 10**12))


def fee_of(pot: int, bps: int, low: int, high: int | None) -> int:
    """floor(pot x bps / 10000), at least `low`, at most `high`, never over the pot."""
    fee = max(pot * bps // 10_000, low)
    return min(fee, pot) if high is None else min(fee, high, pot)


@SETTINGS
@given(
    pot=STAKES.map(lambda stake: 4 * stake),
    bps=st.integers(0, 10_000),
    low=st.integers(0, 2000),
    span=st.none() | st.integers(0, 10**6),
)
def test_the_fee_is_the_rule_in_words(owner, pot, bps, low, span):
    high = None if span is None else low + span
    row = owner.execute(
        "SELECT wallet.fee(%s, ROW(1, '', %s, %s, %s, now(), NULL, '', NULL)::wallet.fee_schedule)",
        (pot, bps, low, high),
    ).fetchone()
    assert row == (fee_of(pot, bps, low, high),)


@SETTINGS
@given(net=st.integers(0, 4 * 10**12), parts=st.integers(1, 4))
def test_a_split_loses_nothing_and_favours_nobody_by_more_than_one(owner, net, parts):
    ((shares,),) = owner.execute("SELECT wallet.split(%s, %s)", (net, parts)).fetchall()
    assert sum(shares) == net
    assert shares == sorted(shares, reverse=True)
    assert max(shares) - min(shares) <= 1


@pytest.mark.parametrize(
    ("fees", "stake", "fee", "payouts"),
    [
        ((0, 0, None), 100, 0, [200, 200]),
        ((10_000, 0, None), 100, 400, [0, 0]),
        ((250, 1000, None), 100, 400, [0, 0]),
        ((250, 399, None), 100, 399, [1, 0]),
        ((250, 0, 5), 100, 5, [198, 197]),
    ],
)
async def test_an_extreme_schedule_still_adds_up(wallet_dsn, fees, stake, fee, payouts):
    async with serve_wallet(wallet_dsn, fees=fees) as wallet, wallet.bank() as bank:
        pot = await bank.locked(stake)
        settled = await bank.settle(pot.pot_id)
        assert settled.fee_taken.minor_units == fee
        assert [payout.amount.minor_units for payout in settled.payouts] == payouts
        assert [quoted.minor_units for quoted in settled.quote.side_payouts] == payouts
        await bank.assert_sound()


async def test_the_largest_stake_goes_through_to_the_end(bank):
    pot = await bank.open(10**12)
    for seat, player in enumerate("abcd"):
        await bank.deposit(player, 10**12)
        await bank.hold(pot.pot_id, seat, player)
    await bank.lock(pot.pot_id, (await bank.get(pot.pot_id)).holds)
    settled = await bank.settle(pot.pot_id, (0,))
    assert settled.payouts[0].amount.minor_units == 4 * 10**12 - 10**11
    await bank.assert_sound()


async def test_a_rolling_restart_with_other_settings_writes_nothing(wallet_dsn, sql):
    """Only the first process of an empty database seeds a schedule: 250, 300, 250 wrote three."""
    for fees in ((250, 0, None), (300, 0, None), (300, 0, 50), (250, 0, None)):
        async with serve_wallet(wallet_dsn, fees=fees) as wallet, wallet.bank() as bank:
            assert (await bank.quote(100))[0].fee_bps == 250
    assert sql("SELECT version, tenant, fee_bps FROM wallet.fee_schedule") == [(1, "", 250)]


async def test_a_process_of_the_release_before_writes_nothing_either(wallet, service, sql):
    service.execute("SELECT wallet.ensure_fee_schedule(300, 0, NULL)")
    assert sql("SELECT count(*) FROM wallet.fee_schedule") == [(1,)]


async def test_a_pot_keeps_the_schedule_it_was_opened_by(bank):
    pot = await bank.locked(100)
    await bank.set_fees(5000)
    assert (await bank.quote(100))[0].fee.minor_units == 200
    assert await bank.open(100, pot_id=pot.pot_id) == pot
    settled = await bank.settle(pot.pot_id)
    assert (settled.quote, settled.fee_taken.minor_units) == (pot.quote, 10)
    await bank.assert_sound()


async def test_the_result_is_kept_with_the_table_that_played_it(bank, sql):
    pot = await bank.locked(100)
    await bank.settle(pot.pot_id, (1, 3), "won")
    assert sql("SELECT winning_seats, result_digest, table_id::text FROM wallet.pot") == [
        ([1, 3], digest("won"), TABLE)
    ]
