"""A short storm over a whole stack at play: processes killed, stopped and drained."""

from __future__ import annotations

import os
from pathlib import Path

from faults.storm import KEPT, PREFIX, Options, new_folder, storm
from jasshaus.devstack.folder import DataFolder

KINDS = ("kill", "pause", "drain", "kill-store", "redis-failover", "stuck-sessions")


async def test_nothing_is_lost_and_nothing_paid_twice_in_a_storm() -> None:
    findings = await storm(Options(seed=8, seconds=12, games=2, kinds=KINDS, game_ttl=12))
    assert findings.wrong == []
    assert findings.counts["actions"]
    assert findings.counts["rounds heard"]
    assert findings.counts["in and out of a table"]
    assert findings.counts["games opened to be left"]


def test_only_what_killed_storms_left_is_removed(tmp_path: Path) -> None:
    killed, running, wrong = tmp_path / f"{PREFIX}a", tmp_path / f"{PREFIX}b", tmp_path / f"{KEPT}c"
    holders = [DataFolder(folder).hold() for folder in (killed, running, wrong)]
    for folder, holder in zip((killed, running, wrong), holders, strict=True):
        if folder != running:
            holder.release()
        os.utime(folder, (0, 0))
    mine = new_folder(tmp_path)
    assert set(tmp_path.iterdir()) == {running, wrong, mine}
    holders[1].release()
