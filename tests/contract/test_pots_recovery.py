"""The wallet's contract on whose pot it is and on recovery, held by the real one and by the fake."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import grpc
import psycopg
import pytest

from contract.pots import FakeWallet
from contract.pots_bank import (
    FOUR,
    LOCKED,
    OPEN,
    OTHER_TABLE,
    REFUNDED,
    SETTLED,
    TABLE,
    Aborted,
    Bank,
    MatchSeat,
    Playing,
    digest,
    malformed,
    new_id,
    not_found,
    refused,
    seats_of,
    won,
)
from jasshaus.api.wallet.v1 import wallet_pb2
from wallet.harness import serve_wallet

ANNA, BEAT, CLA, DORA = FOUR
Ended = wallet_pb2.CheckPotsRequest.Ended
GAME_CLOSED = wallet_pb2.REFUND_REASON_GAME_CLOSED
ABORTED = wallet_pb2.REFUND_REASON_TABLE_ABORTED
MISSING = wallet_pb2.REFUND_REASON_STAKES_MISSING


@dataclass(frozen=True, slots=True)
class House:
    """A bank, and how its ledger is taken to another timeline."""

    bank: Bank
    move: Callable[[], None]


@pytest.fixture(params=["fake", "real"])
async def house(request: pytest.FixtureRequest) -> AsyncIterator[House]:
    if request.param == "fake":
        wallet = FakeWallet()
        async with wallet.serve() as address, Bank(address) as bank:
            yield House(bank, lambda: wallet.restore(wallet.backup()))
    else:
        dsn = request.getfixturevalue("owner_dsn")

        def move() -> None:
            with psycopg.connect(dsn, autocommit=True) as owner:
                owner.execute("UPDATE wallet.lineage SET timeline = timeline + 1")

        async with serve_wallet(request.getfixturevalue("wallet_dsn")) as wallet, wallet.bank() as bank:
            yield House(bank, move)


@pytest.fixture
def bank(house: House) -> Bank:
    return house.bank


def others(pot: wallet_pb2.Pot, **change: Any) -> list[MatchSeat]:
    """The pot's seats but for the fourth."""
    seats = seats_of(pot)
    seats[3].MergeFrom(MatchSeat(**change))
    return seats


STRANGE = [{"player_id": "eva"}, {"reservation_id": "00000000-0000-4000-8000-000000000000"}]


# Whose pot it is.


async def test_a_lock_fixes_the_table(bank):
    pot = await bank.locked()
    assert (pot.table_id, pot.state, pot.HasField("lock_time")) == (TABLE, LOCKED, True)
    assert await bank.lock(pot.pot_id, pot.holds) == pot
    assert await bank.lock(pot.pot_id, pot.holds, "") == pot
    with refused("TABLE_MISMATCH") as caught:
        await bank.lock(pot.pot_id, pot.holds, OTHER_TABLE)
    assert caught.pot == pot
    settled = await bank.settle(pot.pot_id)
    assert await bank.lock(pot.pot_id, pot.holds) == settled
    with refused("TABLE_MISMATCH"):
        await bank.lock(pot.pot_id, pot.holds, OTHER_TABLE)


async def test_another_tables_result_never_pays(bank):
    pot = await bank.locked()
    for named in ([], seats_of(pot)):
        with refused("TABLE_MISMATCH") as caught:
            await bank.settle(pot.pot_id, table_id=OTHER_TABLE, named=named)
        assert caught.pot == pot
    settled = await bank.settle(pot.pot_id)
    with refused("TABLE_MISMATCH"):
        await bank.settle(pot.pot_id, table_id=OTHER_TABLE)
    assert await bank.settle(pot.pot_id, named=seats_of(pot)) == settled
    await bank.assert_sound()


