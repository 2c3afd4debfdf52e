"""A house (stores, fake wallet and tables) and one replica in front of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from matchmaking.harness import FOUR, Front, House, house


@pytest.fixture
async def place(matchmaking_dsn: str, redis_url: str) -> AsyncIterator[House]:
    async with house(matchmaking_dsn, redis_url) as built:
        built.wallet.fund(*FOUR, amount=1000)
        yield built


@pytest.fixture
async def front(place: House) -> AsyncIterator[Front]:
    async with place.front() as replica:
        yield replica
