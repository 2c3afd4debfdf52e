"""The stores of a release, with games under way: today's services take over and bring all to their end."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.conftest import ledger_faults
from jasshaus.api.matchmaking.v1.matchmaking_pb2 import GameStatus
from jasshaus.api.table.v1 import table_pb2
from jasshaus.api.wallet.v1.wallet_pb2 import PotState
from jasshaus.devstack.folder import DataFolder
from jasshaus.devstack.postgres import OWNER, SUPERUSER, EmbeddedPostgres
from jasshaus.devstack.redis import EmbeddedRedis
from upgrade import stores
from upgrade.running import OVER, STAKE, Crew, busy_stack

RELEASES = sorted(folder for folder in (Path(__file__).parent / "released").iterdir() if folder.is_dir())


@pytest.fixture(params=RELEASES, ids=[release.name for release in RELEASES])
def release(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture(params=[0, 2000], ids=["as it is", "years later"])
def state(request: pytest.FixtureRequest, release: Path, tmp_path: Path) -> Path:
    """What the stores held, as if it had been taken so many days before."""
    stores.copy_older(release / "state", tmp_path, days=request.param)
    return tmp_path


@pytest.fixture
def folder(state: Path) -> Iterator[Path]:
    """A stack's folder with the stores as that release has left them."""
    with tempfile.TemporaryDirectory(prefix="jasshaus-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        data = DataFolder(folder).hold()
        postgres, redis = EmbeddedPostgres(data, fsync=False), EmbeddedRedis(data)
        try:
            postgres.start()
            stores.load_postgres(postgres.dsn(OWNER), postgres.dsn(SUPERUSER), state)
            stores.load_redis(redis.start(), state)
        finally:
            redis.stop()
            postgres.stop()
            data.release()
        yield folder


async def test_games_of_a_release_are_played_on_paid_and_add_up_to_nothing(
    release: Path, folder: Path
) -> None:
    games = json.loads((release / "state" / "games.json").read_text())
    async with busy_stack(folder) as stack, Crew(stack) as crew, asyncio.timeout(240):
        lobby, wallet = crew.operator.lobby, crew.operator.wallet
        before = {name: await lobby.get_game(game_id) for name, game_id in games.items()}
        assert before["over"].status == GameStatus.GAME_STATUS_FINISHED
        assert before["waiting"].status == GameStatus.GAME_STATUS_OPEN

        # Who sat down before the upgrade still sits there, and others join them.
        first = await crew.person(before["waiting"].seats[0].player_id)
        for name in await crew.newcomers(2):
            await (await crew.person(name)).lobby.join_game(games["waiting"])
        await first.lobby.wait_for_table(games["waiting"])

        for name in ("schieber", "announcing", "partner", "waiting", "settling"):
            game = await lobby.get_game(games[name])
            view = await crew.play(game, lambda view: view.status in OVER)
            assert view.status == table_pb2.TABLE_STATUS_FINISHED, name
            pot = await wallet.get_pot(game.game_id)
            assert pot.state == PotState.POT_STATE_SETTLED, name
            paid = sum(each.minor_units for each in view.outcome.payouts)
            assert paid + view.outcome.fee.minor_units == 4 * STAKE.minor_units, name
        for game_id in games.values():
            while (await lobby.get_game(game_id)).status != GameStatus.GAME_STATUS_FINISHED:
                await asyncio.sleep(0.05)
        assert (await wallet.trial_balance()).balanced
        assert ledger_faults(stack.dsn()) == []
