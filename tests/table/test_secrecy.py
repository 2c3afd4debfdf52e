"""Nobody is sent a card he may not know, nor anything that depends on one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from google.protobuf.message import Message

from jasshaus.api.common.v1 import card_pb2
from jasshaus.api.internal.v1 import store_pb2
from jasshaus.api.table.v1 import table_pb2
from jasshaus.platform.errors import Fault
from jasshaus.rules.actions import legal_actions
from jasshaus.rules.cards import cards_in
from jasshaus.rules.dealing import deal
from jasshaus.rules.events import ChooseContract, DeclareWeis, PlayCard, Push
from jasshaus.rules.match import Match, Phase
from jasshaus.rules.options import rule_set
from jasshaus.rules.schieber import Command, RuleViolation
from jasshaus.table.decide import Begin, Change, Drawn, Leave, Play, Refusal, Return, decide
from jasshaus.table.table import Pace, Seat, Status, Table, Unreadable, awaited
from jasshaus.table.tables import Current, prepare
from jasshaus.table.views import Times, table_view
from jasshaus.table.watcher import delta, events_for, snapshot
from table.house import PLAYERS, House, Replica, deciding, step, view_of

SHORT: dict[str, dict[str, int]] = {
    "schieber-classic": {"target": 250},
    "schieber-partner": {"target": 250},
    "schieber-3000": {"target": 250, "schneider_below": 100},
}
OVER = (table_pb2.TABLE_STATUS_FINISHED, table_pb2.TABLE_STATUS_VOIDED)


def cards_of(message: Message) -> Iterator[int]:
    """Every card anywhere in a message."""
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        for each in values:
            if field.message_type is not None:
                yield from cards_of(each)
            elif field.enum_type is not None and field.enum_type.name == card_pb2.Card.DESCRIPTOR.name:
                yield each


class Witness:
    """What one viewer may know of this deal, learnt from nothing but public events and its own hand."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.knows: dict[int, set[int]] = {}

    def check(self, update: table_pb2.WatchTableResponse) -> None:
        deal_ = max(self.knows, default=0)
        for event in update.delta.events:
            if event.HasField("deal_started"):
                deal_ = event.deal_started.deal
                self.knows[deal_] = set(event.deal_started.hand)
                assert len(event.deal_started.hand) == (0 if self.seat is None else 9)
            elif event.HasField("card_played"):
                self.knows[deal_].add(event.card_played.card)
            elif event.HasField("weis_scored"):
                self.knows[deal_].update(cards_of(event.weis_scored))
            assert set(cards_of(event)) <= self.knows[deal_]
        self.check_view(view_of(update))

    def check_view(self, view: table_pb2.TableView) -> None:
        if view.deal not in self.knows:
            self.knows[view.deal] = set(view.hand)
        assert set(cards_of(view)) <= self.knows[view.deal]


@pytest.mark.parametrize("preset", ["schieber-classic", "schieber-partner", "schieber-3000"])
async def test_no_message_names_a_card_its_receiver_may_not_know(
    house: House, replica: Replica, preset: str
) -> None:
    table_id = await house.table(replica, preset, **SHORT[preset])
    witnesses = [Witness(seat) for seat in range(4)]
    streams = [replica.as_(player).watch(table_id) for player in PLAYERS]
    for stream, witness in zip(streams, witnesses, strict=True):
        witness.check(await stream.next())
    while True:
        view = await replica.service.get(table_id)
        assert not view.hand
        probed = view.version % 7 == 1
        if view.status == table_pb2.TABLE_STATUS_PLAYING:
            for seat, player in enumerate(PLAYERS if probed else ()):
                stale = table_pb2.Action(play_card=table_pb2.Action.PlayCard(card=1 + view.version % 36))
                with pytest.raises(Fault) as refused:
                    await replica.as_(player).act(table_id, stale, version=view.version + 9)
                detail = refused.value.detail(table_pb2.TableView)
                assert detail is not None
                witnesses[seat].check_view(detail)
                if seat not in deciding(view):
                    with pytest.raises(Fault) as refused:
                        await replica.as_(player).act(table_id, stale)
                    assert not refused.value.details
                    assert not refused.value.metadata
            await step(replica, table_id)
        version = (await replica.service.get(table_id)).version
        for stream, witness in zip(streams, witnesses, strict=True):
            while True:
                update = await stream.next()
                witness.check(update)
                if view_of(update).version >= version or view_of(update).status in OVER:
                    break
        if view_of(update).status in OVER:
            return


PACE = Pace(
    turn=30_000,
    weis=15_000,
    away=1_000,
    away_after=2,
    lead_pause=1_500,
    trick_pause=1_500,
    idle_limit=1,
    keep=1,
)
SALT = b"0123456789abcdef"


