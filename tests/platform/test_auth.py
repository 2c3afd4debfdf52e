"""Tokens: what holds, what does not, and keys that rotate, over a real local HTTP server."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import grpc
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from structlog.testing import capture_logs

from jasshaus.platform.auth import Principal, Role, Verifier, mint_token, to_principal
from jasshaus.platform.errors import Fault
from jasshaus.platform.jwks import KeySet, KeysUnreadableError, check_source, parse_jwks

from .conftest import SECRET

ED, ED_NEXT = ed25519.Ed25519PrivateKey.generate(), ed25519.Ed25519PrivateKey.generate()
EC = ec.generate_private_key(ec.SECP256R1())
RSA = rsa.generate_private_key(65537, 2048)
CLAIMS = {"sub": "anna", "roles": ["player"], "iss": "issuer", "aud": "jasshaus", "tenant": "bern"}


def public(key: Any, kid: str, **more: str) -> dict[str, Any]:
    algorithm: Any = {ed25519.Ed25519PrivateKey: OKPAlgorithm, rsa.RSAPrivateKey: RSAAlgorithm}.get(
        next(
            (kind for kind in (ed25519.Ed25519PrivateKey, rsa.RSAPrivateKey) if isinstance(key, kind)), object
        ),  # type: ignore[type-abstract]
        ECAlgorithm,
    )
    return {**json.loads(algorithm.to_jwk(key.public_key())), "kid": kid, **more}


# Tokens among a test's parameters are made when the tests are collected, long before the last of them runs.
DAY = 86_400


def sign(key: Any, kid: str | None, algorithm: str, **claims: Any) -> str:
    body = {"exp": int(time.time()) + DAY, **CLAIMS, **claims}
    body = {name: value for name, value in body.items() if value is not None}
    return jwt.encode(body, key, algorithm=algorithm, headers={} if kid is None else {"kid": kid})


class Jwks:
    """An identity provider: `keys` may change while it runs."""

    def __init__(self) -> None:
        self.keys: list[dict[str, Any]] = [public(ED, "ed-1"), public(EC, "ec-1"), public(RSA, "rsa-1")]
        self.body: bytes | None = None
        self.status = 200
        self.fetches = 0
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.fetches += 1
                self.send_response(provider.status)
                if provider.status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()
                self.wfile.write(provider.body or json.dumps({"keys": provider.keys}).encode())

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/jwks"


@pytest.fixture
def provider() -> Iterator[Jwks]:
    jwks = Jwks()
    thread = threading.Thread(target=jwks.server.serve_forever, args=(0.01,))
    thread.start()
    yield jwks
    jwks.server.shutdown()
    jwks.server.server_close()
    thread.join()


@pytest.fixture
def verifier(provider: Jwks) -> Verifier:
    return Verifier(keys=KeySet(provider.url, cooldown=0), issuer="issuer", audience="jasshaus")


async def refused(verifier: Verifier, token: str) -> str:
    with pytest.raises(Fault) as caught:
        await verifier.verify(token)
    assert caught.value.code is grpc.StatusCode.UNAUTHENTICATED
    return caught.value.reason


@pytest.mark.parametrize(
    ("key", "kid", "algorithm"), [(ED, "ed-1", "EdDSA"), (EC, "ec-1", "ES256"), (RSA, "rsa-1", "RS256")]
)
async def test_each_algorithm_verifies(verifier: Verifier, key: Any, kid: str, algorithm: str) -> None:
    token = sign(key, kid, algorithm, client="web", scopes=["play", "pay"])
    principal = await verifier.verify(token)
    assert principal == Principal(
        "anna", "bern", frozenset({Role.PLAYER}), "web", frozenset({"play", "pay"}), principal.expires_at
    )


async def test_rotation(provider: Jwks, verifier: Verifier) -> None:
    assert verifier.keys is not None
    old, new = sign(ED, "ed-1", "EdDSA"), sign(ED_NEXT, "ed-2", "EdDSA")
    assert await verifier.verify(old)
    assert await refused(verifier, new) == "TOKEN_INVALID"
    provider.keys.append(public(ED_NEXT, "ed-2"))
    assert await verifier.verify(new), "an unknown key id makes it look again"
    provider.keys = [public(ED_NEXT, "ed-2")]
    assert await verifier.verify(old), "not looked again yet"
    await verifier.keys.refresh()
    assert await refused(verifier, old) == "TOKEN_INVALID"
    assert await verifier.verify(new)


async def test_a_key_id_that_changes_its_key(provider: Jwks, verifier: Verifier) -> None:
    assert verifier.keys is not None
    old = sign(ED, "ed-1", "EdDSA")
    await verifier.verify(old)
    provider.keys = [public(ED_NEXT, "ed-1")]
    await verifier.keys.refresh()
    assert await refused(verifier, old) == "TOKEN_INVALID"


async def test_unknown_key_ids_do_not_flood_the_provider(provider: Jwks) -> None:
    verifier = Verifier(keys=KeySet(provider.url, cooldown=60))
    await verifier.verify(sign(ED, "ed-1", "EdDSA", aud=None))
    for number in range(5):
        assert await refused(verifier, sign(ED, f"unheard-of-{number}", "EdDSA")) == "TOKEN_INVALID"
    assert provider.fetches == 1


async def test_a_provider_that_is_down_logs_nobody_out(provider: Jwks, verifier: Verifier) -> None:
    assert verifier.keys is not None
    token, later = sign(ED, "ed-1", "EdDSA"), sign(EC, "ec-1", "ES256")
    await verifier.verify(token)
    provider.status = 500
    await verifier.keys.refresh_or_log()
    assert await verifier.verify(token)
    assert await verifier.verify(later)


@pytest.mark.parametrize(
    "keys",
    [
        [],
        [{"kty": "oct", "kid": "s", "k": "c2VjcmV0"}],
        [{name: value for name, value in public(ED, "ed-1").items() if name != "kid"}],
        [{**public(ED, "ed-1"), "use": "enc"}],
    ],
    ids=["empty", "symmetric", "no-kid", "encryption"],
)
async def test_a_key_set_without_a_usable_key_logs_nobody_out(
    provider: Jwks, verifier: Verifier, keys: list[dict[str, Any]]
) -> None:
    assert verifier.keys is not None
    fetched: list[str] = []
    verifier.keys.observe(fetched.append)
    token = sign(ED, "ed-1", "EdDSA")
    await verifier.verify(token)
    provider.keys = keys
    with capture_logs() as lines:
        await verifier.keys.refresh_or_log()
    assert (await verifier.verify(token)).subject == "anna"
    assert (await verifier.verify(sign(EC, "ec-1", "ES256"))).subject == "anna"
    assert [line["log_level"] for line in lines if line["event"] == "jwks_empty"] == ["error"]
    assert fetched == ["ok", "empty"]


async def test_a_key_set_that_is_empty_from_the_start_is_none(provider: Jwks) -> None:
    """The refresh is a probe of readiness."""
    provider.keys = []
    with pytest.raises(KeysUnreadableError):
        await KeySet(provider.url).refresh()


@pytest.mark.parametrize("subject", ["matchmaking", "table", "wallet"])
def test_players_have_no_services_name(subject: str) -> None:
    for roles in (["player"], ["operator", "player"], ["tenant-admin"], []):
        with pytest.raises(Fault, match="reserved") as caught:
            to_principal({"sub": subject, "exp": 1, "roles": roles})
        assert caught.value.reason == "TOKEN_INVALID"
    assert to_principal({"sub": subject, "exp": 1, "roles": ["service"]}).subject == subject


@pytest.mark.parametrize(
    ("status", "body"), [(500, b""), (302, b""), (200, b"<html>"), (200, b'{"keys": 1}'), (200, b"[]")]
)
async def test_no_keys_at_all_is_our_trouble_not_the_callers(
    provider: Jwks, status: int, body: bytes
) -> None:
    provider.status, provider.body = status, body
    with pytest.raises(Fault) as caught:
        await Verifier(keys=KeySet(provider.url, cooldown=0)).verify(sign(ED, "ed-1", "EdDSA"))
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.UNAVAILABLE, "KEYS_UNAVAILABLE")


async def test_a_file_of_keys(tmp_path: Path) -> None:
    path = tmp_path / "jwks.json"
    path.write_text(json.dumps({"keys": [public(ED, "ed-1")]}))
    verifier = Verifier(keys=KeySet(str(path), cooldown=0))
    assert await verifier.verify(sign(ED, "ed-1", "EdDSA"))
    path.write_text(json.dumps({"keys": [public(ED_NEXT, "ed-2")]}))
    assert await verifier.verify(sign(ED_NEXT, "ed-2", "EdDSA"))
    assert await refused(verifier, sign(ED, "ed-1", "EdDSA")) == "TOKEN_INVALID"


def unsigned() -> str:
    encode = lambda part: base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()  # noqa: E731
    return f"{encode({'alg': 'none', 'kid': 'ed-1'})}.{encode({**CLAIMS, 'exp': time.time() + DAY})}."


def confused() -> str:
    """HS256 "signed" with the RSA key's public bytes: the classic confusion (RFC 8725, 2.1)."""
    pem = RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    encode = lambda part: base64.urlsafe_b64encode(part).rstrip(b"=")  # noqa: E731
    signing = (
        encode(b'{"alg":"HS256","kid":"rsa-1"}')
        + b"."
        + encode(json.dumps({**CLAIMS, "exp": time.time() + DAY}).encode())
    )
    return (signing + b"." + encode(hmac.new(pem, signing, hashlib.sha256).digest())).decode()


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("", "TOKEN_MISSING"),
        ("a.b.c", "TOKEN_INVALID"),
        ("x" * 10_000, "TOKEN_INVALID"),
        ("\ud800.\ud800.x", "TOKEN_INVALID"),
        (unsigned(), "TOKEN_INVALID"),
        (confused(), "TOKEN_INVALID"),
        (sign(ED_NEXT, "ed-1", "EdDSA"), "TOKEN_INVALID"),
        (sign(ED, None, "EdDSA"), "TOKEN_INVALID"),
        (sign(RSA, "rsa-1", "RS512"), "TOKEN_INVALID"),
        (sign(RSA, "ed-1", "RS256"), "TOKEN_INVALID"),
        (sign(ED, "ed-1", "EdDSA", iss="other"), "TOKEN_INVALID"),
        (sign(ED, "ed-1", "EdDSA", iss=None), "TOKEN_INVALID"),
        (sign(ED, "ed-1", "EdDSA", aud="other"), "TOKEN_INVALID"),
        (sign(ED, "ed-1", "EdDSA", aud=None), "TOKEN_INVALID"),
        (sign(ED, "ed-1", "EdDSA", sub=None), "TOKEN_INVALID"),
        (sign(ED, "ed-1", "EdDSA", exp=None), "TOKEN_INVALID"),
        (sign(ED, "ed-1", "EdDSA", exp=int(time.time()) - 60), "TOKEN_EXPIRED"),
        (sign(ED, "ed-1", "EdDSA", nbf=int(time.time()) + DAY), "TOKEN_INVALID"),
        (mint_token(SECRET, "anna", ["player"]), "TOKEN_INVALID"),
    ],
)
async def test_refused_tokens(verifier: Verifier, token: str, reason: str) -> None:
    assert await refused(verifier, token) == reason


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("a.b.c", "not a token"),
        (sign(ED_NEXT, "ed-1", "EdDSA"), "the signature does not match"),
        (sign(RSA, "ed-1", "RS256"), "not signed with a known key"),
        (sign(ED, "ed-1", "EdDSA", iss="other"), "claim iss names another issuer"),
        (sign(ED, "ed-1", "EdDSA", aud="other"), "claim aud names another audience"),
        (sign(ED, "ed-1", "EdDSA", aud=None), "claim aud is missing"),
        (sign(ED, "ed-1", "EdDSA", sub=None), "claim sub is missing"),
        (sign(ED, "ed-1", "EdDSA", sub=7), "claim sub must be a string"),
        (sign(ED, "ed-1", "EdDSA", nbf=int(time.time()) + DAY), "not valid yet"),
    ],
)
async def test_a_refusal_says_in_words_what_is_wrong(verifier: Verifier, token: str, words: str) -> None:
    with pytest.raises(Fault) as caught:
        await verifier.verify(token)
    assert caught.value.message == f"token refused: {words}"


