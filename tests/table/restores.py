"""Tables whose ledger can be taken back to each moment of their game: what the tests of restores share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import grpc

from jasshaus.api.table.v1 import table_pb2
from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from table.harness import STAKE, Harness, Replica, closed, new_table, play_until

BEFORE_OPEN, BEFORE_FOURTH, BEFORE_LOCK, LOCKED = "before the pot", "three holds", "four holds", "locked"
MOMENTS = (BEFORE_OPEN, BEFORE_FOURTH, BEFORE_LOCK, LOCKED)

PLAYING = table_pb2.TABLE_STATUS_PLAYING
FINISHED = table_pb2.TABLE_STATUS_FINISHED
VOIDED = table_pb2.TABLE_STATUS_VOIDED

PURSE = 1_000


@dataclass
class Staked:
    """A table with a stake. `copies` are of the ledger, by moment; balances are by seat."""

    harness: Harness
    request: table_pb2.CreateTableRequest
    copies: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def table_id(self) -> str:
        return self.request.table_id

    @property
    def game_id(self) -> str:
        return self.request.game_id

    @property
    def players(self) -> list[str]:
        return [seat.player_id for seat in self.request.seats]

    @property
    def balances(self) -> list[int]:
        return [self.harness.wallet.balance(player) for player in self.players]

    @property
    def pot(self) -> wallet_pb2.Pot:
        return self.harness.wallet.pot(self.game_id)

    def take_back(self, moment: str, cause: str = "timeline") -> None:
        """Restore the ledger, and the game's row with it if it was not there yet."""
        self.harness.wallet.restore(self.copies[moment], cause)
        self.harness.history.results.clear()
        if moment == BEFORE_OPEN:
            self.harness.history.lose(self.game_id, self.table_id)


async def staked(harness: Harness, replica: Replica, **options: Any) -> Staked:
    """Set up a table with a stake, its pot locked for it, and a copy of the ledger at each moment."""
    table = Staked(harness, new_table(stake=STAKE, **({"target": 100} | options)))
    wallet, seats = harness.wallet, table.request.seats
    wallet.fund(*table.players, amount=PURSE)
    table.copies[BEFORE_OPEN] = wallet.backup()
    async with grpc.aio.insecure_channel(harness.wallet_address) as channel:
        pots = wallet_pb2_grpc.PotServiceStub(channel)
        await pots.OpenPot(
            wallet_pb2.OpenPotRequest(pot_id=table.game_id, tenant="default", stake=table.request.stake)
        )
        holds = []
        for seat in seats:
            table.copies[BEFORE_FOURTH] = wallet.backup()
            hold = wallet_pb2.HoldStakeRequest(
                pot_id=table.game_id,
                reservation_id=seat.reservation_id,
                seat=seat.seat,
                player_id=seat.player_id,
            )
            holds.append((await pots.HoldStake(hold)).hold)
        table.copies[BEFORE_LOCK] = wallet.backup()
        await pots.LockPot(
            wallet_pb2.LockPotRequest(pot_id=table.game_id, holds=holds, table_id=table.table_id)
        )
        table.copies[LOCKED] = wallet.backup()
    await replica.service.create(table.request)
    return table


async def played_out(harness: Harness, replica: Replica, **options: Any) -> Staked:
    """A table with a stake whose match is over and paid."""
    table = await staked(harness, replica, **options)
    await play_until(replica, table.table_id, lambda view: view.status != PLAYING)
    await closed(replica, table.table_id)
    return table


async def reconcile(replica: Replica, table: Staked) -> table_pb2.ReconcileTableResponse:
    """ReconcileTable, as matchmaking asks for it."""
    return await replica.service.reconcile(table.table_id, table.game_id)


async def eventually(what: Callable[[], bool | Awaitable[bool]], seconds: float = 20) -> None:
    """Return once it is true."""
    async with asyncio.timeout(seconds):
        while True:
            told = what()
            if told if isinstance(told, bool) else await told:
                return
            await asyncio.sleep(0.02)


def shares(table: Staked, winning_seats: list[int]) -> list[int]:
    """Balances by seat of a match that was paid once to these two."""
    fee = 4 * STAKE * 250 // 10_000
    return [
        PURSE - STAKE + ((4 * STAKE - fee) // 2 if seat in winning_seats else 0)
        for seat in range(len(table.players))
    ]
