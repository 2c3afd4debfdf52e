"""Redis as a Cluster or behind a Sentinel: refused at the start, clearly."""

from __future__ import annotations

import asyncio
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from jasshaus.devstack import redis as embedded
from jasshaus.devstack.folder import DataFolder
from jasshaus.devstack.redis import EmbeddedRedis
from jasshaus.platform.config import redis_url as parse
from jasshaus.platform.primary import Primary, UnsupportedRedisError
from wallet.test_outage import environment


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel://a:26379,b:26379/mymaster/0",
        "redis-sentinel://a:26379",
        "sentinel://a",
        "redis+cluster://a:7000",
        "rediss-cluster://a",
    ],
)
def test_other_kinds_of_redis_are_refused_by_name(url: str) -> None:
    with pytest.raises(ValueError, match="Sentinel and Cluster are not supported yet"):
        parse(url)


@pytest.fixture
def cluster_url(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A node of a Cluster of one."""
    plain = embedded._configuration
    with socket.socket() as probe:
        # The bus has a fixed port otherwise, which two such nodes on one machine would both want.
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    cluster = f"cluster-enabled yes\ncluster-port {port}\n"
    monkeypatch.setattr(embedded, "_configuration", lambda *args: plain(*args) + cluster)
    data = DataFolder(folder / "cluster").hold()
    server = EmbeddedRedis(data)
    yield server.start()
    server.stop()
    data.release()


async def test_a_node_of_a_cluster_is_recognized(cluster_url: str) -> None:
    with pytest.raises(UnsupportedRedisError, match="cluster mode"):
        await Primary(cluster_url).look()


@pytest.mark.parametrize("service", ["table", "matchmaking"])
async def test_a_service_does_not_start_on_a_cluster(
    cluster_url: str, service: str, matchmaking_dsn: str
) -> None:
    with redis.Redis.from_url(cluster_url) as client:
        client.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
    with tempfile.TemporaryDirectory() as place:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", f"jasshaus.{service}"),
            env=environment(
                JASSHAUS_LISTEN=f"unix:{place}/{service}",
                JASSHAUS_REDIS_URL=cluster_url,
                JASSHAUS_POSTGRES_DSN=matchmaking_dsn,
                JASSHAUS_WALLET_ADDRESS="127.0.0.1:1",
                JASSHAUS_TABLE_ADDRESS="127.0.0.1:1",
                JASSHAUS_MATCHMAKING_ADDRESS="127.0.0.1:1",
            ),
            stderr=asyncio.subprocess.PIPE,
        )
        _, errors = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode == 2
    assert b"cluster mode, which is not supported yet" in errors
    assert b"Traceback" not in errors
