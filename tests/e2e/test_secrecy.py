"""Nobody receives a card they may not know: all that four seats and an operator got in a match, examined."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import aclosing
from typing import Any

import pytest
from google.protobuf.message import Message

from jasshaus.api.common.v1.card_pb2 import Card
from jasshaus.api.common.v1.rules_pb2 import RuleSet
from jasshaus.api.table.v1.table_pb2 import Action, TableEvent, TableView, WatchTableResponse
from jasshaus.cli.demo.players import choose as play_well
from jasshaus.client import JassError, Stale, actions

from .conftest import House

Cards = set[int]
OWN = ("hand_dealt", "own_weis", "own_announcement")
"""The events that one seat alone is told."""


def cards_in(message: Message) -> Iterator[int]:
    """Every card anywhere in a message, also in fields that are added later."""
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        for each in values:
            if field.message_type is not None:
                yield from cards_in(each)
            elif field.enum_type is not None and field.enum_type.full_name == Card.DESCRIPTOR.full_name:
                yield each


def announcements_in(message: Message) -> Iterator[int]:
    """The seats whose announcements, hidden at this table while a deal is on, a message tells."""
    match message:
        case TableView() if not message.HasField("outcome"):
            yield from (each.seat for each in message.differenzler.announcements if each.HasField("points"))
            if message.HasField("own_announcement"):
                yield message.viewer_seat
        case TableEvent() if message.points_announced.HasField("points"):
            yield message.points_announced.seat
        case _:
            pass


class Truth:
    """What was dealt and what became public, gathered from the events that each seat was told.

    The version that ends a deal starts the next one too, so it belongs to both.
    """

    def __init__(self) -> None:
        self.dealt: dict[int, dict[int, Cards]] = defaultdict(dict)  # deal -> seat -> cards
        self.public: dict[int, Cards] = defaultdict(set)  # version -> cards that all may know
        self.deals_at: dict[int, set[int]] = defaultdict(set)  # version -> deals
        self.first_trump_card: Cards = set()  # Differenzler: turned up for all to see

    def note_hand(self, deal: int, seat: int, hand: Cards) -> None:
        known = self.dealt[deal].setdefault(seat, hand)
        assert known == hand

    def note_events(self, events: list[TableEvent]) -> None:
        """Take in one seat's whole stream of events, from the first version on."""
        deal, public, played = 1, set(self.first_trump_card), [0]
        self.deals_at[1] = {1}
        self.public[1] |= public
        for event in events:
            match event.WhichOneof("event"):
                case "deal_started":
                    # The last trick of the deal before is shown on.
                    deal, public = (
                        event.deal_started.deal,
                        {event.deal_started.trump_card, *played[-4:]} - {0},
                    )
                case "card_played":
                    played.append(event.card_played.card)
                    public = public | {event.card_played.card}
                case "weis_scored":
                    public = public | set(cards_in(event.weis_scored))
            self.public[event.version] |= public
            self.deals_at[event.version].add(deal)

    def may_know(self, seat: int | None, version: int) -> Cards:
        own = (self.dealt[deal].get(seat, set()) for deal in self.deals_at[version] if seat is not None)
        return self.public[version].union(*own)


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("schieber-classic", RuleSet(target=400)),
        ("schieber-partner", RuleSet(target=400)),
        ("differenzler-classic", RuleSet(rounds=2)),
    ],
)
async def test_no_message_holds_what_its_receiver_may_not_know(
    house: House, preset: str, options: RuleSet
) -> None:
    party = await house.seat_four(preset=preset, overrides=options)
    table_id = await party.table_id()
    truth = Truth()
    events: dict[int, list[TableEvent]] = defaultdict(list)
    got: list[tuple[int | None, int, Message]] = []  # seat, version, message

    def note_view(seat: int | None, view: TableView, message: Message) -> None:
        got.append((seat, view.version, message))

    async def watch(seat: int) -> None:
        async with aclosing(party.clients[seat].table.watch_table(table_id, device_id="watcher")) as updates:
            async for update in updates:
                assert not isinstance(update, WatchTableResponse.Replaced)
                if isinstance(update, WatchTableResponse.Delta):
                    events[seat].extend(update.events)
                    for event in update.events:
                        got.append((seat, event.version, event))
                        if event.HasField("hand_dealt"):
                            truth.note_hand(event.hand_dealt.deal, seat, set(event.hand_dealt.hand))
                else:
                    assert update.view.version == 1, "the watchers came too late for this test"
                    truth.note_hand(1, seat, set(update.view.hand))
                    truth.first_trump_card = {update.view.trump_card} - {0}
                    watching[seat].set()
                note_view(seat, update.view, update.view)

    async def act(seat: int) -> None:
        """Play, and look at the table, and try what is refused, all the time."""
        client = party.clients[seat]
        await asyncio.gather(*(each.wait() for each in watching))

        def choose(view: TableView) -> Action | None:
            note_view(seat, view, view)
            return play_well(view)

        async with asyncio.TaskGroup() as group:
            playing = group.create_task(client.table.play(table_id, choose))
            while not playing.done():
                view = await client.table.get_table(table_id)
                note_view(seat, view, view)
                if view.HasField("outcome"):
                    break
                try:
                    stale = max(0, view.version - 1)
                    await client.table.act(table_id, actions.play_card(1), expected_version=stale)
                except Stale as error:
                    assert error.view is not None
                    note_view(seat, error.view, error.view)
                    assert set(details_but_the_view(error)) == set()
                except JassError as error:
                    assert set(details_but_the_view(error)) == set()
                await asyncio.sleep(0.02)

    async def oversee() -> None:
        """The operator sees a table as a spectator does."""
        while True:
            view = await house.operator.table.get_table(table_id)
            assert not view.hand
            assert not view.HasField("legal_actions")
            note_view(None, view, view)
            if view.HasField("outcome"):
                return
            await asyncio.sleep(0.05)

    watching = [asyncio.Event() for _ in range(4)]
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        for seat in range(4):
            group.create_task(watch(seat))
            group.create_task(act(seat))
        group.create_task(oversee())

    truth.note_events(events[0])
    for deal, hands in truth.dealt.items():
        assert sum(map(len, hands.values())) == 36, deal
        assert len(set.union(*hands.values())) == 36, deal
    assert len(got) > 200
    for seat, version, message in got:
        unknown = set(cards_in(message)) - truth.may_know(seat, version)
        assert not unknown, (seat, version, sorted(map(Card.Name, unknown)), message)
        assert set(announcements_in(message)) <= {seat}


async def test_the_four_streams_tell_the_same_public_story(house: House) -> None:
    party = await house.seat_four(target=200)
    table_id = await party.table_id()
    told: dict[int, list[TableEvent]] = defaultdict(list)

    async def play(seat: int) -> None:
        def observe(update: Any) -> None:
            if isinstance(update, WatchTableResponse.Delta):
                told[seat].extend(update.events)

        await begun.wait()
        await party.clients[seat].table.play(table_id, play_well, observe=observe)

    # All four begin after their first snapshot only because nobody acts before the barrier opens.
    begun = asyncio.Barrier(4)
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        for seat in range(4):
            group.create_task(play(seat))

    shared = [[event for event in told[seat] if event.WhichOneof("event") not in OWN] for seat in range(4)]
    stories = [[event.SerializeToString(deterministic=True) for event in each] for each in shared]
    shortest = min(map(len, stories))
    assert shortest > 30
    assert all(story[-shortest:] == stories[0][-shortest:] for story in stories)


def details_but_the_view(error: JassError) -> Iterator[int]:
    """Cards in the further details of an error, other than a view of one's own."""
    for packed in error.details:
        if not packed.Is(TableView.DESCRIPTOR):
            raise AssertionError(packed.type_url)
    yield from ()
