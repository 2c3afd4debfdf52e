"""The sums that must hold whatever happened: money, holds, seats and lists agree."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

from contract.pots import FakeWallet
from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.matchmaking.domain import SeatState, Status
from matchmaking.harness import FOUR, Front, Harness

POTS = {
    Status.PLAYING: "LOCKED",
    Status.FINISHED: "SETTLED",
    Status.CLOSED: "REFUNDED",
    Status.VOIDED: "REFUNDED",
}


async def assert_sound(
    place: Harness, front: Front, *, funds: int = 1000, players: tuple[str, ...] = FOUR
) -> None:
    """Nobody holds a stake without a seat, nobody paid twice, nothing hangs."""
    assert place.wallet.total() == 0
    games = await all_games(front)
    staked: Counter[str] = Counter()
    sits: dict[str, set[UUID]] = {player: set() for player in players}
    for game in games:
        assert game.status not in {Status.OPENING, Status.STARTING}, game.status
        assert not game.refund_due
        assert not game.forget_due
        entry = await front.edge.lobby.read(game.terms)
        pot = await (front.edge.staked if game.terms.staked else front.edge.free).get(game.game_id)
        if game.status is Status.OPEN:
            assert entry is not None
            assert entry.status == "OPEN"
            assert {seat.state for seat in entry.seats} <= {SeatState.HELD}
            holds = tuple(seat.hold for seat in entry.seats)
            assert 0 < len(holds) < 4
            assert pot is not None
            assert pot.holds == holds
        else:
            assert entry is None
            holds = game.holds if game.status is Status.PLAYING else ()
            # A table that was played for nothing leaves its seats locked.
            if pot is not None and (game.terms.staked or game.status is not Status.FINISHED):
                expected = POTS[game.status]
                assert pot.state == expected
                assert pot.holds == holds
        if game.status is Status.PLAYING:
            assert str(game.table_id) in place.tables.tables
            assert place.tables.created[str(game.game_id)] == 1
        for hold in holds:
            staked[hold.player] += game.terms.stake
            sits[hold.player].add(game.game_id)
    for player in players:
        assert place.wallet.balance(player) == funds - staked[player], player
        assert await front.edge.lobby.games_of("default", player) == sits[player], player
    assert await front.edge.lobby.claim_due("default", 100, 0) == []


async def all_games(front: Front):
    async with front.edge.pool.connection() as connection:
        rows = await (await connection.execute("SELECT game_id FROM matchmaking.game")).fetchall()
    return list((await front.edge.store.many(row[0] for row in rows)).values())


def pot_state(wallet: FakeWallet, game_id: str) -> str:
    return wallet_pb2.PotState.Name(wallet.pot(game_id).state).removeprefix("POT_STATE_")
