"""Sitting down: the race for the last seat, no money, leaving and coming back, requests sent twice."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from jasshaus.api.common.v1.rules_pb2 import RuleSet
from jasshaus.api.matchmaking.v1.matchmaking_pb2 import GameStatus, JoinGameResponse
from jasshaus.client import JassError, Jasshaus, Refused

from .conftest import PURSE, STAKE, House, chf


async def available(client: Jasshaus) -> int:
    return (await client.wallet.get_balance("CHF")).available.minor_units


async def test_a_hundred_race_for_the_last_seat_and_one_pays(house: House) -> None:
    people = await house.people(103)
    clients = list(people.values())
    game = await clients[0].lobby.open_game("schieber-classic", stake=chf(STAKE))
    for client in clients[1:3]:
        await client.lobby.join_game(game.game_id)

    answers = await asyncio.gather(
        *(client.lobby.join_game(game.game_id) for client in clients[3:]), return_exceptions=True
    )

    seated = [answer for answer in answers if isinstance(answer, JoinGameResponse)]
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert len(seated) == 1
    assert len(refused) == 99
    assert {refusal.reason for refusal in refused} <= {"GAME_FULL", "GAME_NOT_OPEN", "SEAT_TAKEN"}
    purses = [await available(client) for client in clients[3:]]
    assert sorted(purses) == [PURSE - STAKE] + [PURSE] * 99
    pot = await house.operator.wallet.get_pot(game.game_id)
    assert len(pot.holds) == 4


async def test_without_money_no_seat_and_with_money_one(house: House) -> None:
    (host,) = (await house.people(1)).values()
    ((name, poor),) = (await house.people(1, purse=0)).items()
    game = await host.lobby.open_game("schieber-classic", stake=chf(STAKE))

    with pytest.raises(Refused) as caught:
        await poor.lobby.join_game(game.game_id)
    assert caught.value.reason == "INSUFFICIENT_FUNDS"

    await house.operator.wallet.deposit(name, chf(STAKE))
    joined = await poor.lobby.join_game(game.game_id)
    assert joined.game.seats[joined.seat].player_id == name
    assert await available(poor) == 0


async def test_who_cannot_pay_opens_nothing(house: House) -> None:
    (poor,) = (await house.people(1, purse=STAKE - 1)).values()
    with pytest.raises(Refused) as caught:
        await poor.lobby.open_game("schieber-classic", stake=chf(STAKE))
    assert caught.value.reason == "INSUFFICIENT_FUNDS"
    assert await available(poor) == STAKE - 1


async def test_leaving_gives_the_stake_back_and_joining_again_takes_it(house: House) -> None:
    host, guest = (await house.people(2)).values()
    game = await host.lobby.open_game("schieber-classic", stake=chf(STAKE))
    for _ in range(3):
        await guest.lobby.join_game(game.game_id)
        assert await available(guest) == PURSE - STAKE
        left = await guest.lobby.leave_game(game.game_id)
        assert [seat.player_id for seat in left.seats if seat.player_id] == [game.opened_by]
        assert await available(guest) == PURSE


async def test_when_the_last_one_leaves_the_game_closes(house: House) -> None:
    (host,) = (await house.people(1)).values()
    game = await host.lobby.open_game("schieber-classic", stake=chf(STAKE))
    assert (await host.lobby.leave_game(game.game_id)).status == GameStatus.GAME_STATUS_CLOSED
    assert await available(host) == PURSE


async def test_nobody_leaves_a_game_that_has_started(house: House) -> None:
    party = await house.seat_four()
    with pytest.raises(Refused) as caught:
        await party.clients[0].lobby.leave_game(party.game.game_id)
    assert caught.value.reason == "GAME_STARTED"


async def test_the_same_request_twice_is_done_once(house: House) -> None:
    (host_name, host), (_, guest) = (await house.people(2)).items()
    ids = [str(uuid4()) for _ in range(4)]

    opened = [
        await host.lobby.open_game("schieber-classic", stake=chf(STAKE), request_id=ids[0]) for _ in range(2)
    ]
    game_id = opened[0].game_id
    assert opened[1].game_id == game_id
    assert await available(host) == PURSE - STAKE

    joined = [await guest.lobby.join_game(game_id, request_id=ids[1]) for _ in range(2)]
    assert joined[0].seat == joined[1].seat
    assert await available(guest) == PURSE - STAKE

    for _ in range(2):
        await guest.lobby.leave_game(game_id, request_id=ids[2])
    assert await available(guest) == PURSE

    entries = [await house.operator.wallet.deposit(host_name, chf(50), request_id=ids[3]) for _ in range(2)]
    assert entries[0] == entries[1]
    assert await available(host) == PURSE - STAKE + 50


async def test_ten_at_once_with_one_request_id_take_one_seat(house: House) -> None:
    host, guest = (await house.people(2)).values()
    game = await host.lobby.open_game("schieber-classic", stake=chf(STAKE))
    request_id = str(uuid4())
    answers = await asyncio.gather(
        *(guest.lobby.join_game(game.game_id, request_id=request_id) for _ in range(10)),
        return_exceptions=True,
    )
    assert {answer.seat for answer in answers if isinstance(answer, JoinGameResponse)} == {1}
    assert [answer for answer in answers if isinstance(answer, BaseException)] == []
    assert await available(guest) == PURSE - STAKE


async def test_the_same_player_cannot_take_two_seats(house: House) -> None:
    host, guest = (await house.people(2)).values()
    game = await host.lobby.open_game("schieber-classic", stake=chf(STAKE))
    answers = await asyncio.gather(
        *(guest.lobby.join_game(game.game_id, seat=seat) for seat in (1, 2, 3)), return_exceptions=True
    )
    assert len([answer for answer in answers if isinstance(answer, JoinGameResponse)]) == 1
    assert {answer.reason for answer in answers if isinstance(answer, JassError)} == {"ALREADY_SEATED"}
    assert await available(guest) == PURSE - STAKE


async def test_a_request_id_means_one_body(house: House) -> None:
    (name, host), (_, guest) = (await house.people(2)).items()
    request_id = str(uuid4())
    game = await host.lobby.open_game("schieber-classic", stake=chf(STAKE), request_id=request_id)
    with pytest.raises(Refused) as caught:
        await host.lobby.open_game(
            "schieber-classic", stake=chf(STAKE), overrides=RuleSet(target=500), request_id=request_id
        )
    assert caught.value.reason == "REQUEST_ID_REUSED"

    request_id = str(uuid4())
    await guest.lobby.join_game(game.game_id, seat=2, request_id=request_id)
    with pytest.raises(Refused) as caught:
        await guest.lobby.join_game(game.game_id, seat=3, request_id=request_id)
    assert caught.value.reason == "REQUEST_ID_REUSED"

    request_id = str(uuid4())
    await house.operator.wallet.deposit(name, chf(50), request_id=request_id)
    with pytest.raises(Refused) as caught:
        await house.operator.wallet.deposit(name, chf(51), request_id=request_id)
    assert caught.value.reason == "REQUEST_ID_REUSED"
    assert await available(host) == PURSE - STAKE + 50
    assert await available(guest) == PURSE - STAKE


async def test_a_taken_seat_is_refused_and_another_one_free(house: House) -> None:
    host, guest = (await house.people(2)).values()
    game = await host.lobby.open_game("schieber-classic", seat=2)
    with pytest.raises(Refused) as caught:
        await guest.lobby.join_game(game.game_id, seat=2)
    assert caught.value.reason == "SEAT_TAKEN"
    assert (await guest.lobby.join_game(game.game_id, seat=0)).seat == 0


async def test_the_catalog_says_beforehand_what_a_stake_becomes(house: House) -> None:
    (host,) = (await house.people(1)).values()
    catalog = await host.lobby.get_catalog()
    quote = next(each for each in catalog.stakes if each.stake == chf(STAKE))
    game = await host.lobby.open_game("schieber-classic", stake=chf(STAKE))
    assert game.quote == quote
    assert quote.pot.minor_units == quote.fee.minor_units + sum(
        each.minor_units for each in quote.side_payouts
    )
