"""Page tokens: where a list continues, bound to its query."""

from __future__ import annotations

import base64
import binascii
import hashlib
import struct
from typing import Final
from uuid import UUID

from jasshaus.platform.errors import Fault, invalid_argument

_LAYOUT: Final = struct.Struct(">16sq")
_PLACE: Final = struct.Struct(">16sq16s")


def place_token(listed: tuple[str, ...], at_us: int, last: UUID) -> str:
    """Return the token for what follows an object with this time (microseconds since 1970) and id."""
    return base64.urlsafe_b64encode(_PLACE.pack(_mark(listed), at_us, last.bytes)).decode()


def read_place_token(token: str, listed: tuple[str, ...]) -> tuple[int, UUID] | None:
    """Return time and id, None for the first page. Raises Fault INVALID_PAGE_TOKEN: not of this list."""
    if not token:
        return None
    try:
        mark, at_us, last = _PLACE.unpack(base64.b64decode(token, altchars=b"-_", validate=True))
    except (binascii.Error, struct.error, ValueError):
        raise _refused() from None
    if mark != _mark(listed) or at_us < 0 or place_token(listed, at_us, UUID(bytes=last)) != token:
        raise _refused()
    return at_us, UUID(bytes=last)


def page_token(account: tuple[str, ...], before: int) -> str:
    """Return the token for entries of an account, or other numbered rows, below `before`."""
    return base64.urlsafe_b64encode(_LAYOUT.pack(_mark(account), before)).decode()


def read_page_token(token: str, account: tuple[str, ...]) -> int | None:
    """Return `before`, None for the first page. Raises Fault INVALID_PAGE_TOKEN: not of this list."""
    if not token:
        return None
    try:
        mark, before = _LAYOUT.unpack(base64.b64decode(token, altchars=b"-_", validate=True))
    except (binascii.Error, struct.error, ValueError):
        raise _refused() from None
    if mark != _mark(account) or before < 1 or page_token(account, before) != token:
        raise _refused()
    return int(before)


def _mark(account: tuple[str, ...]) -> bytes:
    # A token grants no access: permission is checked again for each page. The mark catches mix-ups.
    return hashlib.sha256("\0".join(("statement", *account)).encode()).digest()[:16]


def _refused() -> Fault:
    return invalid_argument("page_token", "is not a token of this list", reason="INVALID_PAGE_TOKEN")
