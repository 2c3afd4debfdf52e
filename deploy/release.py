"""Makes a release: `make release VERSION=0.3.0`. docs/releases.md says what a version promises.

1. Checks, before it changes anything: the work tree is clean; the version follows the last one; the changelog
   has something to release; the contracts have only grown since the last release.
2. Writes the version into every file that names it, and the changelog's heading; freezes the migrations.
3. Leaves the baseline behind that later releases are tested against (`make baseline`).
4. Builds the wheel, the source distribution and the chart package into `dist/`.

It commits nothing: the diff is there to be read.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
BASELINES: Final = "tests/upgrade/released"
MIGRATIONS: Final = ("services/jasshaus/wallet/migrations", "services/jasshaus/matchmaking/migrations")
CHECKSUMS: Final = "released.sha256"

_VERSION: Final = r"\d+\.\d+\.\d+"
#: The files that name the version, and how. The package's own is the first.
NAMED: Final = (
    ("pyproject.toml", rf'(?m)^version = "({_VERSION})"$'),
    ("helm/jasshaus/Chart.yaml", rf"(?m)^version: ({_VERSION})$"),
    ("helm/jasshaus/Chart.yaml", rf"(?m)^appVersion: ({_VERSION})$"),
    ("docs/operations.md", rf"jasshaus:({_VERSION}) "),
    ("docs/operations.md", rf"jasshaus-({_VERSION})-py3"),
)
_UNRELEASED: Final = "## [Unreleased]\n"


class RefusedError(Exception):
    """The release cannot be made; the message says what to do."""


def named_versions(root: Path) -> Iterator[tuple[str, str]]:
    """Yield each version that a file names, with the file. Raises RefusedError when a file names none."""
    for path, pattern in NAMED:
        found = re.findall(pattern, (root / path).read_text())
        if not found:
            raise RefusedError(f"{path} no longer names the version as expected: {pattern}")
        for each in found:
            yield path, each


def check(root: Path, version: str) -> None:
    """Check that a release of this version can be made. Raises RefusedError."""
    if not re.fullmatch(_VERSION, version):
        raise RefusedError(f"VERSION must look like 0.3.0, not {version!r}")
    if _run(root, "git", "status", "--porcelain"):
        raise RefusedError("the work tree has changes: commit or remove them first")
    versions = set(named_versions(root))
    current = next(iter(named_versions(root)))[1]
    if other := [f"{path}: {each}" for path, each in sorted(versions) if each != current]:
        raise RefusedError(f"the package is {current}, but {', '.join(other)}")
    if version not in next_versions(current):
        raise RefusedError(f"after {current} comes {' or '.join(next_versions(current))}, not {version}")
    entries = unreleased(root)
    if not re.search(r"(?m)^- ", entries):
        raise RefusedError("CHANGELOG.md has nothing under [Unreleased]")
    if not version.endswith(".0") and "### Added" in entries:
        raise RefusedError(f"{version} would be a patch release, but [Unreleased] adds something")
    if version.split(".", maxsplit=1)[0] == current.split(".")[0]:
        check_contracts(root, version)


def next_versions(current: str) -> tuple[str, str, str]:
    """Return the patch, the minor and the major version that may follow (Semantic Versioning 2.0.0)."""
    major, minor, patch = map(int, current.split("."))
    return f"{major}.{minor}.{patch + 1}", f"{major}.{minor + 1}.0", f"{major + 1}.0.0"


def unreleased(root: Path) -> str:
    """Return what the changelog has under [Unreleased]. Raises RefusedError when it has no such section."""
    text = (root / "CHANGELOG.md").read_text()
    if _UNRELEASED not in text:
        raise RefusedError("CHANGELOG.md has no section [Unreleased]")
    return text.partition(_UNRELEASED)[2].partition("\n## [")[0]


def check_contracts(root: Path, version: str) -> None:
    """Check that nothing was taken from the contracts since the last release. Raises RefusedError."""
    released = sorted((root / BASELINES).iterdir(), key=lambda each: tuple(map(int, each.name.split("."))))
    if last := [each for each in released if each.name != version][-1:]:
        image = last[0] / "records" / "contracts.binpb"
        found = _run(root, _program("buf"), "breaking", "--against", str(image), check=False)
        if found:
            raise RefusedError(f"the contracts break what {last[0].name} has promised:\n{found}")


def stamp(root: Path, version: str, today: date) -> None:
    """Write the version into every file that names it, and the changelog's heading; freeze the migrations."""
    for path, pattern in NAMED:
        file = root / path
        text = re.sub(pattern, lambda found: found[0].replace(found[1], version), file.read_text())
        file.write_text(text)
    changelog = root / "CHANGELOG.md"
    heading = f"{_UNRELEASED}\n## [{version}] - {today.isoformat()}\n"
    changelog.write_text(changelog.read_text().replace(_UNRELEASED, heading, 1))
    for name in MIGRATIONS:
        freeze(root / name)


def freeze(folder: Path) -> None:
    """Write the checksums of a folder's migrations: from now on `make lint` fails when one is edited."""
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in _migrations(folder)]
    (folder / CHECKSUMS).write_text("\n".join(lines) + "\n")


def package(root: Path, version: str) -> list[Path]:
    """Build the wheel, the source distribution and the chart into `dist/`; returns the files."""
    dist = root / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    environ = {**os.environ, "JASSHAUS_COMPILED": "0"}
    backend = "import sys, setup; getattr(setup, 'build_' + sys.argv[1])('dist')"
    for kind in ("sdist", "wheel"):
        command = [sys.executable, "-c", backend, kind]
        built = subprocess.run(command, cwd=root, env=environ, check=False, capture_output=True, text=True)
        if built.returncode:
            raise RefusedError(f"the {kind} cannot be built:\n{built.stdout}{built.stderr}")
    pack = "import helm_python as helm; helm.package('helm/jasshaus', destination='dist')"
    subprocess.run([sys.executable, "-c", pack], cwd=root, check=True)
    made = sorted(dist.iterdir())
    if len(made) != 3 or any(version not in each.name for each in made):  # noqa: PLR2004 - wheel, sdist, chart
        raise RefusedError(
            f"expected wheel, sdist and chart of {version}, got {[each.name for each in made]}"
        )
    return made


def _migrations(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sql"))


def _program(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def _run(root: Path, *command: str, check: bool = True) -> str:
    return subprocess.run(command, cwd=root, check=check, capture_output=True, text=True).stdout


def main(version: str) -> int:
    """Make the release; returns the exit code."""
    try:
        check(ROOT, version)
        stamp(ROOT, version, date.today())  # noqa: DTZ011 - the day where the release is made
        subprocess.run(
            ["make", "--no-print-directory", "baseline", f"VERSION={version}"], cwd=ROOT, check=True
        )
        made = package(ROOT, version)
    except RefusedError as refusal:
        sys.stderr.write(f"no release: {refusal}\n")
        return 2
    print(f"{version} is made. Built:")
    for file in made:
        print(f"  {file.relative_to(ROOT)}  {file.stat().st_size:,} bytes")
    print(f"Next: read the diff, run .ci/run, commit as 'Release {version}', tag v{version}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) == 2 else ""))  # noqa: PLR2004 - the version
