"""PostgreSQL, Redis, or both put back as they were once: tables, pots, games and balances agree again."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
import redis

from e2e.conftest import PATIENCE, PURSE, STAKE, TABLE, House, Party, chf, ledger_faults
from faults.storm import new_folder
from jasshaus.api.common.v1.rules_pb2 import RuleSet
from jasshaus.api.matchmaking.v1.matchmaking_pb2 import GameStatus
from jasshaus.api.table.v1.table_pb2 import TableStatus
from jasshaus.api.wallet.v1.wallet_pb2 import PotState
from jasshaus.cli.demo.players import choose
from jasshaus.client import JassError, Jasshaus, NotFound, Refused, actions
from jasshaus.devstack.install import data_home
from jasshaus.devstack.process import unprivileged_user
from jasshaus.devstack.stack import Stack
from jasshaus.platform.auth import Role
from jasshaus.table.keys import Names

MATCHMAKING = {"JASSHAUS_LOST_TABLE_GRACE": "2", "JASSHAUS_POT_CHECK": "1"}
ROWS = {"JASSHAUS_ROW_CHECK": "1"}
NET = 4 * STAKE - 4 * STAKE * 250 // 10_000

# What refuses to lock pots, so that there is a time at which all four stakes are held and no more.
REFUSE_LOCKS = """
    CREATE FUNCTION public.not_now() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = 'lock_not_available'; END $$;
    CREATE TRIGGER not_now BEFORE UPDATE ON wallet.pot FOR EACH ROW
    WHEN (OLD.state = 'OPEN' AND NEW.state = 'LOCKED') EXECUTE FUNCTION public.not_now()"""
# What keeps rows from hearing of results, so that there is a time at which no more than the pot is paid.
REFUSE_RESULTS = """
    CREATE FUNCTION public.not_now() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = 'lock_not_available'; END $$;
    CREATE TRIGGER not_now BEFORE UPDATE ON matchmaking.game FOR EACH ROW
    WHEN (NEW.status = 'FINISHED') EXECUTE FUNCTION public.not_now()"""
ALLOW_LOCKS = """
    DROP TRIGGER IF EXISTS not_now ON wallet.pot; DROP TRIGGER IF EXISTS not_now ON matchmaking.game;
    DROP FUNCTION IF EXISTS public.not_now()"""


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    folder = new_folder()
    with asyncio.Runner() as runner:
        running = Stack(
            folder, tables=2, environment={"table": {**TABLE, **ROWS}, "matchmaking": MATCHMAKING}
        )
        runner.run(running.start())
        yield running
        runner.run(running.stop())
    shutil.rmtree(folder)


@pytest.fixture
async def house(stack: Stack) -> AsyncIterator[House]:
    async with AsyncExitStack() as clients:
        operator = await clients.enter_async_context(
            Jasshaus(
                matchmaking=stack.endpoints.matchmaking,
                table=stack.endpoints.any_table,
                wallet=stack.endpoints.wallet,
                token=stack.token("operator", [Role.OPERATOR]),
                patience=PATIENCE,
            )
        )
        yield House(stack, operator, clients)
        assert (await operator.wallet.trial_balance()).balanced
    assert ledger_faults(stack.dsn()) == []


class Past:
    """Cold copies of the stores, by name, and how they are put back."""

    def __init__(self, stack: Stack, folder: Path) -> None:
        assert stack.postgres is not None
        assert stack.redis is not None
        self._folder = folder
        self._postgres, self._redis = stack.postgres, stack.redis
        self._cluster = data_home(stack.data_dir, unprivileged_user()) / "cluster"
        self._appended = stack.data_dir / "redis" / "appendonlydir"
        self.dsn = stack.dsn
        self._known: dict[str, int] = {}

    def keep_postgres(self, name: str) -> None:
        self._known[name] = len(self.recoveries())
        self._postgres.stop()
        _copy(self._cluster, self._folder / f"postgres-{name}")
        self._postgres.start()

    def keep_redis(self, name: str) -> None:
        self._redis.stop()
        _copy(self._appended, self._folder / f"redis-{name}")
        self._redis.start()

    def put_back(self, *, postgres: str = "", redis: str = "") -> None:
        """Both are down at once, as after a machine was lost."""
        if postgres:
            self._postgres.kill()
        if redis:
            self._redis.kill()
            _copy(self._folder / f"redis-{redis}", self._appended)
            self._redis.start()
        if postgres:
            _copy(self._folder / f"postgres-{postgres}", self._cluster)
            self._postgres.start()
            self.execute(ALLOW_LOCKS)

    def execute(self, statement: str) -> None:
        with psycopg.connect(self.dsn(), autocommit=True) as connection:
            connection.execute(statement)

    async def recovered(self, name: str) -> None:
        """Return when a recovery has ended that began after that copy was put back."""
        async with asyncio.timeout(30):
            while len(self.recoveries()) == self._known[name]:
                await asyncio.sleep(0.1)

    def recoveries(self) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.dsn(), autocommit=True) as connection:
            return connection.execute(
                "SELECT cause, repaired, unmatched FROM wallet.recovery WHERE ended_at IS NOT NULL"
            ).fetchall()


def _copy(source: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(["cp", "-a", source, target], check=True)


@pytest.fixture
def past(stack: Stack, tmp_path: Path) -> Past:
    return Past(stack, tmp_path)


async def seat_three(house: House, stake: int = STAKE) -> Party:
    """Three people at a new game, and a fourth who has not joined yet."""
    people = await house.people(4)
    before = {name: await client.wallet.get_balance("CHF") for name, client in people.items()}
    clients = list(people.values())
    game = await clients[0].lobby.open_game(
        "schieber-classic", stake=chf(stake) if stake else None, overrides=RuleSet(target=100)
    )
    for client in clients[1:3]:
        await client.lobby.join_game(game.game_id)
    return Party(game, list(people), clients, before)


async def join(party: Party) -> None:
    await party.clients[3].lobby.join_game(party.game.game_id)


async def told(house: House, party: Party) -> tuple[str, str, str]:
    """(table, pot, game) as they are now; "-" for what is not there."""
    game_id = party.game.game_id
    try:
        game = await house.operator.lobby.get_game(game_id)
        row = GameStatus.Name(game.status).removeprefix("GAME_STATUS_")
    except NotFound:
        row = "-"
    try:
        pot = PotState.Name((await house.operator.wallet.get_pot(game_id)).state)
    except NotFound:
        pot = "-"
    try:
        view = await house.operator.table.get_table(TABLES[game_id])
        table = TableStatus.Name(view.status).removeprefix("TABLE_STATUS_")
    except NotFound:
        table = "-"
    return table, pot.removeprefix("POT_STATE_"), row


TABLES: dict[str, str] = {}
"""Tables by game: after some restores nothing else tells."""


async def come_to(house: House, party: Party, *wanted: tuple[str, str, str], seconds: float = 30) -> None:
    """Return once table, pot and game are as wanted."""
    seen = None
    try:
        async with asyncio.timeout(seconds):
            while seen not in wanted:
                await asyncio.sleep(0.1)
                try:
                    seen = await told(house, party)
                except JassError as away:
                    seen = (str(away), "", "")
    except TimeoutError:
        raise AssertionError(f"{seen}, not {wanted}") from None


async def money(party: Party) -> list[int]:
    """What the four have, by seat; nothing of it is in pots but for a match that is on."""
    balances = [await client.wallet.get_balance("CHF") for client in party.clients]
    return [each.available.minor_units + each.in_pots.minor_units for each in balances]


async def held(party: Party) -> list[int]:
    return [(await client.wallet.get_balance("CHF")).in_pots.minor_units for client in party.clients]


def paid(winning_seats: Sequence[int]) -> list[int]:
    """What the four have after one match that these two won."""
    return [PURSE - STAKE + (NET // 2 if seat in winning_seats else 0) for seat in range(4)]


async def start(house: House, *parties: Party) -> None:
    for party in parties:
        TABLES[party.game.game_id] = await party.table_id()


async def play(house: House, party: Party) -> list[int]:
    """Play a match to its end; return the seats that won."""
    view = (await house.play(party, choose))[0]
    await come_to(house, party, ("FINISHED", "SETTLED" if party.game.HasField("quote") else "-", "FINISHED"))
    return list(view.outcome.winning_seats)


def lose_table(stack: Stack, party: Party) -> None:
    """As a day later: of the table there is no more than its result record."""
    keys = Names().of(UUID(TABLES[party.game.game_id]))
    with redis.Redis.from_url(stack.redis_url) as client:
        assert client.delete(keys.table, keys.events) == 2
        assert client.exists(keys.result)


async def a_card(party: Party) -> None:
    """Somebody moves: the table lives."""
    table_id = TABLES[party.game.game_id]
    for client in party.clients:
        view = await client.table.get_table(table_id)
        action = choose(view)
        if action is not None:
            await client.table.act(table_id, action, expected_version=view.version)
            return


async def five(house: House, past: Past) -> dict[str, Party]:
    """Five games with a copy of PostgreSQL at each step: `none`, `three`, `four`, `locked`; then what became.

    `over` and `gone` are played and paid, of `gone` the table is no more; `aborted` is; `on` and `free` are
    being played.
    """
    past.keep_postgres("none")
    names = ("over", "gone", "aborted", "on", "free")
    seated = await asyncio.gather(*(seat_three(house, 0 if name == "free" else STAKE) for name in names))
    parties = dict(zip(names, seated, strict=True))
    past.keep_postgres("three")
    past.execute(REFUSE_LOCKS)
    await asyncio.gather(*map(join, seated))
    past.keep_postgres("four")
    past.execute(ALLOW_LOCKS)
    await start(house, *seated)
    past.keep_postgres("locked")
    return parties


async def finish(house: House, stack: Stack, parties: dict[str, Party]) -> list[int]:
    """Let become of the five what is to; return the seats that won `over`."""
    won = await play(house, parties["over"])
    await play(house, parties["gone"])
    lose_table(stack, parties["gone"])
    await house.operator.table.abort_table(TABLES[parties["aborted"].game.game_id], "test")
    await come_to(house, parties["aborted"], ("VOIDED", "REFUNDED", "VOIDED"))
    await a_card(parties["on"])
    return won


async def test_postgres_put_back_before_and_before_again(house: House, stack: Stack, past: Past) -> None:
    parties = await five(house, past)
    won = await finish(house, stack, parties)
    gone_had = await money(parties["gone"])

    for copy in ("locked", "four", "locked", "four"):
        past.put_back(postgres=copy)
        await past.recovered(copy)
        await come_to(house, parties["over"], ("FINISHED", "SETTLED", "FINISHED"))
        await come_to(house, parties["gone"], ("-", "SETTLED", "FINISHED"))
        await come_to(house, parties["aborted"], ("VOIDED", "REFUNDED", "VOIDED"))
        await come_to(house, parties["on"], ("PLAYING", "LOCKED", "PLAYING"))
        await come_to(house, parties["free"], ("PLAYING", "-", "PLAYING"))
        assert await money(parties["over"]) == paid(won), copy
        assert await money(parties["gone"]) == gone_had
        assert await money(parties["aborted"]) == [PURSE] * 4
        assert await held(parties["on"]) == [STAKE] * 4
        await a_card(parties["on"])

    # The ledger never heard of the fourth stakes: everybody has what they had, nobody has won.
    past.put_back(postgres="three")
    await past.recovered("three")
    await come_to(house, parties["over"], ("VOIDED", "REFUNDED", "VOIDED"), ("VOIDED", "REFUNDED", "CLOSED"))
    await come_to(house, parties["gone"], ("-", "REFUNDED", "VOIDED"), ("-", "REFUNDED", "CLOSED"))
    await come_to(house, parties["on"], ("VOIDED", "REFUNDED", "VOIDED"), ("VOIDED", "REFUNDED", "CLOSED"))
    await come_to(house, parties["free"], ("PLAYING", "-", "PLAYING"))
    for name in ("over", "gone", "aborted", "on"):
        assert await money(parties[name]) == [PURSE] * 4
        assert await held(parties[name]) == [0] * 4
    view = await house.operator.table.get_table(TABLES[parties["on"].game.game_id])
    assert view.outcome.abort_reason == "stakes_missing"
    await play(house, parties["free"])


async def test_a_row_that_never_heard_of_its_result_asks_for_it(
    house: House, stack: Stack, past: Past
) -> None:
    """The sweep leaves alone what its pot paid; the row behind it is seen to by matchmaking."""
    party = await seat_three(house)
    await join(party)
    await start(house, party)
    past.execute(REFUSE_RESULTS)
    playing = asyncio.create_task(play(house, party))
    await come_to(house, party, ("SETTLING", "SETTLED", "PLAYING"), seconds=60)
    past.keep_postgres("paid")
    past.execute(ALLOW_LOCKS)
    won = await playing
    lose_table(stack, party)

    past.put_back(postgres="paid")
    await past.recovered("paid")
    assert past.recoveries()[-1][1:] == (0, 0)
    await come_to(house, party, ("-", "SETTLED", "FINISHED"), seconds=60)
    game = await house.operator.lobby.get_game(party.game.game_id)
    assert list(game.result.winning_seats) == won
    assert game.result.points
    assert await money(party) == paid(won)


async def test_the_rows_of_matches_that_are_over_come_back_when_matchmaking_alone_has_lost_them(
    house: House, stack: Stack, past: Past
) -> None:
    """No pot and no table is as it should not be: only the results tell."""
    parties = await asyncio.gather(*(seat_three(house, stake) for stake in (STAKE, 0, STAKE)))
    for party in parties:
        await join(party)
    await start(house, *parties)
    paid_for, free, aborted = parties
    won = {party.game.game_id: await play(house, party) for party in (paid_for, free)}
    await house.operator.table.abort_table(TABLES[aborted.game.game_id], "test")
    await come_to(house, aborted, ("VOIDED", "REFUNDED", "VOIDED"))
    before = {
        party.game.game_id: await house.operator.lobby.get_game(party.game.game_id) for party in parties
    }
    had = [await money(party) for party in parties]
    for party in parties:
        lose_table(stack, party)
    ids = ", ".join(f"'{party.game.game_id}'" for party in parties)
    past.execute(f"DELETE FROM matchmaking.game WHERE game_id IN ({ids})")
    past.execute(f"DELETE FROM matchmaking.free_hold WHERE pot_id IN ({ids})")
    past.execute(f"DELETE FROM matchmaking.free_pot WHERE pot_id IN ({ids})")

    await come_to(house, paid_for, ("-", "SETTLED", "FINISHED"))
    await come_to(house, free, ("-", "-", "FINISHED"))
    await come_to(house, aborted, ("-", "REFUNDED", "VOIDED"))
    for game_id, game in before.items():
        again = await house.operator.lobby.get_game(game_id)
        assert (again.seats, again.rule_set, again.quote) == (game.seats, game.rule_set, game.quote)
        assert list(again.result.winning_seats) == won.get(game_id, [])
        assert (again.result.points, again.result.payouts) == (game.result.points, game.result.payouts)
    assert [await money(party) for party in parties] == had


async def test_a_promotion_that_lost_nothing_is_over_at_once(house: House, past: Past) -> None:
    parties = [await seat_three(house) for _ in range(3)]
    for party in parties[1:]:
        await join(party)
    await start(house, *parties[1:])
    await play(house, parties[1])
    before = len(past.recoveries())
    past.execute("UPDATE wallet.lineage SET timeline = timeline + 1")
    async with asyncio.timeout(30):
        while len(past.recoveries()) == before:
            await asyncio.sleep(0.1)
    assert past.recoveries()[-1][1:] == (0, 0)
    past.execute("UPDATE wallet.lineage SET timeline = timeline + 1")
    # Who sits down at this moment waits, and then sits.
    await join(parties[0])
    await start(house, parties[0])
    for party in parties[::2]:
        await play(house, party)


async def test_postgres_put_back_to_before_any_of_it(house: House, stack: Stack, past: Past) -> None:
    parties = await five(house, past)
    await finish(house, stack, parties)
    free = await seat_three(house, 0)
    await join(free)
    await start(house, free)
    await play(house, free)
    lose_table(stack, free)
    past.put_back(postgres="none")
    await past.recovered("none")
    await come_to(house, free, ("-", "-", "FINISHED"))
    for name in ("over", "aborted", "on"):
        await come_to(house, parties[name], ("VOIDED", "-", "-"))
        view = await house.operator.table.get_table(TABLES[parties[name].game.game_id])
        if name != "aborted":
            assert view.outcome.abort_reason == "pot_not_found"
    await come_to(house, parties["gone"], ("-", "-", "-"))
    await come_to(house, parties["free"], ("PLAYING", "-", "PLAYING"))
    # Deposits after the restore point are gone with it: an operator enters them again, by their references.
    assert await money(parties["over"]) == [0] * 4
    assert past.recoveries()[-1][2] >= 4


async def test_redis_put_back_while_postgres_went_on(house: House, stack: Stack, past: Past) -> None:
    over, aborted, on, free = await asyncio.gather(
        *(seat_three(house, stake) for stake in (STAKE, STAKE, STAKE, 0))
    )
    for party in (over, aborted, on, free):
        await join(party)
    await start(house, over, aborted, on, free)
    past.keep_redis("playing")
    won = await play(house, over)
    await house.operator.table.abort_table(TABLES[aborted.game.game_id], "test")
    await come_to(house, aborted, ("VOIDED", "REFUNDED", "VOIDED"))
    await a_card(on)

    past.put_back(redis="playing")

    await come_to(house, over, ("FINISHED", "SETTLED", "FINISHED"))
    await come_to(house, aborted, ("VOIDED", "REFUNDED", "VOIDED"))
    view = await house.operator.table.get_table(TABLES[over.game.game_id])
    assert list(view.outcome.winning_seats) == won
    assert [payout.minor_units for payout in view.outcome.payouts] == [NET // 2] * 2
    assert await money(over) == paid(won)
    assert await money(aborted) == [PURSE] * 4
    with pytest.raises(Refused):
        await over.clients[0].table.act(TABLES[over.game.game_id], actions.leave())
    # Whoever was in the middle of a match plays on from where Redis has it.
    await play(house, on)
    await play(house, free)


@pytest.mark.parametrize("postgres", ["four", "three"])
async def test_both_put_back_postgres_further(house: House, stack: Stack, past: Past, postgres: str) -> None:
    parties = await five(house, past)
    won = await finish(house, stack, parties)
    past.keep_redis("finished")
    await play(house, parties["on"])

    past.put_back(postgres=postgres, redis="finished")
    await past.recovered(postgres)

    if postgres == "three":
        for name in ("over", "on"):
            await come_to(
                house, parties[name], ("VOIDED", "REFUNDED", "VOIDED"), ("VOIDED", "REFUNDED", "CLOSED")
            )
            assert await money(parties[name]) == [PURSE] * 4
        return
    await come_to(house, parties["over"], ("FINISHED", "SETTLED", "FINISHED"))
    await come_to(house, parties["on"], ("PLAYING", "LOCKED", "PLAYING"))
    assert await money(parties["over"]) == paid(won)
    # Its end is lost in both: it is played again from where Redis has it, and paid once.
    again = await play(house, parties["on"])
    assert await money(parties["on"]) == paid(again)


async def test_both_put_back_redis_further(house: House, stack: Stack, past: Past) -> None:
    parties = await five(house, past)
    past.keep_redis("playing")
    won = await finish(house, stack, parties)
    past.keep_postgres("finished")
    await play(house, parties["on"])

    past.put_back(postgres="finished", redis="playing")

    await come_to(house, parties["over"], ("FINISHED", "SETTLED", "FINISHED"))
    await come_to(house, parties["gone"], ("FINISHED", "SETTLED", "FINISHED"))
    await come_to(house, parties["aborted"], ("VOIDED", "REFUNDED", "VOIDED"))
    await come_to(house, parties["on"], ("PLAYING", "LOCKED", "PLAYING"))
    assert await money(parties["over"]) == paid(won)
    view = await house.operator.table.get_table(TABLES[parties["over"].game.game_id])
    assert list(view.outcome.winning_seats) == won
    again = await play(house, parties["on"])
    assert await money(parties["on"]) == paid(again)


async def test_while_the_ledger_recovers_nobody_joins_and_afterwards_everybody_may(
    house: House, stack: Stack, past: Past
) -> None:
    party = await seat_three(house)
    past.keep_postgres("three")
    await join(party)
    await start(house, party)
    # Nobody compares: the recovery lasts.
    for name in ("table-0", "table-1"):
        stack.processes[name].kill()
    past.put_back(postgres="three")
    other = await house.people(1)
    with psycopg.connect(stack.dsn(), autocommit=True) as connection:
        connection.execute("SELECT wallet.check_ledger('from the future', 1)")
    client = next(iter(other.values()))
    joining = asyncio.create_task(client.lobby.join_game(party.game.game_id))
    await asyncio.sleep(1)
    assert await held(party) == [STAKE] * 3 + [0]
    for name in ("table-0", "table-1"):
        stack.processes[name].start()
    await asyncio.gather(*(stack.processes[name].ready() for name in ("table-0", "table-1")))
    await come_to(house, party, ("VOIDED", "REFUNDED", "VOIDED"), ("VOIDED", "REFUNDED", "CLOSED"))
    await asyncio.gather(joining, return_exceptions=True)
    assert await money(party) == [PURSE] * 4
    assert (await client.wallet.get_balance("CHF")).in_pots == chf(0)
    # And the house goes on.
    another = await house.seat_four(target=100)
    TABLES[another.game.game_id] = await another.table_id()
    won = await play(house, another)
    assert await money(another) == paid(won)
