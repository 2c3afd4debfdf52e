"""Builds a copy of the package whose rules are compiled by mypyc: the very same source, in build/compiled.

Put it first on PYTHONPATH to run anything with it, the tests too; without it everything runs in plain Python.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "services" / "jasshaus"
TARGET = ROOT / "build" / "compiled"

#: The modules a playout and the Schieber state machine run through.
MODULES = (
    "actions",
    "cards",
    "dealing",
    "decisions",
    "events",
    "frozen",
    "kernel",
    "machine",
    "match",
    "options",
    "refusals",
    "schieber",
    "scoring",
    "tricks",
    "weis",
)
#: A compiled class has slots by nature; asked for them again, dataclasses would make a second class of it.
SLOTS = ", slots=True"


def build() -> Path:
    """Compile unless the copy is of this very source; give the folder for PYTHONPATH."""
    digest = _digest()
    stamp = TARGET / "source.sha256"
    if stamp.exists() and stamp.read_text() == digest:
        return TARGET
    shutil.rmtree(TARGET, ignore_errors=True)
    package = TARGET / "jasshaus"
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for module in MODULES:
        path = package / "rules" / f"{module}.py"
        path.write_text(path.read_text().replace(SLOTS, ""))
    files = [f"jasshaus/rules/{module}.py" for module in MODULES]
    mypyc = [str(Path(sys.executable).with_name("mypyc")), "--strict", *files]
    done = subprocess.run(mypyc, cwd=TARGET, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    shutil.rmtree(TARGET / "build")
    stamp.write_text(digest)
    return TARGET


def _digest() -> str:
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(SOURCE.rglob("*.py")):
        digest.update(str(path.relative_to(SOURCE)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    print(build())
