"""Fetches, refreshes and rotates the public keys that verify tokens: a JWKS (RFC 7517)."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from pathlib import Path
from typing import IO, Final, Never
from urllib.parse import urlsplit

import jwt
import structlog
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from jasshaus.platform.errors import unavailable

PublicKey = Ed25519PublicKey | EllipticCurvePublicKey | RSAPublicKey

_MIN_RSA_BITS: Final = 2048
_MAX_DOCUMENT_BYTES: Final = 1 << 20
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})

log = structlog.stdlib.get_logger(__name__)


class KeysUnreadableError(Exception):
    """The JWKS could not be fetched, or is not a JWKS."""


class NoKeysError(KeysUnreadableError):
    """The JWKS has no key that could verify our tokens: no rotation ends like this, only a mistake."""


@dataclass(frozen=True, slots=True)
class VerificationKey:
    """A public key and the only algorithm it verifies: the token's header never chooses (RFC 8725, 3.1)."""

    algorithm: str
    key: PublicKey
    fingerprint: bytes


class KeySet:
    """The keys at `source` (a file path, or an http(s) URL) by key id.

    Keeps the last good set if a refresh fails or finds no usable key: an identity provider that is
    down, or whose document is empty, must not log everybody out. An unknown key id triggers a
    refetch, at most one every `cooldown` seconds.
    """

    def __init__(self, source: str, *, timeout: float = 5.0, cooldown: float = 10.0) -> None:
        self._source = source
        self._timeout = timeout
        self._cooldown = cooldown
        self._keys: Mapping[str, VerificationKey] | None = None
        self._fetching = asyncio.Lock()
        self._last_attempt = float("-inf")
        self._observe: Callable[[str], None] = lambda _: None

    def observe(self, fetched: Callable[[str], None]) -> None:
        """Report each fetch to `fetched`: "ok", "unreadable" or "empty"."""
        self._observe = fetched

    async def find(self, kid: str) -> VerificationKey | None:
        """Return the key with this id, after a refetch if it is unknown.

        Raises Fault UNAVAILABLE while there are none.
        """
        if self._keys is None or kid not in self._keys:
            async with self._fetching:
                waited_for_another = self._keys is not None and kid in self._keys
                if not waited_for_another and time.monotonic() - self._last_attempt >= self._cooldown:
                    await self._fetch_or_log()
        if self._keys is None:
            raise unavailable(
                "KEYS_UNAVAILABLE", "token keys cannot be fetched now", retry_after=self._cooldown
            )
        return self._keys.get(kid)

    def current(self, kid: str) -> VerificationKey | None:
        """Return the key with this id as last fetched, without fetching."""
        return None if self._keys is None else self._keys.get(kid)

    async def refresh(self) -> None:
        """Fetch now; keys no longer listed stop verifying.

        Raises KeysUnreadableError, and then keeps the old set.
        """
        async with self._fetching:
            await self._fetch()

    async def refresh_or_log(self) -> None:
        """Fetch now; on failure, log it and keep the old set."""
        async with self._fetching:
            await self._fetch_or_log()

    async def _fetch_or_log(self) -> None:
        try:
            await self._fetch()
        except NoKeysError as error:
            kept = sorted(self._keys or ())
            log.error("jwks_empty", source=self._source, error=str(error), kept=kept)  # noqa: TRY400
        except KeysUnreadableError as error:
            log.warning("jwks_unreadable", source=self._source, error=str(error))

    async def _fetch(self) -> None:
        self._last_attempt = time.monotonic()
        try:
            keys = _usable(parse_jwks(await asyncio.to_thread(_read, self._source, self._timeout)))
        except KeysUnreadableError as error:
            self._observe("empty" if isinstance(error, NoKeysError) else "unreadable")
            raise
        self._observe("ok")
        if self._keys is None or keys.keys() != self._keys.keys():
            log.info("jwks_loaded", kids=sorted(keys))
        self._keys = keys


def check_source(source: str, *, plain_http: bool) -> str | None:
    """Return the problem with a JWKS source, or None. Plain HTTP would let the network choose the keys."""
    try:
        parts = urlsplit(source)
        _ = parts.port
    except ValueError:
        return "must be a file path or a well-formed http(s) URL"
    if parts.username is not None or parts.password is not None:
        return "must not contain a user or password, because it is logged"
    if parts.scheme in {"http", "https"} and not parts.hostname:
        return "must name a host"
    if parts.scheme == "http" and not plain_http and parts.hostname not in _LOOPBACK:
        return "must be https (plain http only on loopback or in development mode)"
    if parts.scheme not in {"http", "https"} and "://" in source:
        return "must be a file path or an http(s) URL"
    return None


def _usable(keys: dict[str, VerificationKey]) -> dict[str, VerificationKey]:
    """Return the keys. Raises NoKeysError if there are none."""
    if not keys:
        raise NoKeysError("the document has no usable key")
    return keys


def parse_jwks(document: bytes) -> dict[str, VerificationKey]:
    """Return the usable keys by id.

    Ed25519, RSA from 2048 bits, P-256; others, in particular symmetric ones, are skipped.
    """
    try:
        entries = json.loads(document)["keys"]
        if not isinstance(entries, list):
            raise TypeError  # noqa: TRY301 - one kind of wrong among several
    except (ValueError, KeyError, TypeError) as error:
        raise KeysUnreadableError("not a JWKS document") from error
    found: dict[str, VerificationKey] = {}
    for entry in entries:
        if not isinstance(entry, dict) or entry.get("use", "sig") != "sig":
            continue
        kid = entry.get("kid")
        key = _parse_key(entry)
        if key is None or not isinstance(kid, str) or not kid:
            log.warning("jwks_key_ignored", kid=str(kid)[:64], kty=str(entry.get("kty"))[:16])
            continue
        found[kid] = key
    return found


def _parse_key(entry: dict[str, object]) -> VerificationKey | None:
    algorithm = {"OKP": "EdDSA", "RSA": "RS256", "EC": "ES256"}.get(str(entry.get("kty")))
    if algorithm is None or entry.get("alg", algorithm) not in {
        algorithm,
        "Ed25519" if algorithm == "EdDSA" else None,
    }:
        return None
    public = {
        name: value for name, value in entry.items() if name not in {"alg", "d", "p", "q", "dp", "dq", "qi"}
    }
    try:
        key = jwt.PyJWK(public, algorithm=algorithm).key
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    match key:
        case Ed25519PublicKey():
            pass
        case RSAPublicKey() if key.key_size >= _MIN_RSA_BITS:
            pass
        case EllipticCurvePublicKey() if isinstance(key.curve, SECP256R1):
            pass
        case _:
            return None
    fingerprint = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return VerificationKey(algorithm, key, fingerprint)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, which could lead from https to anywhere."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> Never:
        raise urllib.error.HTTPError(req.full_url, code, f"{msg}: redirect to {newurl} refused", headers, fp)


def _read(source: str, timeout: float) -> bytes:
    try:
        if urlsplit(source).scheme not in {"http", "https"}:
            return Path(source).read_bytes()
        opener = urllib.request.build_opener(_NoRedirect)
        with opener.open(source, timeout=timeout) as response:
            document: bytes = response.read(_MAX_DOCUMENT_BYTES + 1)
    except (OSError, HTTPException, ValueError) as error:
        raise KeysUnreadableError(str(error)) from error
    if len(document) > _MAX_DOCUMENT_BYTES:
        raise KeysUnreadableError("document too large")
    return document
