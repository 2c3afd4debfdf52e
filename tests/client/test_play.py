from __future__ import annotations

import time
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from jasshaus.api.common.v1.card_pb2 import Card
from jasshaus.api.table.v1.table_pb2 import (
    Action,
    ActResponse,
    GetTableResponse,
    LegalActions,
    TableStatus,
    TableView,
    WatchTableResponse,
)
from jasshaus.client import Jasshaus, Refused, Replaced, Update, actions

from .conftest import Failure, Script

CODE = grpc.StatusCode
FINISHED = TableStatus.TABLE_STATUS_FINISHED
SILENCE = None


def asked(version: int, card: int, **more: Any) -> TableView:
    """A view on which one card may be played."""
    return TableView(version=version, legal_actions=LegalActions(cards=[card], **more))


def waiting(version: int, status: TableStatus.ValueType = TableStatus.TABLE_STATUS_PLAYING) -> TableView:
    return TableView(version=version, status=status)


def stream(*views: TableView) -> list[WatchTableResponse]:
    return [WatchTableResponse(snapshot=WatchTableResponse.Snapshot(view=view)) for view in views]


def first_card(view: TableView) -> Action | None:
    return actions.play_card(view.legal_actions.cards[0]) if view.legal_actions.cards else None


def acted(script: Script) -> list[tuple[int, int]]:
    return [(each.expected_version, each.action.play_card.card) for each in script.requests("Act")]


async def test_a_seat_is_played_to_the_end(jass: Jasshaus, script: Script) -> None:
    script.answer("WatchTable", stream(asked(1, 5), waiting(2), asked(3, 6), waiting(5, FINISHED)))
    script.answer("Act", ActResponse(view=waiting(2)), ActResponse(view=waiting(4)))
    last = await jass.table.play("t", first_card)
    assert acted(script) == [(1, 5), (3, 6)]
    assert last.status == FINISHED


async def test_an_answer_that_asks_again_is_acted_on_and_its_update_is_not(
    jass: Jasshaus, script: Script
) -> None:
    script.answer("WatchTable", stream(asked(1, 5), asked(2, 6), waiting(3), waiting(4, FINISHED)))
    script.answer("Act", ActResponse(view=asked(2, 6)), ActResponse(view=waiting(3)))
    await jass.table.play("t", first_card)
    assert acted(script) == [(1, 5), (2, 6)]


async def test_a_stale_view_is_replaced_by_the_one_that_comes_with_the_refusal(
    jass: Jasshaus, script: Script
) -> None:
    script.answer("WatchTable", stream(asked(1, 5), waiting(9, FINISHED)))
    script.answer("Act", Failure(CODE.ABORTED, "STALE_VERSION", asked(4, 7)), ActResponse(view=waiting(5)))
    await jass.table.play("t", first_card)
    assert acted(script) == [(1, 5), (4, 7)]


async def test_a_stale_view_too_large_to_come_along_is_fetched(jass: Jasshaus, script: Script) -> None:
    script.answer("WatchTable", stream(asked(1, 5), waiting(9, FINISHED)))
    script.answer("Act", Failure(CODE.ABORTED, "STALE_VERSION"))
    script.answer("GetTable", GetTableResponse(view=waiting(4)))
    await jass.table.play("t", first_card)
    assert acted(script) == [(1, 5)]


async def test_a_turn_that_passed_is_let_be(jass: Jasshaus, script: Script) -> None:
    script.answer("WatchTable", stream(asked(1, 5), waiting(9, FINISHED)))
    script.answer("Act", Failure(CODE.FAILED_PRECONDITION, "NOT_YOUR_TURN"))
    script.answer("GetTable", GetTableResponse(view=waiting(2)))
    await jass.table.play("t", first_card)


async def test_a_wrong_choice_is_raised(jass: Jasshaus, script: Script) -> None:
    script.answer("WatchTable", stream(asked(1, 5)))
    script.answer("Act", Failure(CODE.FAILED_PRECONDITION, "CARD_NOT_IN_HAND"))
    script.answer("GetTable", GetTableResponse(view=asked(1, 5)))
    with pytest.raises(Refused) as caught:
        await jass.table.play("t", first_card)
    assert caught.value.reason == "CARD_NOT_IN_HAND"


async def test_the_pause_after_a_trick_is_kept_by_the_servers_clock(jass: Jasshaus, script: Script) -> None:
    now, later = Timestamp(seconds=1000), Timestamp(seconds=1000, nanos=300_000_000)
    view = asked(1, Card.CARD_ACORNS_ACE)
    view.clock.lead_after.CopyFrom(later)
    view.clock.server_time.CopyFrom(now)
    script.answer("WatchTable", stream(view, waiting(9, FINISHED)))
    script.answer("Act", ActResponse(view=waiting(2)))
    started = time.monotonic()
    await jass.table.play("t", first_card)
    assert time.monotonic() - started >= 0.3


async def test_a_lead_too_early_is_made_again(jass: Jasshaus, script: Script) -> None:
    script.answer("WatchTable", stream(asked(1, 5), waiting(9, FINISHED)))
    script.answer(
        "Act",
        Failure(CODE.FAILED_PRECONDITION, "LEAD_PAUSE", retry_after=0.05),
        ActResponse(view=waiting(2)),
    )
    script.answer("GetTable", GetTableResponse(view=asked(1, 5)))
    await jass.table.play("t", first_card)
    assert acted(script) == [(1, 5), (1, 5)]


async def test_a_choice_of_nothing_waits_for_the_next_view(jass: Jasshaus, script: Script) -> None:
    script.answer(
        "WatchTable",
        stream(TableView(version=1, legal_actions=LegalActions(claim=True)), waiting(2, FINISHED)),
    )
    await jass.table.play("t", first_card)
    assert acted(script) == []


async def test_every_update_is_observed(jass: Jasshaus, script: Script) -> None:
    seen: list[int] = []

    async def observe(update: Update) -> None:
        seen.append(update.view.version)  # type: ignore[union-attr]

    script.answer("WatchTable", stream(waiting(1), waiting(2), waiting(3, FINISHED)))
    await jass.table.play("t", first_card, observe=observe)
    assert seen == [1, 2, 3]


async def test_a_player_who_was_replaced_stops(jass: Jasshaus, script: Script) -> None:
    script.answer(
        "WatchTable", [*stream(waiting(1)), WatchTableResponse(replaced=WatchTableResponse.Replaced())]
    )
    with pytest.raises(Replaced):
        await jass.table.play("t", first_card)
