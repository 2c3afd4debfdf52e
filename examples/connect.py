"""A complete player: join or open a game without a stake, and play random legal cards to the end."""

import signal

signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C during the imports exits without a traceback

import asyncio
import random
import sys
from contextlib import suppress
from os import environ

from jasshaus.client import JassError, Jasshaus, Refused, actions

WHERE = {
    "matchmaking": environ.get("JASSHAUS_MATCHMAKING", "127.0.0.1:7001"),
    "table": environ.get("JASSHAUS_TABLE", "127.0.0.1:7002"),
    "wallet": environ.get("JASSHAUS_WALLET", "127.0.0.1:7003"),
}


def choose(view):
    """Pick one of the legal actions listed in the view."""
    legal = view.legal_actions
    if legal.contracts:
        return actions.choose_contract(random.choice(legal.contracts))
    if legal.declare_weis:
        return actions.declare_weis(legal.best_weis)
    return actions.play_card(random.choice(legal.cards)) if legal.cards else None


async def sit_down(lobby):
    """Join an open game without a stake, or open one."""
    open_games = (await lobby.list_open_games()).games
    free = [game for game in open_games if game.rule_set.target and not game.HasField("quote")]
    return (
        (await lobby.join_game(free[0].game_id)).game if free else await lobby.open_game("schieber-partner")
    )


async def main():
    """Play one match."""
    async with Jasshaus(**WHERE, token=environ.get("JASSHAUS_TOKEN", "")) as jass:
        seat = asyncio.ensure_future(sit_down(jass.lobby))
        try:
            game = await asyncio.shield(seat)
            if missing := [each for each in game.seats if not each.player_id]:
                print(f"Waiting for {len(missing)} more player(s); Ctrl-C leaves the game.", flush=True)
            table_id = await jass.lobby.wait_for_table(game.game_id)
        except asyncio.CancelledError:  # Ctrl-C: give the seat up, unless the match has begun
            with suppress(Refused):
                await jass.lobby.leave_game((await seat).game_id)
            raise
        view = await jass.table.play(table_id, choose)
        print(f"Seat {view.viewer_seat}: seats", *view.outcome.winning_seats, "won:", *view.outcome.points)


try:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    asyncio.run(main())
except JassError as error:  # no token, an expired one, no server, ...
    sys.exit(str(error))
except KeyboardInterrupt:
    sys.exit(130)
