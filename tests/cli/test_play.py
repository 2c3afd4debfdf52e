from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text
from typer.testing import CliRunner

from jasshaus.cli.commands import app
from jasshaus.cli.play.command import Options, play
from jasshaus.cli.play.drawing import Drawing
from jasshaus.cli.play.input import NotUnderstoodError, Wish, understand, understand_yes_or_no, weis_offered
from jasshaus.cli.play.sitting import YOU, Sitting
from jasshaus.cli.words import Style, sentence
from jasshaus.rules import schieber
from jasshaus.rules.core.cards import Contract, mask_of, parse_card
from jasshaus.rules.core.choices import WeisWhen
from jasshaus.rules.core.dealing import stacked_deck
from jasshaus.rules.core.options import PRESETS, FirstForehand, RuleSet, rule_set
from jasshaus.rules.core.refusals import Reason
from jasshaus.rules.core.weis import weis_of
from jasshaus.rules.core.wording import Deck, reason_text
from jasshaus.rules.differenzler import Announce
from jasshaus.rules.registry import Match, decide, new_match, pending, replay, view
from jasshaus.rules.schieber import ChooseContract, Command, DeclareWeis, PlayCard, Push, StartDeal
from jasshaus.rules.schieber import View as SchieberView
from jasshaus.rules.transcript import parse_transcript
from jasshaus.rules.transcript import play as replay_transcript

SWISS = Style()
HANDS = (
    "E6 E7 E8 R6 R7 R8 RU S6 BA",
    "E9 ET EU R9 RT RO S7 S8 B6",
    "EO EK EA RK RA S9 ST B7 B8",
    "SU SO SK SA B9 BT BU BO BK",
)


def cards(text: str) -> int:
    return mask_of(map(parse_card, text.split()))


def dealt(preset: str = "schieber-classic", forehand: int = YOU, *commands: Command) -> Match:
    match = new_match(PRESETS[preset])
    deck = stacked_deck([cards(hand) for hand in HANDS], (forehand - 1) % 4)
    drawn = match.rules.first_forehand is FirstForehand.RANDOM
    for command in (StartDeal(deck, forehand if drawn else None), *commands):
        match = replay(match, decide(match, command))
    return match


def meant(text: str, match: Match, style: Style = SWISS) -> Command | Wish:
    return understand(text, view(match, YOU), pending(match)[0].kind, style)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("1", ChooseContract(YOU, Contract.ACORNS)),
        (" 6 ", ChooseContract(YOU, Contract.UNENUFE)),
        ("7", Push(YOU)),
        ("push", Push(YOU)),
        ("P", Push(YOU)),
        ("s", ChooseContract(YOU, Contract.SHIELDS)),
        ("Bells", ChooseContract(YOU, Contract.BELLS)),
        ("obe", ChooseContract(YOU, Contract.OBENABE)),
        ("UNENUFE", ChooseContract(YOU, Contract.UNENUFE)),
    ],
)
def test_a_contract_is_chosen_by_number_letter_or_name(text: str, command: Command) -> None:
    assert meant(text, dealt()) == command


def test_names_and_letters_are_those_of_the_deck_and_the_language() -> None:
    german = Style(Deck.GERMAN, "de")
    french = Style(Deck.FRENCH, "fr")
    assert meant("laub", dealt(), german) == ChooseContract(YOU, Contract.ROSES)
    assert meant("h", dealt(), german) == ChooseContract(YOU, Contract.SHIELDS)
    assert meant("d", dealt(), french) == ChooseContract(YOU, Contract.BELLS)
    playing = dealt("schieber-3000", YOU, ChooseContract(YOU, Contract.ROSES))
    assert meant("sj", playing, french) == PlayCard(YOU, parse_card("RU"))
    assert meant("LU", playing, german) == PlayCard(YOU, parse_card("RU"))


def declaring() -> Match:
    return dealt("schieber-classic", YOU, ChooseContract(YOU, Contract.ROSES))


def run(text: str) -> object:
    return weis_of(cards(text))


