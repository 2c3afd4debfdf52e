"""Identifiers of a table's history: the etag and the resume token.

The etag is the version and a digest of all stored bytes; commits are checked against it. It never leaves the
service, because clients could test guesses of hidden cards against it. The resume token is the version and
the nonce of its commit, random bytes that depend on nothing. A commit is made on exactly one etag, so its
nonce identifies the whole history up to it: if Redis loses writes and others are made since, the nonces
differ.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final
from uuid import UUID

NONCE_BYTES: Final = 8
NO_ETAG: Final = b""
"""The etag of a missing table."""
FENCED_ETAG: Final = b"fenced"
"""The etag of an id that was aborted before it was created."""

_VERSION_BYTES: Final = 8
_TOKEN_FORMAT: Final = b"\x02"


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """A point in a table's history."""

    version: int
    nonce: bytes


class MalformedTokenError(ValueError):
    """The bytes are not a resume token of this service."""


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
    """Return the digest of a result kept by the wallet: of the whole history that led to it."""
    return hashlib.sha256(b"jasshaus settlement 1" + table_id.bytes + etag).digest()