@pytest.mark.parametrize("change", STRANGE)
async def test_a_result_of_other_seats_never_pays(bank, change):
    """Locked again with another fourth player after a restore: the old match is not theirs."""
    pot = await bank.locked()
    with refused("TABLE_MISMATCH") as caught:
        await bank.settle(pot.pot_id, named=others(pot, **change))
    assert caught.pot == pot
    with refused("TABLE_MISMATCH"):
        await bank.refund(pot.pot_id, table_id=TABLE, named=others(pot, **change))
    assert (await bank.settle(pot.pot_id, named=seats_of(pot, reservations=False))).state == SETTLED
    await bank.assert_sound()


async def test_a_pot_locked_without_a_table_is_fixed_by_the_first_result_of_its_four_seats(bank):
    pot = await bank.locked(table_id="")
    assert (pot.state, pot.table_id) == (LOCKED, "")
    with refused("TABLE_MISMATCH"):
        await bank.settle(pot.pot_id, named=others(pot, player_id="eva"))
    settled = await bank.settle(pot.pot_id, named=seats_of(pot, reservations=False))
    assert (settled.state, settled.table_id) == (SETTLED, TABLE)
    with refused("TABLE_MISMATCH"):
        await bank.settle(pot.pot_id, table_id=OTHER_TABLE, named=seats_of(pot))
    refunded = await bank.locked(table_id="")
    assert (await bank.refund(refunded.pot_id, table_id=TABLE, named=seats_of(refunded))).table_id == TABLE
    await bank.assert_sound()


async def test_a_table_without_its_four_seats_names_no_match(bank):
    pot = await bank.locked()
    seats = seats_of(pot)
    for named in ([], seats[:3]):
        settling = wallet_pb2.SettlePotRequest(
            pot_id=pot.pot_id,
            winning_seats=(0, 2),
            result_digest=digest("result"),
            table_id=TABLE,
            seats=named,
        )
        refunding = wallet_pb2.RefundPotRequest(
            pot_id=pot.pot_id, reason=ABORTED, table_id=TABLE, seats=named
        )
        for method, request in ((bank.pots.SettlePot, settling), (bank.pots.RefundPot, refunding)):
            with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT):
                await bank.call(method, request, bank.service)
    assert await bank.get(pot.pot_id) == pot
    assert (await bank.settle(pot.pot_id, named=seats_of(pot, reservations=False))).state == SETTLED


async def test_no_service_gives_back_in_the_ledgers_or_an_operators_name(bank):
    pot = await bank.locked()
    for reason in (MISSING, wallet_pb2.REFUND_REASON_OPERATOR):
        with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT):
            await bank.refund(pot.pot_id, reason, TABLE)
    assert await bank.get(pot.pot_id) == pot


async def test_a_locked_pot_is_refunded_in_its_tables_name_alone(bank):
    pot = await bank.locked()
    with refused("POT_NOT_OPEN") as caught:
        await bank.refund(pot.pot_id)
    assert caught.pot == pot
    with refused("TABLE_MISMATCH"):
        await bank.refund(pot.pot_id, table_id=OTHER_TABLE, named=seats_of(pot))
    refunded = await bank.refund(pot.pot_id, table_id=TABLE)
    assert (refunded.refund_reason, refunded.HasField("close_time")) == (ABORTED, True)
    assert await bank.refund(pot.pot_id) == refunded
    with refused("TABLE_MISMATCH"):
        await bank.refund(pot.pot_id, table_id=OTHER_TABLE)
    await bank.assert_sound()


async def test_a_table_gives_back_no_stakes_of_an_open_pot_but_its_own_seats(bank):
    pot = await bank.seated()
    with refused("TABLE_MISMATCH"):
        await bank.refund(pot.pot_id, table_id=TABLE)
    with refused("TABLE_MISMATCH"):
        await bank.refund(pot.pot_id, table_id=TABLE, named=others(pot, player_id="eva"))
    assert (await bank.refund(pot.pot_id, table_id=TABLE, named=seats_of(pot))).state == REFUNDED


