"""`make chaos`: storms of faults over a whole stack, by seed, and what was broken after each."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from faults.monkey import KINDS
from faults.storm import Options, storm
from jasshaus.platform.logging import configure_logging


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make chaos ARGS=...", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="which faults, and when (default 1)")
    parser.add_argument("--runs", type=int, default=1, help="how many storms, each with the next seed")
    parser.add_argument(
        "--minutes", type=float, default=1.0, help="how long each storm lasts, before the calm"
    )
    parser.add_argument("--games", type=int, default=4, help="tables at once, four people each (default 4)")
    parser.add_argument("--pace", type=float, default=1.2, help="seconds from fault to fault, on average")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=tuple(KINDS), help="kinds of faults")
    parser.add_argument(
        "--only", nargs="+", type=int, default=(), help="only these faults of the plan, from 0"
    )
    parser.add_argument("--plan", action="store_true", help="print the plan and do nothing")
    return parser.parse_args()


def main() -> int:
    asked = read_arguments()
    configure_logging("chaos", "console", "warning")
    failed = []
    for seed in range(asked.seed, asked.seed + asked.runs):
        options = Options(
            seed, 60 * asked.minutes, asked.games, asked.kinds, asked.only, asked.pace, say=True
        )
        if asked.plan:
            for number, strike in enumerate(options.strikes):
                print(f"{number:3} {strike}")
            continue
        began = time.monotonic()
        findings = asyncio.run(storm(options))
        print(f"seed {seed}: {time.monotonic() - began:.0f} s")
        for what, count in sorted(findings.counts.items()):
            print(f"  {count:7} {what}")
        for wrong in findings.wrong:
            print(f"  WRONG {wrong}")
        print(f"seed {seed}: {'WRONG' if findings.wrong else 'nothing wrong'}", flush=True)
        if findings.wrong:
            failed.append(seed)
    if failed:
        print(f"seeds with something wrong: {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