async def test_the_clock_may_differ_a_little(verifier: Verifier) -> None:
    assert await verifier.verify(sign(ED, "ed-1", "EdDSA", exp=int(time.time()) - 3))


async def test_a_cached_token_expires_too(monkeypatch: pytest.MonkeyPatch) -> None:
    verifier = Verifier(dev_secret=SECRET)
    token = mint_token(SECRET, "anna", ["player"], ttl=60)
    await verifier.verify(token)
    now = time.time()
    monkeypatch.setattr("jasshaus.platform.auth.time.time", lambda: now + 3600)
    assert await refused(verifier, token) == "TOKEN_EXPIRED"


async def test_the_cache_is_bounded() -> None:
    verifier = Verifier(dev_secret=SECRET, cache_size=10)
    for number in range(30):
        await verifier.verify(mint_token(SECRET, f"player-{number}", ["player"]))
    assert len(verifier._cache) == 10


@pytest.mark.parametrize(
    "claims",
    [
        {"sub": ""},
        {"sub": 7},
        {"sub": "x" * 129},
        {"sub": "two words"},
        {"sub": "line\nbreak"},
        {"exp": "tomorrow"},
        {"exp": True},
        {"roles": "player"},
        {"roles": [1]},
        {"roles": ["service", "player"]},
        {"tenant": ""},
        {"tenant": 3},
        {"tenant": "Bern"},
        {"tenant": "a:b"},
        {"client": 1},
        {"client": "x" * 65},
        {"scopes": {"a": 1}},
    ],
)
def test_claims_of_the_wrong_shape(claims: dict[str, Any]) -> None:
    with pytest.raises(Fault, match="TOKEN_INVALID"):
        to_principal({"sub": "anna", "exp": 2_000_000_000, "roles": ["player"], **claims})


