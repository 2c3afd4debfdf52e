"""A table, its pot and its game brought together again, from whatever times they are."""

from __future__ import annotations

from uuid import UUID, uuid4

import grpc
import pytest

from jasshaus.api.table.v1 import table_pb2
from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from jasshaus.platform.auth import Role
from jasshaus.platform.errors import Fault, failed_precondition
from jasshaus.table.acts import Acts, Operator
from table.harness import STAKE, Harness, Replica, closed, new_table, play_until, step
from table.restores import (
    BEFORE_FOURTH,
    BEFORE_LOCK,
    BEFORE_OPEN,
    FINISHED,
    LOCKED,
    MOMENTS,
    PLAYING,
    PURSE,
    VOIDED,
    Staked,
    eventually,
    played_out,
    reconcile,
    shares,
    staked,
)

IN_ORDER, REPAIRED = table_pb2.FINDING_IN_ORDER, table_pb2.FINDING_REPAIRED
UNMATCHED, UNKNOWN = table_pb2.FINDING_UNMATCHED, table_pb2.FINDING_UNKNOWN
STATE_OPEN, STATE_LOCKED = wallet_pb2.POT_STATE_OPEN, wallet_pb2.POT_STATE_LOCKED
STATE_SETTLED, STATE_REFUNDED = wallet_pb2.POT_STATE_SETTLED, wallet_pb2.POT_STATE_REFUNDED


@pytest.fixture
def wallet(harness: Harness):
    yield harness.wallet
    assert harness.wallet.total() == 0


async def lose_table(replica: Replica, table: Staked) -> None:
    keys = replica.store.names.of(UUID(table.table_id))
    await replica.redis.call("DEL", keys.table, keys.events)
    replica.tables._kept.clear()


async def refund(table: Staked) -> None:
    await table.harness.end_pot(table.game_id, table.table_id)


async def settle(table: Staked, winning_seats: list[int]) -> None:
    await table.harness.end_pot(table.game_id, table.table_id, winning_seats)


async def agree(replica: Replica, table: Staked) -> table_pb2.TableView:
    """Assert that a second look finds nothing; return the table as it is."""
    before = table.balances
    again = await reconcile(replica, table)
    assert again.finding in {IN_ORDER, UNMATCHED}
    assert table.balances == before
    return await replica.service.get(table.table_id)


# A match that is over and paid, and a ledger from before.


@pytest.mark.parametrize("moment", [BEFORE_LOCK, LOCKED])
async def test_a_paid_match_is_paid_again_when_the_ledger_has_forgotten_it(harness, replica, wallet, moment):
    table = await played_out(harness, replica)
    won = list((await replica.service.get(table.table_id)).outcome.winning_seats)
    paid = table.balances
    table.take_back(moment)

    answer = await reconcile(replica, table)

    assert (answer.finding, answer.status) == (REPAIRED, FINISHED)
    assert table.pot.state == STATE_SETTLED
    assert table.balances == paid == shares(table, won)
    assert list(harness.history.results[table.game_id].result.winning_seats) == won
    assert (await agree(replica, table)).status == FINISHED


@pytest.mark.parametrize("moment", [BEFORE_LOCK, LOCKED])
async def test_so_it_is_when_the_table_is_gone(harness, replica, wallet, moment):
    table = await played_out(harness, replica)
    paid = table.balances
    await lose_table(replica, table)
    table.take_back(moment)

    answer = await reconcile(replica, table)

    assert (answer.finding, answer.status) == (REPAIRED, table_pb2.TABLE_STATUS_UNSPECIFIED)
    assert table.pot.state == STATE_SETTLED
    assert table.balances == paid
    assert not harness.history.results[table.game_id].voided
    assert (await reconcile(replica, table)).finding == IN_ORDER


@pytest.mark.parametrize("gone", [False, True], ids=["table", "result"])
async def test_a_pot_that_lacks_a_stake_goes_back_whoever_won(harness, replica, wallet, gone):
    table = await played_out(harness, replica)
    if gone:
        await lose_table(replica, table)
    table.take_back(BEFORE_FOURTH)

    assert (await reconcile(replica, table)).finding == REPAIRED

    assert (table.pot.state, table.balances) == (STATE_REFUNDED, [PURSE] * 4)
    assert table.pot.refund_reason == wallet_pb2.REFUND_REASON_STAKES_MISSING
    assert harness.history.results[table.game_id].voided
    assert not (await replica.service.result(table.table_id)).winning_seats
    if not gone:
        view = await agree(replica, table)
        assert (view.status, view.outcome.abort_reason) == (VOIDED, "stakes_missing")
        assert not view.outcome.winning_seats
        assert not view.outcome.payouts


