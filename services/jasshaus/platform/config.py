"""Reads configuration from the environment into a frozen dataclass, reporting all mistakes at once."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import parse_qs, urlsplit

from jasshaus.platform.auth import MIN_SECRET_BYTES, Verifier
from jasshaus.platform.jwks import KeySet, check_source
from jasshaus.platform.limits import Limits
from jasshaus.platform.logging import FORMATS, LEVELS

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Parser = Callable[[str], object]
ConfigT = TypeVar("ConfigT", bound="DataclassInstance")


_REQUIRED: Final = object()
_MAX_PORT: Final = 65535
_POSTGRES_DSN: Final = (
    "must be postgresql://user:password@host:port/database or libpq's key=value pairs, with special "
    "characters percent-encoded (%40 for @, %2F for /) or quoted"
)
_ONE_REDIS: Final = (
    "must lead to one primary: Sentinel and Cluster are not supported yet; name the primary itself, or a "
    "service or proxy that follows it, as redis://, rediss:// or unix://"
)
_REDIS_URL: Final = (
    "must be redis://user:password@host:port/database (rediss:// with TLS) or unix:///path, with a "
    "percent-encoded password (%40 for @, %2F for /, %23 for #, %3F for ?)"
)
# redis-py lets URL options override our connection settings. These are the options a deployment may
# choose; retries, protocol and decoding are ours.
_REDIS_OPTIONS: Final = frozenset(
    {
        "client_name",
        "db",
        "health_check_interval",
        "password",
        "socket_connect_timeout",
        "socket_keepalive",
        "socket_timeout",
        "ssl_ca_certs",
        "ssl_ca_path",
        "ssl_cert_reqs",
        "ssl_certfile",
        "ssl_check_hostname",
        "ssl_ciphers",
        "ssl_keyfile",
        "ssl_min_version",
        "ssl_password",
        "username",
    }
)
_REDIS_QUERY: Final = (
    "must be redis://user:password@host:port/database without options (after ?) other than "
    f"{', '.join(sorted(_REDIS_OPTIONS))}; each once, with a value of its type, those of ssl with rediss://"
)


class ConfigError(Exception):
    """The environment does not configure this process; `problems` has one line for each mistake."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("invalid configuration:\n" + "\n".join(f"  {problem}" for problem in problems))
        self.problems = problems


class Mode(StrEnum):
    """Production rejects what is for development only: shared secrets, fixed seeds."""

    PRODUCTION = "production"
    DEVELOPMENT = "development"


def setting(env: str, parse: Parser = str, *, default: object = _REQUIRED, secret: bool = False) -> Any:
    """Declare a dataclass field read from the variable `env`; without a default it is required.

    `parse` raises ValueError, whose text completes the sentence "NAME ...". Secret values are never shown.
    """
    return dataclasses.field(
        metadata={"env": env, "parse": parse, "default": default, "secret": secret},
        kw_only=True,
        repr=not secret,
    )


def read_config(cls: type[ConfigT], environ: Mapping[str, str]) -> ConfigT:
    """Return the configuration; an empty variable counts as unset.

    Raises ConfigError with all problems at once. A class may have a method `problems()` that yields
    problems with combinations of fields.
    """
    values: dict[str, object] = {}
    problems: list[str] = []
    malformed = False
    for field in dataclasses.fields(cls):
        name, text = field.metadata["env"], environ.get(field.metadata["env"], "")
        if not text:
            if field.metadata["default"] is _REQUIRED:
                problems.append(f"{name} is required")
            values[field.name] = field.metadata["default"]
            continue
        try:
            values[field.name] = field.metadata["parse"](text)
        except ValueError as error:
            malformed = True
            problems.append(f"{name} {error}" + ("" if field.metadata["secret"] else f" (is {text!r})"))
    if not malformed:
        # Missing variables must not hide other problems; combinations need well-formed variables.
        config = cls(**values)
        problems.extend(getattr(config, "problems", list)())
        if not problems:
            return config
    raise ConfigError(problems)


def one_of(*choices: str) -> Parser:
    """Parse one of these words."""

    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return text

    return parse


def mode(text: str) -> Mode:
    """Parse `production` or `development`."""
    one_of(*Mode)(text)
    return Mode(text)


def flag(text: str) -> bool:
    """Parse true/false, yes/no, on/off, 1/0."""
    match text.lower():
        case "true" | "yes" | "on" | "1":
            return True
        case "false" | "no" | "off" | "0":
            return False
        case _:
            raise ValueError("must be true or false")