@pytest.mark.parametrize("text", ["", "1", "2 3", "3,2", "E6 E7 E8, r6 r7 r8"])
def test_weis_are_declared_by_enter_numbers_or_cards(text: str) -> None:
    command = meant(text, declaring())
    assert isinstance(command, DeclareWeis)
    assert set(command.weis) == {run("E6 E7 E8"), run("R6 R7 R8")}


@pytest.mark.parametrize("text", ["0", "none", "-"])
def test_nothing_need_be_declared(text: str) -> None:
    assert meant(text, declaring()) == DeclareWeis(YOU, ())


def test_a_weis_number_that_is_not_offered_is_answered_with_those_that_are() -> None:
    for text in ("4", "7", "2 9", "0 2"):
        with pytest.raises(NotUnderstoodError, match=r"^The Weis are numbered 1 to 3, and 0 is nothing\.$"):
            meant(text, declaring())
    with pytest.raises(NotUnderstoodError):
        meant(",", declaring())


def holding(hand: str) -> Match:
    """Let the person declare Weis of this hand; the others hold what is left."""
    rest = [card for card in range(36) if not cards(hand) >> card & 1]
    hands = [cards(hand), *(sum(1 << card for card in rest[place::3]) for place in range(3))]
    match = new_match(PRESETS["schieber-classic"])
    for command in (StartDeal(stacked_deck(hands, 3), YOU), ChooseContract(YOU, Contract.BELLS)):
        match = replay(match, decide(match, command))
    return match


@pytest.mark.parametrize(
    ("hand", "offered"),
    [
        # A single Weis; one that holds shorter ones; two to be declared together.
        ("E6 E7 E8 R6 R8 RT S7 S9 BA", ["1 E6 E7 E8 run of 3 (20)"]),
        (
            "E6 E7 E8 E9 R8 RT S7 S9 BA",
            [
                "1 E6 E7 E8 E9 run of 4 (50)  (the best you can)",
                "2 E6 E7 E8 run of 3 (20)",
                "3 E7 E8 E9 run of 3 (20)",
            ],
        ),
        (
            "E6 E7 E8 R6 R7 R8 RT S9 BA",
            [
                "1 E6 E7 E8 run of 3 (20), R6 R7 R8 run of 3 (20)  (the best you can)",
                "2 E6 E7 E8 run of 3 (20)",
                "3 R6 R7 R8 run of 3 (20)",
            ],
        ),
    ],
)
def test_each_list_of_weis_is_offered_once_by_its_number(hand: str, offered: list[str]) -> None:
    seen = view(holding(hand), YOU)
    assert isinstance(seen, SchieberView)
    drawing = Drawing(("You", "Beat", "Claudia", "Dario"), YOU, SWISS, ascii_only=False)
    lines = [Text.from_markup(line).plain.strip() for line in drawing.declarations(seen)]
    assert lines == ["You may declare Weis:", *offered, "0 nothing"]
    assert seen.legal
    for number, weis in enumerate(weis_offered(seen.legal), start=1):
        assert meant(str(number), holding(hand)) == DeclareWeis(YOU, weis)


def playing() -> Match:
    return dealt("schieber-3000", YOU, ChooseContract(YOU, Contract.ROSES))


@pytest.mark.parametrize(
    ("text", "card"), [("1", "E6"), ("9", "BA"), ("ru", "RU"), ("S6", "S6"), ("r10", "RT"), ("EA", "EA")]
)
def test_a_card_is_named_by_number_or_notation_whoever_holds_it(text: str, card: str) -> None:
    assert meant(text, playing()) == PlayCard(YOU, parse_card(card))


def test_points_are_announced_as_a_number() -> None:
    assert meant("40", dealt("differenzler-classic")) == Announce(YOU, 40)


