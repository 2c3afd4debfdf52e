"""Settings that must fit each other."""

from __future__ import annotations

import pytest

from jasshaus.platform.config import ConfigError, read_config
from jasshaus.table.config import Config
from table.harness import SECRET

ENVIRON = {
    "JASSHAUS_MODE": "development",
    "JASSHAUS_DEV_SECRET": SECRET,
    "JASSHAUS_REDIS_URL": "redis://redis:6379/0",
    "JASSHAUS_WALLET_ADDRESS": "wallet:1",
    "JASSHAUS_MATCHMAKING_ADDRESS": "matchmaking:1",
}


@pytest.mark.parametrize("name", ["JASSHAUS_TURN_SECONDS", "JASSHAUS_WEIS_SECONDS", "JASSHAUS_AWAY_SECONDS"])
def test_nobodys_time_is_longer_than_the_tables(name: str) -> None:
    # 1.5 of the pause after a trick are added to it.
    settings = ENVIRON | {"JASSHAUS_IDLE_LIMIT": "100", name: "98.5"}
    with pytest.raises(ConfigError) as refused:
        read_config(Config, settings)
    assert [problem.split(",")[0] for problem in refused.value.problems] == [name]
    assert read_config(Config, settings | {name: "98"}).idle_limit == 100
    assert read_config(Config, settings | {name: "0"}).idle_limit == 100


def test_results_outlive_their_tables() -> None:
    short = ENVIRON | {"JASSHAUS_TABLE_TTL": "7200", "JASSHAUS_RESTORE_WINDOW": "3600"}
    with pytest.raises(ConfigError) as refused:
        read_config(Config, short)
    assert "JASSHAUS_RESTORE_WINDOW must not be less than JASSHAUS_TABLE_TTL" in refused.value.problems
