"""What a table's history is known by: the etag, and the resume token.

The etag is the version and a digest of all stored bytes; a commit is checked against it. It never leaves the
service: it would let a client test guesses of hidden cards. The resume token is the version and the nonce of
its commit, random bytes that depend on nothing. A commit is made on one etag alone, so its nonce stands for
the whole history up to it: where Redis has lost writes and others were made since, the nonces differ.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final
from uuid import UUID

NONCE_BYTES: Final = 8
NO_ETAG: Final = b""
"""The etag of a table that is not there."""
FENCED_ETAG: Final = b"fenced"
"""The etag of an id that was aborted before it was created."""

_VERSION_BYTES: Final = 8
_TOKEN_FORMAT: Final = b"\x02"


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """A moment in a table's history."""

    version: int
    nonce: bytes


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


def resume_token(point: ResumePoint) -> bytes:
    """Return the token that resumes after this point."""
    return _TOKEN_FORMAT + point.version.to_bytes(_VERSION_BYTES, "big") + point.nonce


def read_resume_token(token: bytes) -> ResumePoint:
    """Return the point a token names. Raises MalformedTokenError for anything not shaped like one."""
    if len(token) != 1 + _VERSION_BYTES + NONCE_BYTES or not token.startswith(_TOKEN_FORMAT):
        raise MalformedTokenError("not a resume token")
    return ResumePoint(int.from_bytes(token[1 : 1 + _VERSION_BYTES], "big"), token[1 + _VERSION_BYTES :])


def settlement_digest(etag: bytes, table_id: UUID) -> bytes:
    """Return the digest of a result that the wallet keeps: of the whole history that led to it."""
    return hashlib.sha256(b"jasshaus settlement 1" + table_id.bytes + etag).digest()