class Twin:
    """One of two tables that differ in cards which seat 0 does not see."""

    def __init__(self, deck: tuple[int, ...], preset: str, forehand: int) -> None:
        self.current = Current(_empty_table(preset), b"", b"", Times(0))
        self.deck = deck
        self.forehand = forehand
        self.received: list[bytes] = []
        self.do(Begin())

    @property
    def match(self) -> Match:
        match = self.current.table.match
        assert isinstance(match, Match)
        return match

    def do(self, command: Any) -> None:
        """Commit a command, or take its refusal; note all that seat 0 and a spectator receive of it."""
        try:
            change = decide(self.current.table, command, Drawn(self.deck, self.forehand))
        except (RuleViolation, Refusal) as refusal:
            self.received.append(repr((refusal.reason, refusal.text)).encode())
            return
        commit, public_chain = prepare(self.current, change, None, SALT)
        before = self.current.table.version
        self.current = Current(change.table, commit.etag, public_chain, Times(1_000 + change.table.version))
        bundle = store_pb2.EventBundle.FromString(commit.bundle)
        for seat in (0, None):
            self.received += [
                table_view(change.table, seat, self.current.times).SerializeToString(deterministic=True),
                b"".join(
                    e.SerializeToString(deterministic=True)
                    for e in events_for(bundle, -1 if seat is None else 0)
                ),
            ]
        self.received.append(snapshot(self.current, 0, reset=False).SerializeToString(deterministic=True))
        self.received.append(delta(self.current, 0, [bundle]).SerializeToString(deterministic=True))
        self.received.append(repr((before, _timing(change), len(bundle.events))).encode())


def _timing(change: Change) -> object:
    return change.seats, change.idle, change.gated, change.lead_pause, change.settle


def _empty_table(preset: str) -> Table:
    return Table(
        table_id=UUID(int=1),
        game_id=UUID(int=2),
        tenant="default",
        version=0,
        status=Status.PLAYING,
        seats=tuple(Seat(player) for player in PLAYERS),
        preset=preset,
        rules=rule_set(preset),
        stake=None,
        pace=PACE,
        match=Unreadable(b""),
        outcome=None,
        created_by=b"",
    )


def _twins(rng: random.Random, preset: str) -> tuple[Twin, Twin, tuple[int, int]] | None:
    """Two tables: two cards of one suit have changed places between two of seats 1 to 3."""
    deck = list(range(36))
    rng.shuffle(deck)
    forehand = rng.randrange(4)
    hands = deal(deck, (forehand + 3) % 4)
    one, other = rng.sample([1, 2, 3], 2)
    pairs = [(a, b) for a in cards_in(hands[one]) for b in cards_in(hands[other]) if a // 9 == b // 9]
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    swapped = [second if card == first else first if card == second else card for card in deck]
    return Twin(tuple(deck), preset, forehand), Twin(tuple(swapped), preset, forehand), (first, second)


def _common_command(rng: random.Random, twins: tuple[Twin, Twin], hidden: tuple[int, int]) -> Command | None:
    """What may be done at both tables without touching the cards in which they differ."""
    a, b = twins
    seat = awaited(a.current.table)[0].seat
    assert seat is not None
    if a.match.phase is Phase.CONTRACT:
        if not a.match.pushed and rng.random() < 0.3:
            return Push(seat)
        return ChooseContract(seat, rng.choice(legal_actions(a.match, seat).contracts))
    mine, theirs = legal_actions(a.match, seat), legal_actions(b.match, seat)
    if mine.can_declare_weis:
        # A declaration is the declarer's own choice; he may always say nothing.
        return DeclareWeis(seat, mine.weis_recommended if seat == 0 else ())
    both = [card for card in mine.cards if card in theirs.cards and card not in hidden]
    return PlayCard(seat, rng.choice(both)) if both else None


@pytest.mark.parametrize("preset", ["schieber-classic", "schieber-partner"])
def test_nothing_received_depends_on_cards_not_seen(preset: str) -> None:
    rng, compared = random.Random(7), 0
    for _ in range(30):
        made = _twins(rng, preset)
        if made is None:
            continue
        a, b, hidden = made
        while a.current.table.status is Status.PLAYING:
            for twin in (a, b):
                # What is refused is refused alike, and says the same.
                for card in range(0, 36, 5):
                    if not a.match.hands[0] >> card & 1:
                        twin.do(Play(0, PlayCard(0, card)))
                twin.do(Leave(0))
                twin.do(Return(0))
            command = _common_command(rng, (a, b), hidden)
            if command is None:
                break
            for twin in (a, b):
                twin.do(Play(command.seat, command))
            assert a.received == b.received
            compared += len(a.received)
            a.received, b.received = [], []
            if len(a.match.tricks) > 7:
                break
    assert compared > 500


def test_the_chain_that_covers_hidden_cards_is_in_no_message() -> None:
    made = None
    while made is None:
        made = _twins(random.Random(), "schieber-classic")
    twin, other, _ = made
    chain = twin.current.etag[8:]
    assert twin.current.etag != other.current.etag
    assert twin.current.public_chain == other.current.public_chain
    assert not any(chain in received for received in twin.received)
