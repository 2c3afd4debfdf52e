"""A house for each test, and one replica in it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from contract.history import FakeHistory
from contract.pots import FakeWallet
from table.house import House, Replica


@pytest.fixture
async def house(redis_url: str) -> AsyncIterator[House]:
    wallet, history = FakeWallet(), FakeHistory()
    async with wallet.serve() as wallet_address, history.serve() as history_address:
        yield House(redis_url, wallet, history, wallet_address, history_address)


@pytest.fixture
async def replica(house: House) -> AsyncIterator[Replica]:
    async with house.replica() as replica:
        yield replica
