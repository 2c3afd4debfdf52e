"""Configuration from the environment: defaults, and every mistake named at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from jasshaus.platform.config import (
    ConfigError,
    Mode,
    PlatformConfig,
    grpc_target,
    integer,
    postgres_dsn,
    read_config,
    redis_url,
    setting,
)

PRODUCTION = {
    "JASSHAUS_JWKS": "https://id.example/jwks",
    "JASSHAUS_JWT_ISSUER": "issuer",
    "JASSHAUS_JWT_AUDIENCE": "jasshaus",
}
DEVELOPMENT = {"JASSHAUS_MODE": "development", "JASSHAUS_DEV_SECRET": "s" * 32}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig(PlatformConfig):
    redis_url: str = setting("JASSHAUS_REDIS_URL")
    seed: int | None = setting("JASSHAUS_SEED", integer(0, 1000), default=None)

    def problems(self) -> Iterator[str]:
        yield from PlatformConfig.problems(self)
        if self.seed is not None and not self.development:
            yield "JASSHAUS_SEED is for development"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores(PlatformConfig):
    redis_url: str = setting("JASSHAUS_REDIS_URL", redis_url, default="", secret=True)
    postgres_dsn: str = setting("JASSHAUS_POSTGRES_DSN", postgres_dsn, default="", secret=True)


def problems(environ: dict[str, str], cls: type[PlatformConfig] = PlatformConfig) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read_config(cls, environ)
    return caught.value.problems


def test_production_by_default() -> None:
    config = read_config(PlatformConfig, PRODUCTION)
    assert (config.mode, config.development, config.log_format) == (Mode.PRODUCTION, False, "json")


def test_a_service_adds_its_own() -> None:
    config = read_config(TableConfig, DEVELOPMENT | {"JASSHAUS_REDIS_URL": "redis://x", "JASSHAUS_SEED": "7"})
    assert (config.redis_url, config.seed) == ("redis://x", 7)


def test_all_mistakes_at_once() -> None:
    found = problems(
        {
            "JASSHAUS_MODE": "test",
            "JASSHAUS_LISTEN": "nowhere",
            "JASSHAUS_METRICS_PORT": "70000",
            "JASSHAUS_LOG_FORMAT": "xml",
            "JASSHAUS_REFLECTION": "maybe",
            "JASSHAUS_SHUTDOWN_GRACE": "soon",
            "JASSHAUS_MAX_CONCURRENT_RPCS": "-1",
        },
        TableConfig,
    )
    assert [each.split()[0] for each in found] == [
        "JASSHAUS_MODE",
        "JASSHAUS_LISTEN",
        "JASSHAUS_METRICS_PORT",
        "JASSHAUS_LOG_FORMAT",
        "JASSHAUS_REFLECTION",
        "JASSHAUS_SHUTDOWN_GRACE",
        "JASSHAUS_MAX_CONCURRENT_RPCS",
        "JASSHAUS_REDIS_URL",
    ]
    assert found[-1] == "JASSHAUS_REDIS_URL is required"


def test_all_that_is_missing_at_once() -> None:
    assert [each.split()[0] for each in problems({}, TableConfig)] == [
        "JASSHAUS_REDIS_URL",
        "JASSHAUS_JWKS",
        "JASSHAUS_JWT_ISSUER",
        "JASSHAUS_JWT_AUDIENCE",
    ]


def test_production_refuses_shared_secrets_and_needs_keys() -> None:
    found = problems({"JASSHAUS_DEV_SECRET": "s" * 32})
    assert found[0] == "JASSHAUS_DEV_SECRET is for JASSHAUS_MODE=development only"
    assert {each.split()[0] for each in found[1:]} == set(PRODUCTION)


def test_production_refuses_keys_over_plain_http() -> None:
    assert problems(PRODUCTION | {"JASSHAUS_JWKS": "http://id.example/jwks"})[0].startswith(
        "JASSHAUS_JWKS must be https"
    )


def test_development_needs_one_or_the_other() -> None:
    assert problems({"JASSHAUS_MODE": "development"}) == ["JASSHAUS_JWKS or JASSHAUS_DEV_SECRET is required"]


def test_secrets_are_not_shown() -> None:
    (problem,) = problems(DEVELOPMENT | {"JASSHAUS_DEV_SECRET": "too short"})
    assert "too short" not in problem
    assert "s" * 32 not in repr(read_config(PlatformConfig, DEVELOPMENT))


def test_an_empty_variable_counts_as_unset() -> None:
    assert read_config(PlatformConfig, PRODUCTION | {"JASSHAUS_LISTEN": ""}).listen == "127.0.0.1:50051"


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "[::]:50051", "unix:/run/jasshaus.sock"])
def test_listen_addresses(listen: str) -> None:
    assert read_config(PlatformConfig, PRODUCTION | {"JASSHAUS_LISTEN": listen}).listen == listen


def test_metrics_can_be_off() -> None:
    assert read_config(PlatformConfig, PRODUCTION | {"JASSHAUS_METRICS_PORT": "off"}).metrics_port is None


@pytest.mark.parametrize(
    "url",
    [
        "redis://redis",
        "redis://:p%40ss%2Fword@redis:6379/0",
        "rediss://user:word@redis.example:6380",
        "redis://[::1]:6379/1",
        "unix:///run/redis.sock?db=1",
        "redis://redis/0?socket_timeout=2.5&client_name=lobby",
        "rediss://redis/0?ssl_cert_reqs=none&ssl_check_hostname=no",
    ],
)
def test_urls_of_redis(url: str) -> None:
    assert redis_url(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "redis",
        "redis://",
        "http://redis",
        "redis://redis:many",
        "redis://redis:99999",
        "redis://redis:0",
        "redis://redis/first",
        "redis://:s3cret/word@redis:6379/0",
        "redis://:s3cret#word@redis:6379/0",
        "redis://:s3cret?word@redis:6379/0",
        "redis://user:33/s3cret@redis:6379/0",
        "redis://user:33#s3cret@redis:6379/0",
        "redis://user:33?s3cret@redis:6379/0",
        "redis://[s3cret@redis",
        "unix://s3cret@redis",
        "redis+s3cret",
    ],
)
def test_a_malformed_url_of_redis_is_refused_without_a_word_of_it(url: str) -> None:
    (problem,) = problems(DEVELOPMENT | {"JASSHAUS_REDIS_URL": url}, Stores)
    assert problem.startswith("JASSHAUS_REDIS_URL must be redis://")
    assert "s3cret" not in problem
    assert "%40 for @" in problem


@pytest.mark.parametrize(
    "query",
    [
        "s3cret",
        "s3cret=1",
        "no_such=s3cret",
        "db=s3cret",
        "db=-1",
        "db=0&db=s3cret",
        "client_name=",
        "socket_timeout=s3cret",
        "socket_timeout=nan",
        "socket_timeout=-1",
        "health_check_interval=s3cret",
        "protocol=9",
        "protocol=3",
        "decode_responses=s3cret",
        "retry=s3cret",
        "retry_on_timeout=yes",
        "max_connections=1",
        "ssl_cert_reqs=none",
    ],
)
@pytest.mark.parametrize("base", ["redis://redis/0", "unix:///run/redis.sock"])
def test_options_of_redis_are_checked_without_a_word_of_them(base: str, query: str) -> None:
    (problem,) = problems(DEVELOPMENT | {"JASSHAUS_REDIS_URL": f"{base}?{query}"}, Stores)
    assert problem.startswith("JASSHAUS_REDIS_URL must be redis://")
    assert "s3cret" not in problem


def test_an_unknown_requirement_of_tls_is_refused() -> None:
    with pytest.raises(ValueError, match="without options") as caught:
        redis_url("rediss://redis/0?ssl_cert_reqs=s3cret")
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://user:p%40ss@db:5432/jasshaus",
        "postgresql://a,b:5432,5433/jasshaus?target_session_attrs=read-write",
        "postgresql:///jasshaus?host=/run/postgresql",
        "host=db port=5432 dbname=jasshaus password='a b@c'",
    ],
)
def test_connection_strings_of_postgresql(dsn: str) -> None:
    assert postgres_dsn(dsn) == dsn


@pytest.mark.parametrize(
    "dsn",
    [
        "s3cret",
        "host=db password=a s3cret",
        "postgresql://user:a@s3cret@db/jasshaus",
        "postgresql://user:a/s3cret@db/jasshaus",
        "postgresql://user:s3cret/b@db/jasshaus",
        "postgresql://user:a%ZZs3cret@db/jasshaus",
        "postgresql://db/jasshaus?pasword=s3cret",
    ],
)
def test_a_malformed_connection_string_is_refused_without_a_word_of_it(dsn: str) -> None:
    (problem,) = problems(DEVELOPMENT | {"JASSHAUS_POSTGRES_DSN": dsn}, Stores)
    assert problem.startswith("JASSHAUS_POSTGRES_DSN must be postgresql://")
    assert "s3cret" not in problem


def test_a_web_address_is_no_grpc_target() -> None:
    assert grpc_target("dns:///wallet:7003") == "dns:///wallet:7003"
    with pytest.raises(ValueError, match="gRPC target"):
        grpc_target("http://wallet:7003")
