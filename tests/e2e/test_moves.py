"""Single moves at a table: stale, out of turn, not in hand, twice, and two at once through two replicas."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from jasshaus.api.table.v1.table_pb2 import ActResponse, TableView
from jasshaus.cli.demo.players import choose as play_well
from jasshaus.client import JassError, Jasshaus, NotFound, Refused, Stale, actions

from .conftest import House, Party


async def views(party: Party, table_id: str) -> list[TableView]:
    return [await client.table.get_table(table_id) for client in party.clients]


async def until_a_card_is_due(party: Party, table_id: str) -> tuple[int, TableView]:
    """Choose and declare; returns who has to play the first card, and what that seat sees."""
    while True:
        for seat, view in enumerate(await views(party, table_id)):
            if view.legal_actions.cards:
                return seat, view
            action = play_well(view)
            if action is not None:
                await party.clients[seat].table.act(table_id, action)


async def refusal(client: Jasshaus, table_id: str, action: object, **kwargs: object) -> JassError:
    with pytest.raises(JassError) as caught:
        await client.table.act(table_id, action, **kwargs)  # type: ignore[arg-type]
    return caught.value


async def test_a_stale_version_is_refused_with_the_view_of_now(house: House) -> None:
    party = await house.seat_four()
    table_id = await party.table_id()
    seat, view = await until_a_card_is_due(party, table_id)
    card = actions.play_card(view.legal_actions.cards[0])
    error = await refusal(party.clients[seat], table_id, card, expected_version=view.version - 1)
    assert isinstance(error, Stale)
    assert error.reason == "STALE_VERSION"
    assert error.view is not None
    assert (error.view.version, list(error.view.hand)) == (view.version, list(view.hand))


async def test_a_version_of_the_future_is_refused_too(house: House) -> None:
    party = await house.seat_four()
    table_id = await party.table_id()
    seat, view = await until_a_card_is_due(party, table_id)
    card = actions.play_card(view.legal_actions.cards[0])
    error = await refusal(party.clients[seat], table_id, card, expected_version=view.version + 1)
    assert error.reason == "STALE_VERSION"


async def test_moves_against_the_rules_are_refused_and_change_nothing(house: House) -> None:
    party = await house.seat_four()
    table_id = await party.table_id()
    seat, view = await until_a_card_is_due(party, table_id)
    before = await views(party, table_id)
    other = (seat + 1) % 4
    foreign = before[other].hand[0]

    refusals = {
        "somebody else's turn": await refusal(
            party.clients[other], table_id, actions.play_card(before[other].hand[0])
        ),
        "not in hand": await refusal(party.clients[seat], table_id, actions.play_card(foreign)),
        "contract chosen already": await refusal(
            party.clients[seat], table_id, actions.choose_contract(view.contract)
        ),
        "too late to push": await refusal(party.clients[seat], table_id, actions.push()),
        "declared already": await refusal(party.clients[seat], table_id, actions.declare_weis()),
        "claim before a trick": await refusal(party.clients[seat], table_id, actions.claim()),
        "another game's action": await refusal(party.clients[seat], table_id, actions.announce_points(50)),
        "not away": await refusal(party.clients[seat], table_id, actions.come_back()),
    }
    assert refusals["somebody else's turn"].reason == "NOT_YOUR_TURN"
    assert refusals["not in hand"].reason == "CARD_NOT_IN_HAND"
    assert refusals["not away"].reason == "NOT_AWAY"
    assert all(isinstance(each, Refused) for each in refusals.values())
    after = await views(party, table_id)
    for was, now in zip(before, after, strict=True):
        was.clock.ClearField("server_time")
        now.clock.ClearField("server_time")
        assert was == now


async def test_illegal_cards_come_with_the_reason_that_refuses_them(house: House) -> None:
    from jasshaus.api.common.v1.reasons_pb2 import ErrorReason  # noqa: PLC0415

    party = await house.seat_four()
    table_id = await party.table_id()
    checked = 0
    seat, view = await until_a_card_is_due(party, table_id)
    for _ in range(12):
        for illegal in view.legal_actions.illegal_cards:
            error = await refusal(party.clients[seat], table_id, actions.play_card(illegal.card))
            assert f"ERROR_REASON_{error.reason}" == ErrorReason.Name(illegal.reason)
            checked += 1
        legal = {*view.legal_actions.cards, *(each.card for each in view.legal_actions.illegal_cards)}
        assert legal == set(view.hand)
        await party.clients[seat].table.act(table_id, actions.play_card(view.legal_actions.cards[0]))
        seat, view = await until_a_card_is_due(party, table_id)
    assert checked


async def test_the_same_move_twice_is_made_once(house: House) -> None:
    party = await house.seat_four()
    table_id = await party.table_id()
    seat, view = await until_a_card_is_due(party, table_id)
    card, request_id = actions.play_card(view.legal_actions.cards[0]), str(uuid4())
    answers = [
        await party.clients[seat].table.act(
            table_id, card, expected_version=view.version, request_id=request_id
        )
        for _ in range(3)
    ]
    assert {answer.version for answer in answers} == {view.version + 1}
    assert len(answers[-1].view.hand) == 8

    other = actions.play_card(view.legal_actions.cards[1])
    error = await refusal(party.clients[seat], table_id, other, request_id=request_id)
    assert error.reason == "REQUEST_ID_REUSED"


async def test_a_refused_request_id_may_be_used_again(house: House) -> None:
    party = await house.seat_four()
    table_id = await party.table_id()
    seat, view = await until_a_card_is_due(party, table_id)
    request_id = str(uuid4())
    error = await refusal(party.clients[seat], table_id, actions.claim(), request_id=request_id)
    assert isinstance(error, Refused)
    card = actions.play_card(view.legal_actions.cards[0])
    await party.clients[seat].table.act(table_id, card, request_id=request_id)


async def test_two_replicas_get_two_cards_at_one_version_and_one_counts(house: House) -> None:
    party = await house.seat_four()
    table_id = await party.table_id()
    seat, view = await until_a_card_is_due(party, table_id)
    replicas = [
        await house.client(party.players[seat], table=address) for address in house.stack.endpoints.tables
    ]
    cards = [actions.play_card(card) for card in view.legal_actions.cards[:2]]
    answers = await asyncio.gather(
        *(
            replica.table.act(table_id, card, expected_version=view.version)
            for replica, card in zip(replicas, cards, strict=True)
        ),
        return_exceptions=True,
    )
    made = [answer for answer in answers if isinstance(answer, ActResponse)]
    lost = [answer for answer in answers if isinstance(answer, Stale)]
    assert (len(made), len(lost)) == (1, 1)
    now = [await replica.table.get_table(table_id) for replica in replicas]
    assert {each.version for each in now} == {view.version + 1}
    assert len(now[0].hand) == 8
    assert list(now[0].trick.cards) == [(set(view.hand) - set(now[0].hand)).pop()]
    assert lost[0].view is not None
    assert lost[0].view.version == view.version + 1


async def test_a_table_is_not_there_for_who_does_not_sit_at_it(house: House) -> None:
    party = await house.seat_four()
    table_id = await party.table_id()
    (stranger,) = (await house.people(1)).values()
    for call in (
        stranger.table.get_table(table_id),
        stranger.table.act(table_id, actions.claim()),
        anext(stranger.table.watch_table(table_id)),
    ):
        with pytest.raises(NotFound) as caught:
            await call
        assert caught.value.reason == "TABLE_NOT_FOUND"


async def test_leaving_and_coming_back(house: House) -> None:
    party = await house.seat_four()
    table_id = await party.table_id()
    seat, _ = await until_a_card_is_due(party, table_id)
    other = (seat + 1) % 4
    left = await party.clients[other].table.act(table_id, actions.leave())
    assert left.view.seats[other].away
    error = await refusal(party.clients[other], table_id, actions.leave())
    assert error.reason == "ALREADY_AWAY"
    back = await party.clients[other].table.act(table_id, actions.come_back())
    assert not back.view.seats[other].away


async def test_a_newer_stream_of_the_same_device_replaces_the_older(house: House) -> None:
    party = await house.seat_four()
    table_id = await party.table_id()
    client = party.clients[0]
    older = client.table.watch_table(table_id, device_id="phone")
    tablet = client.table.watch_table(table_id, device_id="tablet")
    await anext(older)
    await anext(tablet)
    newer = client.table.watch_table(table_id, device_id="phone")
    await anext(newer)
    async with asyncio.timeout(10):
        last = await anext(older)
    assert type(last).__name__ == "Replaced"
    with pytest.raises(StopAsyncIteration):
        await anext(older)
    for stream in (older, tablet, newer):
        await stream.aclose()
