"""A database of the release before: it upgrades with its data, and processes of that release work on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from contract.pots_bank import FOUR, LOCKED, OTHER_TABLE, SETTLED, TABLE, digest, new_id, refused, seats_of
from jasshaus.devstack.postgres import OWNER, SUPERUSER, EmbeddedPostgres, create_database
from jasshaus.platform import migrations
from wallet.audit import findings
from wallet.harness import serve_wallet

BEFORE = 13


class Old:
    """A process of the release before, on one connection that stays open: it calls the functions it knows."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection

    def __call__(self, function: str, *arguments: object) -> Any:
        places = ", ".join(["%s"] * len(arguments))
        return self.connection.execute(f"SELECT wallet.{function}({places})", arguments).fetchone()[0]

    def seated(self, stake: int = 100) -> tuple[str, list[dict[str, Any]]]:
        pot_id = new_id()
        self("open_pot", pot_id, "default", "CHF", stake)
        holds = []
        for seat, player in enumerate(FOUR):
            self("deposit", "default", new_id(), player, "CHF", stake, "")
            holds.append(self("hold_stake", pot_id, new_id(), seat, player)["hold"])
        return pot_id, holds


@pytest.fixture
def old_database(postgres_server: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    name = "release_before"
    with psycopg.connect(postgres_server.dsn(SUPERUSER, "postgres"), autocommit=True) as superuser:
        create_database(superuser, name)
        with monkeypatch.context() as patch:
            known = migrations.migrations_of("jasshaus.wallet")[:BEFORE]
            patch.setattr(migrations, "migrations_of", lambda _: known)
            migrations.upgrade(postgres_server.dsn(OWNER, name), "jasshaus.wallet")
        yield name
        superuser.execute(f"DROP DATABASE {name} WITH (FORCE)")


async def test_the_release_before_works_on_and_its_pots_and_references_are_bound(
    old_database: str, postgres_server: EmbeddedPostgres
) -> None:
    owner_dsn = postgres_server.dsn(OWNER, old_database)
    dsn = postgres_server.dsn("jasshaus_wallet", old_database)
    with psycopg.connect(dsn, autocommit=True) as connection:
        old = Old(connection)
        old("ensure_fee_schedule", 300, 0, None)
        for _ in range(2):
            # Nothing but the request id guarded it.
            old("deposit", "default", new_id(), "anna", "CHF", 50, "slip 1")
        request_id = new_id()
        first = old("deposit", "default", request_id, "anna", "CHF", 50, "slip 2")
        locked, unlocked, settled = old.seated(), old.seated(), old.seated()
        for pot_id, holds in (locked, settled):
            old("lock_pot", pot_id, Jsonb(holds))
        old("settle_pot", settled[0], [0, 2], digest("result"), TABLE)

        assert len(migrations.upgrade(owner_dsn, "jasshaus.wallet")) > 0

        # The old process, on the connection it has, among others with what it did already.
        assert old("deposit", "default", request_id, "anna", "CHF", 50, "slip 2") == first
        old("lock_pot", unlocked[0], Jsonb(unlocked[1]))
        assert old("settle_pot", unlocked[0], [1, 3], digest("result"), TABLE)["pot"]["state"] == "SETTLED"
        answer = old("settle_pot", settled[0], [0, 2], digest("result"), OTHER_TABLE)
        assert answer["refusal"] == "SETTLEMENT_CONFLICT"
        assert old("settle_pot", settled[0], [0, 2], digest("result"), TABLE)["pot"]["state"] == "SETTLED"
        again = old("deposit", "default", new_id(), "anna", "CHF", 50, "slip 1")
        assert again == {"refusal": "REQUEST_ID_REUSED"}
        old("deposit", "default", new_id(), "anna", "CHF", 50, "slip 3")

        async with serve_wallet(dsn, fees=(250, 0, None)) as wallet, wallet.bank() as bank:
            for number in (1, 2, 3):
                with refused("REFERENCE_USED"):
                    await bank.deposit("anna", 50, reference=f"slip {number}")
            pot = await bank.get(locked[0])
            assert (pot.state, pot.table_id) == (LOCKED, "")
            with refused("TABLE_MISMATCH"):
                await bank.settle(pot.pot_id)
            assert (await bank.settle(pot.pot_id, named=seats_of(pot, reservations=False))).state == SETTLED
            assert [each.fee_bps for each in (await bank.fees()).schedules] == [300]
            assert not (await bank.check()).HasField("recovery")
            # The old process reads what the new one wrote, and the other way round.
            await bank.withdraw("anna", 10)
            assert old("balances", "default", "anna", "CHF")["balances"][0]["available"] > 0
            while await wallet.books.roll_up():
                continue
            await bank.assert_sound()
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        assert findings(owner) == {}