@pytest.mark.parametrize("gone", [False, True], ids=["table", "result"])
async def test_a_match_whose_pot_the_ledger_never_had_moves_no_money(harness, replica, wallet, gone):
    table = await played_out(harness, replica)
    if gone:
        await lose_table(replica, table)
    table.take_back(BEFORE_OPEN)

    assert (await reconcile(replica, table)).finding == UNMATCHED

    assert table.balances == [PURSE] * 4
    if not gone:
        view = await agree(replica, table)
        assert (view.status, view.outcome.abort_reason) == (VOIDED, "pot_not_found")


async def test_another_player_in_the_pot_gets_the_stake_back(harness, replica, wallet):
    table = await played_out(harness, replica)
    table.take_back(BEFORE_FOURTH)
    wallet.fund("eva", amount=PURSE)
    async with grpc.aio.insecure_channel(harness.wallet_address) as channel:
        wallet._taken_back = ""
        hold = wallet_pb2.HoldStakeRequest(
            pot_id=table.game_id, reservation_id=str(uuid4()), seat=3, player_id="eva"
        )
        await wallet_pb2_grpc.PotServiceStub(channel).HoldStake(hold)

    assert (await reconcile(replica, table)).finding == REPAIRED

    assert table.pot.state == STATE_REFUNDED
    assert [*table.balances, wallet.balance("eva")] == [PURSE] * 5


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("gone", [False, True], ids=["table", "result"])
async def test_an_aborted_match_gives_everything_back_again(harness, replica, wallet, moment, gone):
    table = await staked(harness, replica)
    await replica.service.abort(table.table_id)
    await closed(replica, table.table_id)
    if gone:
        await lose_table(replica, table)
    table.take_back(moment)

    answer = await reconcile(replica, table)

    assert answer.finding == (UNMATCHED if moment == BEFORE_OPEN else REPAIRED)
    assert table.balances == [PURSE] * 4
    if moment != BEFORE_OPEN:
        assert table.pot.state == STATE_REFUNDED
        assert harness.history.results[table.game_id].voided


# A match that is being played, and a ledger from before.


@pytest.mark.parametrize("moment", [BEFORE_LOCK, LOCKED])
async def test_a_match_that_is_played_goes_on(harness, replica, wallet, moment):
    table = await staked(harness, replica)
    await step(replica, table.table_id)
    table.take_back(moment)
    harness.history.lose(table.game_id)

    assert (await reconcile(replica, table)).finding == REPAIRED

    assert (table.pot.state, table.pot.table_id) == (STATE_LOCKED, table.table_id)
    restored = [request for method, request in harness.history.calls if method == "RestoreGame"][-1]
    assert [(seat.seat, seat.player_id, seat.reservation_id) for seat in restored.seats] == [
        (seat.seat, seat.player_id, seat.reservation_id) for seat in table.request.seats
    ]
    assert restored.rule_set == table.request.rule_set
    assert restored.quote.stake.minor_units == STAKE
    assert (await agree(replica, table)).status == PLAYING
    wallet._taken_back = ""
    await play_until(replica, table.table_id, lambda view: view.status != PLAYING)
    view = await closed(replica, table.table_id)
    assert table.balances == shares(table, list(view.outcome.winning_seats))


async def test_a_match_whose_pot_lacks_a_stake_is_not_played_on(harness, replica, wallet):
    table = await staked(harness, replica)
    table.take_back(BEFORE_FOURTH)

    answer = await reconcile(replica, table)

    assert (answer.finding, answer.status) == (REPAIRED, VOIDED)
    assert (table.pot.state, table.balances) == (STATE_REFUNDED, [PURSE] * 4)
    assert (await agree(replica, table)).outcome.abort_reason == "stakes_missing"
    assert harness.history.results[table.game_id].voided


