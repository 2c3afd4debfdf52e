"""Runs the audit queries of docs/ledger.md, read from the document itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import psycopg

DOCUMENT = Path(__file__).parents[2] / "docs" / "ledger.md"


def audit_queries() -> dict[str, str]:
    """The SQL blocks of the section "Audit", by the heading above each."""
    section = DOCUMENT.read_text().split("\n## Audit\n", 1)[1].split("\n## ", 1)[0]
    return dict(re.findall(r"^### (.+?)$.*?```sql\n(.*?)```", section, flags=re.DOTALL | re.MULTILINE))


def findings(connection: psycopg.Connection[Any]) -> dict[str, list[tuple[Any, ...]]]:
    """What the queries find; nothing at all in a sound ledger."""
    found = {name: connection.execute(query).fetchall() for name, query in audit_queries().items()}
    return {name: rows for name, rows in found.items() if rows}
