from __future__ import annotations

from contextlib import aclosing
from itertools import islice
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from jasshaus.api.matchmaking.v1.matchmaking_pb2 import Game, GameStatus, GetGameResponse, WatchLobbyResponse
from jasshaus.api.table.v1.table_pb2 import TableEvent, TableStatus, TableView, WatchTableResponse
from jasshaus.client import InvalidArgument, Jasshaus, NotFound, Patience, Unavailable

from .conftest import Failure, Script

CODE = grpc.StatusCode
PLAYING = TableStatus.TABLE_STATUS_PLAYING
FINISHED = TableStatus.TABLE_STATUS_FINISHED
HEARTBEAT = WatchTableResponse(heartbeat=WatchTableResponse.Heartbeat())
RECONNECT = WatchTableResponse(reconnect=WatchTableResponse.Reconnect(delay=Duration(nanos=50_000_000)))
AWAY = Failure(CODE.UNAVAILABLE, "SHUTTING_DOWN")
SILENCE = None


def snapshot(
    version: int, *, reset: bool = False, status: TableStatus.ValueType = PLAYING
) -> WatchTableResponse:
    view = TableView(version=version, status=status)
    return WatchTableResponse(
        snapshot=WatchTableResponse.Snapshot(view=view, resume_token=b"s%d" % version, reset=reset)
    )


def delta(version: int, status: TableStatus.ValueType = PLAYING) -> WatchTableResponse:
    return WatchTableResponse(
        delta=WatchTableResponse.Delta(
            events=[TableEvent(version=version)],
            view=TableView(version=version, status=status),
            resume_token=b"d%d" % version,
        )
    )


async def versions(jass: Jasshaus, **kwargs: Any) -> list[int]:
    async with aclosing(jass.table.watch_table("t", **kwargs)) as updates:
        return [update.view.version async for update in updates]  # type: ignore[union-attr]


def tokens(script: Script) -> list[bytes]:
    return [request.resume_token for request in script.requests("WatchTable")]


async def test_a_table_is_followed_to_its_end_without_signs_of_life(jass: Jasshaus, script: Script) -> None:
    script.answer("WatchTable", [snapshot(1), HEARTBEAT, delta(2), delta(3, FINISHED)])
    assert await versions(jass) == [1, 2, 3]


async def test_a_broken_stream_goes_on_where_it_was(jass: Jasshaus, script: Script) -> None:
    script.answer("WatchTable", [snapshot(1), delta(2), AWAY], AWAY, [delta(3), delta(4, FINISHED)])
    assert await versions(jass) == [1, 2, 3, 4]
    assert tokens(script) == [b"", b"d2", b"d2"]


async def test_a_drained_server_is_left_when_it_says_so(jass: Jasshaus, script: Script) -> None:
    script.answer("WatchTable", [snapshot(1), RECONNECT, SILENCE], [delta(2, FINISHED)])
    assert await versions(jass) == [1, 2]


async def test_a_stream_that_just_ends_is_opened_again(jass: Jasshaus, script: Script) -> None:
    script.answer("WatchTable", [snapshot(1)], [delta(2, FINISHED)])
    assert await versions(jass) == [1, 2]


async def test_a_silent_stream_is_opened_again(address: str, script: Script) -> None:
    script.answer("WatchTable", [snapshot(1), SILENCE], [delta(2, FINISHED)])
    patience = Patience(silence=0.2)
    async with Jasshaus(
        matchmaking=address, table=address, wallet=address, token="t", patience=patience
    ) as jass:
        assert await versions(jass) == [1, 2]


async def test_a_given_resume_token_is_used_and_dropped_when_it_is_not_known(
    jass: Jasshaus, script: Script
) -> None:
    refused = Failure(CODE.INVALID_ARGUMENT, "INVALID_RESUME_TOKEN")
    script.answer("WatchTable", refused, [snapshot(9, status=FINISHED)])
    assert await versions(jass, resume_token=b"old") == [9]
    assert tokens(script) == [b"old", b""]


async def test_a_refusal_ends_the_following(jass: Jasshaus, script: Script) -> None:
    script.answer("WatchTable", Failure(CODE.NOT_FOUND, "TABLE_NOT_FOUND"))
    with pytest.raises(NotFound):
        await versions(jass)
    script.answer("WatchTable", Failure(CODE.INVALID_ARGUMENT, "INVALID_FIELD"))
    with pytest.raises(InvalidArgument):
        await versions(jass)


async def test_patience_with_a_table_ends(address: str, script: Script) -> None:
    script.answer("WatchTable", *[AWAY] * 50)
    patience = Patience(stream=0.3)
    async with Jasshaus(
        matchmaking=address, table=address, wallet=address, token="t", patience=patience
    ) as jass:
        with pytest.raises(Unavailable):
            await versions(jass)


async def test_a_replaced_stream_says_so_and_does_not_come_back(jass: Jasshaus, script: Script) -> None:
    script.answer("WatchTable", [snapshot(1), WatchTableResponse(replaced=WatchTableResponse.Replaced())])
    async with aclosing(jass.table.watch_table("t")) as updates:
        seen = [update async for update in updates]
    assert isinstance(seen[-1], WatchTableResponse.Replaced)
    assert len(script.calls) == 1


async def test_the_lobby_is_followed_over_a_restart(jass: Jasshaus, script: Script) -> None:
    first = WatchLobbyResponse(snapshot=WatchLobbyResponse.Snapshot(games=[Game(game_id="a")]))
    changed = WatchLobbyResponse(game=Game(game_id="b"))
    heartbeat = WatchLobbyResponse(heartbeat=WatchLobbyResponse.Heartbeat())
    script.answer("WatchLobby", [first, heartbeat, changed, AWAY], [first, SILENCE])
    seen = []
    async with aclosing(jass.lobby.watch_lobby()) as updates:
        async for update in updates:
            seen.append(type(update).__name__)
            if len(seen) == 3:
                break
    assert seen == ["Snapshot", "Game", "Snapshot"]


async def test_waiting_for_the_table(jass: Jasshaus, script: Script) -> None:
    games = [
        WatchLobbyResponse(snapshot=WatchLobbyResponse.Snapshot(games=[Game(game_id="g")])),
        WatchLobbyResponse(game=Game(game_id="other", table_id="x")),
        WatchLobbyResponse(game=Game(game_id="g", table_id="t", status=GameStatus.GAME_STATUS_PLAYING)),
    ]
    script.answer("WatchLobby", games)
    assert await jass.lobby.wait_for_table("g") == "t"


async def test_waiting_for_a_game_that_closed(jass: Jasshaus, script: Script) -> None:
    script.answer("WatchLobby", [WatchLobbyResponse(snapshot=WatchLobbyResponse.Snapshot())])
    script.answer("GetGame", GetGameResponse(game=Game(game_id="g", status=GameStatus.GAME_STATUS_CLOSED)))
    with pytest.raises(LookupError):
        await jass.lobby.wait_for_table("g")


def test_pauses_grow_and_are_bounded() -> None:
    from jasshaus.client.connection import Backoff  # noqa: PLC0415

    backoff = Backoff(first=0.1, most=0.4)
    pauses = [backoff.pause() for _ in islice(range(6), 6)]
    assert all(
        low <= pause <= high
        for pause, (low, high) in zip(pauses, [(0.05, 0.1), (0.1, 0.2), *[(0.2, 0.4)] * 4], strict=True)
    )
    backoff.reset()
    assert backoff.pause() <= 0.1
