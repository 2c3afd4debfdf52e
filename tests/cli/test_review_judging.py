"""What a review makes of each kind of decision, at one position."""

from __future__ import annotations

from pathlib import Path

import pytest

from jasshaus.cli.review.judging import (
    Choice,
    ClaimMade,
    ClaimMissed,
    Declaration,
    Figure,
    judge,
    missed_claims,
)
from jasshaus.rules.core.cards import Contract, mask_of, parse_card
from jasshaus.rules.core.weis import weis_of
from jasshaus.rules.differenzler import Announce
from jasshaus.rules.registry import Match, advance, new_match
from jasshaus.rules.schieber import ChooseContract, Claim, Command, DeclareWeis, PlayCard, Push
from jasshaus.rules.transcript import parse_transcript

TRANSCRIPTS = Path(__file__).parent.parent / "rules" / "transcripts"
CLAIM = (TRANSCRIPTS / "claim.jass").read_text()

#: Two tricks before the end: seat 0 leads, and the king it meets is beaten by its partner's ace alone, whose
#: Ober is then the highest card left.
BLUNDER = """
preset schieber-classic
deal 1  dealer 3  forehand 0
hand 0  E6 E7 E8 E9 ET EU EO B6 B7
hand 1  R6 R7 R8 R9 RT RU RO SK BK
hand 2  S6 S7 S8 S9 ST SU SO BO BA
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
        if move.refused is None:
            match, _ = advance(match, move.command)
    return match


def tried(match: Match, command: Command, worlds: int = 20) -> Choice:
    judgement = judge(match, command, worlds, 1)
    assert isinstance(judgement, Choice)
    return judgement


def test_a_blunder_costs_what_it_loses() -> None:
    match = position(BLUNDER + "trick 8  by 0  B6 BK\n")
    best = tried(match, PlayCard(2, parse_card("BA")))
    assert (best.cost, best.differs, best.choices) == (0, False, 2)
    blunder = tried(match, PlayCard(2, parse_card("BO")))
    assert blunder.best == PlayCard(2, parse_card("BA"))
    assert blunder.differs
    # A trick given away breaks the match, whose bonus is 100, wherever the other cards are.
    assert blunder.cost > 100
    assert (blunder.deal, blunder.trick) == (1, 8)


def test_the_cost_is_multiplied_as_the_deal_is() -> None:
    once = position(BLUNDER + "trick 8  by 0  B6 BK\n")
    options = "multipliers 3 1 1 1 1 1\n"
    thrice = position(BLUNDER.replace("classic\n", "classic\n" + options) + "trick 8  by 0  B6 BK\n")
    command = PlayCard(2, parse_card("BO"))
    assert tried(thrice, command).cost == pytest.approx(3 * tried(once, command).cost)


def test_the_only_card_is_forced() -> None:
    match = position(BLUNDER + "trick 8  by 0  B6 BK BA BU\n")
    assert tried(match, PlayCard(2, parse_card("BO"))).forced


def test_a_small_difference_does_not_count() -> None:
    one, other = PlayCard(1, 0), PlayCard(1, 1)
    assert not Choice(one, other, cost=1.0, error=0.8, choices=3).differs
    assert Choice(one, other, cost=4.0, error=0.8, choices=3).differs


CHOOSING = BLUNDER[: BLUNDER.index("contract")]


def test_a_contract_that_wastes_a_hand_costs_much() -> None:
    match = position(CHOOSING)
    # Acorns from the six to the nine count four times bottom-up.
    assert tried(match, ChooseContract(0, Contract.UNENUFE)).cost == 0
    waste = tried(match, ChooseContract(0, Contract.ROSES))
    assert waste.best == ChooseContract(0, Contract.UNENUFE)
    assert waste.differs
    assert (waste.choices, waste.trick) == (7, 0)


def test_a_push_is_judged_and_so_is_who_is_pushed_to() -> None:
    match = position(CHOOSING)
    assert tried(match, Push(0)).best == ChooseContract(0, Contract.UNENUFE)
    pushed = position(CHOOSING + "push 0\n")
    assert tried(pushed, ChooseContract(2, Contract.SHIELDS)).choices == 6


#: Seat 0 holds a run of three and one of four, seat 1 one of five; Shields count twice.
DECLARING = """
preset schieber-classic
deal 1  dealer 3  forehand 0
hand 0  E6 E7 E8 R6 R7 R8 R9 S6 BA
hand 1  ET EU EO EK EA S7 S9 B6 B8
hand 2  E9 RT RU SA SK ST B7 B9 BO
hand 3  RO RK RA S8 SU SO BT BU BK
contract 0 S
"""
SHORT = weis_of(mask_of(map(parse_card, ("E6", "E7", "E8"))))
LONG = weis_of(mask_of(map(parse_card, ("R6", "R7", "R8", "R9"))))
TEAM = DECLARING.replace("classic\n", "classic\nweis_award team_all\n")


def declared(text: str, *kept: object) -> Declaration:
    judgement = judge(position(text), DeclareWeis(0, kept), 2, 1)  # type: ignore[arg-type]
    assert isinstance(judgement, Declaration)
    return judgement


def test_all_weis_declared_is_as_strong() -> None:
    judgement = declared(TEAM, SHORT, LONG)
    assert judgement.at_most == 0
    assert judgement.declared == judgement.best


@pytest.mark.parametrize(
    ("text", "kept", "at_most"),
    [
        # The best alone counts: the short one beside it is worth nothing.
        (DECLARING, (LONG,), 0),
        # Without its best, a seat may lose to what that would have beaten.
        (DECLARING, (SHORT,), 2 * 50),
        (DECLARING, (), 2 * 50),
        # A team counts all of them.
        (TEAM, (LONG,), 2 * 20),
        (TEAM, (SHORT,), 2 * 70),
        (TEAM, (), 2 * 70),
        # Who declared before has more already: nothing was to be had.
        (DECLARING + "weis 1  ET EU EO EK EA\n", (), 0),
        (TEAM + "weis 1  ET EU EO EK EA\n", (), 0),
    ],
)
def test_weis_held_back_cost_at_most_what_they_could_bring(
    text: str, kept: tuple[object, ...], at_most: int
) -> None:
    assert declared(text, *kept).at_most == at_most


def test_who_has_no_weis_decides_nothing() -> None:
    assert judge(position(BLUNDER[: BLUNDER.index("weis 0")]), DeclareWeis(2), 2, 1) is not None
    assert judge(position(DECLARING), DeclareWeis(2), 2, 1) is None


#: Seat 1 has just won the first trick under Unenufe, and its side has 540 of 300 points.
ENOUGH = CLAIM[: CLAIM.index("# Side 1 counts")]
FALSE = (TRANSCRIPTS / "false-claim.jass").read_text()


def test_a_claim_is_right_when_its_seat_can_know() -> None:
    assert judge(position(ENOUGH), Claim(1), 2, 1) == ClaimMade(1, certain=True, true=True)


def test_a_false_claim_is_neither_certain_nor_true() -> None:
    short = position(FALSE[: FALSE.index("claim 0")])
    assert judge(short, Claim(0), 2, 1) == ClaimMade(0, certain=False, true=False)


#: Side 0 has made 81 of 100 points. Seat 2 holds a Stöck of 20, still unplayed: seat 0 cannot know.
LUCKY = """
preset schieber-classic
target 100
deal 1  dealer 3  forehand 0
hand 0  E9 ET EU EA BT BU BO BK BA
hand 1  E6 E7 R9 S9 ST SU SO SK SA
hand 2  EO EK R6 R7 R8 RT S6 S7 S8
hand 3  E8 RU RO RK RA B6 B7 B8 B9
contract 0 E
weis 0  -
weis 1  -
weis 2  -
weis 3  -
trick 1  by 0  BA SA RT B6
trick 2  by 0  BT ST S6 B7
trick 3  by 0  BK SK S7 B8
trick 4  by 0  BO SO S8 B9
trick 5  by 0  BU SU R6 RA
"""


def test_a_claim_may_be_true_by_luck() -> None:
    match = position(LUCKY)
    assert judge(match, Claim(0), 2, 1) == ClaimMade(0, certain=False, true=True)
    assert judge(match, Claim(2), 2, 1) == ClaimMade(2, certain=True, true=True)


def test_both_partners_miss_a_claim_that_both_can_make() -> None:
    assert list(missed_claims(position(ENOUGH), winner=1)) == [
        ClaimMissed(1, lost=False),
        ClaimMissed(3, lost=False),
    ]
    assert all(missed.lost for missed in missed_claims(position(ENOUGH), winner=0))
    assert not any(missed.lost for missed in missed_claims(position(ENOUGH), winner=None))


def test_no_claim_is_missed_where_points_lack_or_none_can_be_made() -> None:
    assert not list(missed_claims(position(FALSE[: FALSE.index("claim 0")]), winner=1))
    assert not list(missed_claims(position("preset differenzler-classic\n"), winner=None))


def test_an_announcement_stands_beside_strongs() -> None:
    text = (TRANSCRIPTS / "differenzler.jass").read_text()
    match = position(text[: text.index("announce")])
    judgement = judge(match, Announce(3, 50), 2, 1)
    assert isinstance(judgement, Figure)
    assert (judgement.seat, judgement.announced, judgement.made) == (3, 50, None)
    assert 0 < judgement.strongs < 157