def integer(low: int, high: int) -> Parser:
    """Parse a whole number from `low` to `high`."""

    def parse(text: str) -> int:
        if not text.lstrip("-").isdecimal() or not low <= int(text) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return parse


def seconds(low: float, high: float) -> Parser:
    """Parse a duration in seconds from `low` to `high`; fractions are fine."""

    def parse(text: str) -> float:
        message = f"must be a number of seconds from {low:g} to {high:g}"
        try:
            value = float(text)
        except ValueError:
            raise ValueError(message) from None
        if not low <= value <= high:
            raise ValueError(message)
        return value

    return parse


def metrics_port(text: str) -> int | None:
    """Parse a port (0: a free one), or `off`."""
    if text == "off":
        return None
    try:
        value = integer(0, _MAX_PORT)(text)
    except ValueError:
        raise ValueError(f"must be off or a port from 0 to {_MAX_PORT}") from None
    assert isinstance(value, int)
    return value


def listen_address(text: str) -> str:
    """Parse host:port (port 0: a free one; IPv6 in brackets) or unix:/path."""
    host, colon, port = text.rpartition(":")
    if text.startswith("unix:"):
        if len(text) > len("unix:"):
            return text
    elif colon and host and port.isdecimal() and int(port) <= _MAX_PORT:
        return text
    raise ValueError("must be host:port or unix:/path")


def redis_url(text: str) -> str:
    """Parse redis://, rediss:// or unix://. Errors do not contain any part of the URL."""
    if any(word in text.partition(":")[0].lower() for word in ("sentinel", "cluster")):
        raise ValueError(_ONE_REDIS)
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError(_REDIS_URL) from None
    rest = f"{parts.path}{parts.query}{parts.fragment}"
    if parts.scheme == "unix":
        if not parts.path or "@" in rest:
            raise ValueError(_REDIS_URL)
    elif parts.scheme not in {"redis", "rediss"} or not parts.hostname or port == 0:
        raise ValueError(_REDIS_URL)
    elif "@" in rest or parts.fragment or (parts.path.strip("/") and not parts.path[1:].isdecimal()):
        # If a password is cut off by its own "/", "?" or "#", the rest is not a valid path.
        raise ValueError(_REDIS_URL)
    if parts.query:
        _check_redis_options(text, parts.query)
    return text


def _check_redis_options(url: str, query: str) -> None:
    """Raise ValueError, without any part of the URL, for options with which no connection can be made."""
    # Imported here: the wallet does not use it.
    from redis.asyncio.connection import ConnectionPool  # noqa: PLC0415
    from redis.exceptions import RedisError  # noqa: PLC0415

    try:
        options = parse_qs(query, keep_blank_values=True, strict_parsing=True)
        unclear = any(len(each) > 1 or not each[0] for each in options.values())
        pool = ConnectionPool.from_url(url)
        # Does not connect; but only the constructor of a connection class checks its options.
        pool.make_connection()  # type: ignore[no-untyped-call]
        numbers = [each for each in pool.connection_kwargs.values() if isinstance(each, int | float)]
    except (ValueError, TypeError, AttributeError, RedisError):
        raise ValueError(_REDIS_QUERY) from None
    if (
        unclear
        or options.keys() - _REDIS_OPTIONS
        or any(each < 0 or not math.isfinite(each) for each in numbers)
    ):
        raise ValueError(_REDIS_QUERY)


def postgres_dsn(text: str) -> str:
    """Parse a libpq connection string or URL. Errors do not contain any part of it."""
    # Imported here: 10 MB that the table service does not need.
    from psycopg import ProgrammingError  # noqa: PLC0415
    from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415

    try:
        fields = conninfo_to_dict(text)
    except ProgrammingError:
        raise ValueError(_POSTGRES_DSN) from None
    # If a password is cut off by its own "@" or "/", the rest is taken for host, port and database.
    cut = (
        "://" in text and "@" in f"{fields.get('host', '')}{fields.get('port', '')}{fields.get('dbname', '')}"
    )
    if cut or not re.fullmatch(r"[0-9,]*", str(fields.get("port", ""))):
        raise ValueError(_POSTGRES_DSN)
    return text


