"""`jasshaus up` as a person runs it: what it prints works, it stops without a trace, it survives kill -9."""

from __future__ import annotations

import asyncio
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jasshaus.api.table.v1.table_pb2 import Action, TableStatus, TableView
from jasshaus.cli.demo.players import choose as play_well
from jasshaus.client import Jasshaus

from .conftest import PATIENCE, chf
from .upstart import JASSHAUS, Up, descendants, environ, new_folder, still_there, unix_sockets

PLAYERS = ("anna", "beat", "claudia", "dario")
EXAMPLE = Path(__file__).parents[2] / "examples" / "play.py"


@pytest.fixture
def data() -> Iterator[Path]:
    folder = new_folder()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def start(data: Path) -> Iterator[Callable[[], Up]]:
    """Starts `jasshaus up`; one that a failed test left is killed, and with it all that it started."""
    started: list[Up] = []

    def begin() -> Up:
        started.append(Up(data))
        return started[-1]

    yield begin
    for up in started:
        if up.process.poll() is None:
            up.send(signal.SIGKILL)


def connect(up: Up, who: str) -> Jasshaus:
    return Jasshaus(**up.endpoints, token=up.tokens[who], patience=PATIENCE)


async def balances(up: Up) -> dict[str, int]:
    found = {}
    for player in PLAYERS:
        async with connect(up, player) as jass:
            found[player] = (await jass.wallet.get_balance("CHF")).available.minor_units
    return found


async def open_table(up: Up, target: int) -> str:
    """All four sit down; returns the table's id."""
    async with connect(up, "anna") as anna:
        game = await anna.lobby.open_game("schieber-partner", stake=chf(200))
        for player in PLAYERS[1:]:
            async with connect(up, player) as jass:
                await jass.lobby.join_game(game.game_id)
        return await anna.lobby.wait_for_table(game.game_id)


async def play(up: Up, table_id: str, *, tricks: int = 1_000) -> list[TableView]:
    """Play all four seats, to the end or until so many tricks of the first deal are made."""

    def choose(view: TableView) -> Action | None:
        return None if view.deal > 1 or len(view.tricks) >= tricks else play_well(view)

    async def seat(player: str) -> TableView:
        async with connect(up, player) as jass:
            if tricks >= 1_000:
                return await jass.table.play(table_id, play_well)
            playing = asyncio.create_task(jass.table.play(table_id, choose))
            while (view := await jass.table.get_table(table_id)).deal == 1 and len(view.tricks) < tricks:
                await asyncio.sleep(0.2)
            playing.cancel()
            return view

    async with asyncio.timeout(120):
        return await asyncio.gather(*map(seat, PLAYERS))


async def test_the_line_it_prints_plays_a_match_and_a_clean_stop_leaves_nothing(
    data: Path, start: Callable[[], Up]
) -> None:
    up = start()
    up.wait_until_up()
    assert set(up.endpoints) == {"matchmaking", "table", "wallet"}
    assert set(up.tokens) == {*PLAYERS, "operator"}
    assert await balances(up) == dict.fromkeys(PLAYERS, 10_000)

    second = subprocess.run(
        [*JASSHAUS, "up", "--data", str(data)],
        capture_output=True,
        text=True,
        env=environ(),
        check=False,
        timeout=30,
    )
    assert second.returncode == 1
    assert "in use" in second.stderr
    assert "Traceback" not in second.stderr

    played = subprocess.run(
        ["bash", "-c", up.one_line],
        capture_output=True,
        text=True,
        env=environ(),
        check=False,
        timeout=180,
    )
    # Four processes write to one pipe: their lines may be torn.
    assert sorted(re.findall("won|lost", played.stdout)) == ["lost", "lost", "won", "won"], played

    processes = descendants(up.process.pid)
    assert len(processes) >= 5
    assert len(unix_sockets(data)) >= 2
    assert up.send(signal.SIGINT) == 0
    assert "Traceback" not in up.text
    assert still_there(processes) == []
    assert unix_sockets(data) == []
    for address in up.endpoints.values():
        host, _, port = address.partition(":")
        with pytest.raises(OSError), socket.create_connection((host, int(port)), timeout=1):
            pass


async def test_balances_and_running_tables_survive_a_restart_and_a_kill(start: Callable[[], Up]) -> None:
    up = start()
    up.wait_until_up()
    table_id = await open_table(up, 1000)
    stopped = await play(up, table_id, tricks=2)
    assert up.send(signal.SIGTERM) == 0

    up = start()
    up.wait_until_up()
    assert await balances(up) == dict.fromkeys(PLAYERS, 10_000 - 200)
    async with connect(up, "anna") as anna:
        view = await anna.table.get_table(table_id)
    assert list(view.tricks)[:2] == list(stopped[0].tricks)[:2]
    await play(up, table_id, tricks=5)
    processes = descendants(up.process.pid)
    up.send(signal.SIGKILL)
    assert still_there(processes) == []

    up = start()
    up.wait_until_up()
    async with connect(up, "anna") as anna:
        again = await anna.table.get_table(table_id)
    assert again.status == TableStatus.TABLE_STATUS_PLAYING
    assert list(again.tricks)[:2] == list(view.tricks)[:2]
    views = await play(up, table_id)
    assert views[0].status == TableStatus.TABLE_STATUS_FINISHED
    assert sum((await balances(up)).values()) == 40_000 - views[0].outcome.fee.minor_units
    async with connect(up, "operator") as operator:
        assert (await operator.wallet.trial_balance()).balanced
    assert up.send(signal.SIGINT) == 0


@pytest.mark.parametrize("seconds", [0.3, 1.5])
def test_a_start_that_is_interrupted_leaves_nothing(
    data: Path, start: Callable[[], Up], seconds: float
) -> None:
    up = start()
    with pytest.raises(subprocess.TimeoutExpired):
        up.process.wait(seconds)
    processes = descendants(up.process.pid)
    assert up.send(signal.SIGINT) != 0
    assert still_there(processes) == []
    assert unix_sockets(data) == []


def test_the_example_needs_no_more_than_a_token_when_the_ports_are_the_usual_ones() -> None:
    text = EXAMPLE.read_text()
    assert all(port in text for port in ("7001", "7002", "7003"))
    compile(text, str(EXAMPLE), "exec")
