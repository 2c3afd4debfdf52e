"""How jasshaus is built: pure Python, or with JASSHAUS_COMPILED=1 its rules and bots compiled by mypyc.

It is its own build backend, setuptools' but for one answer: mypy is required only where it compiles.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from setuptools import Extension, build_meta, setup
from setuptools.build_meta import *  # noqa: F403 - the other hooks of a build backend, as they are

COMPILED = os.environ.get("JASSHAUS_COMPILED", "") not in {"", "0"}
PACKAGES = ("rules", "bots")


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Name what the build needs besides setuptools."""
    return ["mypy>=2.4"] if COMPILED else build_meta.get_requires_for_build_wheel(config_settings)


get_requires_for_build_editable = get_requires_for_build_wheel


def extensions() -> list[Extension]:
    """Translate the modules to C: the very same source that runs uncompiled."""
    if not COMPILED:
        return []
    from mypyc.build import mypycify  # noqa: PLC0415 - only there when asked for

    services = Path("services/jasshaus")
    modules = [str(path) for package in PACKAGES for path in sorted((services / package).rglob("*.py"))]
    # As mypyc's own command does: tests that do not measure speed save the C compiler's time.
    return mypycify(modules, group_name="jasshaus", opt_level=os.environ.get("MYPYC_OPT_LEVEL", "3"))


if __name__ == "__main__":
    setup(ext_modules=extensions())
