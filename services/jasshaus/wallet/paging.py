"""Owns the page tokens of statements: the sequence to go on before, bound to one account."""

from __future__ import annotations

import base64
import binascii
import hashlib
import struct
from typing import Final

from jasshaus.platform.errors import Fault, invalid_argument

_LAYOUT: Final = struct.Struct(">16sq")


def page_token(account: tuple[str, ...], before: int) -> str:
    """Return the token for the entries of an account with a sequence lower than `before`."""
    return base64.urlsafe_b64encode(_LAYOUT.pack(_mark(account), before)).decode()


def read_page_token(token: str, account: tuple[str, ...]) -> int | None:
    """Return `before`, None for the first page. Raises Fault INVALID_PAGE_TOKEN: not of this account."""
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
    # A token gives access to nothing: who may read is decided anew on each page. The mark catches mix-ups.
    return hashlib.sha256("\0".join(("statement", *account)).encode()).digest()[:16]


def _refused() -> Fault:
    return invalid_argument("page_token", "is not one of this list", reason="INVALID_PAGE_TOKEN")
