from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.text import Text
from typer.testing import CliRunner

from jasshaus.cli.commands import app
from jasshaus.cli.review.judging import Choice, ClaimMade, ClaimMissed, Declaration, Figure, Judgement
from jasshaus.cli.review.rows import row, summary
from jasshaus.cli.words import Style
from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.weis import weis_of
from jasshaus.rules.schieber import ChooseContract, DeclareWeis, PlayCard, Push, StartDeal
from jasshaus.rules.transcript import parse_transcript

TRANSCRIPTS = Path(__file__).parent.parent / "rules" / "transcripts"

E6, E7 = PlayCard(1, 0), PlayCard(1, 1)
UNSURE = Choice(E6, E7, cost=1.0, error=0.8, choices=3, deal=1, trick=2)
SURE = Choice(E6, E7, cost=4.0, error=0.8, choices=3, deal=2, trick=5)
SHORT = weis_of(0b111)
assert SHORT is not None


@pytest.mark.parametrize(
    ("judgement", "text"),
    [
        (Choice(E6, E6, 0, 0, choices=1), "E6  forced"),
        (Choice(E6, E6, 0, 0, choices=2), "E6  as strong"),
        (UNSURE, "E6  strong E7    1.0 ± 0.8  about equal"),
        (SURE, "E6  strong E7    4.0 ± 0.8  !"),
        (
            Choice(Push(1), ChooseContract(1, Contract.UNENUFE), 41.5, 9.0, choices=7),
            "push  strong Unenufe   41.5 ± 9.0  !",
        ),
        (Declaration(1, ((SHORT, 20),), ((SHORT, 20),), 0), "run of 3 (20) E6 E7 E8  as strong"),
        (Declaration(1, (), ((SHORT, 20),), 40), "no Weis  strong run of 3 (20) E6 E7 E8  up to 40  !"),
        (Declaration(1, (), ((SHORT, 20),), 0), "no Weis  strong run of 3 (20) E6 E7 E8  no loss"),
        (ClaimMade(1, certain=True, true=True), "claim  as strong"),
        (ClaimMade(1, certain=False, true=True), "claim  strong plays on  not certain, but true"),
        (ClaimMade(1, certain=False, true=False), "claim  strong plays on  it costs the match  !"),
        (ClaimMissed(1, lost=True), "no claim  strong claims  it costs the match  !"),
        (ClaimMissed(1, lost=False), "no claim  strong claims  it cost nothing"),
        (Figure(1, 40, 52), "announced 40  strong 52"),
        (Figure(1, 40, 40, made=31), "announced 40  as strong  made 31, 9 off"),
    ],
)
def test_each_judgement_has_a_line(judgement: Judgement, text: str) -> None:
    assert Text.from_markup(row(judgement, Style())).plain == f"       Seat 1  {text}"


def summed(*judged: Judgement) -> list[str]:
    return [Text.from_markup(line).plain for line in summary(judged, Style())][2:]


def test_the_summary_counts_what_was_free_and_sums_what_is_sure() -> None:
    forced = Choice(E6, E6, 0, 0, choices=1, trick=9)
    assert summed(UNSURE, SURE, forced) == ["  Seat 1  cards       2    1     4.0  E6 4.0 (deal 2, trick 5)"]


def test_the_summary_has_a_line_for_each_kind_of_decision() -> None:
    push = Choice(Push(1), ChooseContract(1, Contract.UNENUFE), 41.5, 9.0, choices=7, deal=3)
    weis = Declaration(1, (), ((SHORT, 20),), 40) if SHORT else None
    assert weis is not None
    figures = Figure(2, 40, 52, made=31), Figure(2, 20, 20, made=20), Figure(2, 30, 31)
    claims = ClaimMade(1, certain=True, true=True), ClaimMissed(1, lost=False)
    assert summed(SURE, push, weis, *claims, *figures) == [
        "  Seat 1  contracts   1    0    41.5  push 41.5 (deal 3)",
        "          Weis        1    0    40.0  at most",
        "          cards       1    0     4.0  E6 4.0 (deal 2, trick 5)",
        "          claims      2    1",
        "  Seat 2  announced   3  on average 4.3 from strong's figure; 4.5 off",
    ]


def reviewed(*arguments: str, text: str | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["review", *arguments], input=text)
    return result.exit_code, result.stdout, result.stderr


def rows_of(out: str) -> list[str]:
    return [line for line in out.splitlines() if line.startswith("       Seat")]


@pytest.mark.parametrize("name", ["claim", "undertrump", "differenzler", "false-claim", "push", "kreuzweis"])
def test_every_decision_of_a_match_is_judged(name: str) -> None:
    path = TRANSCRIPTS / f"{name}.jass"
    code, out, err = reviewed(str(path), "--worlds", "2")
    assert (code, err) == (0, "")
    done = [move.command for move in parse_transcript(path.read_text()).moves if not move.refused]
    declared = sum(isinstance(command, DeclareWeis) for command in done)
    decided = sum(not isinstance(command, StartDeal | DeclareWeis) for command in done)
    # A seat without Weis decides nothing by declaring none.
    assert decided <= len(rows_of(out)) <= decided + declared
    assert "Summary" in out


