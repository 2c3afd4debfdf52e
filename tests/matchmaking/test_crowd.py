"""Many players at two replicas at once: what streams, lists and answers say of a game fits together."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc
import pytest
import redis.asyncio

from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.matchmaking.lobby import feed
from matchmaking.harness import OPEN, Front, Harness, Player

PLAYERS = 40
ROUNDS = 12
_UNPLAYED = (pb.GAME_STATUS_OPEN, pb.GAME_STATUS_CLOSED)


@dataclass
class Witness:
    """Hears everything: a version of a game is one state of it, whoever says it."""

    said: dict[tuple[str, int], bytes] = field(default_factory=dict)

    def hear(self, game: pb.Game) -> None:
        known = self.said.setdefault((game.game_id, game.version), game.SerializeToString(deterministic=True))
        assert known == game.SerializeToString(deterministic=True), pb.Game.FromString(known)


@dataclass
class Follower:
    """A client that follows the stream: it never gets an older state, but by a snapshot."""

    witness: Witness
    games: dict[str, pb.Game] = field(default_factory=dict)
    snapshots: int = 0

    async def follow(self, player: Player) -> None:
        async for update in player.watch():
            match update.WhichOneof("update"):
                case "snapshot":
                    self.snapshots += 1
                    self.games = {}
                    for game in update.snapshot.games:
                        self.take(game)
                case "game":
                    self.take(update.game)
                case _:
                    pass

    def take(self, game: pb.Game) -> None:
        self.witness.hear(game)
        known = self.games.get(game.game_id)
        assert known is None or known.version < game.version, (known, game)
        self.games[game.game_id] = game

    @property
    def open(self) -> dict[str, bytes]:
        return {game_id: _shown(game) for game_id, game in self.games.items() if game.status == OPEN}


def _shown(game: pb.Game) -> bytes:
    """Return all that is to be seen of a game: a stream does not say a newer version of the same."""
    seen = pb.Game.FromString(game.SerializeToString())
    seen.ClearField("version")
    return seen.SerializeToString(deterministic=True)


@asynccontextmanager
async def following(witness: Witness, player: Player) -> AsyncIterator[Follower]:
    follower = Follower(witness)
    task = asyncio.create_task(follower.follow(player))
    try:
        async with asyncio.timeout(10):
            while not follower.snapshots:
                await asyncio.sleep(0.01)
        yield follower
    finally:
        task.cancel()
        results = await asyncio.gather(task, return_exceptions=True)
        assert isinstance(results[0], (asyncio.CancelledError, grpc.aio.AioRpcError)), results


async def play(witness: Witness, chance: random.Random, replicas: list[Player], *, current: bool) -> None:
    """Open, join, look and leave at random, at any replica; what one client is told never gets older."""
    newest: dict[str, int] = {}

    def told(game: pb.Game) -> None:
        witness.hear(game)
        assert newest.get(game.game_id, 0) <= game.version
        newest[game.game_id] = game.version

    for _ in range(ROUNDS):
        player = chance.choice(replicas)
        try:
            listed = (await player.list(page_size=20)).games
            for game in listed:
                # Without a subscription a list may be a second old, and says so by its versions.
                told(game) if current else witness.hear(game)
            mine = [game for game in listed if any(seat.player_id == player.name for seat in game.seats)]
            match chance.choice(["open", "join", "join", "leave", "look"]):
                case "open":
                    told(await player.open(chance.choice([0, 100])))
                case "join" if listed:
                    told((await player.join(chance.choice(listed))).game)
                case "leave" if mine:
                    told(await player.leave(chance.choice(mine)))
                case "look" if listed:
                    told(await player.get(chance.choice(listed)))
                case _:
                    pass
        except grpc.aio.AioRpcError as error:
            assert error.code() in {
                grpc.StatusCode.FAILED_PRECONDITION,
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                grpc.StatusCode.NOT_FOUND,
            }, error


async def settled(player: Player, followers: list[Follower]) -> None:
    """Wait until every stream has told what the list has: the same games, in the same state."""
    async with asyncio.timeout(20):
        while True:
            listed: dict[str, bytes] = {}
            token = ""
            while True:
                page = await player.list(page_size=7, page_token=token)
                assert not listed.keys() & {game.game_id for game in page.games}
                listed |= {game.game_id: _shown(game) for game in page.games}
                token = page.next_page_token
                if not token:
                    break
            if all(follower.open == listed for follower in followers):
                return
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("subscription", ["lasting", "broken"])
async def test_streams_lists_and_answers_fit_together(
    place: Harness, front: Front, monkeypatch: pytest.MonkeyPatch, subscription: str
):
    if subscription == "broken":
        # Otherwise a message that a busy machine delays would count as lost, and bring another snapshot.
        monkeypatch.setattr(feed, "_COMPARE_SECONDS", 0.2)
    names = [f"p{number}" for number in range(PLAYERS)]
    place.wallet.fund(*names, amount=250)
    chance, witness = random.Random(11), Witness()

    async def cut() -> None:
        async with redis.asyncio.Redis.from_url(place.config.redis_url) as client:
            while subscription == "broken":
                await asyncio.sleep(0.4)
                await client.client_kill_filter(_type="pubsub")

    async with (
        place.front() as second,
        following(witness, front.player("w1")) as one,
        following(witness, second.player("w2")) as two,
    ):
        cutting = asyncio.create_task(cut())
        try:
            await asyncio.gather(
                *(
                    play(
                        witness,
                        random.Random(chance.random()),
                        [front.player(name), second.player(name)],
                        current=subscription == "lasting",
                    )
                    for name in names
                )
            )
            await front.reconcile()
        finally:
            cutting.cancel()
        await settled(front.player("w1"), [one, two])
        await settled(second.player("w2"), [one, two])
        assert place.wallet.total() == 0
        assert (one.snapshots > 1) == (subscription == "broken")
