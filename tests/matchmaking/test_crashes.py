"""A replica dies at any instruction between two calls; another one and the reconciler finish what it began.

The calls to store, lobby, wallet and tables are counted; the n-th kills, before it is sent or after it took
effect. Nothing of the dead replica runs on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from prometheus_client import CollectorRegistry

from jasshaus.matchmaking.domain import Opening, Result, attempt
from jasshaus.matchmaking.pots.port import RefundReason
from jasshaus.matchmaking.wiring import Edges, assemble
from jasshaus.platform.errors import Fault
from jasshaus.platform.stopping import Stopping
from jasshaus.rules.core.options import PRESETS
from matchmaking.books import all_games, assert_sound
from matchmaking.harness import AT_ONCE, FOUR, Front, Harness, new_id

MOST_CALLS = 40
TTL = 0.02


class Killed(BaseException):
    """The process is gone."""


class Death:
    """Strikes at the n-th call, before or after it takes effect."""

    def __init__(self, at: int, *, after: bool) -> None:
        self.at = at
        self.after = after
        self.calls = 0
        self.struck = ""

    def wrap(self, edge: Edges) -> Edges:
        parts = ("store", "corrections", "lobby", "staked", "free", "tables")
        return replace(edge, **{name: _Mortal(getattr(edge, name), name, self) for name in parts})


class _Mortal:
    def __init__(self, real: Any, name: str, death: Death) -> None:
        self._real = real
        self._name = name
        self._death = death

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._real, name)
        if not asyncio.iscoroutinefunction(method):
            return method

        async def call(*args: Any, **kwargs: Any) -> Any:
            death = self._death
            if death.struck:
                raise Killed
            death.calls += 1
            strikes = death.calls == death.at
            if strikes:
                death.struck = f"{self._name}.{name}"
                if not death.after:
                    raise Killed
            result = await method(*args, **kwargs)
            if strikes:
                raise Killed
            return result

        return call


def opening(stake: int, front: Front) -> Opening:
    return Opening(
        preset="schieber-classic",
        rules=PRESETS["schieber-classic"],
        currency="CHF",
        stake=stake,
        opener_seat=0,
        ttl=front.config.game_ttl,
        patience=front.config.reservation_ttl,
    )


Act = Callable[[Front, str], Awaitable[Any]]


async def open_game(front: Front, game_id: str, *, stake: int = 100, request_id: str = "") -> Any:
    request_id = request_id or new_id()
    made = attempt("default", "dora", UUID(request_id), "open")
    return await front.parts.lobby._saga.open(made, UUID(request_id), opening(stake, front))


async def join(front: Front, game_id: str, *, request_id: str = "") -> Any:
    made = attempt("default", "dora", UUID(request_id or new_id()), "join", game_id)
    return await front.parts.lobby._saga.join(made, UUID(game_id), None)


async def leave(front: Front, game_id: str, *, request_id: str = "") -> Any:
    made = attempt("default", "cla", UUID(request_id or new_id()), "leave", game_id)
    return await front.parts.lobby._saga.leave(made, UUID(game_id))


async def leave_last(front: Front, game_id: str, *, request_id: str = "") -> Any:
    made = attempt("default", "anna", UUID(request_id or new_id()), "leave", game_id)
    return await front.parts.lobby._saga.leave(made, UUID(game_id))


SCENES: dict[str, tuple[int, Any]] = {
    # how many sit before, and who does what then
    "open": (0, open_game),
    "join": (1, join),
    "join as the fourth": (3, join),
    "leave": (3, leave),
    "leave as the last": (1, leave_last),
}


async def prepare(front: Front, seated: int, stake: int) -> str:
    if not seated:
        return ""
    game = await front.player("anna").open(stake)
    for name in FOUR[1:seated]:
        await front.player(name).join(game)
    return game.game_id


def replica(front: Front, death: Death | None = None) -> Front:
    """Another replica over the same connections, mortal or fresh; nobody can call it but the test."""
    edge = front.edge if death is None else death.wrap(front.edge)
    parts = assemble(front.config, edge, Stopping(), AT_ONCE, CollectorRegistry())
    return replace(front, parts=parts, edge=edge)


async def settle(place: Harness, front: Front) -> None:
    """Let a fresh replica carry on after every reservation's time."""
    fresh = replica(front)
    for _ in range(2):
        await asyncio.sleep(1.5 * TTL)
        await fresh.reconcile(2)
    await assert_sound(place, fresh)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("stake", [0, 100])
@pytest.mark.parametrize("scene", SCENES)
async def test_a_fresh_replica_finishes(place: Harness, scene: str, stake: int, after):
    seated, act = SCENES[scene]
    options = {"stake": stake} if scene == "open" else {}
    async with place.front(reservation_ttl=TTL) as front:
        for at in range(1, MOST_CALLS):
            death = Death(at, after=after)
            game_id = await prepare(front, seated, stake)
            with suppress(Killed):
                await act(replica(front, death), game_id, **options)
            if not death.struck:
                assert at > 3
                return
            try:
                await settle(place, front)
            except AssertionError as error:
                raise AssertionError(f"killed {death.struck} ({at})") from error
            await clear(place, front)
    raise AssertionError("more calls than expected")


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("scene", SCENES)
async def test_the_same_request_goes_on_elsewhere(place: Harness, scene: str, after):
    """The client repeats at once, at another replica, with the same request id."""
    seated, act = SCENES[scene]
    async with place.front() as front:
        for at in range(1, MOST_CALLS):
            death, request_id = Death(at, after=after), new_id()
            game_id = await prepare(front, seated, 100)
            with suppress(Killed):
                await act(replica(front, death), game_id, request_id=request_id)
            if not death.struck:
                return
            try:
                await act(front, game_id, request_id=request_id)
                await front.reconcile()
                await assert_sound(place, front)
            except (AssertionError, Fault) as error:
                raise AssertionError(f"killed {death.struck} ({at})") from error
            await clear(place, front)
    raise AssertionError("more calls than expected")


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_reconciler_dies_too(place: Harness, after):
    """It is killed while it carries on a start, and gives up an opening."""
    async with place.front(reservation_ttl=TTL) as front:
        for at in range(1, 3 * MOST_CALLS):
            death = Death(at, after=after)
            place.tables.down = True
            game_id = await prepare(front, 3, 100)
            await join(front, game_id)
            place.tables.down = False
            place.wallet.lose_answer("HoldStake")
            with pytest.raises(Fault):
                await open_game(front, "")
            await asyncio.sleep(1.5 * TTL)
            with suppress(Killed):
                await replica(front, death).reconcile(2)
            # What ran beside the one that was killed is dead, too.
            await asyncio.sleep(0.01)
            if not death.struck:
                assert at > 10
                return
            try:
                await settle(place, front)
            except AssertionError as error:
                raise AssertionError(f"killed {death.struck} ({at})") from error
            await clear(place, front)
    raise AssertionError("more calls than expected")


async def clear(place: Harness, front: Front) -> None:
    """End all games, as their players and tables would."""
    for game in await all_games(front):
        match game.status:
            case "OPEN":
                await front.parts.lobby._saga._lifecycle.close(game)
            case "PLAYING":
                if game.terms.staked:
                    await front.edge.staked.refund(game.game_id, RefundReason.TABLE_ABORTED, game.match)
                await front.parts.lobby._saga._lifecycle.end(game, Result(voided=True))
    async with front.edge.pool.connection() as connection:
        await connection.execute("UPDATE matchmaking.game SET next_check = NULL WHERE status = 'VOIDED'")
    place.tables.tables.clear()
