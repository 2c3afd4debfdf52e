"""A harness for each test, and one replica in it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from contract.history import FakeHistory
from contract.pots import FakeWallet
from table.harness import Harness, Replica


@pytest.fixture
async def harness(redis_url: str) -> AsyncIterator[Harness]:
    wallet, history = FakeWallet(), FakeHistory()
    async with wallet.serve() as wallet_address, history.serve() as history_address:
        yield Harness(redis_url, wallet, history, wallet_address, history_address)


@pytest.fixture
async def replica(harness: Harness) -> AsyncIterator[Replica]:
    async with harness.replica() as replica:
        yield replica
