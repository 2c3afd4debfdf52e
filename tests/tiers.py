"""Sorts the tests: which are fast, which stay together on one worker, which begin first."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

ROOT = Path(__file__).parent

#: Fixtures that start a server or a process.
_SERVERS = frozenset({"data_folder", "stack", "faulty_stack", "folder", "installed", "compiler"})

#: Files whose tests start servers or programs of their own, or which fill the machine.
_STARTERS = frozenset(
    {
        "deploy/test_bench.py",
        "deploy/test_chart.py",
        "deploy/test_generated_names.py",
        "deploy/test_image.py",
        "deploy/test_layers.py",
        "deploy/test_release.py",
        "platform/test_channel.py",
        "platform/test_floods.py",
        "platform/test_limits.py",
        "platform/test_memory.py",
        "platform/test_server.py",
        "cli/test_running.py",
        "cli/test_up.py",
        "upgrade/test_running.py",
        "test_signals.py",
    }
)
_STARTING_FOLDERS = ("devstack/", "e2e/", "failover/", "faults/", "wallet/")

#: What needs no server and yet takes long, at any JASSHAUS_TEST_SCALE.
_LONG = (
    "rules/test_properties.py::test_any_schieber_ends",
    "rules/test_differenzler_properties.py::test_any_differenzler_ends",
    "cli/test_play_terminal.py",
    "table/test_outage.py",
)


#: The one match that the fast tier plays end to end: lobby, tables and wallet, over real servers.
_MATCH = "e2e/test_match.py::test_a_match_is_played_to_the_end_and_the_winners_are_paid[schieber-classic]"

#: Their files share what is costly to make: a stack, a rendered chart, a compiled build.
_TOGETHER = ("tests/deploy/", "tests/faults/")

#: These share one stack, and go one after the other.
_ON_ONE_STACK = tuple(
    f"tests/e2e/test_{name}.py"
    for name in (
        "bad_input",
        "example",
        "faults",
        "lost_rows",
        "match",
        "moves",
        "operator",
        "seats",
        "secrecy",
    )
)

#: What takes longest, begun first: else one worker ends long after the others.
_LONGEST = (
    "deploy/test_compiled.py",
    "faults/test_restores.py",
    "faults/test_storm.py",
    "faults/",
    "e2e/",
    "failover/",
    "devstack/test_stack.py",
    "test_signals.py",
    "rules/test_secrecy.py",
    "rules/test_differenzler_secrecy.py",
    "rules/test_literal_match.py",
    "rules/test_properties.py",
    "rules/test_weis.py",
    "platform/",
    "wallet/",
    "table/",
    "matchmaking/",
    "contract/",
    "cli/",
    "bots/",
)


class Spread(LoadScopeScheduling):
    """Gives each worker the next test, or the next few that stay together."""

    # The plugin's own groups, `--dist loadgroup`, have no effect from pytest 9.2 on.
    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(_ON_ONE_STACK):
            return "stack"
        return nodeid.partition("::")[0] if nodeid.startswith(_TOGETHER) else nodeid


def arrange(items: list[pytest.Item]) -> None:
    """Mark the fast tests, and put the longest first."""
    for item in items:
        name = _name(item)
        if is_fast(item, name):
            item.add_marker(pytest.mark.fast)
    items.sort(key=lambda item: _rank(_name(item)))


def is_fast(item: pytest.Item, name: str) -> bool:
    """Whether a test needs no server and no process, or is the one match."""
    if name == _MATCH:
        return True
    file = name.partition("::")[0]
    if file in _STARTERS or name.startswith((*_STARTING_FOLDERS, *_LONG)) or "[real" in name:
        return False
    return not _SERVERS & frozenset(getattr(item, "fixturenames", ()))


def _rank(name: str) -> int:
    return next((rank for rank, prefix in enumerate(_LONGEST) if name.startswith(prefix)), len(_LONGEST))


def _name(item: pytest.Item) -> str:
    return f"{item.path.relative_to(ROOT).as_posix()}::{item.nodeid.partition('::')[2]}"
