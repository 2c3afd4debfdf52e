"""Whole matches of both games, in every option, step by step beside the literal readings of the rules."""

from __future__ import annotations

import copy
import random
from collections import Counter

from jasshaus.rules.core.cards import Contract, cards_in, format_card, format_contract
from jasshaus.rules.core.refusals import RuleViolation
from jasshaus.rules.core.weis import candidates
from jasshaus.rules.differenzler import Announce
from jasshaus.rules.registry import advance, claimants, legal_actions, new_match, pending
from jasshaus.rules.schieber import (
    ChooseContract,
    Claim,
    DeclareWeis,
    EndedBy,
    Match,
    PlayCard,
    Push,
)
from rules.layouts import texts
from rules.literal_differenzler import Differenzler
from rules.literal_schieber import Schieber
from rules.literal_table import Refused
from rules.schieber_layouts import WEIS
from sizes import scaled

EVERY_WEIS = list(WEIS.values())  # at a table with low_quartets=0 some are none


def any_command(rng: random.Random, match):
    """Draw a command of either game, mostly one that is not allowed."""
    seat = rng.randrange(4)
    own = candidates(match.dealt[seat], match.rules) if isinstance(match, Match) else ()
    weis = rng.sample([*own, rng.choice(EVERY_WEIS)], rng.randint(1, min(3, len(own) + 1)))
    return rng.choice(
        [
            PlayCard(seat, rng.randrange(36)),
            PlayCard(seat, rng.choice(cards_in(match.hands[seat]) or (0,))),
            DeclareWeis(seat, tuple(weis)),
            DeclareWeis(seat),
            ChooseContract(seat, rng.choice(list(Contract))),
            Push(seat),
            Announce(seat, rng.choice([-1, 0, 157, 158])),
            Claim(seat),
        ]
    )


def accepted(act, command) -> bool:
    try:
        act(command)
    except (RuleViolation, Refused):
        return False
    return True


def check_same_offers(rng: random.Random, match, literal) -> None:
    for seat in range(4):
        offered = legal_actions(match, seat)
        assert {format_card(card) for card in offered.cards} == literal.legal(seat)
        if isinstance(literal, Schieber):
            assert (seat in claimants(match)) == literal.may_claim(seat)
    for _ in range(3):
        command = any_command(rng, match)
        asked = copy.deepcopy(literal, {id(literal.rules): literal.rules})
        assert accepted(lambda each: advance(match, each), command) == accepted(asked.do, command), command


def check_same_state(match, literal) -> None:
    assert (match.phase, match.deal, match.forehand) == (literal.phase, literal.deal, literal.forehand)
    assert [{format_card(card) for card in cards_in(hand)} for hand in match.hands] == literal.hands
    assert [format_card(card) for card in match.table] == literal.on_table
    assert [(trick.winner, trick.points) for trick in match.tricks] == literal.tricks
    assert match.contract is None or format_contract(match.contract) == literal.contract
    if match.phase in {"contract", "weis", "play", "announce"}:
        assert match.leader == literal.leader
    if match.outcome is None:
        assert list(match.totals) == literal.totals
    if isinstance(literal, Schieber) and match.phase in {"weis", "play"}:
        assert [(shown.seat, *texts((shown.weis,))) for shown in match.weis_scored] == literal.scored
        assert match.stoeck_scored == literal.stoeck_scored
        declared = [None if each is None else tuple(texts(each)) for each in match.declared]
        assert declared == literal.declared


def play_beside(rng: random.Random, literal, random_command) -> tuple[Match, int]:
    """Play a match to its end, both readings told the same; give it, and how many positions were compared."""
    match, compared = new_match(literal.rules), 0
    while match.outcome is None:
        command = random_command(rng, match, claims=0.05)
        match, _ = advance(match, command)
        literal.do(command)
        check_same_state(match, literal)
        check_same_offers(rng, match, literal)
        compared += 1
    assert pending(match) == ()
    return match, compared


def test_a_schieber_goes_as_the_literal_reading_says(random_rules, random_command):
    ways, compared, matches = Counter(), 0, scaled(150, least=60)
    for seed in range(matches):
        rng = random.Random(seed)
        literal = Schieber(random_rules(rng))
        match, positions = play_beside(rng, literal, random_command)
        outcome = match.outcome
        assert (outcome.winner, outcome.by, outcome.totals, outcome.schneider) == literal.outcome
        ways[outcome.by] += 1
        compared += positions
    assert set(ways) == set(EndedBy)
    assert compared > 8000 * matches // 150


def test_a_differenzler_goes_as_the_literal_reading_says(random_differenzler_rules, random_command):
    compared, matches = 0, scaled(100, least=50)
    for seed in range(matches):
        rng = random.Random(seed)
        literal = Differenzler(random_differenzler_rules(rng))
        match, positions = play_beside(rng, literal, random_command)
        assert (match.outcome.winner, match.outcome.totals) == literal.outcome
        compared += positions
    assert compared > 80 * matches
