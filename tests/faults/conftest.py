"""A stack for the tests of faults; whatever a test broke runs again after it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest

from e2e.conftest import PATIENCE, House, ledger_faults
from faults import invariants
from faults.findings import Findings
from faults.monkey import Monkey
from faults.storm import Doubled, new_folder
from jasshaus.client import Jasshaus
from jasshaus.devstack.stack import Stack
from jasshaus.platform.auth import Role


@pytest.fixture(scope="module")
def faulty_stack() -> Iterator[Stack]:
    """A running stack that tests may do anything to."""
    # One of the tests makes Redis lose a table.
    reports = Findings(lossy=True)
    folder = new_folder()
    with asyncio.Runner() as runner:
        running = Doubled(folder, reports, JASSHAUS_GAME_TTL="1800", JASSHAUS_LOST_TABLE_GRACE="2")
        runner.run(running.start())
        yield running
        runner.run(running.stop())
    invariants.check_logs(folder, reports)
    shutil.rmtree(folder)
    assert reports.wrong == []


@pytest.fixture
def findings() -> Findings:
    return Findings()


@pytest.fixture
async def monkey(faulty_stack: Stack, findings: Findings) -> AsyncIterator[Monkey]:
    monkey = Monkey(faulty_stack, findings)
    yield monkey
    await monkey.heal()
    assert findings.wrong == []


@pytest.fixture
async def house(faulty_stack: Stack, monkey: Monkey) -> AsyncIterator[House]:
    """The stack with its operator. Whatever a test did, the ledger is sound after it."""
    async with AsyncExitStack() as clients:
        operator = await clients.enter_async_context(
            Jasshaus(
                matchmaking=faulty_stack.endpoints.matchmaking,
                table=faulty_stack.endpoints.any_table,
                wallet=faulty_stack.endpoints.wallet,
                token=faulty_stack.token("operator", [Role.OPERATOR]),
                patience=PATIENCE,
            )
        )
        yield House(faulty_stack, operator, clients)
        await monkey.heal()
        assert (await operator.wallet.trial_balance()).balanced
    assert ledger_faults(faulty_stack.dsn()) == []
