"""A whole player: join an open game without a stake, or open one, and play random legal cards to the end."""

import asyncio
import random
from os import environ

from jasshaus.client import Jasshaus, actions

WHERE = {
    "matchmaking": environ.get("JASSHAUS_MATCHMAKING", "127.0.0.1:7001"),
    "table": environ.get("JASSHAUS_TABLE", "127.0.0.1:7002"),
    "wallet": environ.get("JASSHAUS_WALLET", "127.0.0.1:7003"),
}


def choose(view):
    """Return what to do: the view says what is legal."""
    legal = view.legal_actions
    if legal.contracts:
        return actions.choose_contract(random.choice(legal.contracts))
    if legal.declare_weis:
        return actions.declare_weis(legal.best_weis)
    return actions.play_card(random.choice(legal.cards)) if legal.cards else None


async def main():
    """Play one match."""
    async with Jasshaus(**WHERE, token=environ["JASSHAUS_TOKEN"]) as jass:
        open_games = (await jass.lobby.list_open_games()).games
        free = [game for game in open_games if game.rule_set.target and not game.HasField("quote")]
        if free:
            game = (await jass.lobby.join_game(free[0].game_id)).game
        else:
            game = await jass.lobby.open_game("schieber-partner")
        view = await jass.table.play(await jass.lobby.wait_for_table(game.game_id), choose)
        print("seats", *view.outcome.winning_seats, "won:", *view.outcome.points)


asyncio.run(main())
