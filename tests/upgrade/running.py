"""A stack in the middle of its work: games that are open, played, being settled, and over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Self
from uuid import uuid4

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.common.v1.rules_pb2 import RuleSet
from jasshaus.api.matchmaking.v1.matchmaking_pb2 import Game
from jasshaus.api.table.v1 import table_pb2
from jasshaus.cli.demo.players import choose
from jasshaus.client import Jasshaus, Patience
from jasshaus.devstack.stack import Stack
from jasshaus.platform.auth import Role

STAKE = Amount(currency_code="CHF", minor_units=200)
PURSE = Amount(currency_code="CHF", minor_units=1_000)
OVER = (table_pb2.TABLE_STATUS_FINISHED, table_pb2.TABLE_STATUS_VOIDED)
_PATIENCE = Patience(call=60, attempt=10, stream=90, silence=20, connect=60)
_TABLE = {
    "JASSHAUS_LEAD_PAUSE": "0",
    "JASSHAUS_TRICK_PAUSE": "0",
    "JASSHAUS_TURN_SECONDS": "0",
    "JASSHAUS_WEIS_SECONDS": "0",
}


def busy_stack(folder: Path | None = None) -> Stack:
    """Return a stack whose tables wait for nobody."""
    return Stack(
        folder,
        environment={"table": _TABLE, "matchmaking": {"JASSHAUS_STAKES": "200", "JASSHAUS_POT_CHECK": "1"}},
        arguments={"table": ["--seed", "7"]},
        fsync=False,
    )


class Crew:
    """People at a stack, by name, and its operator."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self._clients: dict[str, Jasshaus] = {}
        self._opened = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self.operator = await self._client("operator", Role.OPERATOR)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._opened.aclose()

    async def person(self, name: str) -> Jasshaus:
        """Return the client of a person."""
        if name not in self._clients:
            self._clients[name] = await self._client(name, Role.PLAYER)
        return self._clients[name]

    async def _client(self, name: str, role: Role) -> Jasshaus:
        ends = self.stack.endpoints
        return await self._opened.enter_async_context(
            Jasshaus(
                matchmaking=ends.matchmaking,
                table=ends.any_table,
                wallet=ends.wallet,
                token=self.stack.token(name, [role]),
                patience=_PATIENCE,
            )
        )

    async def newcomers(self, number: int) -> list[str]:
        """Return the names of people who have money."""
        names = [f"player-{uuid4()}" for _ in range(number)]
        for name in names:
            await self.operator.wallet.deposit(name, PURSE)
        return names

    async def seat(self, preset: str, options: RuleSet, number: int = 4) -> Game:
        """Seat so many newcomers at a new game."""
        names = await self.newcomers(number)
        first = await self.person(names[0])
        game = await first.lobby.open_game(preset, stake=STAKE, overrides=options)
        for name in names[1:]:
            await (await self.person(name)).lobby.join_game(game.game_id)
        if number == 4:
            await first.lobby.wait_for_table(game.game_id)
        return await first.lobby.get_game(game.game_id)

    async def play(self, game: Game, until: Callable[[table_pb2.TableView], bool]) -> table_pb2.TableView:
        """Play a game's table, all four seats, until a view of it is as wanted."""
        while True:
            view = await self.operator.table.get_table(game.table_id)
            if until(view):
                return view
            asked = next((seat for seat in view.seats if seat.deciding), None)
            if asked is None:
                await asyncio.sleep(0.05)
                continue
            player = await self.person(asked.player_id)
            mine = await player.table.get_table(game.table_id)
            action = choose(mine)
            assert action is not None
            await player.table.act(game.table_id, action, expected_version=mine.version)


async def plan(crew: Crew) -> dict[str, str]:
    """Bring games to where they are of interest; returns their ids by what they are."""
    over = await crew.seat("schieber-classic", RuleSet(target=100))
    await crew.play(over, lambda view: view.status in OVER)
    schieber = await crew.seat("schieber-classic", RuleSet(target=400))
    await crew.play(schieber, lambda view: len(view.deals) == 1 and len(view.tricks) == 3)
    announcing = await crew.seat("differenzler-classic", RuleSet(rounds=2))
    await crew.play(announcing, lambda view: len(view.differenzler.announcements) == 2)
    partner = await crew.seat("schieber-partner", RuleSet(target=300))
    await crew.play(partner, lambda view: len(view.trick.cards) == 2)
    waiting = await crew.seat("schieber-classic", RuleSet(target=100), number=2)
    settling = await crew.seat("schieber-classic", RuleSet(target=100))
    await crew.stack.processes["wallet"].terminate()
    await crew.play(settling, lambda view: view.status == table_pb2.TABLE_STATUS_SETTLING)
    return {
        "over": over.game_id,
        "schieber": schieber.game_id,
        "announcing": announcing.game_id,
        "partner": partner.game_id,
        "waiting": waiting.game_id,
        "settling": settling.game_id,
    }
