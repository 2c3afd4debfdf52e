"""Transcripts: the annotated matches beside this file, any match there and back, and what is wrong where."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from jasshaus.rules import differenzler, schieber
from jasshaus.rules.core.options import PRESETS, rule_set
from jasshaus.rules.core.refusals import Reason
from jasshaus.rules.registry import decide, new_match
from jasshaus.rules.transcript import (
    Move,
    Transcript,
    TranscriptError,
    format_transcript,
    parse_transcript,
    play,
    transcript_of,
)

GOLDEN = sorted((Path(__file__).parent / "transcripts").glob("*.jass"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_an_annotated_match_is_played_and_written_again_letter_by_letter(path):
    text = path.read_text()
    transcript = parse_transcript(text)
    match, events = play(transcript)
    assert match.outcome is not None
    assert format_transcript(transcript) == text
    bare = transcript_of(transcript.rules, events)
    assert [move.command for move in bare.moves] == [
        move.command for move in transcript.moves if move.refused is None
    ]


def test_the_annotated_matches_show_what_they_are_for():
    transcripts = [parse_transcript(path.read_text()) for path in GOLDEN]
    assert len(transcripts) >= 12
    headings = {path.read_text().partition("preset ")[2].split()[0] for path in GOLDEN}
    assert headings == set(PRESETS)
    endings = {match.outcome.by for match, _ in map(play, transcripts) if isinstance(match, schieber.Match)}
    assert endings >= {"claim", "false_claim", "stoeck", "weis", "stich", "automatic", "deal"}
    refused = {move.refused for transcript in transcripts for move in transcript.moves}
    assert refused >= {Reason.UNDERTRUMP, Reason.MUST_FOLLOW_SUIT, Reason.CANNOT_PUSH_BACK}


def test_any_match_is_the_same_after_writing_and_reading(random_rules, random_differenzler_rules, play):
    for seed in range(80):
        rng = random.Random(seed)
        rules = (random_rules if seed % 2 else random_differenzler_rules)(rng)
        played = play(rng, rules)
        transcript = transcript_of(rules, played.events)
        text = format_transcript(transcript)
        assert parse_transcript(text) == transcript
        assert format_transcript(parse_transcript(text)) == text
        assert replayed(transcript) == (played.match, played.events)


def replayed(transcript: Transcript):
    match, events = play(transcript)
    return match, list(events)


@pytest.mark.parametrize("cards", range(0, 40, 3))
def test_a_match_may_stop_anywhere(cards, play, random_rules, random_differenzler_rules):
    for make in (random_rules, random_differenzler_rules):
        rng = random.Random(cards)
        played = play(
            rng,
            make(rng),
            until=lambda match: 4 * len(match.tricks) + len(match.table) >= min(cards, 35) or match.deal > 1,
        )
        transcript = transcript_of(played.match.rules, played.events)
        assert replayed(parse_transcript(format_transcript(transcript))) == (played.match, played.events)


def test_a_match_not_begun_is_its_heading():
    for name, rules in PRESETS.items():
        assert format_transcript(Transcript(rules, ())) == f"preset {name}\n"
        assert parse_transcript(f"preset {name}") == Transcript(rules, ())


def test_options_are_written_over_the_nearest_preset():
    rules = rule_set("schieber-classic", {"finish": "automatic", "target": 1000, "schneider_below": 500})
    text = format_transcript(Transcript(rules, ()))
    assert text == "preset schieber-classic\ntarget 1000\nschneider_below 500\nfinish automatic\n"
    odd = rule_set(
        "schieber-3000",
        {
            "multipliers": [2, 2, 3, 3, 5, 6],
            "finish": "claim",
            "claim_counts_unplayed_stoeck": False,
            "schneider_below": None,
        },
    )
    assert parse_transcript(format_transcript(Transcript(odd, ()))).rules == odd


def test_remarks_stay_with_the_action_they_stand_before():
    text = FALSE_CLAIM.read_text().replace("deal 2 ", "# at a deal\ndeal 2 ")
    text = text.replace("weis 0  S6 S7 S8\n", "weis 0  S6 S7 S8  # in the line of an action\n", 1)
    transcript = parse_transcript("# first\n#\n# second\n" + text + "# last\n")
    assert transcript.opening[:3] == ("first", "", "second")
    assert transcript.closing == ("last",)
    remarks = {move.comments: move.command for move in transcript.moves if move.comments}
    assert isinstance(remarks["at a deal",], schieber.StartDeal)
    assert isinstance(remarks["in the line of an action",], schieber.DeclareWeis)
    written = format_transcript(transcript)
    assert parse_transcript(written) == transcript
    assert "# at a deal\ndeal 2 " in written


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_what_follows_by_itself_may_be_left_out(path):
    transcript = parse_transcript(path.read_text())
    told = ("shown", "stoeck", "score", "end") + ("weis",) * (
        transcript.rules.weis_declaration == "automatic"
    )
    lines = [
        line if line.startswith("#") else line.partition("  to ")[0].replace("  ", " \t ")
        for line in path.read_text().splitlines()
        if not line.startswith(told)
    ]
    assert parse_transcript("\n".join(lines)) == transcript


def test_actions_may_be_typed_one_card_a_line():
    text = FALSE_CLAIM.read_text()
    typed = text.replace(
        "trick 1  by 1  RA R6 RT E8  to 0 for 21", "play 1 RA\nplay 2 R6\nplay 3 RT\nplay 0 E8"
    )
    assert typed != text
    assert format_transcript(parse_transcript(typed)) == text


def test_a_refused_attempt_changes_nothing():
    deal = parse_transcript(DIFFERENZLER.read_text()).moves[0]
    refused = [
        Move(differenzler.Announce(0, 158), Reason.ANNOUNCEMENT_OUT_OF_RANGE),
        Move(schieber.Push(0), Reason.ACTION_NOT_PLAYED),
        Move(schieber.DeclareWeis(2), Reason.ACTION_NOT_PLAYED),
        Move(schieber.Claim(1), Reason.ACTION_NOT_PLAYED),
    ]
    rules = rule_set("differenzler-classic")
    transcript = Transcript(rules, (deal, *refused))
    assert parse_transcript(format_transcript(transcript)) == transcript
    assert play(transcript)[1] == decide(new_match(rules), deal.command)


FALSE_CLAIM = Path(__file__).parent / "transcripts" / "false-claim.jass"
DIFFERENZLER = Path(__file__).parent / "transcripts" / "differenzler-swisslos.jass"
SCHIEBER_3000 = Path(__file__).parent / "transcripts" / "schieber-3000-schneider.jass"

WRONG = [
    # The heading
    (FALSE_CLAIM, "preset schieber-classic", "preset tarot", "tarot", "preset: unknown"),
    (FALSE_CLAIM, "preset schieber-classic", "game 1", "game", "begins with its preset"),
    (FALSE_CLAIM, "preset schieber-classic", "preset", "", "the name of a preset is missing"),
    (FALSE_CLAIM, "preset schieber-classic", "preset schieber-classic now", "now", "not expected"),
    (FALSE_CLAIM, "target 200", "target 20", "target", "target: from 100 to 10000"),
    (FALSE_CLAIM, "target 200", "target", "", "a value is missing"),
    (FALSE_CLAIM, "target 200", "target 200\ntarget 300", "target 300", "given twice"),
    (FALSE_CLAIM, "target 200", "rounds 4", "rounds", "not an option of schieber"),
    (FALSE_CLAIM, "target 200", "live_points maybe", "live_points", "true or false"),
    # The deal
    (
        FALSE_CLAIM,
        "deal 1  dealer 0  forehand 1",
        "deal 1  dealer 0",
        "deal",
        "the forehand of the first deal",
    ),
    (FALSE_CLAIM, "deal 1  dealer 0  forehand 1", "deal 1  dealer 2  forehand 1", "2  forehand", "dealer 0"),
    (FALSE_CLAIM, "deal 1  dealer", "deal 7  dealer", "7  dealer", "it is deal 1"),
    (FALSE_CLAIM, "deal 2  dealer 1  forehand 2", "deal 2  dealer 1  forehand 3", "3\nhand", "forehand 2"),
    (FALSE_CLAIM, "hand 1  E7 EK", "hand 1  E7 EX", "EX", "'EX' is not a card"),
    (FALSE_CLAIM, "hand 1  E7 EK", "hand 1  E7 ET", "ET R9", "ET is in hand 0 already"),
    (FALSE_CLAIM, "hand 1  E7 EK", "hand 1  EK", "\nhand 2", "a card is missing"),
    (FALSE_CLAIM, "S9 SK B7 BK\npush", "S9 SK B7 BK B6\npush", "B6\npush", "a hand has nine cards"),
    (FALSE_CLAIM, "hand 1  E7 EK", "hand 0  E7 EK", "0  E7", "hand 0 is given twice"),
    (FALSE_CLAIM, "hand 3  E6 EU EO RT RU S9 SK B7 BK\npush", "push", "deal 1", "hand 3 are missing"),
    (FALSE_CLAIM, "hand 0  E8 E9", "trump E9\nhand 0  E8 E9", "E9\nhand", "no trump card"),
    (DIFFERENZLER, "trump E6\n", "", "deal 1", "the trump card is missing"),
    (DIFFERENZLER, "trump E6\n", "trump E9\n", "E9\nhand", "the last card dealt, so it is in hand 1"),
    # Actions
    (FALSE_CLAIM, "push 1", "push 4", "4\n", "'4' is not a seat"),
    (FALSE_CLAIM, "push 1", "pusch 1", "pusch", "'pusch' begins no line here"),
    (FALSE_CLAIM, "push 1", "push 2", "2\ncontract", "(not_your_turn): it is the turn of seat 1"),
    (FALSE_CLAIM, "push 1", "target 300\npush 1", "target 300\npush", "options stand before the first deal"),
    (FALSE_CLAIM, "push 1", "preset schieber-classic", "preset schieber-classic\ncon", "one match"),
    (FALSE_CLAIM, "contract 3 E", "contract 3 EU", "EU\n", "'EU' is not a contract"),
    (FALSE_CLAIM, "weis 2  S6 S7 S8", "weis 2  S6 S7 B8", "S6 S7 B8", "that is no Weis"),
    (FALSE_CLAIM, "weis 2  S6 S7 S8", "weis 2  S6 S7 S8,", "\nweis 3", "a card is missing"),
    (FALSE_CLAIM, "weis 2  S6 S7 S8", "weis 2  E8 E9 ET", "2  E8", "(weis_not_in_hand)"),
    (FALSE_CLAIM, "claim 0\n", "claim 1\n", "1\nend", "(claim_after_other_sides_trick)"),
    (DIFFERENZLER, "announce 2 0", "announce 2 none", "none", "'none' is not a number of points"),
    (DIFFERENZLER, "announce 2 0", "announce 2 158", "2 158", "0 to 157 points"),
    # Tricks
    (FALSE_CLAIM, "trick 1  by 1", "trick 2  by 1", "2  by 1", "the next trick is number 1"),
    (FALSE_CLAIM, "trick 1  by 1", "trick 1  by 2", "2  RA", "seat 1 leads"),
    (
        FALSE_CLAIM,
        "by 1  RA R6 RT E8  to 0",
        "by 1  RA RK RT E8  to 0",
        "RK RT",
        "(card_not_in_hand): it is the turn of seat 2",
    ),
    (FALSE_CLAIM, "by 1  RA R6 RT E8  to 0", "by 1  RA S6 RT E8  to 0", "S6 RT", "(must_follow_suit)"),
    (FALSE_CLAIM, "R6 RT E8  to 0 for 21", "R6 RT E8  to 3 for 21", "3 for", "goes to seat 0"),
    (FALSE_CLAIM, "R6 RT E8  to 0 for 21", "R6 RT E8  to 0 for 22", "22", "counts 21"),
    (FALSE_CLAIM, "R6 RT E8  to 0 for 21", "R6 RT  to 0 for 21", "0 for 21", "not complete"),
    (FALSE_CLAIM, "R6 RT E8  to 0 for 21", "R6 RT E8 EA", "EA\n", "four cards"),
    (FALSE_CLAIM, "trick 1  by 1  RA R6 RT", "trick 1  by 1  RA\ntrick 1  by 1  R6 RT", "1  R6", "been led"),
    (
        FALSE_CLAIM,
        "R6 RT E8  to 0 for 21\n",
        "R6 RT\ntrick 2  by 0\n",
        "2  by 0\n",
        "trick 1 has 3 of its four",
    ),
    # What follows
    (FALSE_CLAIM, "cards 97 60", "cards 97 61", "61", "by the rules: score cards 97 60"),
    (FALSE_CLAIM, "weis 20 0  times", "times", "times", "by the rules: score cards 97 60 weis 20 0"),
    (FALSE_CLAIM, "shown 0  E8", "stoeck 0 for 20\nshown 0  E8", "stoeck", "nothing of the kind"),
    (FALSE_CLAIM, "totals 196 93", "totals 196 93  schneider", "schneider", "not expected"),
    (FALSE_CLAIM, "totals 196 93", "totals 196", "\n", "by the rules: end side 1 by false_claim"),
    (
        SCHIEBER_3000,
        "weis 2  RT RU RO RK",
        "weis 2  RT RU RO",
        "\nweis 3",
        "by the rules: weis 2 RT RU RO RK",
    ),
    # Refusals
    (
        DIFFERENZLER,
        "refused play 3 ET  undertrump",
        "refused play 3 EA  undertrump",
        "undertrump",
        "card_not_in",
    ),
    (
        DIFFERENZLER,
        "refused play 3 ET  undertrump",
        "refused play 3 B6  undertrump",
        "B6  under",
        "allow this",
    ),
    (
        DIFFERENZLER,
        "refused play 3 ET  undertrump",
        "refused play 3 ET",
        "\ntrick",
        "reason of the refusal is",
    ),
    (
        DIFFERENZLER,
        "refused play 3 ET  undertrump",
        "refused deal  deal_due",
        "deal  deal_due",
        "begins no line",
    ),
]


@pytest.mark.parametrize(("path", "old", "new", "place", "text"), WRONG)
def test_a_mistake_is_named_with_its_place(path, old, new, place, text):
    right = path.read_text()
    assert old in right
    at = right.index(old)
    wrong = right[:at] + new + right[at + len(old) :]
    with pytest.raises(TranscriptError) as refused:
        parse_transcript(wrong)
    error = refused.value
    assert text in error.text
    assert str(error) == f"line {error.line}, column {error.column}: {error.text}"
    start = len("".join(wrong.splitlines(keepends=True)[: error.line - 1])) + error.column - 1
    assert wrong[start:].startswith(place), wrong[start : start + 30]
    # The place is in the line that was changed, or in one that only the change made wrong.
    assert abs(error.line - right[:at].count("\n") - 1) <= len(new.splitlines()) + 8


def test_no_text_whatever_breaks_the_reader():
    rng = random.Random(1)
    texts = [path.read_text() for path in GOLDEN]
    refused = 0
    for _ in range(600):
        text = list(rng.choice(texts))
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text))
            text[at : at + rng.randint(0, 12)] = rng.choice(
                ["", " ", "\n", "E", "9" * 5000, "-1", ",", "#", "ü", "²"]
            )
        try:
            format_transcript(parse_transcript("".join(text)))
        except TranscriptError:
            refused += 1
    assert refused > 300


def test_an_empty_text_is_no_transcript():
    with pytest.raises(TranscriptError) as refused:
        parse_transcript("# nothing\n")
    assert (refused.value.line, refused.value.column) == (2, 1)
