"""The examples as somebody tries them out: without what it needs, with others at play, broken off."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from jasshaus.api.matchmaking.v1.matchmaking_pb2 import Game, GameStatus
from jasshaus.api.table.v1.table_pb2 import SeatView
from jasshaus.client import Jasshaus

from .conftest import House, chf

EXAMPLES = Path(__file__).parents[2] / "examples"
Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts an example with these settings; it does not outlive the test."""
    started: list[subprocess.Popen[str]] = []

    def begin(name: str = "play.py", path: str = "", **settings: str) -> subprocess.Popen[str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("JASSHAUS_")}
        kept |= {"PYTHONPATH": path} if path else {}
        started.append(
            subprocess.Popen(
                [sys.executable, str(EXAMPLES / name)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**kept, **{f"JASSHAUS_{key.upper()}": value for key, value in settings.items()}},
            )
        )
        return started[-1]

    yield begin
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def settings(house: House, player: str) -> dict[str, str]:
    where = house.stack.endpoints
    return {
        "matchmaking": where.matchmaking,
        "table": where.table,
        "wallet": where.wallet,
        "token": house.stack.token(player),
    }


async def seated(house: House, player: str) -> Game:
    """Wait until the player sits in an open game."""
    async with asyncio.timeout(30):
        while True:
            for game in (await house.operator.lobby.list_open_games(page_size=200)).games:
                if player in [seat.player_id for seat in game.seats if not seat.pending]:
                    return game
            await asyncio.sleep(0.1)


def test_without_a_token_it_says_what_is_missing(start: Start) -> None:
    process = start()
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert errors == "JASSHAUS_TOKEN is not set; make run prints tokens\n"


def test_without_a_server_it_says_where_nobody_answers(start: Start) -> None:
    process = start(token="t", matchmaking="127.0.0.1:1")
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert errors == "UNAVAILABLE: no answer from 127.0.0.1:1 (waited 5 s)\n"


@pytest.mark.parametrize("name", ["play.py", "connect.py"])
@pytest.mark.parametrize("module", ["asyncio", "grpc"])
def test_ctrl_c_during_the_imports_is_quiet(tmp_path: Path, start: Start, name: str, module: str) -> None:
    slow = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(30)\n"
    (tmp_path / f"{module}.py").write_text(slow)
    process = start(name, path=str(tmp_path))
    said, errors = process.communicate(timeout=30)
    assert (process.returncode, said, errors) == (-signal.SIGINT, "", "")


@pytest.mark.parametrize("name", ["play.py", "connect.py"])
async def test_it_takes_nobodys_money_and_leaves_when_it_is_interrupted(
    house: House, start: Start, name: str
) -> None:
    people = await house.people(1)
    staked = await next(iter(people.values())).lobby.open_game("schieber-partner", stake=chf(200))
    player = f"player-{uuid4()}"
    process = start(name, **settings(house, player))
    game = await seated(house, player)
    assert game.game_id != staked.game_id
    assert process.stdout is not None
    said = await asyncio.to_thread(process.stdout.readline)
    assert re.fullmatch(r"Waiting for [1-3] more player\(s\); Ctrl-C leaves the game\.\n", said)
    process.send_signal(signal.SIGINT)
    _, errors = await asyncio.to_thread(process.communicate, timeout=30)
    assert (process.returncode, errors) == (130, "")
    game = await house.operator.lobby.get_game(game.game_id)
    assert player not in [seat.player_id for seat in game.seats]


async def test_started_again_it_waits_where_it_already_sits(house: House, start: Start) -> None:
    player = f"player-{uuid4()}"
    first = start(**settings(house, player))
    game = await seated(house, player)
    first.kill()
    second = start(**settings(house, player))
    with pytest.raises(subprocess.TimeoutExpired):
        await asyncio.to_thread(second.communicate, timeout=3)
    free = [seat for seat in game.seats if not seat.player_id]
    for person in (await house.people(len(free), purse=0)).values():
        await person.lobby.join_game(game.game_id)
    async with asyncio.timeout(30):
        while not (table_id := (await house.operator.lobby.get_game(game.game_id)).table_id):
            await asyncio.sleep(0.1)
    assert (await house.operator.lobby.get_game(game.game_id)).status == GameStatus.GAME_STATUS_PLAYING
    await house.operator.table.abort_table(table_id, "the test is over")
    _, errors = await asyncio.to_thread(second.communicate, timeout=30)
    assert "ALREADY_SEATED" not in errors


async def test_stopped_during_a_match_it_leaves_its_hand_to_a_stand_in(house: House, start: Start) -> None:
    player = f"player-{uuid4()}"
    process = start(**settings(house, player))
    game = await seated(house, player)
    free = [seat for seat in game.seats if not seat.player_id]
    people = list((await house.people(len(free), purse=0)).values())
    for person in people:
        await person.lobby.join_game(game.game_id)
    table_id = await people[-1].lobby.wait_for_table(game.game_id)
    # The others do nothing, so the match waits for them; it may not have noticed yet that the match began.
    async with asyncio.timeout(30):
        process.send_signal(signal.SIGINT)
        _, errors = await asyncio.to_thread(process.communicate, timeout=30)
        assert (process.returncode, errors) == (130, "")
        while not (await seat_of(people[-1], table_id, player)).away:
            await asyncio.sleep(0.1)
    await house.operator.table.abort_table(table_id, "the test is over")


async def seat_of(jass: Jasshaus, table_id: str, player: str) -> SeatView:
    (seat,) = [each for each in (await jass.table.get_table(table_id)).seats if each.player_id == player]
    return seat


async def test_four_of_the_readmes_players_play_a_match(house: House, start: Start) -> None:
    # A lobby of their own, where no other test has left a game.
    tenant = f"readme-{uuid4().hex[:8]}"
    players = []
    for name in ("anna", "beat", "claudia", "dario"):
        known = {**settings(house, name), "token": house.stack.token(name, tenant=tenant)}
        players.append(start("connect.py", **known))
        if name == "anna":
            # She opens the game that the others find.
            await opened(house, tenant)
    ended = await asyncio.gather(*(asyncio.to_thread(each.communicate, timeout=90) for each in players))
    assert [each.returncode for each in players] == [0] * 4, ended
    seats, results = zip(*(out.splitlines()[-1].split(": ", 1) for out, _ in ended), strict=True)
    assert sorted(seats) == ["Seat 0", "Seat 1", "Seat 2", "Seat 3"]
    assert len(set(results)) == 1
    assert results[0].startswith("seats ")


async def opened(house: House, tenant: str) -> None:
    where = house.stack.endpoints
    token = house.stack.token("watcher", tenant=tenant)
    async with (
        Jasshaus(matchmaking=where.matchmaking, table=where.table, wallet=where.wallet, token=token) as jass,
        asyncio.timeout(30),
    ):
        while not (await jass.lobby.list_open_games()).games:
            await asyncio.sleep(0.1)
