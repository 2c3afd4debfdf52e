"""A real Redis with a replica, and the ways in which the two change places."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import redis

from jasshaus.devstack.folder import DataFolder
from jasshaus.devstack.redis import EmbeddedRedis

PASSWORD = "of-both"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Node:
    """A Redis that runs: from now on it listens on loopback, too, where another one finds it."""

    def __init__(self, url: str, password: str) -> None:
        with redis.Redis.from_url(url) as client:
            self.port = free_port()
            client.config_set("port", self.port)
            client.config_set("masterauth", password)
            client.config_set("repl-diskless-sync-delay", 0)
            client.config_set("requirepass", password)
        self.client = redis.Redis(port=self.port, password=password, socket_timeout=10)

    @property
    def role(self) -> str:
        return str(self.client.info("replication")["role"])

    def follow(self, other: Node) -> None:
        """Become the other one's replica; return when in step."""
        self.client.replicaof("127.0.0.1", str(other.port))
        until(lambda: self.client.info("replication").get("master_link_status") == "up")

    def promote(self) -> None:
        self.client.replicaof("NO", "ONE")

    def hand_over(self, other: Node) -> None:
        """Change places with one's replica, losing nothing; return when done."""
        self.client.execute_command("FAILOVER", "TO", "127.0.0.1", str(other.port), "TIMEOUT", "5000")
        until(lambda: other.role == "master" and self.role == "slave")


class OwnNode(Node):
    """One with a folder and a server of its own."""

    def __init__(self, folder: Path, password: str = PASSWORD) -> None:
        self._folder = DataFolder(folder).hold()
        self.server = EmbeddedRedis(self._folder)
        super().__init__(self.server.start(), password)

    def close(self) -> None:
        self.client.close()
        # In the middle of writing its file anew it would not heed a friendlier signal for ten seconds.
        self.server.kill()
        self.server.stop()
        self._folder.release()


class RedisPair:
    """Two nodes, `first` the primary at the beginning."""

    def __init__(self, folder: Path) -> None:
        self.first, self.second = OwnNode(folder / "first"), OwnNode(folder / "second")
        self.second.follow(self.first)

    def close(self) -> None:
        for node in (self.second, self.first):
            node.close()


def until(true: object, seconds: float = 20.0) -> None:
    give_up = time.monotonic() + seconds
    while not true():  # type: ignore[operator]
        assert time.monotonic() < give_up, "waited in vain"
        time.sleep(0.01)
