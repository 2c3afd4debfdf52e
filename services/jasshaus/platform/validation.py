"""Shape checks of request fields, shared by all servicers; a failed check is INVALID_ARGUMENT."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final
from uuid import UUID

from jasshaus.platform.errors import invalid_argument

_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]*")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def uuid_field(value: str, field: str) -> UUID:
    """Return the UUID in lower case; digits may be of either case."""
    if not _UUID.fullmatch(value):
        raise invalid_argument(field, "must be a UUID: 8-4-4-4-12 hexadecimal digits")
    return UUID(value)


def required(value: str, field: str, *, max_length: int = 256) -> str:
    """Return a non-empty text without control characters and with at most `max_length` characters."""
    if not value:
        raise invalid_argument(field, "is required")
    return optional_text(value, field, max_length=max_length)


def optional_text(value: str, field: str, *, max_length: int = 256) -> str:
    """Return a text without control characters and with at most `max_length` characters; may be empty."""
    if len(value) > max_length:
        raise invalid_argument(field, f"must have at most {max_length} characters")
    if not value.isprintable():
        raise invalid_argument(field, "must have no control characters")
    return value


def identifier(value: str, field: str, *, max_length: int = 64) -> str:
    """Return a machine-readable name: letters, digits, and inside it dots, underscores, colons, hyphens."""
    if not value or len(value) > max_length or not _IDENTIFIER.fullmatch(value):
        raise invalid_argument(
            field, f"must be 1 to {max_length} letters, digits, dots, colons, underscores, hyphens"
        )
    return value


def bounded_int(value: int, field: str, *, low: int, high: int) -> int:
    """Return a number from `low` to `high`, inclusive."""
    if not low <= value <= high:
        raise invalid_argument(field, f"must be from {low} to {high}")
    return value


def known_enum(value: int, field: str, known: Container[int]) -> int:
    """Return an enum value that is set (0 is "unspecified" everywhere) and known to this release."""
    if value == 0:
        raise invalid_argument(field, "is required")
    if value not in known:
        raise invalid_argument(field, f"value {value} is not known")
    return value


def page_size(value: int, field: str = "page_size", *, default: int = 50, high: int = 200) -> int:
    """Return the page size: 0 means `default`, more than `high` means `high` (AIP-158)."""
    if value < 0:
        raise invalid_argument(field, "must not be negative")
    return min(value or default, high)
