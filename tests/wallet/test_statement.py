"""Whose money one may see, and statements page by page."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from contract.pots_bank import FOUR, malformed, refused
from jasshaus.api.wallet.v1 import wallet_pb2 as w
from wallet.harness import token


async def statement(bank, player="anna", size=3, currency="CHF"):
    """All pages, oldest entry last."""
    pages, page_token = [], ""
    while True:
        page = await bank.entries(player, size, page_token, currency)
        assert len(page.entries) == size or not page.next_page_token
        pages += page.entries
        page_token = page.next_page_token
        if not page_token:
            return pages


async def test_a_statement_tells_the_story_newest_first(bank):
    pot = await bank.locked(100)
    await bank.settle(pot.pot_id)
    again = await bank.open(50)
    hold = await bank.hold(again.pot_id, 0, FOUR[0])
    await bank.release(again.pot_id, hold.reservation_id)
    await bank.hold(again.pot_id, 0, FOUR[0])
    await bank.refund(again.pot_id)
    story = [
        (e.sequence, w.EntryKind.Name(e.kind).removeprefix("ENTRY_KIND_"), e.amount.minor_units)
        for e in (await bank.entries(FOUR[0])).entries
    ]
    assert story == [
        (7, "REFUND", 50),
        (6, "STAKE", -50),
        (5, "RELEASE", 50),
        (4, "STAKE", -50),
        (3, "PAYOUT", 195),
        (2, "STAKE", -100),
        (1, "DEPOSIT", 1000),
    ]
    newest = (await bank.entries(FOUR[0], 1)).entries[0]
    assert (newest.pot_id, newest.balance_after.minor_units) == (again.pot_id, 1095)
    assert newest.create_time.ToMicroseconds() > 1_700_000_000_000_000
    await bank.assert_sound()


@pytest.mark.parametrize("entries", [0, 1, 2, 3, 4, 6, 7])
async def test_pages_hold_every_entry_once(bank, entries):
    for number in range(entries):
        await bank.deposit("anna", number + 1)
    assert [e.sequence for e in await statement(bank)] == list(range(entries, 0, -1))


async def test_pages_neither_skip_nor_repeat_while_entries_are_written(bank):
    for number in range(30):
        await bank.deposit("anna", number + 1)
    writing = asyncio.gather(*(bank.deposit("anna", 1000) for _ in range(30)))
    seen = [e.sequence for e in await statement(bank, size=2)]
    await writing
    assert seen == list(range(seen[0], 0, -1))
    assert seen[0] >= 30


async def test_the_default_page_has_fifty_and_the_largest_two_hundred(bank, wallet):
    for _ in range(51):
        await bank.deposit("anna", 1)
    assert len((await bank.entries("anna")).entries) == 50
    assert len((await bank.entries("anna", 10_000)).entries) == 51


async def test_a_page_token_is_of_one_account(bank):
    for player, currency in (("anna", "CHF"), ("anna", "EUR"), ("beat", "CHF")):
        for _ in range(3):
            await bank.deposit(player, 1, currency=currency)
    page_token = (await bank.entries("anna", 1)).next_page_token
    assert (await bank.entries("anna", 1, page_token)).entries[0].sequence == 2
    for player, currency in (("beat", "CHF"), ("anna", "EUR")):
        with malformed("INVALID_PAGE_TOKEN"):
            await bank.entries(player, 1, page_token, currency)
    for spoilt in (page_token[:-4], page_token + "AAAA", page_token.swapcase(), page_token.rstrip("=")):
        if spoilt != page_token:
            with malformed("INVALID_PAGE_TOKEN"):
                await bank.entries("anna", 1, spoilt)


# Whose.


async def own_balances(bank, caller, **names):
    response = await bank.call(bank.wallet.GetBalance, w.GetBalanceRequest(**names), caller)
    return [balance.available.minor_units for balance in response.balances]


async def test_a_player_reads_the_own_account_named_or_not(bank):
    await bank.deposit("anna", 70)
    anna = token("anna")
    assert await own_balances(bank, anna) == await own_balances(bank, anna, player_id="anna") == [70]


async def test_a_player_reads_nobody_elses(bank):
    await bank.deposit("anna", 70)
    for request, method in (
        (w.GetBalanceRequest(player_id="anna"), bank.wallet.GetBalance),
        (w.ListEntriesRequest(player_id="anna", currency_code="CHF"), bank.wallet.ListEntries),
    ):
        with refused("NOT_YOUR_ACCOUNT", grpc.StatusCode.PERMISSION_DENIED):
            await bank.call(method, request, token("beat"))


async def test_tenants_are_apart_even_for_the_same_player(bank):
    await bank.deposit("anna", 70, tenant="red")
    await bank.deposit("anna", 5, tenant="blue")
    assert await own_balances(bank, token("anna", tenant="red")) == [70]
    assert await own_balances(bank, token("anna", tenant="red"), tenant="blue") == [70]
    assert await own_balances(bank, token("anna", tenant="green")) == []
    assert await own_balances(bank, bank.operator, player_id="anna", tenant="blue") == [5]
    pot = await bank.open(70, tenant="blue")
    with refused("INSUFFICIENT_FUNDS"):
        await bank.hold(pot.pot_id, 0, "anna")
    trial = await bank.assert_sound()
    assert {(line.kind, line.total.minor_units, line.accounts) for line in trial.lines} == {
        ("player", 75, 2),
        ("cashier", -75, 2),
        ("pot", 0, 1),
    }


async def test_the_same_request_id_in_two_tenants_is_two_requests(bank):
    request_id = "3f0e7a3c-1f7a-4d7e-9a53-5a4d9a1d9a10"
    for tenant in ("red", "blue", "red"):
        await bank.deposit("anna", 10, tenant=tenant, request_id=request_id)
    assert [await bank.balance("anna", tenant=tenant) for tenant in ("red", "blue")] == [10, 10]


async def test_a_tenants_own_fee_schedule_counts_for_it_alone(bank, sql):
    sql(
        "INSERT INTO wallet.fee_schedule (tenant, fee_bps, fee_min) VALUES ('red', 1000, 0) RETURNING version"
    )
    assert (await bank.quote(100, tenant="red"))[0].fee.minor_units == 40
    assert (await bank.quote(100))[0].fee.minor_units == 10
    assert (await bank.open(100, tenant="red")).quote.fee_bps == 1000


async def test_an_account_has_a_limit_and_the_refused_deposit_leaves_no_trace(bank, sql):
    limit = "'CHF', 999999999999999, '', 'cashier', 'default'"
    sql(f"SELECT wallet.deposit('default', gen_random_uuid(), 'anna', {limit})")
    request_id = "3f0e7a3c-1f7a-4d7e-9a53-5a4d9a1d9a10"
    with refused("BALANCE_LIMIT"):
        await bank.deposit("anna", 2, request_id=request_id)
    assert (await bank.deposit("anna", 1, request_id=request_id)).balance_after.minor_units == 10**15
    await bank.assert_sound()