async def test_seats_are_four_or_none(bank):
    pot = await bank.locked()
    seats = seats_of(pot)
    for named in (seats[:3], [*seats[:3], seats[0]], [*seats, seats[0]]):
        with malformed():
            await bank.settle(pot.pot_id, named=named)
        with malformed():
            await bank.reconcile(pot.pot_id, named, playing=Playing())
    with malformed():
        await bank.reconcile(pot.pot_id, [], playing=Playing())
    with malformed():
        await bank.reconcile(pot.pot_id, seats)


# ReconcilePot.


async def test_an_open_pot_with_the_four_stakes_is_locked_and_settled(bank):
    playing, over, aborted = await bank.seated(), await bank.seated(), await bank.seated()
    answer = await bank.reconcile(playing.pot_id, seats_of(playing), playing=Playing())
    assert (answer.pot.state, answer.pot.table_id, answer.repaired) == (LOCKED, TABLE, True)
    answer = await bank.reconcile(over.pot_id, seats_of(over), won=won())
    assert (answer.pot.state, answer.repaired) == (SETTLED, True)
    assert answer.pot == await bank.settle(over.pot_id)
    answer = await bank.reconcile(aborted.pot_id, seats_of(aborted), aborted=Aborted())
    assert (answer.pot.state, answer.pot.refund_reason) == (REFUNDED, ABORTED)
    await bank.assert_sound()


async def test_what_is_in_order_stays_as_it_is(bank):
    pot = await bank.locked()
    seats = seats_of(pot)
    answer = await bank.reconcile(pot.pot_id, seats, playing=Playing())
    assert (answer.pot, answer.repaired) == (pot, False)
    assert (await bank.reconcile(pot.pot_id, seats, won=won())).repaired
    settled = await bank.get(pot.pot_id)
    answer = await bank.reconcile(pot.pot_id, seats, won=won())
    assert (answer.pot, answer.repaired) == (settled, False)
    aborted = await bank.locked()
    seats = seats_of(aborted)
    first = await bank.reconcile(aborted.pot_id, seats, aborted=Aborted())
    again = await bank.reconcile(aborted.pot_id, seats, aborted=Aborted())
    assert (first.pot, first.repaired, again.repaired) == (again.pot, True, False)
    await bank.assert_sound()


@pytest.mark.parametrize("known", [{"playing": Playing()}, {"won": won()}, {"aborted": Aborted()}])
@pytest.mark.parametrize("change", [None, *STRANGE])
async def test_an_open_pot_that_lacks_a_stake_is_refunded_to_whoever_holds(bank, change, known):
    pot = await bank.seated()
    seats = seats_of(pot) if change is None else others(pot, **change)
    if change is None:
        await bank.release(pot.pot_id, pot.holds[3].reservation_id)
    answer = await bank.reconcile(pot.pot_id, seats, **known)
    assert (answer.pot.state, answer.pot.refund_reason, answer.repaired) == (REFUNDED, MISSING, True)
    assert len(answer.pot.payouts) == (3 if change is None else 4)
    assert [await bank.balances(player) for player in FOUR] == [[(1000, 0, "CHF")]] * 4
    again = await bank.reconcile(pot.pot_id, seats, **known)
    assert (again.pot, again.repaired) == (answer.pot, False)
    await bank.assert_sound()


@pytest.mark.parametrize("known", [{"playing": Playing()}, {"won": won()}, {"aborted": Aborted()}])
async def test_another_tables_pot_is_not_put_in_order(bank, known):
    pot = await bank.locked()
    for table_id, seats in ((OTHER_TABLE, seats_of(pot)), (TABLE, others(pot, player_id="eva"))):
        with refused("TABLE_MISMATCH") as caught:
            await bank.reconcile(pot.pot_id, seats, table_id, **known)
        assert caught.pot == pot
    await bank.assert_sound()