def grpc_target(text: str) -> str:
    """Parse the gRPC target of another service: host:port, or with one of gRPC's own schemes."""
    if urlsplit(text).scheme in {"http", "https"}:
        raise ValueError("must be a gRPC target (host:port or dns:///host:port), not a web address")
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformConfig:
    """Settings shared by the three services."""

    mode: Mode = setting("JASSHAUS_MODE", mode, default=Mode.PRODUCTION)  # noqa: RUF009
    listen: str = setting("JASSHAUS_LISTEN", listen_address, default="127.0.0.1:50051")
    health_listen: str | None = setting("JASSHAUS_HEALTH_LISTEN", listen_address, default=None)
    metrics_port: int | None = setting("JASSHAUS_METRICS_PORT", metrics_port, default=9464)
    metrics_host: str = setting("JASSHAUS_METRICS_HOST", default="127.0.0.1")
    log_format: str = setting("JASSHAUS_LOG_FORMAT", one_of(*FORMATS), default="json")
    log_level: str = setting("JASSHAUS_LOG_LEVEL", one_of(*LEVELS), default="info")
    jwks: str | None = setting("JASSHAUS_JWKS", default=None)
    jwt_issuer: str | None = setting("JASSHAUS_JWT_ISSUER", default=None)
    jwt_audience: str | None = setting("JASSHAUS_JWT_AUDIENCE", default=None)
    dev_secret: str | None = setting("JASSHAUS_DEV_SECRET", default=None, secret=True)
    service_token: str | None = setting("JASSHAUS_SERVICE_TOKEN", default=None, secret=True)
    service_token_file: Path | None = setting("JASSHAUS_SERVICE_TOKEN_FILE", Path, default=None)  # noqa: RUF009
    reflection: bool = setting("JASSHAUS_REFLECTION", flag, default=True)
    shutdown_pause: float = setting("JASSHAUS_SHUTDOWN_PAUSE", seconds(0, 300), default=2.0)
    shutdown_grace: float = setting("JASSHAUS_SHUTDOWN_GRACE", seconds(0, 3600), default=20.0)
    max_connection_age: float = setting("JASSHAUS_MAX_CONNECTION_AGE", seconds(1, 86_400), default=1800.0)
    max_concurrent_rpcs: int = setting("JASSHAUS_MAX_CONCURRENT_RPCS", integer(1, 1_000_000), default=20_000)
    calls_per_second: int = setting("JASSHAUS_CALLS_PER_SECOND", integer(0, 1_000_000), default=100)
    calls_burst: int = setting("JASSHAUS_CALLS_BURST", integer(1, 1_000_000), default=200)
    streams_per_caller: int = setting("JASSHAUS_STREAMS_PER_CALLER", integer(1, 1_000_000), default=16)
    ready_file: Path | None = setting("JASSHAUS_READY_FILE", Path, default=None)  # noqa: RUF009

    @property
    def development(self) -> bool:
        """Whether this is a development stack."""
        return self.mode is Mode.DEVELOPMENT

    def problems(self) -> Iterator[str]:
        """Yield problems with combinations of fields."""
        if not self.development and self.dev_secret is not None:
            yield "JASSHAUS_DEV_SECRET is for JASSHAUS_MODE=development only"
        if self.dev_secret is not None and len(self.dev_secret.encode()) < MIN_SECRET_BYTES:
            yield f"JASSHAUS_DEV_SECRET must have at least {MIN_SECRET_BYTES} bytes"
        if not self.development:
            needed = {
                "JASSHAUS_JWKS": self.jwks,
                "JASSHAUS_JWT_ISSUER": self.jwt_issuer,
                "JASSHAUS_JWT_AUDIENCE": self.jwt_audience,
            }
            yield from (
                f"{name} is required in production" for name, value in needed.items() if value is None
            )
        elif self.jwks is None and self.dev_secret is None:
            yield "JASSHAUS_JWKS or JASSHAUS_DEV_SECRET is required"
        wrong = None if self.jwks is None else check_source(self.jwks, plain_http=self.development)
        if wrong is not None:
            yield f"JASSHAUS_JWKS {wrong}"

    def limits(self) -> Limits:
        """Return the limits on callers of this process; streams leave a tenth of it to calls."""
        return Limits(
            rate=self.calls_per_second,
            burst=self.calls_burst,
            calls=self.max_concurrent_rpcs,
            streams_per_caller=self.streams_per_caller,
            streams=max(1, self.max_concurrent_rpcs * 9 // 10),
        )

    def verifier(self) -> Verifier:
        """Return the authenticator for this process's callers."""
        return Verifier(
            keys=None if self.jwks is None else KeySet(self.jwks),
            dev_secret=self.dev_secret,
            issuer=self.jwt_issuer,
            audience=self.jwt_audience,
        )
