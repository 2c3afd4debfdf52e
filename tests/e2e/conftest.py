"""One running stack for all end-to-end tests, two table replicas, and people to sit down at it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from uuid import uuid4

import psycopg
import pytest

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.common.v1.rules_pb2 import RuleSet
from jasshaus.api.matchmaking.v1.matchmaking_pb2 import Game
from jasshaus.api.table.v1.table_pb2 import TableView
from jasshaus.api.wallet.v1.wallet_pb2 import Balance
from jasshaus.cli.demo import audit
from jasshaus.cli.demo.players import choose as play_well
from jasshaus.client import Choose, Jasshaus, Patience
from jasshaus.devstack.stack import Stack
from jasshaus.platform.auth import DEFAULT_TENANT, Role

SEED = 7
PURSE = 1_000
STAKE = 200
PATIENCE = Patience(call=60, attempt=10, stream=90, silence=20, connect=60)

# Nobody waits between tricks; a match that stands still is a failure of the test, not of a stand-in's clock.
TABLE = {
    "JASSHAUS_LEAD_PAUSE": "0",
    "JASSHAUS_TRICK_PAUSE": "0",
    "JASSHAUS_TURN_SECONDS": "0",
    "JASSHAUS_WEIS_SECONDS": "0",
}

MATCHMAKING = {"JASSHAUS_STAKES": "100,101,200,500,1000", "JASSHAUS_POT_CHECK": "1"}


def chf(minor_units: int) -> Amount:
    return Amount(currency_code="CHF", minor_units=minor_units)


@dataclass(frozen=True)
class Party:
    """Four people at one game, by seat, and what they had before they sat down."""

    game: Game
    players: Sequence[str]
    clients: Sequence[Jasshaus]
    before: dict[str, Balance]

    async def table_id(self) -> str:
        return await self.clients[0].lobby.wait_for_table(self.game.game_id)


class House:
    """A stack and its operator, as a test sees them. Every test brings people of its own."""

    def __init__(self, stack: Stack, operator: Jasshaus, clients: AsyncExitStack) -> None:
        self.stack = stack
        self.operator = operator
        self._clients = clients

    async def client(
        self,
        subject: str,
        roles: Sequence[Role] = (Role.PLAYER,),
        *,
        tenant: str = DEFAULT_TENANT,
        table: str | None = None,
    ) -> Jasshaus:
        return await self._clients.enter_async_context(
            Jasshaus(
                matchmaking=self.stack.endpoints.matchmaking,
                table=table or self.stack.endpoints.any_table,
                wallet=self.stack.endpoints.wallet,
                token=self.stack.token(subject, roles, tenant),
                patience=PATIENCE,
            )
        )

    async def people(self, number: int, purse: int = PURSE) -> dict[str, Jasshaus]:
        """People with money, each with a client."""
        found = {}
        for _ in range(number):
            name = f"player-{uuid4()}"
            if purse:
                await self.operator.wallet.deposit(name, chf(purse))
            found[name] = await self.client(name)
        return found

    async def seat_four(
        self,
        *,
        preset: str = "schieber-classic",
        target: int = 300,
        stake: int = STAKE,
        overrides: RuleSet | None = None,
    ) -> Party:
        """Four new people at a new game, which has started; `target` is for a Schieber without overrides."""
        people = await self.people(4)
        before = {name: await client.wallet.get_balance("CHF") for name, client in people.items()}
        names, clients = list(people), list(people.values())
        game = await clients[0].lobby.open_game(
            preset, stake=chf(stake) if stake else None, overrides=overrides or RuleSet(target=target)
        )
        for client in clients[1:]:
            await client.lobby.join_game(game.game_id)
        game = await clients[0].lobby.get_game(game.game_id)
        assert [seat.player_id for seat in game.seats] == names
        return Party(game, names, clients, before)

    async def play(self, party: Party, choose: Sequence[Choose] | Choose = play_well) -> list[TableView]:
        """Play all four seats to the end; returns the last views by seat."""
        table_id = await party.table_id()
        choices = [choose] * 4 if callable(choose) else list(choose)
        async with asyncio.timeout(120), asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(client.table.play(table_id, each))
                for client, each in zip(party.clients, choices, strict=True)
            ]
        return [task.result() for task in tasks]

    async def books(self, party: Party, view: TableView) -> audit.Books:
        game_id = party.game.game_id
        people = dict(zip(party.players, party.clients, strict=True))
        return audit.Books(
            view=view,
            game=await self.operator.lobby.get_game(game_id),
            pot=await self.operator.wallet.get_pot(game_id) if party.game.HasField("quote") else None,
            before=party.before,
            after={name: await each.wallet.get_balance("CHF") for name, each in people.items()},
            entries={
                name: [entry async for entry in each.wallet.all_entries("CHF") if entry.pot_id == game_id]
                for name, each in people.items()
            },
            trial=await self.operator.wallet.trial_balance(),
        )


def ledger_faults(dsn: str) -> list[str]:
    """What the ledger's own tables say against it, in SQL and not in the wallet's words."""
    checks = {
        "a journal that does not add to zero": """
            SELECT count(*) FROM (SELECT 1 FROM wallet.entry GROUP BY journal_id, currency HAVING sum(amount)
            <> 0) x""",
        "a currency that does not add to zero": """
            SELECT count(*) FROM (SELECT 1 FROM wallet.entry GROUP BY currency HAVING sum(amount) <> 0) x""",
        "a player or pot whose balance is not the sum of its entries": """
            SELECT count(*) FROM (
                SELECT a.id FROM wallet.account a LEFT JOIN wallet.entry e ON e.account_id = a.id
                WHERE a.kind IN ('player', 'pot') GROUP BY a.id, a.balance
                HAVING a.balance <> coalesce(sum(e.amount), 0)) x""",
        "a player below zero": "SELECT count(*) FROM wallet.account WHERE kind = 'player' AND balance < 0",
        "money in a pot that is over": """
            SELECT count(*) FROM wallet.pot p JOIN wallet.account a ON a.id = p.account_id
            WHERE p.state IN ('SETTLED', 'REFUNDED') AND a.balance <> 0""",
    }
    with psycopg.connect(dsn) as connection:
        return [name for name, check in checks.items() if connection.execute(check).fetchone() != (0,)]


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """A running stack in a temporary folder; tests that stop a part of it start it again."""
    with asyncio.Runner() as runner:
        running = Stack(
            None,
            tables=2,
            environment={"table": TABLE, "matchmaking": MATCHMAKING},
            arguments={"table": ["--seed", str(SEED)]},
            fsync=False,
        )
        runner.run(running.start())
        yield running
        runner.run(running.stop())


@pytest.fixture
async def house(stack: Stack) -> AsyncIterator[House]:
    """The stack with its operator. Whatever a test did, the ledger is sound after it."""
    async with AsyncExitStack() as clients:
        operator = await clients.enter_async_context(
            Jasshaus(
                matchmaking=stack.endpoints.matchmaking,
                table=stack.endpoints.any_table,
                wallet=stack.endpoints.wallet,
                token=stack.token("operator", [Role.OPERATOR]),
                patience=PATIENCE,
            )
        )
        yield House(stack, operator, clients)
        assert (await operator.wallet.trial_balance()).balanced
    assert ledger_faults(stack.dsn()) == []