async def test_what_was_decided_otherwise_is_told(bank):
    settled, refunded = await bank.locked(), await bank.locked()
    await bank.settle(settled.pot_id)
    await bank.refund(refunded.pot_id, table_id=TABLE)
    for reason, pot, known in (
        ("POT_SETTLED", settled, {"playing": Playing()}),
        ("POT_SETTLED", settled, {"aborted": Aborted()}),
        ("SETTLEMENT_CONFLICT", settled, {"won": won((1, 3))}),
        ("POT_REFUNDED", refunded, {"playing": Playing()}),
        ("POT_REFUNDED", refunded, {"won": won()}),
    ):
        with refused(reason) as caught:
            await bank.reconcile(pot.pot_id, seats_of(pot), **known)
        assert caught.pot == await bank.get(pot.pot_id)
    with not_found():
        await bank.reconcile(new_id(), seats_of(settled), playing=Playing())
    await bank.assert_sound()


async def test_a_pot_locked_without_a_table_is_fixed_by_reconciling(bank):
    pot = await bank.locked(table_id="")
    answer = await bank.reconcile(pot.pot_id, seats_of(pot, reservations=False), playing=Playing())
    assert (answer.pot.table_id, answer.repaired) == (TABLE, False)
    with refused("TABLE_MISMATCH"):
        await bank.reconcile(pot.pot_id, seats_of(pot), OTHER_TABLE, playing=Playing())


# CheckPots.


def ended(pot_id: str, seats: Sequence[int] = (0, 2), result: str = "result", table_id: str = TABLE) -> Ended:
    """How a match ended; no seats: aborted."""
    return Ended(pot_id=pot_id, table_id=table_id, winning_seats=seats, result_digest=digest(result))


async def test_pots_that_ended_as_their_tables_say_are_not_named(bank):
    settled, refunded = await bank.locked(), await bank.locked()
    await bank.settle(settled.pot_id)
    await bank.refund(refunded.pot_id, table_id=TABLE)
    assert await bank.check_pots(ended(settled.pot_id), ended(refunded.pot_id, ())) == []
    assert await bank.check_pots() == []


async def test_pots_that_did_not_end_so_are_named_in_order(bank):
    opened, seated, locked = await bank.open(100), await bank.seated(), await bank.locked()
    settled, refunded, missing = await bank.locked(), await bank.locked(), await bank.seated()
    await bank.settle(settled.pot_id)
    await bank.refund(refunded.pot_id, table_id=TABLE)
    await bank.release(missing.pot_id, missing.holds[3].reservation_id)
    await bank.reconcile(missing.pot_id, seats_of(missing), won=won())
    otherwise = [
        ended(new_id()),
        *(ended(pot.pot_id, seats) for pot in (opened, seated, locked) for seats in ((0, 2), ())),
        ended(settled.pot_id, (1, 3)),
        ended(settled.pot_id, (0,)),
        ended(settled.pot_id, ()),
        ended(settled.pot_id, result="another"),
        ended(settled.pot_id, table_id=OTHER_TABLE),
        ended(refunded.pot_id),
        ended(refunded.pot_id, (), table_id=OTHER_TABLE),
        ended(missing.pot_id),
    ]
    in_order = [ended(settled.pot_id), ended(refunded.pot_id, ()), ended(missing.pot_id, ())]
    named = await bank.check_pots(*in_order[:2], *otherwise, in_order[2])
    assert named == [each.pot_id for each in otherwise]
    await bank.assert_sound()


async def test_a_refunded_pot_that_never_had_a_table_is_any_tables(bank):
    pot = await bank.seated()
    await bank.refund(pot.pot_id)
    assert await bank.check_pots(ended(pot.pot_id, ())) == []
    assert await bank.check_pots(ended(pot.pot_id)) == [pot.pot_id]


async def test_pots_are_checked_while_the_ledger_recovers(house):
    locked = await house.bank.locked()
    house.move()
    assert (await house.bank.check()).HasField("recovery")
    assert await house.bank.check_pots(ended(locked.pot_id)) == [locked.pot_id]


async def test_no_more_than_a_thousand_pots_are_checked_at_once(bank):
    ids = [new_id() for _ in range(1001)]
    assert await bank.check_pots(*map(ended, ids[1:])) == ids[1:]
    with malformed():
        await bank.check_pots(*map(ended, ids))


