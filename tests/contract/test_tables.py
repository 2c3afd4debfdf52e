"""What matchmaking needs of the table service, held by the real one and by the fake that stands in for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import uuid4

import grpc
import pytest

from contract.history import FakeHistory
from contract.pots import FakeWallet
from contract.tables import FakeTables
from jasshaus.api.table.v1 import table_pb2
from jasshaus.platform.errors import Fault
from table.harness import Caller, Harness, closed, new_table, play_until

FINISHED = table_pb2.TABLE_STATUS_FINISHED
PLAYING = table_pb2.TABLE_STATUS_PLAYING
VOIDED = table_pb2.TABLE_STATUS_VOIDED
UNKNOWN = table_pb2.FINDING_UNKNOWN


Finish = Callable[[str], Awaitable[object]]


@pytest.fixture(params=["fake", "real"])
async def harness(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Caller, Finish]]:
    """Matchmaking's way to the tables, and how to let a table's match come to its end."""
    if request.param == "fake":
        fake = FakeTables()

        async def finish(table_id: str) -> None:
            fake.finish(table_id, [0, 2], [], 0, [110, 60])

        async with fake.serve() as address, grpc.aio.insecure_channel(address) as channel:
            yield Caller(channel, ""), finish
        return
    wallet, history = FakeWallet(), FakeHistory()
    async with wallet.serve() as wallet_address, history.serve() as history_address:
        harness = Harness(
            request.getfixturevalue("redis_url"), wallet, history, wallet_address, history_address
        )
        async with harness.replica() as replica:

            async def play_out(table_id: str) -> None:
                await play_until(replica, table_id, lambda view: view.status != PLAYING)
                await closed(replica, table_id)

            yield replica.service, play_out


@pytest.fixture
def tables(harness: tuple[Caller, Finish]) -> Caller:
    return harness[0]


async def test_a_new_table_is_played_by_whom_it_is_made_for(tables):
    request = new_table()
    view = await tables.create(request)
    assert (view.table_id, view.game_id, view.status) == (request.table_id, request.game_id, PLAYING)
    assert [(seat.seat, seat.player_id) for seat in view.seats] == [
        (seat.seat, seat.player_id) for seat in request.seats
    ]
    assert view.rule_set == request.rule_set
    assert not view.HasField("outcome")
    assert (await tables.get(request.table_id)).game_id == request.game_id


async def test_a_table_is_made_once(tables):
    request = new_table()
    views = await asyncio.gather(*(tables.create(request) for _ in range(4)))
    assert {(view.table_id, view.version) for view in views} == {(request.table_id, 1)}


async def test_an_id_is_not_given_to_another_table(tables):
    request = new_table()
    await tables.create(request)
    request.seats[0].player_id = "eva"
    await refused("TABLE_CONFLICT", grpc.StatusCode.FAILED_PRECONDITION, tables.create(request))


async def test_an_unknown_table_is_not_found(tables):
    await refused("TABLE_NOT_FOUND", grpc.StatusCode.NOT_FOUND, tables.get(str(uuid4())))


async def test_bad_ids_and_rules_are_malformed(tables):
    for name in ("table_id", "game_id"):
        request = new_table()
        setattr(request, name, "x")
        await refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT, tables.create(request))
    request = new_table()
    request.rule_set.target = 99
    await refused("OPTION_INVALID", grpc.StatusCode.INVALID_ARGUMENT, tables.create(request))


async def test_an_aborted_table_ends_void_and_may_be_aborted_again(tables):
    request = new_table()
    await tables.create(request)
    for _ in range(2):
        answer = await tables.abort(request.table_id)
        assert answer.view.table_id == request.table_id
        assert answer.view.status != PLAYING
    async with asyncio.timeout(10):
        while (await tables.get(request.table_id)).status != VOIDED:
            await asyncio.sleep(0.02)


async def test_a_match_that_was_won_can_not_be_aborted(harness):
    tables, finish = harness
    request = new_table(target=100)
    await tables.create(request)
    await finish(request.table_id)
    await refused("TABLE_ENDED", grpc.StatusCode.FAILED_PRECONDITION, tables.abort(request.table_id))
    view = await tables.get(request.table_id)
    assert view.status == FINISHED
    assert len(view.outcome.winning_seats) == 2


async def test_who_aborts_an_unknown_table_keeps_it_from_being_made(tables):
    request = new_table()
    for _ in range(2):
        assert not (await tables.abort(request.table_id)).HasField("view")
    await refused("TABLE_FENCED", grpc.StatusCode.FAILED_PRECONDITION, tables.create(request))
    await refused("TABLE_NOT_FOUND", grpc.StatusCode.NOT_FOUND, tables.get(request.table_id))


async def test_a_match_that_is_over_leaves_a_result(harness):
    tables, finish = harness
    request = new_table(target=100)
    await tables.create(request)
    await refused("RESULT_NOT_FOUND", grpc.StatusCode.NOT_FOUND, tables.result(request.table_id))
    await finish(request.table_id)
    result = await tables.result(request.table_id)
    assert (result.table_id, result.game_id, result.tenant) == (
        request.table_id,
        request.game_id,
        "default",
    )
    assert list(result.reservation_ids) == [seat.reservation_id for seat in request.seats]
    assert len(result.winning_seats) == 2
    assert len(result.points) == 2
    assert len(result.result_digest) == 32
    assert not result.staked
    assert result.end_time.seconds > 0


async def test_an_aborted_match_leaves_one_without_winners(tables):
    request = new_table()
    await tables.create(request)
    await tables.abort(request.table_id)
    assert not (await tables.result(request.table_id)).winning_seats


@pytest.mark.parametrize("over", [False, True])
async def test_a_table_is_compared_with_its_game(harness, over):
    tables, finish = harness
    request = new_table(target=100)
    await tables.create(request)
    if over:
        await finish(request.table_id)
    compared = await tables.reconcile(request.table_id, request.game_id)
    assert compared.finding == table_pb2.FINDING_IN_ORDER
    assert compared.status == (FINISHED if over else PLAYING)


async def test_a_table_that_nobody_knows_or_of_another_game_is_unknown(tables):
    request = new_table()
    await tables.abort(request.table_id)
    assert (await tables.reconcile(request.table_id, request.game_id)).finding == UNKNOWN
    request = new_table()
    await tables.create(request)
    compared = await tables.reconcile(request.table_id, str(uuid4()))
    assert compared.finding == UNKNOWN
    assert compared.status == table_pb2.TABLE_STATUS_UNSPECIFIED


async def refused(reason, code, call):
    with pytest.raises(Fault) as caught:
        await call
    assert (caught.value.reason, caught.value.code) == (reason, code)
