"""What holds for every file of the repository, and for the pinned versions."""

from __future__ import annotations

import re
import subprocess
import tomllib
from importlib.metadata import distributions

import pytest

# Put together here so that this file does not contain what it looks for.
FORBIDDEN = {
    "a package registry's address": "|".join(
        re.escape(".".join(parts))
        for parts in (
            ("pypi", "org"),
            ("pythonhosted", "org"),
            ("npmjs", "org"),
            ("npmjs", "com"),
            ("proxy", "golang", "org"),
            ("deb", "debian", "org"),
            ("crates", "io"),
        )
    ),
    "a package index": "--(extra-)?index" + r"-url|find" + "-links",
    "a path of somebody's machine": r"(?<![\w.-])/(ho" + "me|Us" + "ers|ro" + "ot|wo" + r"rk)/\w",
    "unfinished work": r"\b(TO" + "DO|FIX" + r"ME)\b|NotImplemented" + "Error|pragma: no" + " cover",
}
PINNED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.+!]+")


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture(scope="session")
def files(root):
    """The text of every file that is or would be committed, by path."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        check=True,
    ).stdout.decode()
    texts = {}
    for path in filter(None, listed.split("\0")):
        try:
            texts[path] = (root / path).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue
    return texts


@pytest.fixture(scope="session")
def pins(root):
    lines = (root / "constraints.txt").read_text().split()
    assert all(PINNED.fullmatch(line) for line in lines)
    return {canonical(line.partition("==")[0]): line.partition("==")[2] for line in lines}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_contains(files, what):
    pattern = re.compile(FORBIDDEN[what])
    found = [
        f"{path}:{number}: {line.strip()[:120]}"
        for path, text in files.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]
    assert found == []


def test_generated_code_is_not_committed(files):
    assert [path for path in files if path.startswith("services/jasshaus/api/") or "_pb2" in path] == []


def test_lines_end_as_they_should(files):
    assert [
        path for path, text in files.items() if "\r\n" in text or (text and not text.endswith("\n"))
    ] == []


def test_every_installed_package_is_pinned(pins):
    installed = {canonical(each.metadata["Name"]): each.version for each in distributions()}
    ours = {"pip", "jasshaus"}
    assert {
        name: version for name, version in installed.items() if pins.get(name) != version and name not in ours
    } == {}


def test_every_declared_dependency_is_pinned(root, pins):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    declared = [
        *project["dependencies"],
        *(name for extra in project["optional-dependencies"].values() for name in extra),
    ]
    assert {canonical(re.split(r"[\[<>=!~; ]", each)[0]) for each in declared} <= pins.keys()


def test_one_version_everywhere(root, files):
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    chart = files["helm/jasshaus/Chart.yaml"]
    assert f"\nversion: {version}\n" in chart
    assert f"\nappVersion: {version}\n" in chart
    assert f"## [{version}]" in files["CHANGELOG.md"]


def test_the_documentation_s_links_lead_somewhere(root, files):
    broken = [
        f"{path}: {target}"
        for path, text in files.items()
        if path.endswith(".md")
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)
        if not ((root / path).parent / target).exists()
    ]
    assert broken == []


def test_ci_can_be_run(root):
    script = root / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(script)], check=True)


def test_ci_runs_what_the_readme_says(files):
    for command in ("make test", "make demo"):
        assert command in files["README.md"]
        assert re.search(rf"^run \d+ .* {command}( WORKERS=\d+)?$", files[".ci/run"], re.MULTILINE)


def test_make_describes_every_target(root, files):
    listed = subprocess.run(["make"], cwd=root, capture_output=True, text=True, check=True).stdout
    for target in re.findall(r"^([a-z]+):", files["Makefile"], re.MULTILINE):
        assert f"make {target}" in listed
