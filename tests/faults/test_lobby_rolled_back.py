"""A lobby that went back in time, as after Redis lost its last writes: rows and pots decide."""

from __future__ import annotations

import grpc
import pytest
import redis

from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from matchmaking.harness import FOUR, PLAYING, STARTING, Front, house, new_id


class Past:
    """All of Redis as it was once."""

    def __init__(self, url: str) -> None:
        self._client = redis.Redis.from_url(url)
        self._kept = {key: self._client.dump(key) for key in self._client.scan_iter()}

    def come_back(self) -> None:
        self._client.flushall()
        for key, value in self._kept.items():
            self._client.restore(key, 0, value)


async def joined(front: Front, *names: str, game: pb.Game, request_id: str = "") -> pb.JoinGameResponse:
    for name in names:
        answer = await front.player(name).join(game, request_id=request_id)
    return answer


@pytest.mark.parametrize("status", [STARTING, PLAYING])
async def test_a_repeated_join_names_the_seat_of_the_stake(
    matchmaking_dsn: str, redis_url: str, status: int
) -> None:
    async with house(matchmaking_dsn, redis_url) as place, place.front() as front:
        place.wallet.fund(*FOUR, "emil", amount=1000)
        game = await front.player("anna").open(100)
        past = Past(redis_url)
        if status == STARTING:
            place.tables.unavailable("CreateTable")
        await joined(front, "beat", "cla", game=game)
        request_id = new_id()
        first = await joined(front, "dora", game=game, request_id=request_id)
        assert first.seat == 3
        assert first.game.status == status
        past.come_back()
        again = await joined(front, "dora", game=game, request_id=request_id)
        assert again.seat == 3
        await front.reconcile()
        assert (await front.player("dora").get(game)).status == PLAYING
        # What came back of the lobby lets nobody into a game that has started, nor out of it.
        for attempt in (front.player("emil").join(game), front.player("beat").leave(game)):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await attempt
            assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert [place.wallet.balance(name) for name in (*FOUR, "emil")] == [900] * 4 + [1000]