# ListPots.


async def test_pots_are_listed_oldest_first_in_pages(bank):
    pots = [await bank.open(100 + number) for number in range(5)]
    await bank.refund(pots[1].pot_id)
    ids, token = [], ""
    while True:
        page = await bank.list_pots(page_size=2, page_token=token)
        ids += [pot.pot_id for pot in page.pots]
        token = page.next_page_token
        if not token:
            break
    assert ids == [pot.pot_id for pot in pots]
    listed = (await bank.list_pots(states=[OPEN, LOCKED])).pots
    assert list(listed) == [pots[0], *pots[2:]]
    assert [pot.pot_id for pot in (await bank.list_pots(states=[REFUNDED])).pots] == [pots[1].pot_id]


async def test_pots_are_listed_by_tenant_and_age(bank):
    red, blue = await bank.open(100, tenant="red"), await bank.open(100, tenant="blue")
    assert list((await bank.list_pots(tenant="red")).pots) == [red]
    assert list((await bank.list_pots(opened_before=blue.create_time)).pots) == [red]
    assert list((await bank.list_pots(states=[OPEN], opened_before=red.create_time)).pots) == []


# Recovery.


async def test_nothing_recovers_where_nothing_was_restored(bank):
    first = await bank.check()
    assert not first.HasField("recovery")
    again = await bank.check(first.position)
    assert not again.HasField("recovery")
    assert again.position.system_identifier == first.position.system_identifier
    assert again.position.flushed >= first.position.flushed
    assert not (await bank.recoveries()).recoveries


async def test_while_the_ledger_recovers_no_stake_moves_but_for_a_known_match(house):
    bank = house.bank
    seated, locked, halved = await bank.seated(), await bank.locked(), await bank.seated(players=(ANNA, BEAT))
    house.move()
    # Before anybody has looked, and after.
    for _ in range(2):
        for call in (
            bank.hold(halved.pot_id, 2, CLA),
            bank.release(halved.pot_id, halved.holds[0].reservation_id),
            bank.lock(seated.pot_id, seated.holds),
            bank.refund(locked.pot_id, table_id=TABLE),
        ):
            with refused("LEDGER_RECOVERING", grpc.StatusCode.UNAVAILABLE) as caught:
                await call
            assert caught.fault.retry_after
        recovery = (await bank.check()).recovery
        assert (recovery.recovery_id, recovery.cause) == (1, "timeline")
    assert (await bank.settle(locked.pot_id)).state == SETTLED
    assert (await bank.reconcile(seated.pot_id, seats_of(seated), won=won())).pot.state == SETTLED
    await bank.deposit(ANNA, 5)
    ended = await bank.end_recovery(1, repaired=1, unmatched=2)
    assert (ended.repaired, ended.unmatched, ended.HasField("end_time")) == (1, 2, True)
    assert await bank.end_recovery(1) == ended
    assert list((await bank.recoveries()).recoveries) == [ended]
    assert not (await bank.check()).HasField("recovery")
    # What was answered UNAVAILABLE left nothing behind.
    assert await bank.release(halved.pot_id, halved.holds[0].reservation_id)
    assert (await bank.refund(halved.pot_id)).state == REFUNDED
    await bank.assert_sound()


async def test_many_who_notice_at_once_begin_one_recovery(house):
    bank = house.bank
    seen = (await bank.check()).position
    house.move()
    answers = await asyncio.gather(*(bank.check(seen if number % 2 else None) for number in range(20)))
    assert {answer.recovery.recovery_id for answer in answers} == {1}
    ended = await asyncio.gather(*(bank.end_recovery(1, repaired=3) for _ in range(10)))
    assert all(each == ended[0] for each in ended)
    assert len((await bank.recoveries()).recoveries) == 1


