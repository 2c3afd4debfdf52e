"""The compiled build, an option at install: the very same source, and the same game to the last event."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

PACKAGES = ("rules", "bots")
PROGRAM = Path(__file__).with_name("told_deals.py")


@pytest.fixture(scope="module", autouse=True)
def compiler():
    """A C compiler, which a developer may do without; where CI has none, that is a fault."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if not shutil.which(command.split()[0]) and "CI" not in os.environ:
        pytest.skip(f"there is no C compiler: {command}")


@pytest.fixture(scope="module")
def source(root, tmp_path_factory):
    """A copy of what an installation needs, without what is compiled in place."""
    copy = tmp_path_factory.mktemp("source")
    shutil.copytree(
        root / "services",
        copy / "services",
        ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "*.so"),
    )
    for name in ("pyproject.toml", "setup.py", "README.md"):
        shutil.copy(root / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def installed(source, tmp_path_factory):
    """A folder with the content of a wheel that was asked to be compiled."""
    wheels, folder = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("installed")
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--no-build-isolation",
            "--no-deps",
            "--wheel-dir",
            wheels,
            ".",
        ],
        cwd=source,
        env={**os.environ, "JASSHAUS_COMPILED": "1", "MYPYC_OPT_LEVEL": "0"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (wheel,) = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(folder, *command):
    ran = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran


def test_every_module_is_compiled_from_the_source_as_it_stands(source, installed):
    for package in PACKAGES:
        folder = source / "services" / "jasshaus" / package
        modules = list(folder.rglob("[!_]*.py"))
        assert len({module.parent for module in modules}) > 2
        for module in modules:
            beside = installed / "jasshaus" / package / module.relative_to(folder).parent
            assert (beside / module.name).read_bytes() == module.read_bytes()
            assert list(beside.glob(f"{module.stem}.*.so")), f"{module.name} is not compiled"


def test_both_builds_tell_the_same(source, installed):
    plain, compiled = run(source / "services", str(PROGRAM)), run(installed, str(PROGRAM))
    assert plain.stderr.strip().endswith("kernel.py")
    assert compiled.stderr.strip().startswith(str(installed))
    assert compiled.stderr.strip().endswith(".so")
    assert len(plain.stdout.splitlines()) > 1000
    assert compiled.stdout == plain.stdout


def test_a_person_can_see_which_build_runs(source, installed):
    assert "plain" in run(source / "services", "-m", "jasshaus.cli", "--version").stdout
    assert "compiled" in run(installed, "-m", "jasshaus.cli", "--version").stdout
