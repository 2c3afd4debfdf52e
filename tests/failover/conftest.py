"""Pairs of real servers, and a proxy in front that moves from one to the other."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from conftest import memory_folder
from contract.history import FakeHistory
from contract.pots import FakeWallet
from failover.postgres_pair import PostgresPair
from failover.redis_pair import PASSWORD, RedisPair
from failover.relay import Relay
from table.harness import Harness


@pytest.fixture
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="jasshaus-failover-", dir=memory_folder()))
    if os.geteuid() == 0:
        path.chmod(0o711)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def pair(folder: Path) -> Iterator[RedisPair]:
    pair = RedisPair(folder)
    yield pair
    pair.close()


@pytest.fixture
def databases(folder: Path) -> Iterator[PostgresPair]:
    pair = PostgresPair(folder)
    yield pair
    pair.close()


@pytest.fixture
async def database_relay(databases: PostgresPair) -> AsyncIterator[Relay]:
    async with Relay(databases.socket(databases.first)).serve() as relay:
        yield relay


@pytest.fixture
async def relay(pair: RedisPair) -> AsyncIterator[Relay]:
    async with Relay(pair.first.port).serve() as relay:
        yield relay


@pytest.fixture
def relay_url(relay: Relay) -> str:
    return f"redis://:{PASSWORD}@127.0.0.1:{relay.port}/0"


@pytest.fixture
async def moving(relay_url: str) -> AsyncIterator[Harness]:
    """A harness whose Redis is reached through the proxy."""
    wallet, history = FakeWallet(), FakeHistory()
    async with wallet.serve() as wallet_address, history.serve() as history_address:
        yield Harness(relay_url, wallet, history, wallet_address, history_address)
