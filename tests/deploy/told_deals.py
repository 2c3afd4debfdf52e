"""Plays seeded deals of every preset and prints all that happens: what any two builds must agree on."""

from __future__ import annotations

import dataclasses
import random
import sys

from jasshaus.bots import greedy, strong
from jasshaus.rules import registry
from jasshaus.rules.core import kernel
from jasshaus.rules.core.options import PRESETS, FirstForehand, rule_set
from jasshaus.rules.core.refusals import RuleViolation
from jasshaus.rules.schieber import StartDeal

DEALS = 40  # of each preset


def tell(preset: str) -> None:
    """Play some deals of a match by either bot, and print what each sees, does, and what comes of it."""
    rng = random.Random(preset)
    rules = rule_set(preset, {})
    match = registry.new_match(rules)
    while match.outcome is None and match.deal <= DEALS:
        for awaited in registry.pending(match)[:1]:
            if awaited.seat is None:
                deck = tuple(rng.sample(range(36), 36))
                drawn = match.deal == 0 and rules.first_forehand is FirstForehand.RANDOM
                command: registry.Command = StartDeal(deck, rng.randrange(4) if drawn else None)
            else:
                view = registry.view(match, awaited.seat)
                print(view)
                seed = rng.getrandbits(32)
                if rng.random() < 0.1:
                    command = strong.choose(view, seed, budget_ms=None, worlds=8)
                else:
                    command = greedy.choose(view, seed)
            events = registry.decide(match, command)
            after = registry.replay(match, events)
            assert (after, events) == registry.advance(match, command)
            match = after
            print(command, events)


def refused() -> None:
    """Print how a command against the rules and a change of what is frozen are refused."""
    match = registry.new_match(rule_set("schieber-classic", {}))
    try:
        registry.decide(match, StartDeal((1, 2, 3), 0))
    except RuleViolation as violation:
        print(violation.reason, violation)
    try:
        match.deal = 7  # type: ignore[misc]
    except dataclasses.FrozenInstanceError as error:
        print(error)


if __name__ == "__main__":
    print(kernel.__file__, file=sys.stderr)
    for name in PRESETS:
        print(name)
        tell(name)
    refused()
