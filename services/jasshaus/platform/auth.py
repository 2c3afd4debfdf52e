"""Verifies tokens (JWT, RFC 7519), caches them until they expire, and returns the caller as a `Principal`."""

from __future__ import annotations

import hashlib
import re
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NoReturn

import jwt
from jwt.exceptions import InvalidSubjectError

from jasshaus.platform.errors import Fault, unauthenticated
from jasshaus.platform.jwks import KeySet, PublicKey

MIN_SECRET_BYTES: Final = 32
DEFAULT_TENANT: Final = "default"

SERVICE_SUBJECTS: Final = frozenset({"matchmaking", "table", "wallet"})
"""Subjects of our own services, reserved because callers are compared with seats and holds by subject."""

_LEEWAY_SECONDS: Final = 10
_MAX_TOKEN_CHARS: Final = 8192
_MAX_SUBJECT_CHARS: Final = 128
_MAX_CLIENT_CHARS: Final = 64
_TENANT: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_WRONG: Final[dict[type[Exception], str]] = {
    jwt.InvalidSignatureError: "the signature does not match",
    jwt.InvalidAudienceError: "claim aud names another audience",
    jwt.InvalidIssuerError: "claim iss names another issuer",
    jwt.ImmatureSignatureError: "not valid yet",
    jwt.InvalidIssuedAtError: "claim iat must be a number",
    InvalidSubjectError: "claim sub must be a string",
    jwt.InvalidAlgorithmError: "not signed with a known key",
    jwt.DecodeError: "not a token",
}


class Role(StrEnum):
    """A caller's role; the values appear in the token's `roles` claim."""

    PLAYER = "player"
    SERVICE = "service"
    OPERATOR = "operator"
    TENANT_ADMIN = "tenant-admin"


_ROLES: Final = {role.value: role for role in Role}


@dataclass(frozen=True, slots=True)
class Principal:
    """The verified caller. `tenant` is "" for services; `expires_at` is in Unix seconds."""

    subject: str
    tenant: str
    roles: frozenset[Role]
    client: str
    scopes: frozenset[str]
    expires_at: int


_principal: ContextVar[Principal] = ContextVar("principal")


def current_principal() -> Principal:
    """Return the caller of the RPC being handled.

    Raises LookupError outside of an RPC, or in one that is open to all.
    """
    return _principal.get()


def set_principal(principal: Principal) -> None:
    """Set the caller for the rest of this task.

    For the interceptor, and for tests that call a servicer directly.
    """
    _principal.set(principal)


@dataclass(frozen=True, slots=True)
class _Verified:
    principal: Principal
    kid: str
    fingerprint: bytes


class Verifier:
    """Turns a token into its `Principal`.

    `keys` verify EdDSA, RS256 and ES256. `dev_secret` verifies HS256, which is for development only, because
    anyone who can verify such tokens can also mint them. `issuer` and `audience`, if given, must match the
    token's.
    """

    def __init__(
        self,
        *,
        keys: KeySet | None = None,
        dev_secret: str | None = None,
        issuer: str | None = None,
        audience: str | None = None,
        cache_size: int = 10_000,
    ) -> None:
        if dev_secret is not None and len(dev_secret.encode()) < MIN_SECRET_BYTES:
            raise ValueError(f"the development secret must have at least {MIN_SECRET_BYTES} bytes")
        self.keys = keys
        self._secret = dev_secret
        self._issuer = issuer
        self._audience = audience
        self._cache: OrderedDict[bytes, _Verified] = OrderedDict()
        self._cache_size = cache_size

    async def verify(self, token: str) -> Principal:
        """Return the principal of a token.

        Raises Fault UNAUTHENTICATED: TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED.
        """
        if not token:
            raise unauthenticated("TOKEN_MISSING", "a bearer token is required")
        if len(token) > _MAX_TOKEN_CHARS:
            raise _invalid("token too long")
        digest = hashlib.sha256(token.encode(errors="replace")).digest()
        known = self._cached(digest)
        if known is not None:
            return known
        kid, algorithm, key, fingerprint = await self._key_for(token)
        principal = to_principal(self._decode(token, key, algorithm))
        self._cache[digest] = _Verified(principal, kid, fingerprint)
        if len(self._cache) > self._cache_size:
            self._cache.popitem(last=False)
        return principal

    def _cached(self, digest: bytes) -> Principal | None:
        known = self._cache.get(digest)
        if known is None:
            return None
        if known.fingerprint:
            key = self.keys.current(known.kid) if self.keys else None
            if key is None or key.fingerprint != known.fingerprint:
                del self._cache[digest]
                return None
        if known.principal.expires_at + _LEEWAY_SECONDS <= time.time():
            del self._cache[digest]
            raise _expired()
        self._cache.move_to_end(digest)
        return known.principal

    async def _key_for(self, token: str) -> tuple[str, str, PublicKey | str, bytes]:
        try:
            header = jwt.get_unverified_header(token)
        except (jwt.PyJWTError, ValueError) as error:
            raise _invalid("not a token") from error
        algorithm = header.get("alg")
        if algorithm == "HS256" and self._secret is not None:
            return "", "HS256", self._secret, b""
        kid = header.get("kid")
        if self.keys is None or not isinstance(kid, str):
            raise _invalid("not signed with a known key")
        key = await self.keys.find(kid)
        if key is None or algorithm != key.algorithm:
            raise _invalid("not signed with a known key")
        return kid, key.algorithm, key.key, key.fingerprint

    def _decode(self, token: str, key: PublicKey | str, algorithm: str) -> Mapping[str, Any]:
        required = ["exp", "sub", *(["iss"] if self._issuer else []), *(["aud"] if self._audience else [])]
        try:
            return jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                issuer=self._issuer,
                audience=self._audience,
                leeway=_LEEWAY_SECONDS,
                options={"require": required, "verify_aud": self._audience is not None},
            )
        except jwt.ExpiredSignatureError as error:
            raise _expired() from error
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError) as error:
            raise _invalid(_in_words(error)) from error