async def test_a_position_that_the_ledger_has_not_reached_begins_a_recovery_once(bank):
    seen = (await bank.check()).position
    seen.flushed += 1 << 40
    recovery = (await bank.check(seen)).recovery
    assert recovery.cause == "position"
    # Others have seen it as well, and ask while it is under way and after it has ended.
    assert (await bank.check(seen)).recovery == recovery
    await bank.end_recovery(recovery.recovery_id)
    assert not (await bank.check(seen)).HasField("recovery")
    # Positions are told apart from those before: seen is what the answer said.
    here = (await bank.check()).position
    assert here.system_identifier != seen.system_identifier
    assert not (await bank.check(here)).HasField("recovery")


async def test_a_position_on_a_server_that_the_ledger_does_not_know_begins_a_recovery_once(bank):
    seen = wallet_pb2.LedgerPosition(system_identifier="elsewhere", timeline=1, flushed=1)
    recovery = (await bank.check(seen)).recovery
    assert recovery.cause == "server"
    await bank.end_recovery(recovery.recovery_id)
    assert not (await bank.check(seen)).HasField("recovery")


async def test_an_operator_ends_a_recovery_before_everything_is_compared(house):
    bank = house.bank
    with refused("RECOVERY_NOT_CURRENT"):
        await bank.force_end_recovery(1)
    halved = await bank.seated(players=(ANNA, BEAT))
    house.move()
    assert (await bank.check()).recovery.recovery_id == 1
    with refused("RECOVERY_NOT_CURRENT"):
        await bank.force_end_recovery(2)
    request_id = new_id()
    ended = await bank.force_end_recovery(1, request_id=request_id)
    assert ended.HasField("end_time")
    assert ended.ended_by == (await bank.acts()).acts[0].subject
    assert await bank.force_end_recovery(1, request_id=request_id) == ended
    with refused("REQUEST_ID_REUSED"):
        await bank.force_end_recovery(1, reason="another", request_id=request_id)
    with refused("RECOVERY_NOT_CURRENT"):
        await bank.force_end_recovery(1)
    assert await bank.release(halved.pot_id, halved.holds[0].reservation_id)
    act = (await bank.acts()).acts[0]
    assert (act.kind, act.object, act.reason) == ("end_recovery", "1", "Redis is lost")
    # The comparison that was under way hears that it is over.
    assert (await bank.end_recovery(1)).ended_by == ended.ended_by


async def test_what_an_operator_does_elsewhere_is_recorded_once_a_request(bank):
    request_id = new_id()
    first = await bank.record_act(request_id=request_id)
    assert await bank.record_act(request_id=request_id) == first
    assert await bank.record_act() != first
    for other in ({"reason": "another"}, {"subject": "otto"}, {"object": OTHER_TABLE}):
        with refused("REQUEST_ID_REUSED"):
            await bank.record_act(request_id=request_id, **other)
    (act,) = [each for each in (await bank.acts()).acts if each.act_id == first]
    assert (act.subject, act.subject_tenant, act.tenant) == ("olga", "red", "default")
    assert (act.kind, act.object, act.reason, act.journal_id) == ("abort_table", TABLE, "cheating", "")


async def test_a_recovery_that_another_has_overtaken_does_not_end(house):
    bank = house.bank
    with refused("RECOVERY_NOT_CURRENT"):
        await bank.end_recovery(1)
    house.move()
    first = (await bank.check()).recovery
    house.move()
    with refused("RECOVERY_NOT_CURRENT"):
        await bank.end_recovery(first.recovery_id)
    second = (await bank.check()).recovery
    assert second.recovery_id == first.recovery_id + 1
    with refused("RECOVERY_NOT_CURRENT"):
        await bank.end_recovery(first.recovery_id)
    await bank.end_recovery(second.recovery_id)
    newest, older = (await bank.recoveries()).recoveries
    assert (newest.recovery_id, older.recovery_id) == (2, 1)
    assert older.HasField("end_time")
    page = await bank.recoveries(size=1)
    assert [each.recovery_id for each in page.recoveries] == [2]
    assert [each.recovery_id for each in (await bank.recoveries(1, page.next_page_token)).recoveries] == [1]
