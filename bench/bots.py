"""How well the bots play: strength by duplicate deals, soundness, and what they spend, against their gates.

Fixed seeds, 95 % confidence intervals. A deal between two bots is played twice, sides swapped, under
one contract: greedy's choice, or (`plain`) what forehand's hand is best at, whatever it counts, never
pushed.
`--check` exits non-zero when a gate is missed. A gate is met by the mean, that of the contracts by the whole
interval. `surely` is the end of the interval nearer to the gate: beyond it, other seeds might miss the gate,
and it is met `barely`.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import get_context
from typing import NamedTuple

from jasshaus.bots import BOTS, strong
from jasshaus.bots.schieber.greedy import expected_points
from jasshaus.rules import registry
from jasshaus.rules.core.cards import SEATS, Contract, mask_of, side_of
from jasshaus.rules.core.decisions import PendingKind
from jasshaus.rules.core.options import PRESETS, FirstForehand, RuleSet, Variant, rule_set
from jasshaus.rules.differenzler import PenaltiesScored
from jasshaus.rules.schieber import ChooseContract, Claim, DealScored, StartDeal

Bot = Callable[[registry.View, int], registry.Command]

MOVE_MS = 50.0
SHORT_MS = 5.0
CONTRACT_RULES = rule_set("schieber-classic", {"target": 10_000, "finish": "automatic"})
#: Card points are what a duel counts, so nothing else is played for.
POINTS_ONLY = rule_set("schieber-classic", {"target": 10_000, "finish": "automatic", "match_bonus": 0})
DIFFERENZLER_RULES = rule_set("differenzler-classic", {"rounds": 12})


class Row(NamedTuple):
    """One line of the table."""

    name: str
    figure: float
    margin: float | None  # half of the 95 % interval
    target: str
    met: bool
    sample: str

    @property
    def surely(self) -> float | None:
        """Return the end of the interval nearer to the gate."""
        if self.margin is None:
            return None
        return self.figure + self.margin if self.target.startswith("<") else self.figure - self.margin

    @property
    def verdict(self) -> str:
        """Return whether the gate is met, and whether the whole interval meets it."""
        if not self.met:
            return "MISSED"
        gate = float(self.target.split()[-1])
        within = self.surely is not None and (self.surely > gate) == self.target.startswith("<")
        return "barely" if within else "ok"


def mean_of(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and half of its 95 % confidence interval."""
    return statistics.fmean(values), 1.96 * statistics.stdev(values) / len(values) ** 0.5


def deck_of(seed: int) -> tuple[int, ...]:
    return tuple(random.Random(seed).sample(range(36), 36))


def play_deal(
    rules: RuleSet,
    seed: int,
    card_bots: Sequence[Bot],
    contract_bots: Sequence[Bot],
    spent: list[float] | None = None,
) -> registry.Event:
    """Play one deal of four bots by seat and give its score; `decide` refuses whatever is not legal."""
    rng = random.Random(seed)
    drawn = rules.first_forehand is FirstForehand.RANDOM
    match = registry.new_match(rules)
    events = registry.decide(match, StartDeal(deck_of(seed), seed % 4 if drawn else None))
    while True:
        match = registry.replay(match, events)
        for event in events:
            if isinstance(event, (DealScored, PenaltiesScored)):
                return event
        due = registry.pending(match)[0]
        assert due.seat is not None
        bots = contract_bots if due.kind is PendingKind.CONTRACT else card_bots
        seen = registry.view(match, due.seat)
        begun = time.thread_time()
        command = bots[due.seat](seen, rng.getrandbits(32))
        if spent is not None:
            spent.append(time.thread_time() - begun)
        assert not isinstance(command, Claim)
        events = registry.decide(match, command)


def by_side(one: Bot, other: Bot) -> tuple[Bot, ...]:
    return tuple((one, other)[side_of(seat)] for seat in SEATS)


def plain_contract(view: registry.View, _rng_seed: int) -> registry.Command:
    """Name what the hand is best at, whatever a contract counts and however little it is."""
    assert view.viewer is not None
    worth = expected_points(mask_of(view.hand))
    return ChooseContract(view.viewer, max(Contract, key=worth.__getitem__))


def duplicate(bot: Bot, rival: Bot, chooser: Bot, seed: int) -> tuple[float, list[float]]:
    """Return a bot's mean card points over a deal played from both sides, and the times of all moves."""
    spent: list[float] = []
    choosers = (chooser,) * 4
    first = play_deal(POINTS_ONLY, seed, by_side(bot, rival), choosers, spent)
    second = play_deal(POINTS_ONLY, seed, by_side(rival, bot), choosers, spent)
    assert isinstance(first, DealScored)
    assert isinstance(second, DealScored)
    return (first.card_points[0] + second.card_points[1]) / 2, spent


def contract_gain(bot: Bot, seed: int) -> float:
    """Return how much more a deal brings to forehand's side when the bot chooses in greedy's place."""
    players = (BOTS["greedy"],) * 4
    side = side_of(seed % 4)
    scores = []
    for chooser in (bot, BOTS["greedy"]):
        scored = play_deal(CONTRACT_RULES, seed, players, (chooser,) * 4)
        assert isinstance(scored, DealScored)
        scores.append(scored.score[side] - scored.score[1 - side])
    return scores[0] - scores[1]


