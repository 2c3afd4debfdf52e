"""Schieber matches laid out for a purpose: a deal just begun, ready for the lead, or between two tricks."""

from __future__ import annotations

import random
from dataclasses import replace

from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.options import RuleSet, rule_set
from jasshaus.rules.core.weis import Weis, weis_of
from jasshaus.rules.schieber import (
    ChooseContract,
    DeclareWeis,
    Match,
    Phase,
    PlayCard,
    StartDeal,
    Trick,
    legal_actions,
    new_match,
)
from rules import brute_weis
from rules.layouts import SUITS_APART, card, hand, run


def weis(text: str) -> Weis:
    made = weis_of(hand(text))
    assert made is not None
    return made


#: The rules' value of each combination of the brute force.
WEIS = {each: weis(" ".join(each)) for each in brute_weis.EVERY}


def started(rules: RuleSet | None = None, deck: tuple[int, ...] = SUITS_APART) -> Match:
    return run(new_match(rules or rule_set("schieber-classic")), StartDeal(deck, 0))


def playing(
    contract: Contract = Contract.ACORNS, deck: tuple[int, ...] = SUITS_APART, **options: object
) -> Match:
    """Start a deal with forehand 0 and nothing declared, ready for the first lead."""
    match = run(started(rule_set("schieber-classic", options), deck), ChooseContract(0, contract))
    return run(match, *(DeclareWeis(seat) for seat in range(4)))


def play_round(match: Match, *texts: str) -> Match:
    for text in texts:
        match = run(match, PlayCard(match.player, card(text)))
    return match


def trick(seat: int, points: int) -> Trick:
    return Trick(leader=seat, cards=(0, 1, 2, 3), winner=seat, points=points)


def between_tricks(rules: RuleSet, contract: Contract, tricks: tuple[Trick, ...], **fields: object) -> Match:
    match = replace(new_match(rules), phase=Phase.PLAY, deal=1, forehand=0, contract=contract)
    return replace(match, tricks=tricks, leader=tricks[-1].winner, **fields)


def reaching(own: int, other: int = 0, **options: object) -> Match:
    """Stop after a trick of side 0, with these totals counted so far and a target of 1000."""
    rules = rule_set("schieber-classic", {"target": 1000, **options})
    return between_tricks(rules, Contract.ACORNS, (trick(1, 5), trick(0, 10)), totals=(own - 10, other - 5))


def whole_deal(match: Match) -> Match:
    """Play at random to the end of the deal."""
    rng = random.Random(3)
    while match.phase is Phase.PLAY:
        match = run(match, PlayCard(match.player, rng.choice(legal_actions(match, match.player).cards)))
    return match
