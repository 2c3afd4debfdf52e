from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jasshaus.cli.commands import app
from jasshaus.cli.review import Judgement, judge, row, summary
from jasshaus.rules.cards import parse_card
from jasshaus.rules.events import PlayCard
from jasshaus.rules.game import Match, decide, new_match, replay
from jasshaus.rules.notation import parse_transcript

TRANSCRIPTS = Path(__file__).parent.parent / "rules" / "transcripts"

#: Two tricks before the end: seat 0 leads, and the king it meets is beaten by its partner's ace alone.
BLUNDER = """
preset schieber-classic
deal 1  dealer 3  forehand 0
hand 0  E6 E7 E8 E9 ET EU EO B6 BO
hand 1  R6 R7 R8 R9 RT RU RO SK BK
hand 2  S6 S7 S8 S9 ST SU SO B7 BA
hand 3  EK EA RK RA SA B8 B9 BT BU
contract 0 E
weis 0  -
weis 1  -
weis 2  -
weis 3  -
trick 1  by 0  EU R6 S6 EK
trick 2  by 0  E9 R7 S7 EA
trick 3  by 0  E8 R8 S8 SA
trick 4  by 0  ET R9 S9 RA
trick 5  by 0  EO RT ST RK
trick 6  by 0  E7 RU SU B8
trick 7  by 0  E6 RO SO B9
"""


def position(text: str) -> Match:
    transcript = parse_transcript(text)
    match = new_match(transcript.rules)
    for move in transcript.moves:
        match = replay(match, decide(match, move.command))
    return match


def test_a_blunder_costs_what_it_loses() -> None:
    match = position(BLUNDER + "trick 8  by 0  B6 BK\n")
    best = judge(match, PlayCard(2, parse_card("BA")), 20, 1)
    assert (best.cost, best.differs, best.choices) == (0, False, 2)
    blunder = judge(match, PlayCard(2, parse_card("B7")), 20, 1)
    assert blunder.best == parse_card("BA")
    assert blunder.differs
    # A trick given away breaks the match, whose bonus is 100, wherever the last high cards are.
    assert blunder.cost > 50


def test_the_cost_is_multiplied_as_the_deal_is() -> None:
    once = position(BLUNDER + "trick 8  by 0  B6 BK\n")
    options = "multipliers 3 1 1 1 1 1\n"
    thrice = position(BLUNDER.replace("classic\n", "classic\n" + options) + "trick 8  by 0  B6 BK\n")
    command = PlayCard(2, parse_card("B7"))
    assert judge(thrice, command, 20, 1).cost == pytest.approx(3 * judge(once, command, 20, 1).cost)


def test_the_only_card_is_forced() -> None:
    match = position(BLUNDER + "trick 8  by 0  B6 BK BA BU\n")
    judgement = judge(match, PlayCard(2, parse_card("B7")), 5, 1)
    assert judgement.forced
    assert row(judgement).endswith("[dim]forced[/]")


def test_a_small_difference_is_about_equal() -> None:
    unsure = Judgement(seat=1, played=0, best=1, cost=1.0, error=0.8, choices=3)
    sure = Judgement(seat=1, played=0, best=1, cost=4.0, error=0.8, choices=3)
    assert not unsure.differs
    assert "about equal" in row(unsure)
    assert sure.differs
    assert list(summary([unsure, sure]))[-1] == "  Seat 1    2    1     4.0  [green]E6[/] 4.0"


def reviewed(*arguments: str, text: str | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["review", *arguments], input=text)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("name", ["claim", "undertrump", "differenzler", "false-claim"])
def test_every_card_of_a_match_is_judged(name: str) -> None:
    path = TRANSCRIPTS / f"{name}.jass"
    code, out, err = reviewed(str(path), "--worlds", "3")
    assert (code, err) == (0, "")
    done = [move.command for move in parse_transcript(path.read_text()).moves if not move.refused]
    played = sum(isinstance(command, PlayCard) for command in done)
    rows = [line for line in out.splitlines() if re.match(r"       Seat [0-3]  [ERSB][6-9TUOKA]  ", line)]
    assert len(rows) == played
    assert "Summary" in out


def test_one_seat_alone() -> None:
    _, out, _ = reviewed(str(TRANSCRIPTS / "claim.jass"), "--worlds", "3", "--seat", "2")
    rows = [line for line in out.splitlines() if line.startswith("       Seat")]
    assert len(rows) == 10
    assert all(line.startswith("       Seat 2") for line in rows)


def test_the_same_match_is_judged_the_same() -> None:
    arguments = (str(TRANSCRIPTS / "claim.jass"), "--worlds", "5")
    assert reviewed(*arguments) == reviewed(*arguments)


def test_a_match_without_a_card_has_an_empty_summary() -> None:
    code, out, _ = reviewed("-", text="preset schieber-classic\n")
    assert code == 0
    assert out.splitlines()[-1].startswith("Summary")


def test_a_faulty_transcript_is_pointed_at() -> None:
    code, out, err = reviewed("-", text="preset skat\n")
    assert (code, out) == (1, "")
    assert err.startswith("<stdin>:1:8: ")


@pytest.mark.parametrize(
    "arguments", [["missing.jass"], ["-", "--seat", "4"], ["-", "--worlds", "1"], ["-", "--worlds", "x"]]
)
def test_a_bad_argument_is_refused(arguments: list[str]) -> None:
    assert reviewed(*arguments, text="")[0] == 2
