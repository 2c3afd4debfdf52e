"""Rows of matches that are over, written again from what their tables left."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.matchmaking.domain import Game
from jasshaus.matchmaking.pots.port import RefundReason
from matchmaking.harness import CLOSED, FINISHED, FOUR, OPEN, VOIDED, Front, Harness, chf, new_id, refused
from matchmaking.restored import DIGEST, WON, match_seats
from matchmaking.test_stray_pots import restore

LONG_AGO = datetime.now(UTC).replace(microsecond=0) - timedelta(days=3)
OPENED, JOINED = new_id(), new_id()


@pytest.fixture(autouse=True)
def funds(place: Harness):
    place.wallet.fund(*FOUR, amount=1000)
    yield
    assert place.wallet.total() == 0


async def played(front: Front, stake: int) -> tuple[pb.Game, Game]:
    """A game whose match is on, opened by OPENED and joined first by JOINED; and its row."""
    anna, beat, *others = front.players()
    game = await anna.open(stake, request_id=OPENED)
    game = (await beat.join(game, request_id=JOINED)).game
    for player in others:
        game = (await player.join(game)).game
    row = await front.edge.store.get(UUID(game.game_id))
    assert row is not None
    return game, row


async def lose(front: Front, row: Game, *, voided: bool = False) -> None:
    """Let the match be paid, or its stakes go back, and the database be of a time before the game."""
    if row.terms.staked and voided:
        await front.edge.staked.refund(row.game_id, RefundReason.TABLE_ABORTED, row.match)
    elif row.terms.staked:
        await front.edge.staked._stub.SettlePot(
            wallet_pb2.SettlePotRequest(
                pot_id=str(row.game_id),
                winning_seats=WON,
                result_digest=DIGEST,
                table_id=str(row.table_id),
                seats=match_seats(row.match),
            )
        )
    async with front.edge.pool.connection() as connection:
        for query in (
            "DELETE FROM matchmaking.game WHERE game_id = %s",
            "DELETE FROM matchmaking.free_hold WHERE pot_id = %s",
            "DELETE FROM matchmaking.free_pot WHERE pot_id = %s",
        ):
            await connection.execute(query, (row.game_id,))
    await front.edge.redis.flushall()


def restoring(game: pb.Game, row: Game) -> pb.RestoreGameRequest:
    """What the table service tells by the result it keeps."""
    request = pb.RestoreGameRequest(
        table_id=str(row.table_id),
        game_id=game.game_id,
        tenant="default",
        seats=[
            pb.RestoredSeat(seat=hold.seat, player_id=hold.player, reservation_id=str(hold.reservation))
            for hold in row.holds
        ],
        rule_set=game.rule_set,
        quote=game.quote if row.terms.staked else None,
    )
    request.end_time.FromDatetime(LONG_AGO)
    return request


async def come_back(front: Front, game: pb.Game, row: Game, *, voided: bool = False) -> pb.Game:
    """Restore and report as the table service does; return the game as players see it."""
    assert await restore(front, restoring(game, row))
    result = pb.GameResult(
        winning_seats=() if voided else WON,
        payouts=[chf(195), chf(195)] if row.terms.staked and not voided else [],
        fee=chf(10) if row.terms.staked and not voided else None,
        points=() if voided else (1000, 700),
    )
    result.end_time.FromDatetime(LONG_AGO)
    await front.report(game, str(row.table_id), voided=voided, result=result)
    await front.reconcile()
    return await front.player("anna").get(game)


@pytest.mark.parametrize("voided", [False, True])
@pytest.mark.parametrize("stake", [0, 100])
async def test_the_row_of_a_match_that_is_over_comes_back_with_its_end(place, front, stake, voided):
    game, row = await played(front, stake)
    await lose(front, row, voided=voided)
    balances = [place.wallet.balance(name) for name in FOUR]
    with refused("GAME_NOT_FOUND"):
        await front.player("anna").get(game)

    again = await come_back(front, game, row, voided=voided)

    assert again.status == (VOIDED if voided else FINISHED)
    assert (again.rule_set, again.quote, again.seats) == (game.rule_set, game.quote, game.seats)
    assert again.table_id == str(row.table_id)
    assert list(again.result.winning_seats) == ([] if voided else list(WON))
    assert list(again.result.points) == ([] if voided else [1000, 700])
    assert again.open_time.ToDatetime(UTC) == LONG_AGO
    assert again.version > game.version
    found = await front.edge.store.get(row.game_id)
    assert found is not None
    assert found.end_time == LONG_AGO
    assert (found.refund_due, found.forget_due) == (False, False)
    assert [place.wallet.balance(name) for name in FOUR] == balances


@pytest.mark.parametrize("stake", [0, 100])
async def test_requests_of_the_lost_time_that_come_again_open_and_take_nothing(
    place: Harness, front: Front, stake: int
):
    game, row = await played(front, stake)
    await lose(front, row)
    await come_back(front, game, row)
    balances = [place.wallet.balance(name) for name in FOUR]
    anna, beat, *_ = front.players()
    for _ in range(2):
        with refused("REQUEST_ID_REUSED"):
            await anna.open(stake, request_id=OPENED)
    joined = await beat.join(game, request_id=JOINED)
    assert (joined.game.status, joined.seat) == (FINISHED, 1)
    await front.reconcile()
    assert [place.wallet.balance(name) for name in FOUR] == balances
    assert await anna.listed() == []
    # A new request is a new game.
    assert (await anna.open(stake)).status == OPEN


async def test_a_seat_that_was_taken_again_by_the_same_request_stays_taken(place: Harness, front: Front):
    """Opened again before the row is back, when nothing remembers the request: the row takes no seat away."""
    game, row = await played(front, 0)
    await lose(front, row)
    anna, beat, cla, _ = front.players()
    second = await anna.open(0, request_id=OPENED)
    assert second.game_id != game.game_id
    again = await come_back(front, game, row)
    assert [seat.player_id for seat in again.seats] == list(FOUR)
    pot = await front.edge.free.get(UUID(second.game_id))
    assert pot is not None
    assert [hold.player for hold in pot.holds] == ["anna"]
    for player in (beat, cla):
        second = (await player.join(second)).game
    assert [seat.player_id for seat in second.seats] == ["anna", "beat", "cla", ""]


async def test_a_pot_that_names_no_table_is_a_lost_rows_and_no_other_ones(place: Harness, front: Front):
    """Locked by a release that did not name it: a row that is closed has an end of its own."""
    anna = front.player("anna")
    game, row = await played(front, 100)
    closed = await anna.open(100)
    await anna.leave(closed)
    request = restoring(game, row)
    request.game_id, request.table_id = closed.game_id, new_id()
    with refused("GAME_CONFLICT"):
        await restore(front, request)
    assert (await anna.get(closed)).status == CLOSED
    await lose(front, row)
    place.wallet.pots[game.game_id].table = ""
    assert (await come_back(front, game, row)).status == FINISHED
