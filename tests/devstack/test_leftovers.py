"""The folders of killed test sessions, and no others, are removed by the next one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from jasshaus.devstack.folder import DataFolder
from leftovers import PREFIX, YOUNG_SECONDS, remove_leftovers

HOLD = """
import sys, time
from pathlib import Path
from jasshaus.devstack.folder import DataFolder
DataFolder(Path(sys.argv[1])).hold()
print("held", flush=True)
time.sleep(600)
"""


def age(*folders: Path) -> None:
    before = time.time() - 2 * YOUNG_SECONDS
    for folder in folders:
        os.utime(folder, (before, before))


def test_only_folders_without_an_owner_go(tmp_path: Path) -> None:
    dead, young, held, other, foreign = (
        tmp_path / f"{prefix}{name}"
        for prefix, name in (
            (PREFIX, "dead"),
            (PREFIX, "young"),
            (PREFIX, "held"),
            (PREFIX, "without-lock"),
            ("jasshaus-", "other"),
        )
    )
    for folder in (dead, young, foreign):
        with subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE) as owner:
            assert owner.stdout is not None
            assert owner.stdout.readline() == b"held\n"
            owner.kill()
    other.mkdir()
    owner_alive = DataFolder(held).hold()
    age(dead, held, other, foreign)
    assert remove_leftovers(tmp_path) == [dead]
    assert sorted(tmp_path.iterdir()) == sorted([young, held, other, foreign])
    owner_alive.release()
