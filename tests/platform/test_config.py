"""Configuration from the environment: defaults, and every mistake named at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from jasshaus.platform.config import ConfigError, Mode, PlatformConfig, integer, read_config, setting

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
