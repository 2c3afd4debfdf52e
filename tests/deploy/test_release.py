"""What a release checks, stamps and freezes; and that the contracts cannot be broken unseen."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from jasshaus.platform.migrations import MigrationError, migrations_of

BUF = Path(sys.executable).with_name("buf")
DAY = date(2027, 3, 9)


@pytest.fixture(scope="module")
def release(root):
    spec = importlib.util.spec_from_file_location("release", root / "deploy" / "release.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def copy(root, release, tmp_path):
    """A copy of what a release reads and writes, in a repository of its own."""
    for path in {path for path, _ in release.NAMED} | {"CHANGELOG.md", "buf.yaml"}:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / path, tmp_path / path)
    for path in (*release.MIGRATIONS, release.BASELINES, "proto"):
        shutil.copytree(root / path, tmp_path / path)
    write_changelog(tmp_path, "### Changed\n\n- A thing.\n")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def write_changelog(root, entries):
    (root / "CHANGELOG.md").write_text(
        f"# Changelog\n\n## [Unreleased]\n\n{entries}\n## [0.0.1]\n\n- The first.\n"
    )


def git(root, *arguments):
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)


def commit(root):
    git(root, "add", "--all")
    identity = ("-c", "user.name=t", "-c", "user.email=t@localhost")
    git(root, *identity, "commit", "--quiet", "--no-verify", "--allow-empty", "--message", "now")


def current(root, release):
    return next(iter(release.named_versions(root)))[1]


def following(root, release, place):
    return release.next_versions(current(root, release))[place]


def test_all_files_name_one_version(root, release):
    assert len({version for _, version in release.named_versions(root)}) == 1


def test_the_newest_baseline_is_of_the_last_release(root, release):
    newest = max((root / release.BASELINES).iterdir(), key=lambda each: tuple(map(int, each.name.split("."))))
    assert newest.name == current(root, release)


def test_all_migrations_of_the_last_release_are_frozen(root, release):
    for name in release.MIGRATIONS:
        assert (root / name / release.CHECKSUMS).read_text().splitlines()


def test_a_release_writes_its_version_everywhere(copy, release):
    version = following(copy, release, 1)
    release.check(copy, version)
    release.stamp(copy, version, DAY)
    assert {each for _, each in release.named_versions(copy)} == {version}
    text = (copy / "CHANGELOG.md").read_text()
    assert f"## [Unreleased]\n\n## [{version}] - 2027-03-09\n\n### Changed\n\n- A thing.\n" in text


def test_a_release_freezes_its_migrations(copy, release):
    for name in release.MIGRATIONS:
        release.freeze(copy / name)
        listed = (copy / name / release.CHECKSUMS).read_text().splitlines()
        assert [line.split()[1] for line in listed] == sorted(
            file.name for file in (copy / name).glob("*.sql")
        )


def test_an_edited_migration_of_a_release_is_refused(copy, release, monkeypatch):
    package = copy / "frozen"
    shutil.copytree(copy / release.MIGRATIONS[0], package / "migrations")
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(copy))
    release.freeze(package / "migrations")
    assert migrations_of("frozen")
    first = min((package / "migrations").glob("*.sql"))
    first.write_text(first.read_text() + "-- harmless\n")
    with pytest.raises(MigrationError, match="must not be edited"):
        migrations_of("frozen")


@pytest.mark.parametrize("version", ["", "1", "v9.9.9", "0.3", "0.3.0rc1", "0.0.0", "7.0.0"])
def test_a_version_that_does_not_follow_is_refused(copy, release, version):
    with pytest.raises(release.RefusedError):
        release.check(copy, version)


def test_the_same_version_is_refused_the_second_time(copy, release):
    version = following(copy, release, 1)
    release.stamp(copy, version, DAY)
    commit(copy)
    with pytest.raises(release.RefusedError, match="comes"):
        release.check(copy, version)


def test_changes_in_the_work_tree_are_refused(copy, release):
    (copy / "stray").touch()
    with pytest.raises(release.RefusedError, match="work tree"):
        release.check(copy, following(copy, release, 1))


def test_files_that_disagree_are_refused(copy, release):
    chart = copy / "helm" / "jasshaus" / "Chart.yaml"
    chart.write_text(re.sub(r"(?m)^appVersion: .*$", "appVersion: 0.0.7", chart.read_text()))
    commit(copy)
    with pytest.raises(release.RefusedError, match=r"Chart\.yaml: 0\.0\.7"):
        release.check(copy, following(copy, release, 1))


@pytest.mark.parametrize(
    ("entries", "place", "said"), [("", 1, "nothing"), ("### Added\n\n- A thing.\n", 0, "patch")]
)
def test_a_changelog_that_does_not_fit_is_refused(copy, release, entries, place, said):
    write_changelog(copy, entries)
    commit(copy)
    with pytest.raises(release.RefusedError, match=said):
        release.check(copy, following(copy, release, place))


BREAKS = {
    "a field taken away": ("matchmaking", r"(?m)^  string game_id = 1;\n", ""),
    "a field with another number": ("table", r"string table_id = 1;", "string table_id = 91;"),
    "a field with another name": ("wallet", r"string pot_id = 1;", "string pot_uuid = 1;"),
    "a field of another type": ("table", r"uint64 version = 3;", "string version = 3;"),
    "a value taken away": ("table", r"(?m)^  WEIS_KIND_QUARTET = 2;\n", ""),
    "an RPC with another name": ("matchmaking", r"rpc GetGame\(", "rpc FetchGame("),
}


@pytest.mark.parametrize("what", BREAKS)
def test_contracts_cannot_be_broken_unseen(copy, release, what):
    service, pattern, instead = BREAKS[what]
    path = copy / "proto" / "jasshaus" / "api" / service / "v1" / f"{service}.proto"
    text, count = re.subn(pattern, instead, path.read_text(), count=1)
    assert count == 1
    path.write_text(text)
    commit(copy)
    with pytest.raises(release.RefusedError, match="contracts break"):
        release.check(copy, following(copy, release, 1))


def test_contracts_may_grow(copy, release):
    path = copy / "proto" / "jasshaus" / "api" / "table" / "v1" / "table.proto"
    grown = path.read_text().replace("message Trick {", "message Trick {\n  // More.\n  string more = 99;", 1)
    path.write_text(grown)
    commit(copy)
    release.check(copy, following(copy, release, 1))


def test_lint_compares_the_contracts_with_the_newest_baseline(root, release):
    printed = subprocess.run(
        ["make", "--dry-run", "lint"], cwd=root, check=True, capture_output=True, text=True
    ).stdout
    assert f"buf breaking --against {release.BASELINES}/{current(root, release)}/" in printed
