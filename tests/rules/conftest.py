"""What the rules' tests share: random rule sets and random, legal play of both games."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from jasshaus.rules.core.options import (
    Announcements,
    ClaimWhen,
    Finish,
    FirstForehand,
    RuleSet,
    StoeckTiming,
    TieRoundEligible,
    Undertrump,
    UnePoints,
    WeisAward,
    WeisDeclaration,
    WeisTable,
    WeisTiebreak,
    WeisWhen,
    applicable,
    rule_set,
)
from jasshaus.rules.differenzler import Announce
from jasshaus.rules.registry import (
    Command,
    Event,
    Match,
    PendingKind,
    advance,
    claimants,
    legal_actions,
    new_match,
    pending,
)
from jasshaus.rules.schieber import ChooseContract, Claim, DeclareWeis, PlayCard, Push, StartDeal
from sizes import scaled


def random_rules(rng: random.Random) -> RuleSet:
    """Draw every Schieber option."""
    drawn: dict[str, object] = {
        "target": rng.choice([100, 300, 1000, 2500]),
        "schneider_below": rng.choice([None, 50, 100]),
        "multipliers": tuple(rng.randint(1, 6) for _ in range(6)),
        "match_bonus": rng.choice([0, 100]),
        "undertrump": rng.choice(list(Undertrump)),
        "une_points": rng.choice(list(UnePoints)),
        "four_nines": rng.choice([0, 150]),
        "low_quartets": rng.choice([0, 100]),
        "weis_table": rng.choice(list(WeisTable)),
        "weis_declaration": rng.choice(list(WeisDeclaration)),
        "weis_when": rng.choice(list(WeisWhen)),
        "weis_award": rng.choice(list(WeisAward)),
        "weis_tiebreak": rng.choice(list(WeisTiebreak)),
        "weis_shared": rng.random() < 0.5,
        "weis_split_runs": rng.random() < 0.5,
        "weis_needs_trick": rng.random() < 0.5,
        "une_weis_reversed": rng.random() < 0.5,
        "stoeck_timing": rng.choice(list(StoeckTiming)),
        "finish": rng.choice(list(Finish)),
        "claim_when": rng.choice(list(ClaimWhen)),
        "claim_counts_unplayed_stoeck": rng.random() < 0.5,
        "live_points": rng.random() < 0.5,
        "first_forehand": rng.choice(list(FirstForehand)),
    }
    shape = {name: drawn[name] for name in ("weis_declaration", "finish")}
    meaningful = applicable(rule_set("schieber-classic", shape))
    return rule_set("schieber-classic", {name: value for name, value in drawn.items() if name in meaningful})


def random_differenzler_rules(rng: random.Random) -> RuleSet:
    """Draw every Differenzler option; few rounds, so that ties come up."""
    drawn = {
        "rounds": rng.choice([1, 1, 2, 4]),
        "announcements": rng.choice(list(Announcements)),
        "undertrump": rng.choice(list(Undertrump)),
        "exact_bonus": rng.choice([0, 10]),
        "tie_round_eligible": rng.choice(list(TieRoundEligible)),
        "live_points": rng.random() < 0.5,
        "first_forehand": rng.choice(list(FirstForehand)),
    }
    return rule_set("differenzler-classic", drawn)


def random_deck(rng: random.Random, *, lumpy: bool = False) -> tuple[int, ...]:
    """Shuffle a deck; a lumpy one is shuffled in threes of a suit, so that hands are full of Weis."""
    if not lumpy:
        return tuple(rng.sample(range(36), 36))
    packets = [tuple(range(start, start + 3)) for start in range(0, 36, 3)]
    rng.shuffle(packets)
    deck = [card for packet in packets for card in packet]
    for _ in range(rng.randrange(6)):
        one, other = rng.randrange(36), rng.randrange(36)
        deck[one], deck[other] = deck[other], deck[one]
    return tuple(deck)


def start_deal(rng: random.Random, match: Match, *, lumpy: bool = False) -> StartDeal:
    drawn = match.deal == 0 and match.rules.first_forehand is FirstForehand.RANDOM
    return StartDeal(random_deck(rng, lumpy=lumpy), rng.randrange(4) if drawn else None)


def random_command(  # noqa: PLR0911 - one case for each kind of decision
    rng: random.Random, match: Match, claims: float = 0.02
) -> Command:
    """Draw a legal command."""
    if claimants(match) and rng.random() < claims:
        return Claim(rng.choice(claimants(match)))
    due = rng.choice(pending(match))
    if due.seat is None:
        return start_deal(rng, match, lumpy=rng.random() < 0.5)
    legal = legal_actions(match, due.seat)
    match due.kind:
        case PendingKind.CONTRACT if legal.can_push and rng.random() < 0.3:
            return Push(due.seat)
        case PendingKind.CONTRACT:
            return ChooseContract(due.seat, rng.choice(legal.contracts))
        case PendingKind.WEIS | PendingKind.CARD if legal.can_declare_weis and (
            due.kind is PendingKind.WEIS or rng.random() < 0.6
        ):
            # At the own first card who does not declare just plays.
            lists = [(), legal.weis_recommended, *((weis,) for weis in legal.weis)]
            return DeclareWeis(due.seat, rng.choice(lists))
        case PendingKind.ANNOUNCEMENT:
            return Announce(due.seat, rng.choice([0, 157, 40, rng.randint(0, 157)]))
        case _:
            return PlayCard(due.seat, rng.choice(legal.cards))


@dataclass
class Played:
    """A match and what led to it."""

    start: Match
    match: Match
    commands: list[Command]
    events: list[Event]


def play(
    rng: random.Random, rules: RuleSet, claims: float = 0.02, until: Callable[[Match], bool] | None = None
) -> Played:
    """Play legal commands at random to the end, or until a condition holds."""
    start = new_match(rules)
    played = Played(start, start, [], [])
    while played.match.outcome is None and not (until and until(played.match)):
        command = random_command(rng, played.match, claims)
        played.match, events = advance(played.match, command)
        played.commands.append(command)
        played.events += events
    return played


@pytest.fixture(scope="session", name="positions")
def _positions():
    """Return how many random positions the second readings of the rules are compared over."""
    return scaled(100_000)


@pytest.fixture(scope="session", name="random_rules")
def _random_rules():
    return random_rules


@pytest.fixture(name="random_differenzler_rules")
def _random_differenzler_rules():
    return random_differenzler_rules


@pytest.fixture(name="random_deck")
def _random_deck():
    return random_deck


@pytest.fixture(name="random_command")
def _random_command():
    return random_command


@pytest.fixture(name="play")
def _play():
    return play
