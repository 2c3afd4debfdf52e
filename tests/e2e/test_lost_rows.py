"""Matchmaking's database is restored alone: wallet and tables know of games whose rows are gone, or older."""

from __future__ import annotations

import asyncio
import json
import os
import sys

import psycopg
import pytest

from jasshaus.api.matchmaking.v1.matchmaking_pb2 import GameStatus
from jasshaus.api.wallet.v1.wallet_pb2 import PotState
from jasshaus.cli.demo import audit
from jasshaus.client import NotFound
from jasshaus.platform.auth import Role

from .conftest import PURSE, STAKE, House, Party, chf

PLAYING = GameStatus.GAME_STATUS_PLAYING


def mangle(house: House, statement: str, game_id: str) -> None:
    with psycopg.connect(house.stack.dsn()) as connection:
        connection.execute(statement, (game_id,))


async def until_played(party: Party) -> None:
    async with asyncio.timeout(90):
        while True:
            try:
                game = await party.clients[0].lobby.get_game(party.game.game_id)
            except NotFound:
                game = None
            if game is not None and game.status == PLAYING:
                return
            await asyncio.sleep(0.1)


@pytest.mark.parametrize(
    "restored",
    [
        "DELETE FROM matchmaking.game WHERE game_id = %s",
        """UPDATE matchmaking.game SET status = 'OPEN', table_id = NULL, seats = NULL, next_check = now(),
           expire_time = now() - interval '1 minute' WHERE game_id = %s""",
        """UPDATE matchmaking.game SET status = 'CLOSED', table_id = NULL, seats = NULL, next_check = NULL
           WHERE game_id = %s""",
        "UPDATE matchmaking.game SET status = 'STARTING', next_check = now() WHERE game_id = %s",
    ],
    ids=["missing", "open", "closed", "starting"],
)
async def test_a_match_whose_row_tells_of_another_time_is_played_and_paid(
    house: House, restored: str
) -> None:
    party = await house.seat_four()
    table_id = await party.table_id()
    mangle(house, restored, party.game.game_id)
    await until_played(party)
    game = await party.clients[2].lobby.get_game(party.game.game_id)
    assert game.table_id == table_id
    assert [seat.player_id for seat in game.seats] == list(party.players)
    assert game.quote.stake == chf(STAKE)
    views = await house.play(party)
    async with asyncio.timeout(90):
        while (
            await house.operator.lobby.get_game(party.game.game_id)
        ).status != GameStatus.GAME_STATUS_FINISHED:
            await asyncio.sleep(0.1)
    view = await house.operator.table.get_table(table_id)
    assert views
    assert audit.disagreements(await house.books(party, view)) == []


async def test_an_operator_gives_back_stakes_whose_row_is_gone(house: House) -> None:
    people = await house.people(2)
    (anna, first), (beat, second) = people.items()
    game = await first.lobby.open_game("schieber-classic", stake=chf(STAKE))
    await second.lobby.join_game(game.game_id)
    mangle(house, "DELETE FROM matchmaking.game WHERE game_id = %s", game.game_id)
    async with asyncio.timeout(90):
        while game.game_id not in [each["pot"]["pot_id"] for each in await listed(house)]:
            await asyncio.sleep(0.2)
    (each,) = [each for each in await listed(house) if each["pot"]["pot_id"] == game.game_id]
    assert each["stuck"]["reason"] == "STUCK_REASON_NO_GAME"
    shown = await jasshaus(house, "pots", "show", game.game_id)
    assert "its stakes are refunded automatically in" in shown
    said = await jasshaus(house, "pots", "refund", game.game_id, "--why", "ticket 4711", "--yes")
    assert "by boss of default" in said
    assert "because: ticket 4711" in said
    pot = await house.operator.wallet.get_pot(game.game_id)
    assert pot.state == PotState.POT_STATE_REFUNDED
    for name in (anna, beat):
        balance = await house.operator.wallet.get_balance("CHF", player_id=name)
        assert (balance.available, balance.in_pots) == (chf(PURSE), chf(0))


async def listed(house: House) -> list[dict[str, dict[str, str]]]:
    found: list[dict[str, dict[str, str]]] = json.loads(
        await jasshaus(house, "pots", "list", "--stuck", "--json")
    )
    return found


async def jasshaus(house: House, *arguments: str) -> str:
    where = house.stack.endpoints
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "jasshaus.cli",
        *arguments,
        env={
            **os.environ,
            "JASSHAUS_MATCHMAKING": where.matchmaking,
            "JASSHAUS_TABLE": where.any_table,
            "JASSHAUS_WALLET": where.wallet,
            "JASSHAUS_TOKEN": house.stack.token("boss", [Role.OPERATOR]),
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()