@pytest.mark.parametrize(
    "text", ["?", "help", "HELP", " hand ", "score", "last", "rules", "claim", "q", "quit"]
)
def test_wishes_are_understood_at_every_question(text: str) -> None:
    for match in (dealt(), declaring(), playing(), dealt("differenzler-classic")):
        assert isinstance(meant(text, match), Wish)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "99",
        "-1",
        "10000000000000000000",
        "xyz",
        "RUU",
        "R U",
        "\x1b[31m",
        "ß",
        "٣",
        "²",
        "a" * 100_000,
    ],
)
@pytest.mark.parametrize("state", ["contract", "weis", "card", "announcement"])
def test_silly_input_is_answered_in_one_short_line(text: str, state: str) -> None:
    matches = {
        "contract": dealt(),
        "weis": declaring(),
        "card": playing(),
        "announcement": dealt("differenzler-classic"),
    }
    try:
        meant(text, matches[state])
    except NotUnderstoodError as unclear:
        said = str(unclear)
        assert said.isprintable()
        assert len(said) < 120


@pytest.mark.parametrize(
    "text", ["y", " YES ", "ja", "Oui", "sì", "si", "da", "igen", "sí", "si\u0301", "हाँ", "हां"]
)
def test_yes_is_yes_in_every_language(text: str) -> None:
    assert understand_yes_or_no(text) is True


@pytest.mark.parametrize("text", ["n", "No", "nein", "NON", "ne", "nem", "नहीं"])
def test_no_is_no_in_every_language(text: str) -> None:
    assert understand_yes_or_no(text) is False


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Type y for yes, n for no."),
        ("Vielleicht", "'vielleicht' is neither yes nor no. Type y for yes, n for no."),
        ("1", "'1' is neither yes nor no. Type y for yes, n for no."),
    ],
)
def test_what_is_neither_yes_nor_no_is_no_answer(text: str, said: str) -> None:
    with pytest.raises(NotUnderstoodError) as unclear:
        understand_yes_or_no(text)
    assert str(unclear.value) == said


@dataclass
class Scripted:
    """Answers questions from a list, then by a rule; keeps what was asked."""

    answers: list[str]
    then: Callable[[str], str] | None = None

    def __post_init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, question: str) -> str:
        self.asked.append(question)
        assert len(self.asked) < 2_000, "it asks for ever"
        if self.answers:
            return self.answers.pop(0)
        if self.then is None:
            raise EOFError
        return self.then(question)


def first_option(question: str) -> str:
    if "Enter to go on" in question:
        return ""
    return "40" if "announcement" in question else "1"


def played(
    answers: Iterable[str] = (),
    rules: RuleSet = PRESETS["schieber-classic"],
    then: Callable[[str], str] | None = None,
    *,
    seed: int = 3,
    save: Path | None = None,
    offer: bool = False,
) -> tuple[int, str]:
    text = io.StringIO()
    options = Options("schieber-classic", rules, "greedy", SWISS, seed, save)
    ask = Scripted(list(answers), then)
    code = play(options, Console(file=text, width=200), ask, offer_to_save=offer)
    return code, text.getvalue()


def test_help_and_everything_else_can_be_seen_before_the_first_move() -> None:
    _, text = played(["?", "rules", "hand", "table", "score", "last"])
    assert "play a card" in text
    assert "first side to reach 2500 points" in text
    assert text.count("╭──╮") == 18
    assert "Points after 0 deals, to 2500" in text
    assert "No trick of this deal is complete." in text


def test_who_types_nothing_is_told_what_to_type() -> None:
    with pytest.raises(NotUnderstoodError, match=r"^Type a contract: its number or name, or push; "):
        meant("", dealt())
    with pytest.raises(NotUnderstoodError, match=r"^Type a card, such as E6 or BA; \? for help"):
        meant("  ", playing())


def test_who_was_pushed_to_is_not_offered_to_push() -> None:
    pushed = dealt("schieber-classic", 2, Push(2))
    for text, said in (
        ("oben", "'oben' is not a contract: its number or name; "),
        ("", "Type a contract: its"),
    ):
        with pytest.raises(NotUnderstoodError) as unclear:
            meant(text, pushed)
        assert str(unclear.value).startswith(said)
        assert "push" not in str(unclear.value)


def test_an_illegal_card_is_refused_with_the_rule() -> None:
    # Dario leads acorns, and the person has one: ET.
    _, text = played(["1", "S7", "E9", "ET"])
    lines = text.splitlines()
    assert f"  {sentence(reason_text(Reason.MUST_FOLLOW_SUIT, 'en'))}" in lines
    assert f"  {sentence(reason_text(Reason.CARD_NOT_IN_HAND, 'en'))}" in lines
    assert "You ET" in text


