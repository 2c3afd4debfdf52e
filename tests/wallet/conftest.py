"""A running wallet on a database of the test's own, a bank to speak to it, and SQL beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import psycopg
import pytest

from contract.pots_bank import Bank
from wallet.harness import RunningWallet, serve_wallet

Sql = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
async def wallet(wallet_dsn: str) -> AsyncIterator[RunningWallet]:
    async with serve_wallet(wallet_dsn) as running:
        yield running


@pytest.fixture
async def bank(wallet: RunningWallet) -> AsyncIterator[Bank]:
    async with wallet.bank() as bank:
        yield bank


@pytest.fixture
def owner(owner_dsn: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection of the schema's owner, each statement a transaction of its own."""
    with psycopg.connect(owner_dsn, autocommit=True) as connection:
        yield connection


@pytest.fixture
def service(wallet_dsn: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection of the service's role."""
    with psycopg.connect(wallet_dsn, autocommit=True) as connection:
        yield connection


@pytest.fixture
def sql(owner: psycopg.Connection[Any]) -> Sql:
    """`sql("SELECT ...", *arguments)` as the owner; returns the rows."""

    def run(query: str, *arguments: object) -> list[tuple[Any, ...]]:
        return owner.execute(query, arguments).fetchall()

    return run
