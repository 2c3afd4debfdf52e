"""The API reference has everything that the public contracts have, and nothing internal."""

from __future__ import annotations

import importlib.util
import re

import pytest


@pytest.fixture(scope="module")
def pages(root, tmp_path_factory):
    spec = importlib.util.spec_from_file_location("reference", root / "docs" / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    folder = tmp_path_factory.mktemp("reference") / "api"
    module.write(root / "proto", folder)
    return {page.name: page.read_text() for page in folder.iterdir()}


def test_there_is_a_page_for_each_public_package(root, pages):
    folders = {path.parent for path in (root / "proto").rglob("*.proto")}
    names = {f"{folder.parent.name}.{folder.name}.md" for folder in folders} - {"internal.v1.md"}
    assert set(pages) == {"index.md", *names}
    assert all(name.removesuffix(".md") in pages["index.md"] for name in names)


def test_every_name_of_the_contracts_is_in_the_reference(root, pages):
    declared = re.compile(r"^\s*(?:rpc|message|enum|service) (\w+)", re.MULTILINE)
    missing = []
    for path in (root / "proto").rglob("*.proto"):
        page = pages.get(f"{path.parent.parent.name}.{path.parent.name}.md")
        if page is not None:
            missing += [
                name
                for name in declared.findall(path.read_text())
                if not re.search(rf"(?m)^#+ ([\w.]+\.)?{name}$", page)
            ]
    assert missing == []


def test_comments_are_the_text(pages):
    table = pages["table.v1.md"]
    assert "| `table_id` | 1 | string | UUID. |" in table
    assert "[ActRequest](#table-v1-actrequest) → [ActResponse](#table-v1-actresponse)" in table
    assert "→ stream of [WatchTableResponse](#table-v1-watchtableresponse)" in table
    assert "list of [Trick](#table-v1-trick)" in table
