"""Sit down at an open game (or open one) and play random legal cards to the end of the match."""

import asyncio
import os
import random

from jasshaus.client import Jasshaus, actions


def choose(view):
    """Return what to do: the view says what is legal."""
    legal = view.legal_actions
    if legal.contracts:
        return actions.choose_contract(random.choice(legal.contracts))
    if legal.declare_weis:
        return actions.declare_weis(legal.best_weis)
    if legal.announce_points:
        return actions.announce_points(random.randint(0, 80))
    return actions.play_card(random.choice(legal.cards)) if legal.cards else None


async def main():
    """Play one match."""
    ports = {"matchmaking": 7001, "table": 7002, "wallet": 7003}
    where = {name: os.environ.get(f"JASSHAUS_{name.upper()}", f"127.0.0.1:{ports[name]}") for name in ports}
    async with Jasshaus(**where, token=os.environ["JASSHAUS_TOKEN"]) as jass:
        games = (await jass.lobby.list_open_games()).games
        if games:
            game = (await jass.lobby.join_game(games[0].game_id)).game
        else:
            game = await jass.lobby.open_game("schieber-partner")
        view = await jass.table.play(await jass.lobby.wait_for_table(game.game_id), choose)
        won = "won" if view.viewer_seat in view.outcome.winning_seats else "lost"
        print(f"{view.seats[view.viewer_seat].player_id} {won}, {view.outcome.points}")


asyncio.run(main())
