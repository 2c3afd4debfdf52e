"""An operator's commands, over a real matchmaking, and a wallet and tables that keep the contracts."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator

import pytest
from rich.console import Console
from typer.testing import CliRunner

from contract.tables import VOIDED
from jasshaus.cli.commands import app
from jasshaus.cli.operator import counter, pots
from jasshaus.cli.operator.office import Office, Output
from jasshaus.platform.auth import mint_token
from matchmaking.harness import SECRET, Front, Harness, harness_of
from matchmaking.restored import World
from matchmaking.test_restored import state_of, world_of

POT = "0b5e6ab1-2f0f-4d0c-9d1c-4c3f2b6f7a55"


class Screen:
    """A terminal that is read back."""

    def __init__(self, *, as_json: bool = False) -> None:
        self._text = io.StringIO()
        self.output = Output(Console(file=self._text, width=200), as_json)

    @property
    def text(self) -> str:
        return self._text.getvalue()


def yes(_question: str) -> bool:
    return True


def no(_question: str) -> bool:
    return False


@pytest.fixture
async def place(matchmaking_dsn: str, redis_url: str) -> AsyncIterator[Harness]:
    async with harness_of(matchmaking_dsn, redis_url) as built:
        yield built


@pytest.fixture
async def front(place: Harness) -> AsyncIterator[Front]:
    async with place.front(lost_table_grace=600.0, pot_check=0.0) as replica:
        yield replica


@pytest.fixture
async def office(front: Front, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Office]:
    monkeypatch.setenv("JASSHAUS_MATCHMAKING", front.address)
    monkeypatch.setenv("JASSHAUS_WALLET", front.config.wallet_address)
    monkeypatch.setenv("JASSHAUS_TABLE", front.config.table_address)
    async with Office(mint_token(SECRET, "boss", ["operator"])) as opened:
        yield opened


async def stray(place: Harness, front: Front, state: str, table: str = "gone") -> World:
    world = await world_of(place, front)
    await world.write_pot(state)
    await world.write_table(table)
    return world


async def test_no_stakes_are_no_table(office: Office):
    screen = Screen()
    assert await pots.show_list(office, screen.output, only_stuck=False) == 0
    assert screen.text == "No pot is open or locked.\n"


async def test_the_list_says_why_a_pot_waits_and_what_happens_next(
    place: Harness, front: Front, office: Office
):
    game = await front.player("anna").open(0)
    assert game
    world = await stray(place, front, "3")
    played = await stray(place, front, "locked", "playing")
    await front.parts.watch.look()
    screen = Screen()
    await pots.show_list(office, screen.output, only_stuck=False)
    lines = {line.split()[0]: line for line in screen.text.splitlines() if "CHF" in line}
    assert "3 x CHF 1.00" in lines[str(world.game_id)]
    assert "no game, and no known table" in lines[str(world.game_id)]
    assert "stakes are refunded in 9 min" in lines[str(world.game_id)]
    assert lines[str(played.game_id)].rstrip().endswith("the match is running")
    assert "2 pots, 1 stuck." in screen.text
    only = Screen()
    await pots.show_list(office, only.output, only_stuck=True)
    assert str(played.game_id) not in only.text
    assert "1 pot, 1 stuck." in only.text


async def test_programs_get_json(
    place: Harness, front: Front, office: Office, capsys: pytest.CaptureFixture[str]
):
    world = await stray(place, front, "3")
    await front.parts.watch.look()
    capsys.readouterr()
    screen = Screen(as_json=True)
    await pots.show_list(office, screen.output, only_stuck=True)
    printed = capsys.readouterr().out
    (each,) = json.loads(printed[printed.index("[\n  {") :])
    assert each["pot"]["pot_id"] == str(world.game_id)
    assert each["stuck"]["reason"] == "STUCK_REASON_NO_GAME"
    assert screen.text == ""


async def test_a_pot_is_shown_with_its_table_and_advice(place: Harness, front: Front, office: Office):
    played = await stray(place, front, "locked", "playing")
    await played.write_row("PLAYING")
    screen = Screen()
    await pots.show_one(office, screen.output, str(played.game_id))
    assert f"seat 2  {played.players[2]}  CHF 1.00" in screen.text
    assert "game     PLAYING" in screen.text
    assert f"{played.match.table_id} is PLAYING" in screen.text
    assert "leave it: the match is running" in screen.text
    told = await stray(place, front, "locked", "record")
    shown = Screen()
    await pots.show_one(office, shown.output, str(told.game_id))
    assert "its result is kept: seats 0, 2 won" in shown.text
    assert "--winners 0,2" in shown.text


async def test_a_refund_is_recorded_with_who_and_why(place: Harness, front: Front, office: Office):
    world = await stray(place, front, "locked")
    screen = Screen()
    asked: list[str] = []
    assert await pots.refund(
        office, screen.output, str(world.game_id), "lost", lambda q: bool(asked.append(q))
    )
    assert asked == ["Give 4 x CHF 1.00 back?"]
    assert await state_of(world) == "LOCKED"
    assert await pots.refund(office, screen.output, str(world.game_id), "lost", yes) == 0
    assert await state_of(world) == "REFUNDED"
    assert {place.wallet.balance(name) for name in world.players} == {1000}
    assert "Recorded as act" in screen.text
    assert "because: lost" in screen.text
    again = Screen()
    assert await pots.refund(office, again.output, str(world.game_id), "lost", yes) == 1
    assert "Nothing to refund." in again.text
    acts = Screen()
    await counter.list_acts(office, acts.output, "")
    assert "refund_pot" in acts.text


async def test_a_match_that_is_on_is_aborted_instead(place: Harness, front: Front, office: Office):
    world = await stray(place, front, "locked", "playing")
    screen = Screen()
    assert await pots.refund(office, screen.output, str(world.game_id), "x" * 200, no) == 1
    assert await pots.settle(office, screen.output, str(world.game_id), [0, 2], "why", yes) == 1
    assert "nobody has won yet" in screen.text
    assert await pots.refund(office, screen.output, str(world.game_id), "x" * 200, yes) == 0
    assert place.tables.tables[str(world.match.table_id)].status == VOIDED
    assert place.wallet.count("ForceRefundPot") == 0


async def test_an_operator_names_the_winners(place: Harness, front: Front, office: Office):
    world = await stray(place, front, "locked")
    screen = Screen()
    assert await pots.settle(office, screen.output, str(world.game_id), [1, 3], "all saw it", yes) == 0
    assert await state_of(world) == "SETTLED"
    assert [place.wallet.balance(name) for name in world.players] == [900, 1095, 900, 1095]
    assert f"seat 1  {world.players[1]}  CHF 1.95" in screen.text
    assert "settle_pot" in screen.text


async def test_a_table_that_says_otherwise_is_named_first(place: Harness, front: Front, office: Office):
    world = await stray(place, front, "locked", "record")
    screen = Screen()
    assert await pots.settle(office, screen.output, str(world.game_id), [1, 3], "why", no) == 1
    assert "According to the table, seats 0, 2 won." in screen.text
    assert await state_of(world) == "LOCKED"


@pytest.mark.parametrize(
    ("game", "winners", "sides"),
    [
        ("schieber", [0], "0 and 2 or 1 and 3."),
        ("schieber", [0, 1], "0 and 2 or 1 and 3."),
        ("differenzler", [1, 3], "0, 1, 2 or 3."),
        ("unknown", [2, 3], "0 and 2, 1 and 3, 0, 1, 2 or 3."),
    ],
)
async def test_only_seats_that_can_have_won_together_are_paid(
    place: Harness, front: Front, office: Office, game: str, winners: list[int], sides: str
):
    world = await stray(place, front, "locked")
    if game != "unknown":
        await world.write_row("PLAYING", preset=f"{game}-classic")
    screen = Screen()
    assert await pots.settle(office, screen.output, str(world.game_id), winners, "why", yes) == 1
    assert f"cannot have won together: {sides}" in screen.text
    assert await state_of(world) == "LOCKED"


async def test_the_one_winner_of_a_differenzler_is_paid(place: Harness, front: Front, office: Office):
    world = await stray(place, front, "locked")
    await world.write_row("PLAYING", preset="differenzler-classic")
    assert await pots.settle(office, Screen().output, str(world.game_id), [2], "all saw it", yes) == 0
    assert [place.wallet.balance(name) for name in world.players] == [900, 900, 1290, 900]


async def test_fees_are_listed_and_set(office: Office):
    screen = Screen()
    assert await counter.set_fee(office, screen.output, "alpha", (300, 5, 900), None) == 0
    await counter.list_fees(office, screen.output)
    assert "alpha" in screen.text
    assert "3 %" in screen.text


async def test_recoveries_are_listed(office: Office):
    screen = Screen()
    assert await counter.list_recoveries(office, screen.output) == 0
    assert screen.text == "None.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pots", "show", "x"], "is not a pot's id"),
        (["pots", "refund", POT], "--why"),
        (["pots", "refund", POT, "--why", " "], "--why"),
        (["pots", "refund", POT, "--why", "x"], "--yes"),
        (["pots", "settle", POT, "--why", "x", "--winners", "4"], "4"),
        (
            ["pots", "settle", POT, "--why", "x", "--winners", "1,1"],
            "one seat",
        ),
        (
            ["pots", "settle", POT, "--why", "x", "--winners", "0,1,2"],
            "one seat",
        ),
        (["fees", "set", "10001"], "10000"),
        (["pots", "list"], "JASSHAUS_TOKEN is not set"),
    ],
)
def test_a_bad_option_is_named(arguments: list[str], said: str, tmp_path):
    where = ["--data", str(tmp_path)]
    result = CliRunner().invoke(
        app, [*arguments, *where], env={"JASSHAUS_TOKEN": "", "JASSHAUS_DEV_SECRET": ""}
    )
    assert result.exit_code == 2
    assert said in result.output


def test_a_service_that_is_not_there_is_named(tmp_path):
    nowhere = dict.fromkeys(("JASSHAUS_MATCHMAKING", "JASSHAUS_WALLET", "JASSHAUS_TABLE"), "127.0.0.1:1")
    result = CliRunner().invoke(app, ["pots", "list"], env={"JASSHAUS_TOKEN": "x", **nowhere})
    assert result.exit_code == 1
    assert "no answer from 127.0.0.1:1" in result.output


@pytest.mark.parametrize(
    "command", ["pots list", "pots show", "pots refund", "pots settle", "fees set", "acts"]
)
def test_every_command_explains_itself_with_examples(command: str):
    result = CliRunner().invoke(app, [*command.split(), "--help"])
    assert result.exit_code == 0
    assert f"jasshaus {command}" in result.output


async def test_a_pot_that_ended_otherwise_than_its_game_is_listed_and_explained(
    place: Harness, front: Front, office: Office
):
    gone, nameless = await world_of(place, front), await world_of(place, front)
    await gone.write_row("FINISHED")
    await nameless.write_pot("settled")
    await nameless.write_row("CLOSED")
    place.wallet.pots[str(nameless.game_id)].table = ""
    await front.parts.watch.look()
    screen = Screen()
    await pots.show_list(office, screen.output, only_stuck=True)
    lines = {line.split()[0]: line for line in screen.text.splitlines() if "ended differently" in line}
    assert "GONE" in lines[str(gone.game_id)]
    assert "SETTLED" in lines[str(nameless.game_id)]
    assert "2 pots, 2 stuck." in screen.text
    one = Screen()
    await pots.show_one(office, one.output, str(gone.game_id))
    assert "the wallet has no such pot" in one.text
    assert "the game is FINISHED, its pot is gone" in one.text
    assert "listed until 30 days" in one.text
    assert await pots.refund(office, one.output, str(gone.game_id), "ticket 1", yes) != 0
    assert await pots.settle(office, one.output, str(gone.game_id), [0, 2], "ticket 1", yes) != 0
    assert place.wallet.count("ForceRefundPot") == place.wallet.count("ForceSettlePot") == 0