def to_principal(claims: Mapping[str, Any]) -> Principal:
    """Check the claims' types and return the principal; unknown roles are ignored.

    Raises Fault TOKEN_INVALID.
    """
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= _MAX_SUBJECT_CHARS or not _plain(subject):
        _refuse("sub", f"1 to {_MAX_SUBJECT_CHARS} printable characters without spaces")
    expires_at = claims.get("exp")
    if isinstance(expires_at, bool) or not isinstance(expires_at, int | float):
        _refuse("exp", "a number")
    roles = frozenset(_ROLES[name] for name in _strings(claims, "roles") if name in _ROLES)
    if Role.SERVICE in roles and len(roles) > 1:
        _refuse("roles", "service alone: a service cannot be a player")
    if subject in SERVICE_SUBJECTS and Role.SERVICE not in roles:
        _refuse("sub", f"different: {subject} is reserved for the service of that name")
    tenant = claims.get("tenant", DEFAULT_TENANT)
    if Role.SERVICE in roles:
        tenant = ""
    elif not isinstance(tenant, str) or not _TENANT.fullmatch(tenant):
        _refuse("tenant", "lower-case letters, digits and hyphens")
    client = claims.get("client", "")
    if not isinstance(client, str) or len(client) > _MAX_CLIENT_CHARS or not _plain(client):
        _refuse("client", f"at most {_MAX_CLIENT_CHARS} printable characters without spaces")
    return Principal(subject, tenant, roles, client, frozenset(_strings(claims, "scopes")), int(expires_at))


def mint_token(
    secret: str,
    subject: str,
    roles: Iterable[str],
    tenant: str = DEFAULT_TENANT,
    *,
    ttl: float = 3600,
    issuer: str | None = None,
    audience: str | None = None,
    client: str = "",
) -> str:
    """Return an HS256 token for development, valid for `ttl` seconds. A service token gets no tenant."""
    now = int(time.time())
    names = [str(role) for role in roles]
    claims: dict[str, object] = {"sub": subject, "roles": names, "iat": now, "exp": now + int(ttl)}
    if Role.SERVICE not in names:
        claims["tenant"] = tenant
    claims |= {
        name: value for name, value in (("iss", issuer), ("aud", audience), ("client", client)) if value
    }
    return jwt.encode(claims, secret, algorithm="HS256")


def _strings(claims: Mapping[str, Any], name: str) -> list[str]:
    value = claims.get(name, [])
    if name == "scopes" and isinstance(value, str):
        return value.split()
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        _refuse(name, "a list of strings")
    return value


def _plain(text: str) -> bool:
    return text.isprintable() and not any(character.isspace() for character in text)


def _refuse(claim: str, rule: str) -> NoReturn:
    raise _invalid(f"claim {claim} must be {rule}")


def _in_words(error: Exception) -> str:
    """Describe an error by its kind; the library's own text may quote the token."""
    if isinstance(error, jwt.MissingRequiredClaimError):
        return f"claim {error.claim} is missing"
    return next((words for kind, words in _WRONG.items() if isinstance(error, kind)), "not a valid token")


def _invalid(why: str) -> Fault:
    return unauthenticated("TOKEN_INVALID", f"token refused: {why}")


def _expired() -> Fault:
    return unauthenticated("TOKEN_EXPIRED", "token expired")
