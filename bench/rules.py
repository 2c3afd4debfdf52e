"""How fast the rules run on one core, against their targets, in plain Python and compiled.

Machines differ, so every figure is also given as a multiple of the floor: the passes a second of a fixed loop
in plain Python, measured in the same run. `--check` exits non-zero when a target is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from builds import build

from jasshaus.rules import schieber
from jasshaus.rules.core.cards import Contract, UnePoints, cards_in, mask_of, points_table
from jasshaus.rules.core.kernel import PLAY_BITS, SHUFFLE_BITS, play_out, shuffled_hands
from jasshaus.rules.core.options import Undertrump, rule_set
from jasshaus.rules.core.tricks import legal_cards
from jasshaus.rules.core.weis import award, best_declaration
from jasshaus.rules.schieber import (
    ChooseContract,
    DeclareWeis,
    Match,
    PlayCard,
    StartDeal,
    advance,
    new_match,
)

FORBIDDEN = Undertrump.FORBIDDEN
POINTS = [points_table(contract, UnePoints.SIX11) for contract in Contract]
RULES = rule_set("schieber-classic", {"target": 10_000, "finish": "automatic"})
ROUNDS = 5


class Target(NamedTuple):
    """A figure and the least, or most, it may be."""

    name: str
    unit: str
    pure: float
    compiled: float | None
    more_is_better: bool = True


TARGETS = {
    "given": Target("playouts from given hands", "deals/s", 18_000, 40_000),
    "dealt": Target("playouts with shuffling and dealing", "deals/s", 12_000, None),
    "machine": Target("state machine with events", "deals/s", 1_500, 4_000),
    "weis": Target("Weis of a whole deal", "us", 60, None, more_is_better=False),
}


def rate(work: Callable[[], int]) -> float:
    """Return the best of a few runs, in pieces of work a second of CPU: what disturbs only makes slower."""
    best = 0.0
    for _ in range(ROUNDS):
        begun = time.process_time()
        done = work()
        best = max(best, done / (time.process_time() - begun))
    return best


def floor() -> int:
    """Run the fixed loop that all figures are compared with."""
    passes, value = 300_000, 0
    for step in range(passes):
        value = value * 5 + step & 1023
    return passes


def given() -> float:
    rng = random.Random(1)
    deals = [(shuffled_hands(rng.getrandbits(SHUFFLE_BITS)), rng.getrandbits(PLAY_BITS)) for _ in range(3000)]

    def work() -> int:
        for number, (hands, entropy) in enumerate(deals):
            contract = Contract(number % 6)
            copy = [hand[:] for hand in hands]
            play_out(copy, number & 3, contract, FORBIDDEN, POINTS[contract], entropy)
        return len(deals)

    return rate(work)


def dealt() -> float:
    rng = random.Random(2)

    def work() -> int:
        for number in range(3000):
            contract = Contract(number % 6)
            hands = shuffled_hands(rng.getrandbits(SHUFFLE_BITS))
            play_out(hands, number & 3, contract, FORBIDDEN, POINTS[contract], rng.getrandbits(PLAY_BITS))
        return 3000

    return rate(work)


def deal_through(deck: tuple[int, ...], number: int) -> Match:
    """Play a deal by commands, with Weis; the cards are chosen by the deal's number."""
    forehand = number & 3
    match, _ = advance(new_match(RULES), StartDeal(deck, forehand))
    match, _ = advance(match, ChooseContract(forehand, Contract(number % 6)))
    for seat in range(4):
        match, _ = advance(match, DeclareWeis(seat))
    contract = match.contract
    assert contract is not None
    for place in range(36):
        seat = match.player
        cards = cards_in(legal_cards(match.hands[seat], match.table, contract, FORBIDDEN))
        match, _ = advance(match, PlayCard(seat, cards[(number + 7 * place) % len(cards)]))
    return match


def machine() -> float:
    rng = random.Random(3)
    decks = [tuple(rng.sample(range(36), 36)) for _ in range(200)]

    def work() -> int:
        for number, deck in enumerate(decks):
            assert deal_through(deck, number).last_deal is not None
        return len(decks)

    return rate(work)


def weis() -> float:
    """Return microseconds for the best declarations of four hands and who scores."""
    rng = random.Random(4)
    deals = []
    for _ in range(1000):
        deck = rng.sample(range(36), 36)
        deals.append([mask_of(deck[9 * seat : 9 * seat + 9]) for seat in range(4)])

    def work() -> int:
        for hands in deals:
            declared = [best_declaration(hand, Contract.ROSES, RULES) for hand in hands]
            award(declared, 0, Contract.ROSES, RULES)
        return len(deals)

    return 1e6 / rate(work)


MEASURES = {"given": given, "dealt": dealt, "machine": machine, "weis": weis}


def measure() -> dict[str, float]:
    return {"floor": rate(floor), **{name: run() for name, run in MEASURES.items()}}


def measured(*, compiled: bool) -> dict[str, float]:
    """Measure one of the builds, in a process of its own with that build first on its path."""
    environ = {**os.environ, "PYTHONPATH": str(build(compiled=compiled))}
    command = [sys.executable, __file__, "--measure"]
    done = subprocess.run(command, env=environ, check=True, capture_output=True, text=True)
    figures = json.loads(done.stdout)
    assert figures.pop("compiled") == compiled, "the other build was measured"
    return figures


def is_compiled() -> bool:
    return not str(schieber.__file__).endswith(".py")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit 1 when a target is missed")
    parser.add_argument("--pure", action="store_true", help="leave out the compiled build")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps({"compiled": is_compiled(), **measure()}))
        return 0
    runs = {"plain": measured(compiled=False)}
    if not options.pure:
        runs["compiled"] = measured(compiled=True)
    print(f"floor: {runs['plain']['floor']:,.0f} passes/s of a fixed loop in plain Python")
    print(f"{'figure':38} {'build':9} {'measured':>16} {'target':>9} {'margin':>7} {'x floor':>9}")
    missed = 0
    for name, target in TARGETS.items():
        for kind, figures in runs.items():
            wanted = target.pure if kind == "plain" else target.compiled
            if wanted is None:
                continue
            figure = figures[name]
            margin = figure / wanted if target.more_is_better else wanted / figure
            missed += margin < 1
            per_second = figure if target.more_is_better else 1e6 / figure
            of_floor = per_second / figures["floor"]
            print(
                f"{target.name:38} {kind:9} {figure:8,.0f} {target.unit:7} {wanted:9,.0f} {margin:6.2f}x "
                f"{of_floor:9.5f}{'' if margin >= 1 else '  MISSED'}"
            )
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