def test_claims_by_default() -> None:
    player = to_principal(
        {"sub": "anna", "exp": 2_000_000_000, "roles": ["player", "unheard-of"], "scopes": "a b"}
    )
    assert (player.tenant, player.roles, player.scopes) == ("default", {Role.PLAYER}, {"a", "b"})
    service = to_principal({"sub": "table", "exp": 2_000_000_000, "roles": ["service"], "tenant": "bern"})
    assert service.tenant == "", "a service is of no tenant"
    assert to_principal({"sub": "anna", "exp": 2_000_000_000}).roles == frozenset()


def test_weak_and_foreign_keys_are_passed_over() -> None:
    weak = rsa.generate_private_key(65537, 1024)
    other_curve = ec.generate_private_key(ec.SECP384R1())
    keys = [
        public(weak, "weak"),
        public(other_curve, "p-384"),
        public(ED, "encrypts", use="enc"),
        public(RSA, "pss", alg="PS256"),
        public(ED, ""),
        {"kty": "oct", "k": "AAAA", "kid": "shared", "alg": "HS256"},
        {"kty": "EC", "kid": "half"},
        "nonsense",
        public(ED, "good", alg="EdDSA", use="sig"),
    ]
    assert list(parse_jwks(json.dumps({"keys": keys}).encode())) == ["good"]


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 32 bytes"):
        Verifier(dev_secret="short")


@pytest.mark.parametrize(
    ("source", "plain_http", "fine"),
    [
        ("/etc/jwks.json", False, True),
        ("https://id.example/jwks", False, True),
        ("http://id.example/jwks", False, False),
        ("http://id.example/jwks", True, True),
        ("http://127.0.0.1:8080/jwks", False, True),
        ("ftp://id.example/jwks", True, False),
        ("file:///etc/jwks.json", True, False),
        ("https://id.example:many/jwks", True, False),
        ("https://[id.example/jwks", True, False),
        ("https:///jwks", True, False),
        ("https://jasshaus:password@id.example/jwks", True, False),
    ],
)
def test_where_keys_may_come_from(source: str, *, plain_http: bool, fine: bool) -> None:
    assert (check_source(source, plain_http=plain_http) is None) is fine
