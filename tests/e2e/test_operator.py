"""An operator's token holds in every tenant, as docs/operations.md warns; a tenant's admin sees its lobby."""

from __future__ import annotations

import pytest

from jasshaus.api.table.v1.table_pb2 import TableStatus
from jasshaus.client import Denied, NotFound
from jasshaus.platform.auth import Role

from .conftest import PURSE, STAKE, House, chf


async def test_an_operator_of_one_tenant_reads_pays_and_aborts_in_another(house: House) -> None:
    party = await house.seat_four()
    table_id = await party.table_id()
    boss = await house.client("boss", [Role.OPERATOR], tenant="alpha")
    anna = party.players[0]
    assert (await boss.wallet.get_pot(party.game.game_id)).tenant == "default"
    await boss.wallet.deposit(anna, chf(5), tenant="default")
    balance = await boss.wallet.get_balance("CHF", player_id=anna, tenant="default")
    assert balance.available == chf(PURSE - STAKE + 5)
    # The lobby alone is a tenant's.
    with pytest.raises(NotFound):
        await boss.lobby.get_game(party.game.game_id)
    view = await boss.table.abort_table(table_id, "trial")
    assert view is not None
    assert view.status != TableStatus.TABLE_STATUS_PLAYING


async def test_a_tenants_admin_has_no_say_in_money_or_matches(house: House) -> None:
    party = await house.seat_four()
    table_id = await party.table_id()
    admin = await house.client("admin", [Role.TENANT_ADMIN])
    assert (await admin.lobby.get_game(party.game.game_id)).game_id == party.game.game_id
    for denied in (
        admin.wallet.get_balance("CHF", player_id=party.players[0]),
        admin.wallet.deposit(party.players[0], chf(5)),
        admin.wallet.get_pot(party.game.game_id),
        admin.wallet.trial_balance(),
        admin.table.get_table(table_id),
        admin.table.abort_table(table_id, "trial"),
    ):
        with pytest.raises(Denied):
            await denied
    await house.operator.table.abort_table(table_id, "trial")
