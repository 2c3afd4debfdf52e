"""A house (stores, fake wallet and tables) and one replica in front of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from matchmaking.harness import FOUR, Front, Harness, harness_of


@pytest.fixture
async def place(matchmaking_dsn: str, redis_url: str) -> AsyncIterator[Harness]:
    async with harness_of(matchmaking_dsn, redis_url) as built:
        built.wallet.fund(*FOUR, amount=1000)
        yield built


@pytest.fixture
async def front(place: Harness) -> AsyncIterator[Front]:
    async with place.front() as replica:
        yield replica
