"""What the documentation says of names and defaults, against the code."""

from __future__ import annotations

import dataclasses
import re

import pytest

from jasshaus.api.common.v1.reasons_pb2 import ErrorReason
from jasshaus.platform.config import setting

REQUIRED = setting("X").metadata["default"]


def shown(default: object) -> str:
    """A default as the table writes it."""
    match default:
        case None:
            return "none"
        case bool():
            return str(default).lower()
        case float():
            return f"{default:g}"
        case tuple():
            return ",".join(map(str, default))
        case _:
            return "required" if default is REQUIRED else str(default)


@pytest.fixture(scope="module")
def operations(root):
    return (root / "docs" / "operations.md").read_text()


@pytest.fixture(scope="module")
def protocol(root):
    return (root / "docs" / "protocol.md").read_text()


def test_every_variable_is_documented_with_its_services_and_default(operations, config_classes):
    known: dict[str, tuple[str, set[str]]] = {}
    for service, config in config_classes.items():
        for field in dataclasses.fields(config):
            default, services = known.setdefault(
                field.metadata["env"], (shown(field.metadata["default"]), set())
            )
            assert default == shown(field.metadata["default"])
            services.add(service)
    expected = {
        name: ("all" if len(services) == len(config_classes) else ", ".join(sorted(services)), default)
        for name, (default, services) in known.items()
    }
    rows = re.findall(
        r"^\| `(JASSHAUS_\w+)` \| ([^|]+?) \| `?([^|`]+?)`? \| [^|]+ \|$", operations, re.MULTILINE
    )
    documented = {name: (services, default) for name, services, default in rows}
    assert len(documented) == len(rows)
    assert documented == expected


def test_every_metric_is_documented(root, operations):
    declared = {
        name
        for path in (root / "services" / "jasshaus").rglob("*.py")
        for name in re.findall(r'(?:Counter|Gauge|Histogram|Summary)\(\s*"(jasshaus_\w+)"', path.read_text())
    }
    assert declared
    assert set(re.findall(r"^\| `(jasshaus_\w+)", operations, re.MULTILINE)) == declared


def test_alerts_name_metrics_that_exist(operations):
    table = set(re.findall(r"^\| `(jasshaus_\w+)", operations, re.MULTILINE))
    mentioned = set(
        re.findall(r"jasshaus_[a-z_]+", operations.partition("## Alerts")[2].partition("\n## ")[0])
    )
    assert mentioned
    assert {re.sub(r"_(bucket|count|sum)$", "", name) for name in mentioned} <= table


def test_reasons_named_to_frontends_exist(protocol):
    rows = re.findall(r"^\| [A-Z_, ]+ \|[^|]+\|([^|]+)\|$", protocol, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"\b[A-Z_]{5,}\b", row)} - {"STALE_VERSION:"}
    assert len(named) > 15
    assert {f"ERROR_REASON_{name}" for name in named} <= set(ErrorReason.keys())


def test_commands_of_make_exist(root):
    targets = set(re.findall(r"^([a-z]+):", (root / "Makefile").read_text(), re.MULTILINE))
    for path in [root / "README.md", *(root / "docs").glob("*.md")]:
        assert (
            set(re.findall(r"\bmake ([a-z]+)\b(?=[`\s]*(?:$|[`A-Z#\n]))", path.read_text(), re.MULTILINE))
            <= targets
        )


def test_the_rules_stand_for_themselves(root):
    """Readers have no other text that they could look up."""
    assert not re.search(r"\bthe sources?\b", (root / "docs" / "rules.md").read_text())


def test_the_readme_shows_the_example_as_it_is(root):
    (shown_code,) = re.findall(r"```python\n(.*?)```", (root / "README.md").read_text(), re.DOTALL)
    assert shown_code == (root / "examples" / "connect.py").read_text()


def test_the_readme_starts_its_four_players_as_they_have_to_be(root):
    """With the Python that has the client, and a token each; `make setup` puts nothing into the PATH."""
    readme = (root / "README.md").read_text()
    commands = re.findall(r"^.*\bexamples/\w+\.py$|^for .*$", readme, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        assert re.search(
            r"\$\(\.venv/bin/jasshaus token \S+\) \.venv/bin/python examples/connect\.py", command
        )
    assert "four players" in readme


def test_the_example_for_bots_plays_a_match(root, capsys):
    (shown_code,) = re.findall(r"```python\n(.*?)```", (root / "docs" / "bots.md").read_text(), re.DOTALL)
    exec(shown_code, {})
    assert capsys.readouterr().out.startswith("MatchEnded(")
