"""What operators do to the ledger, through the Python client."""

from __future__ import annotations

import pytest

from contract.pots_bank import FOUR, amount
from jasshaus.api.wallet.v1 import wallet_pb2 as w
from jasshaus.client import Jasshaus, Refused
from wallet.harness import token

ANNA = FOUR[0]


@pytest.fixture
async def money(wallet):
    at = wallet.address
    async with Jasshaus(matchmaking=at, table=at, wallet=at, token=token("boss", "operator")) as jass:
        yield jass.wallet


async def test_an_operator_pays_in_and_out_and_corrects(money):
    entries = [
        await money.deposit(ANNA, amount(500), reference="slip 1"),
        await money.withdraw(ANNA, amount(200), reference="payout 1"),
        await money.correct(ANNA, amount(-1), reference="mistyped"),
    ]
    assert [entry.balance_after.minor_units for entry in entries] == [500, 300, 299]
    with pytest.raises(Refused) as caught:
        await money.withdraw(ANNA, amount(300), reference="payout 2")
    assert caught.value.reason == "BALANCE_TOO_LOW"
    acts = await money.list_operator_acts(subject="boss", page_size=2)
    assert [act.kind for act in acts.acts] == ["correct", "withdraw"]
    rest = await money.list_operator_acts(subject="boss", page_token=acts.next_page_token)
    assert [act.kind for act in rest.acts] == ["deposit"]


async def test_an_operator_sets_the_fees(money):
    assert (await money.set_fee_schedule(300, fee_max=50, tenant="red")).created_by == "boss"
    assert [each.fee_bps for each in (await money.list_fee_schedules()).schedules] == [300, 250]


async def test_an_operator_decides_on_pots(money, bank):
    opened, locked = await bank.seated(), await bank.locked()
    pots = (await money.list_pots(states=[w.POT_STATE_OPEN, w.POT_STATE_LOCKED])).pots
    assert [pot.pot_id for pot in pots] == [opened.pot_id, locked.pot_id]
    assert (await money.force_refund_pot(opened.pot_id, "stuck")).state == w.POT_STATE_REFUNDED
    settled = await money.force_settle_pot(locked.pot_id, [1, 3], "the log says so")
    assert settled == await money.get_pot(locked.pot_id)
    assert not (await money.list_recoveries()).recoveries
    assert (await money.trial_balance()).balanced