def test_leaving_is_confirmed() -> None:
    code, text = played(["quit", "n", "quit", "y"])
    assert code == 0
    assert text.endswith("You leave the match at 0 : 0. Goodbye.\n")


def test_a_question_is_asked_again_until_it_is_answered() -> None:
    _, text = played(["quit", "vielleicht", "", "nein", "quit", "ja"])
    assert text.count("neither yes nor no") == 1
    assert text.count("Type y for yes, n for no.") == 2
    assert text.endswith("You leave the match at 0 : 0. Goodbye.\n")
    _, text = played(["quit", "vielleicht"])
    assert text.endswith("You leave the match at 0 : 0. Goodbye.\n"), "the end of input leaves here too"


def test_the_end_of_input_leaves() -> None:
    code, text = played()
    assert code == 0
    assert text.endswith("You leave the match at 0 : 0. Goodbye.\n")


def test_ctrl_c_leaves_and_what_was_played_is_kept(tmp_path: Path) -> None:
    def interrupted(_question: str) -> str:
        raise KeyboardInterrupt

    path = tmp_path / "match.jass"
    code, text = played(["1", "1"], then=interrupted, save=path)
    assert code == 130
    assert "Goodbye" in text
    match, _ = replay_transcript(parse_transcript(path.read_text()))
    assert match.deal == 1


SHORT: dict[str, dict[str, object]] = {
    "schieber-classic": {"target": 300},
    "schieber-partner": {"target": 300},
    "schieber-3000": {"target": 300, "schneider_below": None},
    "differenzler-classic": {"rounds": 2, "announcements": "open"},
    "differenzler-swisslos": {"rounds": 2},
}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_match_by_the_first_options_ends_and_its_transcript_replays(preset: str, tmp_path: Path) -> None:
    rules = rule_set(preset, SHORT[preset])
    path = tmp_path / "match.jass"
    code, text = played(rules=rules, then=first_option, save=path)
    assert code == 0
    match, _ = replay_transcript(parse_transcript(path.read_text()))
    assert match.outcome is not None
    assert text.splitlines()[-2:] == [
        f"Saved in {path}.",
        f"To review it: jasshaus review {path} --seat 0",
    ]
    assert " win" in text or "had enough" in text


def test_the_same_seed_deals_the_same_match() -> None:
    rules = rule_set("schieber-partner", {"target": 200})
    assert played(rules=rules, then=first_option) == played(rules=rules, then=first_option)


def test_saving_is_offered_at_the_end_until_it_succeeds(tmp_path: Path) -> None:
    path = tmp_path / "match.jass"
    names = iter([str(tmp_path), "no/such/folder/match.jass", "a\x00b", str(path)])

    def answer(question: str) -> str:
        return next(names) if "Save" in question else first_option(question)

    code, _ = played(rules=rule_set("schieber-partner", {"target": 100}), then=answer, offer=True)
    assert code == 0
    assert path.exists()
    assert next(names, None) is None


def test_saving_is_offered_to_who_leaves_in_mid_match(tmp_path: Path) -> None:
    path = tmp_path / "match.jass"
    code, text = played(["1", "ET", "quit", "y", str(path)], offer=True)
    assert code == 0
    assert f"Saved in {path}." in text
    assert path.exists()


@pytest.mark.parametrize("answers", [["quit", "y"], []])
def test_nothing_is_offered_to_save_before_the_first_card_or_without_input(answers: list[str]) -> None:
    ask = Scripted(answers)
    options = Options("schieber-classic", PRESETS["schieber-classic"], "greedy", SWISS, 3)
    assert play(options, Console(file=io.StringIO()), ask, offer_to_save=True) == 0
    assert not [question for question in ask.asked if "Save" in question]


def test_the_review_is_asked_for_as_the_shell_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = io.StringIO()
    french = Style(Deck.FRENCH, "fr")
    options = Options(
        "schieber-classic", PRESETS["schieber-classic"], "greedy", french, 3, Path("-my match.jass")
    )
    play(options, Console(file=text, width=200), Scripted([]), offer_to_save=False)
    last = text.getvalue().splitlines()[-1]
    assert last == "To review it: jasshaus review './-my match.jass' --seat 0 --deck french --language fr"


