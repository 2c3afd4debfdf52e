"""How `make docs` builds the documentation site with Sphinx. No network is needed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import reference  # noqa: E402 - beside this file

project = "jasshaus"
html_title = "jasshaus"
extensions = ["myst_parser"]
html_theme = "furo"
myst_heading_anchors = 4
exclude_patterns = ["conf.py", "reference.py"]

# Links that lead out of docs/ in the repository, and to a page of the site here.
_PAGES = {"../CHANGELOG.md": "changelog.md", "../proto/jasshaus/api": "api/index.md"}


def _write_reference(_app: Any) -> None:
    reference.write(HERE.parent / "proto", HERE / "api")


def _to_pages(_app: Any, _name: str, source: list[str]) -> None:
    for link, page in _PAGES.items():
        source[0] = source[0].replace(f"]({link})", f"]({page})")


def setup(app: Any) -> None:
    """Write the API reference before the sources are read, and turn links into those of the site."""
    app.connect("builder-inited", _write_reference)
    app.connect("source-read", _to_pages)
