"""Join a game without a stake (or open one) and play random legal cards to the end of the match."""

import signal

signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C during the imports exits without a traceback

import asyncio
import os
import random
import sys

from jasshaus.client import JassError, Jasshaus, Refused, actions


def choose(view):
    """Pick one of the legal actions listed in the view."""
    legal = view.legal_actions
    if legal.contracts:
        return actions.choose_contract(random.choice(legal.contracts))
    if legal.declare_weis:
        return actions.declare_weis(legal.best_weis)
    if legal.announce_points:
        return actions.announce_points(random.randint(0, 80))
    return actions.play_card(random.choice(legal.cards)) if legal.cards else None


async def sit_down(lobby):
    """Return a game we sit in, which may be from an earlier run."""
    for game in (await lobby.list_open_games()).games:
        try:
            if not game.quote.stake.minor_units:
                return (await lobby.join_game(game.game_id)).game
        except Refused as refusal:
            if refusal.reason == "ALREADY_SEATED":
                return game
    return await lobby.open_game("schieber-partner")


async def main():
    """Play one match."""
    token = os.environ.get("JASSHAUS_TOKEN") or sys.exit("JASSHAUS_TOKEN is not set; make run prints tokens")
    ports = {"matchmaking": 7001, "table": 7002, "wallet": 7003}
    where = {name: os.environ.get(f"JASSHAUS_{name.upper()}", f"127.0.0.1:{ports[name]}") for name in ports}
    async with Jasshaus(**where, token=token) as jass:
        seat = asyncio.ensure_future(sit_down(jass.lobby))
        try:
            game = await asyncio.shield(seat)
            if missing := [each for each in game.seats if not each.player_id]:
                print(f"Waiting for {len(missing)} more player(s); Ctrl-C leaves the game.", flush=True)
            table_id = await jass.lobby.wait_for_table(game.game_id)
        except asyncio.CancelledError:  # Ctrl-C: do not keep the others waiting
            game = await seat
            try:
                await jass.lobby.leave_game(game.game_id)
            except Refused:  # the match has begun
                await jass.table.act(await jass.lobby.wait_for_table(game.game_id), actions.leave())
            raise
        try:
            view = await jass.table.play(table_id, choose)
        except asyncio.CancelledError:  # hand over to a stand-in
            await jass.table.act(table_id, actions.leave())
            raise
        won = "won" if view.viewer_seat in view.outcome.winning_seats else "lost"
        print(f"{view.seats[view.viewer_seat].player_id} {won}, {view.outcome.points}")


try:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    asyncio.run(main())
except (JassError, KeyboardInterrupt) as end:
    sys.exit(str(end) or 130)