async def test_a_lost_answer_does_not_change_why(harness, replica, wallet):
    table = await staked(harness, replica)
    table.take_back(BEFORE_FOURTH)
    wallet.lose_answer("ReconcilePot")
    with pytest.raises(Fault) as refused:
        await reconcile(replica, table)
    assert refused.value.reason == "WALLET_UNAVAILABLE"
    await reconcile(replica, table)
    assert (await replica.service.get(table.table_id)).outcome.abort_reason == "stakes_missing"


async def test_a_match_whose_pot_the_ledger_never_had_is_not_played_on(harness, replica, wallet):
    table = await staked(harness, replica)
    table.take_back(BEFORE_OPEN)

    answer = await reconcile(replica, table)

    assert (answer.finding, answer.status) == (UNMATCHED, VOIDED)
    assert table.balances == [PURSE] * 4
    assert (await agree(replica, table)).outcome.abort_reason == "pot_not_found"
    assert harness.wallet.count("RefundPot") == 0


async def test_a_pot_that_is_another_tables_is_left_alone(harness, replica, wallet):
    table = await staked(harness, replica)
    wallet.pots[table.game_id].table = str(uuid4())

    answer = await reconcile(replica, table)

    assert (answer.finding, answer.status) == (UNMATCHED, VOIDED)
    assert (table.pot.state, table.balances) == (STATE_LOCKED, [PURSE - STAKE] * 4)
    assert (await agree(replica, table)).outcome.abort_reason == "table_mismatch"


# Redis older than PostgreSQL: the table is played, and its pot is over.


@pytest.mark.parametrize("won", [[0, 2], [1, 3]])
async def test_a_match_that_was_paid_already_closes_as_it_was_paid(harness, replica, wallet, won):
    table = await staked(harness, replica)
    stream = replica.as_("anna").watch(table.table_id)
    await stream.next()
    await settle(table, won)

    answer = await reconcile(replica, table)

    assert (answer.finding, answer.status) == (REPAIRED, FINISHED)
    view = await agree(replica, table)
    assert (view.status, list(view.outcome.winning_seats)) == (FINISHED, won)
    assert view.outcome.decision == table_pb2.DECISION_UNSPECIFIED
    assert [payout.minor_units for payout in view.outcome.payouts] == [390, 390]
    assert table.balances == shares(table, won)
    assert list(harness.history.results[table.game_id].result.winning_seats) == won
    assert (await replica.service.result(table.table_id)).result_digest == b"x" * 32
    update = await stream.next()
    assert [event.WhichOneof("event") for event in update.delta.events] == ["match_ended", "table_closed"]
    await stream.ended()
    # No time is left to anybody, nothing is settled once more.
    lane = replica.store.names.of(UUID(table.table_id)).lane
    assert await replica.redis.call("ZRANGE", lane.timers, 0, -1) == []
    assert await replica.redis.call("ZRANGE", lane.outbox, 0, -1) == []
    assert harness.wallet.count("SettlePot") == 1


async def test_a_match_whose_stakes_went_back_closes(harness, replica, wallet):
    table = await staked(harness, replica)
    await refund(table)
    assert (await reconcile(replica, table)).status == VOIDED
    assert (await agree(replica, table)).outcome.abort_reason == "pot_refunded"
    assert table.balances == [PURSE] * 4


async def test_a_free_match_whose_game_is_over_closes(harness, replica):
    request = new_table()
    await replica.service.create(request)
    harness.history.refuse("RestoreGame", "GAME_CONFLICT", failed_precondition)
    answer = await reconcile(replica, Staked(harness, request))
    assert (answer.finding, answer.status) == (REPAIRED, VOIDED)
    assert (await replica.service.get(request.table_id)).outcome.abort_reason == "game_conflict"


async def test_a_staked_match_goes_on_as_its_pot_says_whatever_its_row_says(harness, replica, wallet):
    table = await staked(harness, replica)
    harness.history.refuse("RestoreGame", "GAME_CONFLICT", failed_precondition)
    assert (await reconcile(replica, table)).finding == IN_ORDER
    assert (await replica.service.get(table.table_id)).status == PLAYING


async def test_a_free_match_writes_its_row_again(harness, replica):
    request = new_table(target=100)
    await replica.service.create(request)
    table = Staked(harness, request)
    harness.history.lose(table.game_id)
    assert (await reconcile(replica, table)).finding == REPAIRED
    assert not harness.history.lost
    await play_until(replica, table.table_id, lambda view: view.status != PLAYING)
    await closed(replica, table.table_id)
    harness.history.lose(table.game_id)
    assert (await reconcile(replica, table)).finding == REPAIRED
    assert harness.history.results[table.game_id].result.winning_seats


