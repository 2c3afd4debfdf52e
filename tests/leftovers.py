"""What killed test sessions leave: data folders of 80 MB each, in memory where there is enough of it."""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from pathlib import Path

PREFIX = "jasshaus-test-"
#: A session that has just made its folder has not locked it yet.
YOUNG_SECONDS = 60


def remove_leftovers(parent: Path, prefix: str = PREFIX) -> list[Path]:
    """Remove the folders that nobody holds any more, by their locks: those end with who held them."""
    removed = []
    for folder in parent.glob(f"{prefix}*"):
        try:
            status = folder.lstat()
            if status.st_uid != os.geteuid() or time.time() - status.st_mtime < YOUNG_SECONDS:
                continue
            lock = os.open(folder / "lock", os.O_RDWR)
        except OSError:
            continue  # somebody else's, or not of this kind
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        finally:
            os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)
        removed.append(folder)
    return removed
