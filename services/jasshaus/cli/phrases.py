"""What `jasshaus play` says and understands, in each language.

The texts are package data, texts/<language>.toml, with the same keys in every language. Words in braces are
filled in. A verb has two forms, as the person who plays is "you".
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


def phrase(language: str, key: str, **values: object) -> str:
    """Give a phrase; `key` is `table.name`. Raises KeyError for a language or a key there is none for."""
    table, _, name = key.partition(".")
    return _texts(language)[table][name].format(**values)


def typed_words(language: str, table: str) -> Mapping[str, str]:
    """Give what may be typed, by what it means: of `commands` the words, of `answers` each one's list."""
    return _texts(language)[table]


@cache
def _texts(language: str) -> Mapping[str, Mapping[str, str]]:
    path = files("jasshaus.cli") / "texts" / f"{language}.toml"
    if not path.is_file():
        raise KeyError(language)
    return tomllib.loads(path.read_text("utf-8"))