def sound(bot: Bot, seed: int) -> tuple[list[float], str]:
    """Play a deal of four such bots, the preset changing with the seed.

    Gives the times of all moves, and what went wrong: an illegal move, or whatever the bot raised.
    """
    preset, rules = list(PRESETS.items())[seed % len(PRESETS)]
    if rules.variant is Variant.SCHIEBER:
        rules = rule_set(preset, {"target": 10_000})
    spent: list[float] = []
    try:
        play_deal(rules, seed, (bot,) * 4, (bot,) * 4, spent)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what this counts
        return spent, f"deal {seed}, {preset}: {error!r}"
    return spent, ""


def penalties(bot: Bot, seed: int) -> float:
    """Return the mean penalty of four equal bots in one round."""
    scored = play_deal(DIFFERENZLER_RULES, seed, (bot,) * 4, (bot,) * 4)
    assert isinstance(scored, PenaltiesScored)
    return statistics.fmean(scored.penalties)


strong_at_move = partial(strong.choose, budget_ms=MOVE_MS)
strong_in_short = partial(strong.choose, budget_ms=SHORT_MS)


class Bench:
    """Runs the measurements over all cores, each deal on one."""

    def __init__(self, scale: float, jobs: int) -> None:
        self._scale = scale
        self._pool = get_context("spawn").Pool(jobs)

    def _map(self, work: Callable[[int], object], count: int, first_seed: int) -> list:
        seeds = range(first_seed, first_seed + max(8, round(count * self._scale)))
        return self._pool.map(work, seeds, chunksize=4)

    def greedy(self) -> list[Row]:
        results = self._map(partial(duplicate, BOTS["greedy"], BOTS["random"], BOTS["greedy"]), 1000, 10_000)
        mean, margin = mean_of([points for points, _ in results])
        return [
            Row(
                "greedy against random, points",
                mean,
                margin,
                ">= 96",
                mean >= 96,
                f"{len(results)} x 2 deals",
            )
        ]

    def strong(self) -> list[Row]:
        results = self._map(partial(duplicate, strong_at_move, BOTS["greedy"], BOTS["greedy"]), 1000, 20_000)
        mean, margin = mean_of([points for points, _ in results])
        slow = percentile_99([moment for _, spent in results for moment in spent])
        sample = f"{len(results)} x 2 deals"
        return [
            Row("strong against greedy, points", mean, margin, ">= 92", mean >= 92, sample),
            Row("strong at 50 ms, p99 of a move, ms", slow, None, "<= 100", slow <= 2 * MOVE_MS, sample),
        ]

    def plain(self) -> list[Row]:
        results = self._map(partial(duplicate, strong_at_move, BOTS["greedy"], plain_contract), 1000, 60_000)
        mean, margin = mean_of([points for points, _ in results])
        sample = f"{len(results)} x 2 deals"
        return [Row("strong against greedy, plain contracts", mean, margin, ">= 92", mean >= 92, sample)]

    def contract(self) -> list[Row]:
        gains = self._map(partial(contract_gain, strong_at_move), 2000, 30_000)
        mean, margin = mean_of(gains)
        return [
            Row(
                "strong's contract over greedy's",
                mean,
                margin,
                "> 0",
                mean - margin > 0,
                f"{len(gains)} deals",
            )
        ]

    def soundness(self) -> list[Row]:
        results = self._map(partial(sound, strong_in_short), 10_000, 40_000)
        slow = percentile_99([moment for spent, _ in results for moment in spent])
        wrong = [text for _, text in results if text]
        print("\n".join(wrong), end="\n" if wrong else "")
        sample = f"{len(results)} deals"
        return [
            Row("illegal moves and exceptions at 5 ms", len(wrong), None, "0", not wrong, sample),
            Row("strong at 5 ms, p99 of a move, ms", slow, None, "<= 10", slow <= 2 * SHORT_MS, sample),
        ]

    def differenzler(self) -> list[Row]:
        means = self._map(partial(penalties, strong_at_move), 500, 50_000)
        mean, margin = mean_of(means)
        return [Row("Differenzler, strong, penalty", mean, margin, "<= 7", mean <= 7, f"{len(means)} rounds")]


def percentile_99(seconds: Sequence[float]) -> float:
    """Return the 99th percentile in milliseconds."""
    return 1000 * sorted(seconds)[int(len(seconds) * 0.99)]


def main() -> int:
    parts = ("greedy", "strong", "plain", "contract", "soundness", "differenzler")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="exit 1 when a gate is missed; whole samples only"
    )
    parser.add_argument(
        "--scale", type=float, default=None, help="part of the stated samples (0.05 without --check)"
    )
    parser.add_argument("--only", choices=parts, nargs="+", default=parts)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    scale = options.scale or (1.0 if options.check else 0.05)
    bench = Bench(scale, options.jobs)
    print(f"{'figure':38} {'mean':>8} {'95 %':>7} {'surely':>7}   {'gate':8} {'':6} sample")
    missed = 0
    for part in options.only:
        for row in getattr(bench, part)():
            missed += not row.met
            margin = "" if row.margin is None else f"+-{row.margin:.2f}"
            surely = "" if row.surely is None else f"{row.surely:.2f}"
            print(
                f"{row.name:38} {row.figure:8.2f} {margin:>7} {surely:>7}   "
                f"{row.target:8} {row.verdict:6} {row.sample}",
                flush=True,
            )
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