def test_a_file_that_exists_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "match.jass"
    path.write_text("mine")
    code, _ = played(save=path)
    assert code == 1
    assert path.read_text() == "mine"


def before_a_lead(sitting: Sitting, total: int) -> None:
    """Put a sitting where Claudia leads after a trick of hers, with so many points before the deal."""
    match = dealt("schieber-classic", YOU, Push(YOU), ChooseContract(2, Contract.BELLS))
    for seat in range(4):
        match = replay(match, decide(match, DeclareWeis(seat)))
    for seat, card in enumerate(("E6", "E9", "EA", "SU")):
        match = replay(match, decide(match, PlayCard(seat, parse_card(card))))
    assert isinstance(match, schieber.Match)
    sitting.match = replace(match, totals=(total, 0))


def sitting_with(ask: Scripted) -> Sitting:
    return Sitting(PRESETS["schieber-classic"], "greedy", 1, SWISS, Console(file=io.StringIO()), ask)


def test_who_does_not_lead_is_offered_the_claim() -> None:
    ask = Scripted(["score", "nonsense", "claim", "n", "claim", "perhaps", "ja"])
    sitting = sitting_with(ask)
    before_a_lead(sitting, 2_490)
    sitting.play()
    assert isinstance(sitting.match, schieber.Match)
    assert sitting.match.claimed_by == YOU
    assert ask.asked[0] == "Claudia leads next: Enter to go on, or claim"


def test_a_claim_that_cannot_be_true_is_not_offered() -> None:
    ask = Scripted([])
    sitting = sitting_with(ask)
    before_a_lead(sitting, 0)
    with pytest.raises(EOFError):
        sitting.play()
    assert ask.asked == ["Your card"]


def test_a_claim_out_of_time_is_refused_with_the_rule() -> None:
    _, text = played(["1", "claim"])
    assert f"  {sentence(reason_text(Reason.CLAIM_NOT_NOW, 'en'))}" in text.splitlines()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--preset", "skat"], "--preset"),
        (["--bot", "stockfish"], "--bot"),
        (["--language", "xx"], "--language"),
        (["--deck", "tarot"], "--deck"),
        (["--target", "99"], "--target"),
        (["--seed", "-1"], "--seed"),
        (
            ["--preset", "differenzler-classic", "--target", "500"],
            "'--target': not an option of differenzler",
        ),
        (["--rounds", "4"], "'--rounds': not an option of schieber"),
        (["--announcements", "open"], "'--announcements': not an option of schieber"),
        (
            ["--preset", "differenzler-classic", "--rounds", "13"],
            "'--rounds': '13' is not a whole number from",
        ),
        (["--preset", "differenzler-classic", "--announcements", "loud"], "choose from open, hidden"),
        (["--save", "no/such/folder/match.jass"], "--save"),
        (["--save", "pyproject.toml"], "--save"),
    ],
)
def test_a_bad_option_is_named(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["play", *arguments])
    assert result.exit_code == 2
    assert said in result.output


@pytest.mark.parametrize("when", list(WeisWhen))
@pytest.mark.parametrize("seed", range(12))
def test_a_declaration_is_told_once(when: WeisWhen, seed: int) -> None:
    """On the table or with the first trick; the cards of what scores come on top."""
    told: list[str] = []
    out = io.StringIO()

    def ask(_question: str) -> str:
        if len(told) == 3:
            raise EOFError
        told.append("1")
        return "1"

    rules = rule_set("schieber-classic", {"weis_when": when})
    console = Console(file=out, width=200)
    play(Options("schieber-classic", rules, "greedy", Style(), seed), console, ask, offer_to_save=False)
    first = out.getvalue().partition("trick 2")[0]
    lines = [line for line in first.splitlines() if line.startswith("  Weis ") and " for " not in line]
    said = [each for line in lines for each in re.findall(r"(You|Beat|Claudia|Dario) (?:run|four)", line)]
    assert len(said) == len(set(said)), first
