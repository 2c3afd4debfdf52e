"""Benchmarks are not type-checked and nobody imports them: the one of a move still has to run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_benchmark_of_a_move_runs():
    command = [sys.executable, ROOT / "bench" / "moves.py", "--moves", "40", "--tables", "2", "--idle", "100"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "100 idle tables" in done.stdout