# Between the two: the match is over, its money is not moved.


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("end", ["won", "aborted"])
async def test_a_match_that_is_being_paid_is_paid_by_the_ledger_as_it_is_now(harness, wallet, moment, end):
    async with harness.replica(ticking=False) as replica:
        table = await staked(harness, replica)
        if end == "won":
            await play_until(replica, table.table_id, lambda view: view.status != PLAYING)
        else:
            await replica.service.abort(table.table_id)
        won = list((await replica.service.get(table.table_id)).outcome.winning_seats)
        table.take_back(moment)
        answer = await reconcile(replica, table)
    kept = moment in {BEFORE_LOCK, LOCKED}
    assert answer.status == (FINISHED if kept and won else VOIDED)
    assert table.balances == (shares(table, won) if kept and won else [PURSE] * 4)


async def test_a_table_that_is_gone_once_it_is_paid_is_compared_by_its_result(harness, wallet):
    async with harness.replica(ticking=False) as replica:
        table = await staked(harness, replica)
        await play_until(replica, table.table_id, lambda view: view.status != PLAYING)
        won = list((await replica.service.get(table.table_id)).outcome.winning_seats)
        deliver = replica.outbox._deliver

        async def deliver_and_lose(table_id: UUID) -> None:
            await deliver(table_id)
            await lose_table(replica, table)

        replica.outbox._deliver = deliver_and_lose
        answer = await reconcile(replica, table)
    assert answer.finding == IN_ORDER
    assert table.balances == shares(table, won)


@pytest.mark.parametrize("moment", [BEFORE_FOURTH, BEFORE_LOCK, LOCKED])
async def test_the_outbox_does_it_too_while_the_ledger_recovers(harness, wallet, moment):
    async with harness.replica(ticking=False) as replica:
        table = await staked(harness, replica)
        await replica.service.abort(table.table_id)
        table.take_back(moment)
        assert wallet.recovering
        async with harness.replica():
            assert (await closed(replica, table.table_id)).status == VOIDED
    assert (table.pot.state, table.balances) == (STATE_REFUNDED, [PURSE] * 4)


async def test_settling_a_pot_that_is_another_tables_moves_nothing_and_is_told(harness, wallet):
    async with harness.replica(ticking=False) as replica:
        table = await staked(harness, replica)
        await play_until(replica, table.table_id, lambda view: view.status != PLAYING)
        wallet.pots[table.game_id].table = str(uuid4())
        async with harness.replica() as other:
            view = await closed(replica, table.table_id)
            assert other.metric("jasshaus_table_settle_refusals_total") >= 1
    assert (view.status, view.outcome.abort_reason) == (VOIDED, "table_mismatch")
    assert (table.pot.state, table.balances) == (STATE_LOCKED, [PURSE - STAKE] * 4)


async def test_settlements_name_the_table_and_its_seats(harness, replica, wallet):
    table = await played_out(harness, replica)
    [settled] = [request for method, request in wallet.calls if method == "SettlePot"]
    assert settled.table_id == table.table_id
    assert [(seat.seat, seat.player_id, seat.reservation_id) for seat in settled.seats] == [
        (seat.seat, seat.player_id, seat.reservation_id) for seat in table.request.seats
    ]


# Whom it concerns.


async def test_what_nobody_knows_is_unknown(harness, replica):
    table = Staked(harness, new_table())
    assert (await reconcile(replica, table)).finding == UNKNOWN
    await replica.service.abort(table.table_id)
    assert (await reconcile(replica, table)).finding == UNKNOWN
    assert not harness.wallet.calls


@pytest.mark.parametrize("over", [False, True])
async def test_so_is_a_table_of_another_game(harness, replica, wallet, over):
    table = await (played_out if over else staked)(harness, replica)
    if over:
        await lose_table(replica, table)
    asked = Staked(harness, table_pb2.CreateTableRequest(table_id=table.table_id, game_id=str(uuid4())))
    assert (await reconcile(replica, asked)).finding == UNKNOWN
    assert not harness.wallet.count("ReconcilePot")


