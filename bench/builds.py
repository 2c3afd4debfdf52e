"""The two builds that are measured, the package in pure Python and compiled, each in a folder of build/.

Both come from setup.py, as an installation does, whatever is installed where this runs. A folder first on
PYTHONPATH is what then runs.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "services" / "jasshaus"


def build(*, compiled: bool) -> Path:
    """Build unless the folder is of this very source; give it for PYTHONPATH."""
    target = ROOT / "build" / ("compiled" if compiled else "plain")
    stamp, digest = target / "source.sha256", _digest()
    if stamp.exists() and stamp.read_text() == digest:
        return target
    shutil.rmtree(target, ignore_errors=True)
    command = [sys.executable, "setup.py", "--quiet", "build", "--build-lib", str(target)]
    environ = {**os.environ, "JASSHAUS_COMPILED": str(int(compiled))}
    done = subprocess.run(command, cwd=ROOT, env=environ, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    stamp.write_text(digest)
    return target


def _digest() -> str:
    digest = hashlib.sha256(sys.version.encode())
    for path in (ROOT / "setup.py", *sorted(SOURCE.rglob("*.py"))):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
