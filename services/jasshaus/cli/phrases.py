"""Texts of `jasshaus play`, and the words it understands, in each language.

The texts are package data, texts/<language>.toml, with the same keys in every language. Words in braces are
placeholders. Verbs have two forms, because the person playing is "you".
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


def phrase(language: str, key: str, **values: object) -> str:
    """Return a phrase; `key` is `table.name`. Raises KeyError for an unknown language or key."""
    table, _, name = key.partition(".")
    return _texts(language)[table][name].format(**values)


def typed_words(language: str, table: str) -> Mapping[str, str]:
    """Return the accepted words by meaning: for `commands` one word each, for `answers` a list each."""
    return _texts(language)[table]


@cache
def _texts(language: str) -> Mapping[str, Mapping[str, str]]:
    path = files("jasshaus.cli") / "texts" / f"{language}.toml"
    if not path.is_file():
        raise KeyError(language)
    return tomllib.loads(path.read_text("utf-8"))
