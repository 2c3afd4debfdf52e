"""Imports that must not be: planted in a copy, each is found by the contracts that `make lint` checks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

#: A file, the line planted in it, and what the report must name.
PLANTS = [
    ("matchmaking/rows/store.py", "from jasshaus.matchmaking.servicer import HistoryServicer"),
    ("matchmaking/lobby/board.py", "from jasshaus.matchmaking.games import saga"),
    ("table/store.py", "from jasshaus.table.servicer import TableServicer"),
    ("table/operations.py", "from jasshaus.table.views import table_view"),
    ("table/decide.py", "from jasshaus.bots import BOTS"),
    ("rules/core/cards.py", "from jasshaus.rules.schieber import match"),
    ("rules/schieber/events.py", "from jasshaus.rules.differenzler import events"),
    ("bots/core/search.py", "from jasshaus.api.table.v1 import table_pb2"),
    ("wallet/store.py", "from jasshaus.table import keys"),
    ("platform/server.py", "from jasshaus.rules import registry"),
    ("client/table.py", "from jasshaus.platform import errors"),
]


@pytest.fixture(scope="module")
def report(root, tmp_path_factory):
    """What the linter says of a copy with all of them."""
    copy = tmp_path_factory.mktemp("planted")
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(root / "services", copy / "services", ignore=ignored)
    shutil.copy(root / "pyproject.toml", copy)
    for path, line in PLANTS:
        file = copy / "services" / "jasshaus" / path
        file.write_text(f"{file.read_text()}\n{line}\n")
    ran = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy / "services"), "COLUMNS": "400"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.parametrize(("path", "line"), PLANTS, ids=[path for path, _ in PLANTS])
def test_an_import_that_must_not_be_is_found(report, path, line):
    importer = "jasshaus." + path.removesuffix(".py").replace("/", ".")
    _, imported_from, _, name = line.split()
    broken = report.partition("Broken contracts")[2]
    assert f"{importer} -> {imported_from}" in broken or f"{importer} -> {imported_from}.{name}" in broken
