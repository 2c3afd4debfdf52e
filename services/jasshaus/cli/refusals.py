"""Lists the commands in help, and words errors about bad options."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final

import typer
from typer.core import TyperGroup

_VALUE_ERROR: Final = "Value error, "
_NOT_ONE_OF: Final = re.compile(r"'(?P<given>.*)' is not one of (?P<choices>'.*')\.?", re.DOTALL)
_NUMBER_ERRORS: Final = frozenset(
    {"int_parsing", "int_parsing_size", "greater_than_equal", "less_than_equal"}
)
_CLAIM: Final = re.compile(r"token refused: claim (?P<claim>\w+) (?P<rule>.*)")
_CLAIMS: Final = {"sub": "subject", "tenant": "--tenant", "roles": "--role"}


class Commands(TyperGroup):
    """The command group: lists commands by panel, and rewords the library's errors about bad options."""

    def invoke(self, ctx: Any) -> Any:
        """Run the requested command."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as refusal:
            _reword(refusal)
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as the library calls it
        """List the commands panel by panel, in the order in which they were added."""
        panels: dict[str, list[tuple[str, str]]] = {}
        width = formatter.width - 6 - max(map(len, self.commands))
        for name, command in self.commands.items():
            panel = getattr(command, "rich_help_panel", None)
            title = panel if isinstance(panel, str) else "Commands"
            panels.setdefault(title, []).append((name, command.get_short_help_str(width)))
        widest = max(map(len, self.commands))
        for title, rows in panels.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{widest}}", about) for name, about in rows])


def folder(text: str | Path) -> Path:
    """Return the data directory named by an option; an empty name is probably an unset variable.

    Raises ValueError, which becomes the option's error.
    """
    path = os.fspath(text)
    if not path.strip():
        raise ValueError("an empty name; use . for the current directory")
    if Path(path).exists() and not Path(path).is_dir():
        raise ValueError(f"{path} is not a directory")
    return Path(path)


def bad_claim(message: str) -> typer.BadParameter:
    """Return a token claim's error as an error of the option it came from."""
    found = _CLAIM.fullmatch(message)
    if found is None:
        return typer.BadParameter(message)
    return typer.BadParameter(found["rule"], param_hint=_CLAIMS.get(found["claim"], found["claim"]))


def _reword(refusal: typer.BadParameter) -> None:
    if isinstance(refusal.param_hint, str):
        # A list is quoted like the names that the library finds itself.
        refusal.param_hint = [refusal.param_hint]
    refusal.message = refusal.message.removeprefix(_VALUE_ERROR)
    choice = _NOT_ONE_OF.fullmatch(refusal.message)
    if choice is not None:
        choices = choice["choices"].replace("'", "")
        refusal.message = f"unknown value {choice['given']}; choose from {choices}"
    # What pydantic, used by typer, recorded about the error; absent for our own errors.
    known: Any = getattr(refusal.__cause__, "errors", list)()
    param: Any = refusal.param
    if known and known[0]["type"] in _NUMBER_ERRORS:
        low, high = getattr(param, "min", None), getattr(param, "max", None)
        refusal.message = f"{known[0]['input']!r} is not a whole number from {low} to {high}"
