"""The two digests of a table's history, and the resume token.

The chain covers all stored bytes and, with the version, is the etag that a commit is checked against; it
never leaves the service: it would let a client test guesses of hidden cards. The public chain covers what a
spectator sees and 16 random bytes a commit; with the version it is the resume token.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final
from uuid import UUID

DIGEST_BYTES: Final = 32
SALT_BYTES: Final = 16
NO_ETAG: Final = b""
"""The etag of a table that is not there."""
FENCED_ETAG: Final = b"fenced"
"""The etag of an id that was aborted before it was created."""

_VERSION_BYTES: Final = 8
_TOKEN_FORMAT: Final = b"\x01"


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """A moment in a table's public history."""

    version: int
    public_chain: bytes


class MalformedTokenError(ValueError):
    """The bytes are no resume token of ours."""


def next_etag(before: bytes, table_id: UUID, version: int, record: bytes, bundle: bytes) -> bytes:
    """Return the etag after a commit: the version and a digest of everything stored so far."""
    chain = before[_VERSION_BYTES:] if before else table_id.bytes
    digest = hashlib.sha256()
    for part in (chain, record, bundle):
        digest.update(len(part).to_bytes(4, "big"))
        digest.update(part)
    return version.to_bytes(_VERSION_BYTES, "big") + digest.digest()


def version_of(etag: bytes) -> int:
    """Return the version in an etag."""
    return int.from_bytes(etag[:_VERSION_BYTES], "big")


def next_public_chain(before: bytes, table_id: UUID, salt: bytes, public_events: bytes) -> bytes:
    """Return the public chain after a commit; `before` is empty for the first one."""
    digest = hashlib.sha256(before or table_id.bytes)
    digest.update(salt)
    digest.update(public_events)
    return digest.digest()


def resume_token(point: ResumePoint) -> bytes:
    """Return the token that resumes after this point."""
    return _TOKEN_FORMAT + point.version.to_bytes(_VERSION_BYTES, "big") + point.public_chain


def read_resume_token(token: bytes) -> ResumePoint:
    """Return the point a token names. Raises MalformedTokenError for anything not shaped like one."""
    if len(token) != 1 + _VERSION_BYTES + DIGEST_BYTES or not token.startswith(_TOKEN_FORMAT):
        raise MalformedTokenError("not a resume token")
    return ResumePoint(int.from_bytes(token[1 : 1 + _VERSION_BYTES], "big"), token[1 + _VERSION_BYTES :])


def settlement_digest(etag: bytes, table_id: UUID) -> bytes:
    """Return the digest of a result that the wallet keeps: of the whole history that led to it."""
    return hashlib.sha256(b"jasshaus settlement 1" + table_id.bytes + etag).digest()
