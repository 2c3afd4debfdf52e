"""The line that `jasshaus up` prints to be tried."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jasshaus.cli.up import PORTS, _one_line
from jasshaus.devstack.development import DATA

ROOT = Path(__file__).parents[2]


def stack(**other_ports: int) -> Any:
    ports = {**PORTS, **other_ports}
    return SimpleNamespace(
        processes={name: SimpleNamespace(address=f"127.0.0.1:{port}") for name, port in ports.items()}
    )


def test_it_is_short_in_the_checkout_with_what_is_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "executable", str(ROOT / "venv of mine" / "bin" / "python"))
    python = "'venv of mine/bin/python'"
    assert _one_line(stack(), DATA) == (
        "for p in anna beat claudia dario; do"
        f" JASSHAUS_TOKEN=$({python} -m jasshaus.cli token $p) {python} examples/play.py & sleep 2;"
        " done; wait"
    )


def test_elsewhere_paths_are_whole_and_unusual_ports_and_folders_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    line = _one_line(stack(wallet=9003), Path("data"))
    assert "JASSHAUS_WALLET=127.0.0.1:9003 JASSHAUS_TOKEN=" in line
    assert "JASSHAUS_TABLE" not in line
    assert "token $p --data ./data)" in line
    assert f"{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'examples' / 'play.py'))} &" in line
