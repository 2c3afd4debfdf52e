from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from jasshaus.cli.commands import app

TRANSCRIPTS = sorted((Path(__file__).parent.parent / "rules" / "transcripts").glob("*.jass"))
CLAIM = next(path for path in TRANSCRIPTS if path.name == "claim.jass")


def replayed(*arguments: str, text: str | bytes | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["replay", *arguments], input=text)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_every_golden_match_is_told_to_its_end(path: Path) -> None:
    code, out, err = replayed(str(path))
    assert code == 0
    assert not err
    assert "win" in out.splitlines()[-1] or "had enough" in out or "stops before" in out


def test_a_deal_is_told_as_the_demo_tells_it() -> None:
    _, out, _ = replayed(str(CLAIM))
    assert out.splitlines()[:5] == [
        "",
        "Deal 1  dealt by Seat 1, Seat 2 begins",
        "  Seat 2 pushes, Seat 0 chooses Shields, x2",
        "  Weis   Seat 0 run of 3 (20); Seat 3 run of 3 (20)",
        "  1  Seat 2 R7  Seat 3 R9  Seat 0 RA  Seat 1 S7  -> Seat 1",
    ]
    assert '  Seat 1: "Thank you, enough."' in out.splitlines()


def test_a_differenzler_is_told_with_its_announcements() -> None:
    path = next(path for path in TRANSCRIPTS if path.name == "differenzler-open.jass")
    lines = replayed(str(path))[1].splitlines()
    assert lines[2] == "  EU is turned up: Acorns are trumps"
    assert lines[3] == "  Announced  Seat 0 50  Seat 1 40  Seat 2 20  Seat 3 60"
    assert "  Score  Seat 0  announced  50, made   0 =  50" in lines
    assert "         Seat 1  announced  40, made  40 = -10" in lines
    assert lines[-1] == "Seat 1 wins: 86 : -6 : 68 : 34"


def test_quiet_gives_the_end_alone() -> None:
    assert replayed("--quiet", str(CLAIM)) == (0, "Seat 1 and Seat 3 claimed and had enough: 298 : 540\n", "")


def test_standard_input_is_read_for_a_dash() -> None:
    assert replayed("-", text=CLAIM.read_text()) == replayed(str(CLAIM))


def test_a_match_that_stops_early_says_so() -> None:
    whole = CLAIM.read_text()
    _, out, _ = replayed("-", text=whole[: whole.index("deal 2")])
    assert out.splitlines()[-1] == "The transcript stops before the end of the match: 1 deal counted."


def test_a_fault_is_pointed_at(tmp_path: Path) -> None:
    faulty = tmp_path / "match.jass"
    faulty.write_text(CLAIM.read_text().replace("trick 2  by 1  E6 E8 EK EA", "trick 2  by 1  E6 E8 EZ EA"))
    code, out, err = replayed(str(faulty))
    assert (code, out) == (1, "")
    assert err.splitlines() == [
        f"{faulty}:23:22: 'EZ' is not a card, such as RU",
        "  trick 2  by 1  E6 E8 EZ EA  to 0 for 15",
        "                       ^",
    ]


def test_what_breaks_a_rule_is_pointed_at() -> None:
    code, _, err = replayed("-", text=CLAIM.read_text().replace("E6 E8 EK EA", "E6 E8 B6 EA"))
    assert code == 1
    assert err.startswith("<stdin>:23:22: the led suit must be followed, or the trick trumped")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "<stdin>:1:1: "),
        ("preset skat\n", "<stdin>:1:8: "),
        ("preset schieber-classic\ntarget 0\n", "<stdin>:2:1: "),
        ("preset schieber-classic\n\tnonsense 1\n\ncontract 0 E\n", "<stdin>:2:2: "),
        (b"preset schieber-classic\n\xff\n", "<stdin>:2:1: this is not UTF-8 text"),
        ("preset schieber-classic\n\x1b[2J 1\n\ncontract 0 E\n", "<stdin>:2:1: "),
    ],
)
def test_no_transcript_at_all(text: str | bytes, place: str) -> None:
    code, out, err = replayed("-", text=text)
    assert (code, out) == (1, "")
    assert err.startswith(place)
    assert "\x1b" not in err


def test_a_byte_order_mark_is_no_fault() -> None:
    assert replayed("-q", "-", text=b"\xef\xbb\xbf" + CLAIM.read_bytes())[0] == 0


@pytest.mark.parametrize("source", ["missing.jass", ".", "a" * 300, ""])
def test_a_file_that_cannot_be_read_is_a_wrong_argument(source: str) -> None:
    code, _, err = replayed(source)
    assert code == 2
    assert f"{source}: " in err


def test_a_file_that_never_ends_is_refused() -> None:
    code, out, err = replayed("/dev/zero")
    assert (code, out) == (1, "")
    assert err == "/dev/zero: more than 10 MiB: this is not a transcript\n"


def test_a_trick_that_is_not_complete_is_told() -> None:
    whole = CLAIM.read_text()
    _, out, _ = replayed("-", text=whole[: whole.index("B7 BO B9  to 0 for 14")])
    assert out.splitlines()[-2] == "  -  Seat 0 BA"


def test_the_cards_are_those_of_the_deck() -> None:
    _, out, _ = replayed(str(CLAIM), "--deck", "german", "--language", "de")
    assert "  Seat 2 pushes, Seat 0 chooses Herz, x2" in out.splitlines()
    assert "Seat 2 L7  Seat 3 L9" in out


def test_of_a_long_line_what_is_around_the_fault_is_shown() -> None:
    text = CLAIM.read_text().replace("E6 E8 EK EA", " " * 3_000 + "E6 E8 EZ" + " E6" * 3_000)
    _, line, caret = replayed("-", text=text)[2].splitlines()
    assert len(line) < 130
    assert line[caret.index("^") :].startswith("EZ E6")


def test_of_a_long_word_the_ends_are_shown() -> None:
    said, line, _ = replayed("-", text=CLAIM.read_text() + "x" * 3_000 + "y\n")[2].splitlines()
    assert len(said) < 200
    assert said.endswith("xy' begins no line here")
    assert len(line) < 130
