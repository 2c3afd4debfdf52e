"""Connections killed and callers gone in the middle of everything: still each thing happens once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import psycopg
import pytest

from contract.pots_bank import FOUR, TABLE, Hold, amount, new_id
from eventually import until
from jasshaus.platform import postgres
from jasshaus.platform.errors import Fault
from wallet.audit import findings
from wallet.harness import WAITING_FOR_LOCKS, serve_wallet

GAMES = 24
STAKE = 100
PLAYERS = tuple(f"player-{number}" for number in range(10))


class Insisting:
    """Calls until there is an answer, walking away from some calls in the middle."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.lost = 0
        self.left = 0

    async def __call__(self, call: Callable[[], Awaitable[Any]]) -> Any:
        """The answer, or the reason of a refusal; never an unknown outcome."""
        for _ in range(500):
            try:
                if self.chance.random() < 0.3:
                    return await asyncio.wait_for(call(), self.chance.random() * 0.02)
                return await call()
            except TimeoutError:
                self.left += 1
            except Fault as fault:
                if fault.code != grpc.StatusCode.UNAVAILABLE:
                    return fault.reason
                self.lost += 1
                await asyncio.sleep(self.chance.random() * 0.05)
        pytest.fail("no answer")


async def sabotage(dsn: str, chance: random.Random) -> int:
    """Kill a connection of the wallet every few milliseconds."""
    killed = 0
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as superuser:
        while True:
            await asyncio.sleep(0.005 + chance.random() * 0.025)
            cursor = await superuser.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE usename = 'jasshaus_wallet' AND datname = current_database()"
                " ORDER BY state <> 'active', random() LIMIT 1"
            )
            killed += cursor.rowcount
            sabotage.killed = killed  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", [1, 2])
async def test_a_storm_leaves_every_operation_done_once(bank, wallet, owner, postgres_server, database, seed):
    chance = random.Random(seed)
    insist = Insisting(chance)
    for player in PLAYERS:
        await bank.deposit(player, 5000)
    answers: list[tuple[Callable[[], Awaitable[Any]], Any]] = []

    async def once(call: Callable[[], Awaitable[Any]]) -> Any:
        answer = await insist(call)
        answers.append((call, answer))
        return answer

    async def play(number: int) -> str:
        pot_id, reservations, deposit_id = new_id(), {}, new_id()
        await once(lambda: bank.open(STAKE, pot_id=pot_id))
        players = chance.sample(PLAYERS, 4)
        await once(lambda: bank.deposit(players[0], 7, request_id=deposit_id))
        for seat, player in enumerate(players):
            reservations[seat] = new_id()
            if chance.random() < 0.3:
                first = new_id()
                await insist(lambda p=player, s=seat, r=first: bank.hold(pot_id, s, p, r))
                await once(lambda r=first: bank.release(pot_id, r))
            await once(lambda p=player, s=seat: bank.hold(pot_id, s, p, reservations[s]))
        holds = [
            Hold(seat=seat, player_id=player, reservation_id=reservations[seat], amount=amount(STAKE))
            for seat, player in enumerate(players)
        ]
        await insist(lambda: bank.lock(pot_id, holds))
        if number % 4 == 0:
            await once(lambda: bank.refund(pot_id, table_id=TABLE))
        else:
            await once(lambda: bank.settle(pot_id, (number % 2, 2 + number % 2)))
        return pot_id

    saboteur = asyncio.create_task(sabotage(postgres_server.dsn("postgres", database), chance))
    pots = await asyncio.gather(*(play(number) for number in range(GAMES)))
    saboteur.cancel()
    await asyncio.gather(saboteur, return_exceptions=True)

    # Every operation repeated answers what it answered, but for a hold or pot that has moved on since.
    for call, answer in answers:
        again = await insist(call)
        if isinstance(answer, type(again)) and hasattr(again, "state"):
            assert again.pot_id == answer.pot_id
        elif answer != "RESERVATION_RELEASED" and not (
            isinstance(again, str) and again == "RESERVATION_RELEASED" and isinstance(answer, Hold)
        ):
            assert again == answer

    fees = 0
    expected = dict.fromkeys(PLAYERS, 5000)
    for number, pot_id in enumerate(pots):
        pot = await bank.get(pot_id)
        rows = owner.execute(
            "SELECT player, payout, state FROM wallet.hold"
            " WHERE pot_id = %s AND state IN ('PAID', 'REFUNDED') ORDER BY seat",
            (pot_id,),
        ).fetchall()
        assert len(rows) == 4
        assert {state for *_, state in rows} == ({"REFUNDED"} if number % 4 == 0 else {"PAID"})
        for player, payout, _ in rows:
            expected[player] += (payout or 0) - STAKE
        expected[rows[0][0]] += 7
        fees += pot.fee_taken.minor_units
    assert {player: await bank.balance(player) for player in PLAYERS} == expected
    assert fees == 10 * len([number for number in range(GAMES) if number % 4])
    assert insist.left > 10
    assert wallet.metric("jasshaus_wallet_store_retries_total", cause="connection") > 0
    # How many depends on how fast the machine gets through the games.
    assert sabotage.killed > 3  # type: ignore[attr-defined]
    await wallet.books.roll_up()
    assert findings(owner) == {}
    await bank.assert_sound()


async def test_a_caller_that_leaves_does_not_stop_what_it_began(bank, owner):
    pot = await bank.seated(players=FOUR[:1])
    with owner.transaction():
        owner.execute("SELECT FROM wallet.pot FOR UPDATE")
        refund = asyncio.ensure_future(bank.refund(pot.pot_id))
        await until(lambda: owner.execute(WAITING_FOR_LOCKS).fetchone() == (1,))
        refund.cancel()
        with pytest.raises(asyncio.CancelledError):
            await refund
    async with asyncio.timeout(30):
        while await bank.balance(FOUR[0]) != 1000:
            await asyncio.sleep(0.02)
    assert await bank.balances(FOUR[0]) == [(1000, 0, "CHF")]
    await bank.assert_sound()


async def test_a_crowd_too_large_is_refused_at_once(wallet_dsn, owner, monkeypatch):
    """Not first after all connections have been asked whether they are well: they are, and busy."""
    monkeypatch.setattr(postgres, "_MAX_WAITING", 1)
    async with serve_wallet(wallet_dsn, connections=1) as wallet, wallet.bank() as bank:
        pot = await bank.seated(players=FOUR[:1])
        with owner.transaction():
            owner.execute("SELECT FROM wallet.pot FOR UPDATE")
            busy = asyncio.ensure_future(bank.refund(pot.pot_id))
            await until(lambda: owner.execute(WAITING_FOR_LOCKS).fetchone() == (1,))
            waiting = [asyncio.ensure_future(bank.get(pot.pot_id)) for _ in range(5)]
            # The fifth waits for the connection, for 2 s.
            await until(lambda: sum(task.done() for task in waiting) >= 4)
            done = [task for task in waiting if task.done()]
            assert {task.exception().reason for task in done} == {"STORE_UNAVAILABLE"}
            assert len(done) == 4
        await asyncio.gather(busy, *waiting, return_exceptions=True)
        assert wallet.metric("jasshaus_wallet_store_retries_total", cause="connection") == 0
        await bank.assert_sound()