async def test_a_table_in_order_is_left_as_it_is(harness, replica, wallet):
    table = await played_out(harness, replica)
    before = await replica.service.get(table.table_id)
    assert (await reconcile(replica, table)).finding == IN_ORDER
    assert (await replica.service.get(table.table_id)).version == before.version
    assert replica.metric("jasshaus_table_reconciled_total", finding="in_order") == 1


@pytest.mark.parametrize("tenant", ["default", "another"])
@pytest.mark.parametrize("role", [Role.OPERATOR, Role.SERVICE])
async def test_nobody_ends_a_match_that_they_play(harness, replica, wallet, tenant, role):
    table = await staked(harness, replica)
    with pytest.raises(Fault) as refused:
        await replica.as_("cora", role, tenant=tenant).abort(table.table_id)
    assert (refused.value.code, refused.value.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "OWN_TABLE",
    )
    assert (await replica.service.get(table.table_id)).status == PLAYING
    assert not wallet.acts
    await replica.as_("olga", Role.OPERATOR).abort(table.table_id)
    assert (await closed(replica, table.table_id)).outcome.abort_reason == "operator"


@pytest.mark.parametrize("stake", [True, False])
async def test_what_an_operator_does_at_a_table_is_recorded_before_it_is_done(
    harness, replica, wallet, stake
):
    if stake:
        table_id, game_id = (table := await staked(harness, replica)).table_id, table.game_id
    else:
        request = new_table()
        table_id, game_id = (await replica.service.create(request)).table_id, request.game_id
    olga = replica.as_("olga", Role.OPERATOR, tenant="red")
    # While the wallet is away nothing is done.
    wallet.unavailable("RecordAct", 2)
    with pytest.raises(Fault) as refused:
        await olga.abort(table_id, "they signal")
    assert (refused.value.code, refused.value.reason) == (
        grpc.StatusCode.UNAVAILABLE,
        "WALLET_UNAVAILABLE",
    )
    with pytest.raises(Fault):
        await olga.reconcile(table_id, game_id)
    assert (await replica.service.get(table_id)).status == PLAYING
    for _ in range(2):
        await olga.abort(table_id, "they signal")
    # While it is being paid a comparison waits for whoever does that.
    await closed(replica, table_id)
    await olga.reconcile(table_id, game_id)
    await replica.service.abort(str(uuid4()))
    done = [(act.kind, act.subject, act.subject_tenant, act.object, act.reason) for act in wallet.acts]
    assert done == [
        ("abort_table", "olga", "red", table_id, "they signal"),
        ("reconcile_table", "olga", "red", table_id, ""),
    ]
    assert {act.tenant for act in wallet.acts} == {"default"}


async def test_an_abort_that_was_recorded_before_there_was_a_table_is_no_reason_to_refuse_one_after(
    harness, replica, wallet
):
    """The id was to be fenced, and its fence failed; then the table was made."""
    request = new_table()
    olga = replica.as_("olga", Role.OPERATOR)
    async with grpc.aio.insecure_channel(harness.wallet_address) as channel:
        await Acts(channel).abort(Operator("olga", "default"), UUID(request.table_id), "", "they signal")
    await replica.service.create(request)
    await olga.abort(request.table_id, "they signal")
    assert [(act.tenant, act.object) for act in wallet.acts] == [
        ("", request.table_id),
        ("default", request.table_id),
    ]


async def test_an_operator_who_plays_does_not_have_their_table_compared(harness, replica, wallet):
    table = await staked(harness, replica)
    with pytest.raises(Fault) as refused:
        await replica.as_("cora", Role.OPERATOR).reconcile(table.table_id, table.game_id)
    assert refused.value.reason == "OWN_TABLE"


async def test_a_table_of_the_release_before_has_no_reservations_and_is_paid_all_the_same(
    harness, replica, wallet
):
    request = new_table(stake=STAKE, target=100)
    await harness.lock_pot(request, for_table=False)
    for seat in request.seats:
        seat.reservation_id = ""
    await replica.service.create(request)
    await play_until(replica, request.table_id, lambda view: view.status != PLAYING)
    view = await closed(replica, request.table_id)
    assert view.status == FINISHED
    table = Staked(harness, request)
    assert table.pot.table_id == request.table_id
    await eventually(lambda: sum(table.balances) == 780)
    assert (await reconcile(replica, table)).finding == IN_ORDER
