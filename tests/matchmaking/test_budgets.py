"""What a player may do in the lobby that writes: so much at once, then a little at a time; leaving always."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import grpc
import pytest

from jasshaus.matchmaking.lobby.store import Lobby
from jasshaus.platform.errors import from_rpc_error
from matchmaking.books import assert_sound
from matchmaking.harness import CLOSED, OPEN, Front, Harness, Player, new_id, refused

BURST = 6
REFILL = 30.0
LIMITED = grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.fixture
async def strict(place: Harness) -> AsyncIterator[Front]:
    async with place.front(lobby_burst=BURST, lobby_refill=REFILL) as replica:
        yield replica


async def rows(front: Front) -> int:
    async with front.edge.pool.connection() as connection:
        found = await (await connection.execute("SELECT count(*) FROM matchmaking.game")).fetchone()
    assert found is not None
    return int(found[0])


async def spend_all(player: Player, stake: int = 0) -> None:
    """Open and leave until nothing is left."""
    for _ in range(BURST // 2):
        await player.leave(await player.open(stake))


async def outcome(call) -> str:
    try:
        await call
    except grpc.aio.AioRpcError as error:
        fault = from_rpc_error(error)
        assert fault is not None, error
        return fault.reason
    return "ok"


@pytest.mark.parametrize("stake", [0, 100])
async def test_opening_and_leaving_in_a_loop_is_slowed_before_anything_is_written(strict: Front, stake: int):
    anna = strict.player("anna")
    await spend_all(anna, stake)
    before = await rows(strict), await strict.edge.lobby.revision("default")
    with refused("RATE_LIMITED", LIMITED) as faults:
        await anna.open(stake)
    assert 0 < faults[0].retry_after <= 1.5 * REFILL
    assert (await rows(strict), await strict.edge.lobby.revision("default")) == before
    assert strict.metric("jasshaus_lobby_limited_total") == 1
    # Others are not held up.
    assert (await strict.player("beat").open(stake)).status == OPEN


async def test_who_waits_may_go_on(place: Harness):
    async with place.front(lobby_burst=2, lobby_refill=0.5) as front:
        anna = front.player("anna")
        await anna.leave(await anna.open(0))
        request_id = new_id()
        with refused("RATE_LIMITED", LIMITED) as faults:
            await anna.open(0, request_id=request_id)
        await asyncio.sleep(faults[0].retry_after)
        assert (await anna.open(0, request_id=request_id)).status == OPEN


async def test_a_budget_holds_across_replicas_and_restarts(place: Harness, strict: Front):
    await spend_all(strict.player("anna"))
    async with place.front(lobby_burst=BURST, lobby_refill=REFILL) as second:
        with refused("RATE_LIMITED", LIMITED):
            await second.player("anna").open(0)


async def test_a_budget_is_exact_for_many_at_once(place: Harness):
    settings = {"lobby_burst": BURST, "lobby_refill": REFILL, "max_games": 100}
    async with place.front(**settings) as front, place.front(**settings) as second:
        calls = [replica.player("anna").open(0) for replica in (front, second) for _ in range(20)]
        reasons = await asyncio.gather(*map(outcome, calls))
        assert Counter(reasons) == {"ok": BURST, "RATE_LIMITED": 40 - BURST}
        assert await rows(front) == BURST


async def test_a_budget_is_a_players_within_a_tenant(strict: Front):
    await spend_all(strict.player("anna"))
    assert (await strict.player("anna", tenant="other").open(0)).status == OPEN


async def test_who_comes_back_at_the_same_moment_is_told_different_times(strict: Front):
    anna = strict.player("anna")
    await spend_all(anna)
    times = set()
    for _ in range(20):
        with refused("RATE_LIMITED", LIMITED) as faults:
            await anna.open(0)
        times.add(round(faults[0].retry_after, 1))
    assert len(times) > 5
    assert max(times) - min(times) > 1


@pytest.mark.parametrize("stake", [0, 100])
async def test_leaving_is_never_refused_and_gives_the_stake_back(place: Harness, strict: Front, stake: int):
    anna, beat = strict.players("anna", "beat")
    games = [await beat.open(stake) for _ in range(3)]
    await anna.join(games[0])
    await anna.join(games[1])
    await spend_all(anna, stake)
    with refused("RATE_LIMITED", LIMITED):
        await anna.join(games[2])
    for game in games[:2]:
        left = await anna.leave(game)
        assert [seat.player_id for seat in left.seats] == ["beat", "", "", ""]
    assert place.wallet.balance("anna") == 1000
    await assert_sound(place, strict)


async def test_joining_and_leaving_one_game_in_a_loop_is_slowed(place: Harness, strict: Front):
    anna, beat = strict.players("anna", "beat")
    game = await anna.open(100)
    found = Counter[str]()
    for _ in range(2 * BURST):
        reason = await outcome(beat.join(game, 1))
        found[reason] += 1
        if reason == "ok":
            await beat.leave(game)
    assert found == {"ok": BURST, "RATE_LIMITED": BURST}
    # The seat is for others.
    assert (await strict.player("cla").join(game, 1)).seat == 1


async def test_the_same_request_costs_nothing(strict: Front):
    anna, beat = strict.players("anna", "beat")
    opening, leaving = new_id(), new_id()
    for _ in range(3 * BURST):
        game = await anna.open(0, request_id=opening)
    await beat.join(game)
    for _ in range(3 * BURST):
        await beat.leave(game, request_id=leaving)
    for _ in range(BURST // 2 - 1):
        await anna.leave(await anna.open(0))
        await beat.leave(await beat.open(0))
    assert (await anna.open(0)).status == OPEN
    assert (await beat.open(0)).status == OPEN


async def test_an_opening_refused_for_its_budget_can_be_repeated(place: Harness, strict: Front):
    """It was not remembered as a refusal: nothing was done."""
    anna, request_id = strict.player("anna"), new_id()
    await spend_all(anna)
    for _ in range(3):
        with refused("RATE_LIMITED", LIMITED):
            await anna.open(0, request_id=request_id)
    await strict.edge.redis.delete("{lobby:default}:budget:anna")
    assert (await anna.open(0, request_id=request_id)).status == OPEN


async def test_opening_without_the_money_is_slowed_and_then_leaves_nothing(place: Harness, front: Front):
    emil = front.player("emil")
    for _ in range(3):
        with refused("INSUFFICIENT_FUNDS"):
            await emil.open(100)
    before, pots = await rows(front), len(place.wallet.pots)
    with refused("RATE_LIMITED", LIMITED) as faults:
        await emil.open(100)
    assert 0 < faults[0].retry_after <= 3
    assert (await rows(front), len(place.wallet.pots)) == (before, pots)
    # A game without a stake needs no money.
    assert (await emil.open(0)).status == OPEN
    place.wallet.fund("emil", amount=100)
    await asyncio.sleep(faults[0].retry_after)
    assert (await emil.open(100)).status == OPEN


async def test_stakes_refused_in_a_loop_are_charged(place: Harness, strict: Front):
    emil = strict.player("emil")
    place.wallet.fund(*(f"p{number}" for number in range(BURST + 2)), amount=100)
    games = [await strict.player(f"p{number}").open(100) for number in range(BURST + 2)]
    reasons = [await outcome(emil.join(game)) for game in games]
    assert reasons == ["INSUFFICIENT_FUNDS"] * BURST + ["RATE_LIMITED"] * 2


async def test_a_lost_race_for_a_seat_costs_nothing(strict: Front):
    anna, beat = strict.players("anna", "beat")
    game = await anna.open(0)
    for _ in range(3 * BURST):
        with refused("SEAT_TAKEN"):
            await beat.join(game, 0)
    assert (await beat.join(game)).seat == 1


@pytest.mark.parametrize("method", ["join", "open"])
async def test_six_at_once_on_money_for_two(place: Harness, front: Front, method: str):
    """Who sits in two games and has no more money is not told that they sit in too many."""
    place.wallet.fund("emil", amount=200)
    games = []
    for number in range(6):
        place.wallet.fund(f"p{number}", amount=100)
        games.append(await front.player(f"p{number}").open(100))
    emil = front.player("emil")
    if method == "join":
        reasons = await asyncio.gather(*(outcome(emil.join(game)) for game in games))
    else:
        reasons = await asyncio.gather(*(outcome(emil.open(100)) for _ in games))
    told = Counter(reasons)
    # The third opening that is refused brings a pause, and the last of the six may come after it.
    paused = told.pop("RATE_LIMITED", 0) if method == "open" else 0
    assert paused <= 1
    assert told == {"ok": 2, "INSUFFICIENT_FUNDS": 4 - paused}
    assert place.wallet.balance("emil") == 0
    await front.reconcile()
    assert len(await front.edge.lobby.games_of("default", "emil")) == 2
    assert place.wallet.total() == 0


async def test_a_wallet_that_hangs_is_no_reason_to_say_too_many(
    place: Harness, front: Front, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("jasshaus.matchmaking.games.saga._BUSY_SECONDS", 0.3)
    beat = front.player("beat")
    games = []
    for name in ("p0", "p1", "p2", "p3", "p4"):
        place.wallet.fund(name, amount=100)
        games.append(await front.player(name).open(100))
    gate = place.wallet.pause("HoldStake")
    joins = [asyncio.create_task(outcome(beat.join(game))) for game in games[:4]]
    async with asyncio.timeout(10):
        while len(await front.edge.lobby.games_of("default", "beat")) < 4:
            await asyncio.sleep(0.01)
    request_id = new_id()
    with refused("RATE_LIMITED", LIMITED):
        await beat.join(games[4], request_id=request_id)
    gate.set()
    assert await asyncio.gather(*joins) == ["ok"] * 4
    with refused("TOO_MANY_GAMES"):
        await beat.join(games[4], request_id=request_id)
    assert place.wallet.balance("beat") == 600
    assert place.wallet.total() == 0


async def test_a_closed_game_takes_its_seat_being_taken_along(front: Front, place: Harness):
    """No trace of it makes a later join wait."""
    anna, beat = front.players("anna", "beat")
    lobby: Lobby = front.edge.lobby
    game = await anna.open(100)
    await beat.join(game)
    assert (await anna.leave(game)).status == OPEN
    assert (await beat.leave(game)).status == CLOSED
    assert await lobby.games_of("default", "beat") == set()
    assert await front.edge.redis.keys("*coming:*") == []