def test_what_is_judged_stands_where_it_happened() -> None:
    lines = reviewed(str(TRANSCRIPTS / "claim.jass"), "--worlds", "2", "--deal", "1")[1].splitlines()
    assert lines[:3] == [
        "",
        "Deal 1  dealt by Seat 1, Seat 2 begins",
        "  Seat 2 pushes, Seat 0 chooses Shields, x2",
    ]
    assert lines[3].startswith("       Seat 2  push  ")
    assert lines[4].startswith("       Seat 0  Shields  ")
    assert lines[6].startswith("  1  Seat 2 R7")
    assert lines[7] == "       Seat 3  run of 3 (20) B9 BT BU  as strong"
    assert lines[8] == "       Seat 0  run of 3 (20) S9 ST SU  as strong"
    assert lines[9].startswith("       Seat 2  R7  ")


def test_an_announcement_is_judged_under_the_score() -> None:
    out = reviewed(str(TRANSCRIPTS / "differenzler.jass"), "--worlds", "2", "--deal", "1", "--seat", "3")[1]
    lines = out.splitlines()
    score = next(place for place, line in enumerate(lines) if line.startswith("  Score  "))
    assert re.fullmatch(r"       Seat 3  announced 50  strong \d+  made 7, 43 off", lines[score + 5])


def test_a_claim_that_was_not_made_is_told_once_a_seat() -> None:
    whole = (TRANSCRIPTS / "claim.jass").read_text()
    text = whole[: whole.index("refused claim 0")] + "trick 2  by 3  S7 E9 E6 SK\ntrick 3  by 3  S8\n"
    out = reviewed("-", "--worlds", "2", "--deal", "2", text=text)[1]
    missed = [line for line in rows_of(out) if "no claim" in line]
    assert missed == [f"       Seat {seat}  no claim  strong claims  it cost nothing" for seat in (1, 3)]
    assert out.index("no claim") < out.index("  2  Seat 3 S7")


def test_one_seat_alone() -> None:
    _, out, _ = reviewed(str(TRANSCRIPTS / "claim.jass"), "--worlds", "2", "--seat", "2")
    rows = rows_of(out)
    assert len(rows) == 12
    assert all(line.startswith("       Seat 2") for line in rows)


def test_one_deal_alone_is_judged_as_in_the_whole() -> None:
    path = str(TRANSCRIPTS / "claim.jass")
    whole = reviewed(path, "--worlds", "5")[1]
    deal = reviewed(path, "--worlds", "5", "--deal", "2")[1]
    assert deal[: deal.index("Summary")] in whole
    assert "Deal 1" not in deal


def test_a_deal_that_the_match_has_not_is_refused() -> None:
    code, _, err = reviewed(str(TRANSCRIPTS / "claim.jass"), "--deal", "3")
    assert code == 2
    assert "--deal" in err
    assert "the match has 2 deals" in err


def test_the_cards_are_those_of_the_deck() -> None:
    path = str(TRANSCRIPTS / "claim.jass")
    out = reviewed(path, "--worlds", "2", "--deal", "2", "--deck", "french", "--language", "de")[1]
    assert "Seat 3 H6" in out
    assert "run of 5 (100) H6 H7 H8 H9 HT  strong run of 6 (100) H6 H7 H8 H9 HT HJ  no loss" in out


def test_a_match_that_stops_early_says_so_and_shows_its_open_trick() -> None:
    whole = (TRANSCRIPTS / "claim.jass").read_text()
    out = reviewed("-", "--worlds", "2", text=whole[: whole.index("BA B7 BO B9  to 0 for 14")] + "BA B7\n")[1]
    lines = out.splitlines()
    open_trick = lines.index("  -  Seat 0 BA  Seat 1 B7")
    assert lines[open_trick + 1].startswith("       Seat 0  BA  ")
    assert "The transcript stops before the end of the match: 0 deals counted." in lines


def test_the_same_match_is_judged_the_same() -> None:
    arguments = (str(TRANSCRIPTS / "claim.jass"), "--worlds", "5")
    assert reviewed(*arguments) == reviewed(*arguments)


def test_a_match_without_a_decision_has_none_to_sum_up() -> None:
    code, out, _ = reviewed("-", text="preset schieber-classic\n")
    assert code == 0
    assert out.splitlines()[-1] == "There was nothing to decide."


def test_a_faulty_transcript_is_pointed_at() -> None:
    code, out, err = reviewed("-", text="preset skat\n")
    assert (code, out) == (1, "")
    assert err.startswith("<stdin>:1:8: ")


@pytest.mark.parametrize(
    "arguments", [["missing.jass"], ["-", "--seat", "4"], ["-", "--worlds", "1"], ["-", "--worlds", "x"]]
)
def test_a_bad_argument_is_refused(arguments: list[str]) -> None:
    assert reviewed(*arguments, text="")[0] == 2
