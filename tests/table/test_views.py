"""A view is enough by itself, also for who knows nothing of the match but the view."""

from __future__ import annotations

from collections import Counter

import pytest

from jasshaus.api.table.v1 import table_pb2
from jasshaus.rules.schieber import Match
from jasshaus.table import codec
from jasshaus.table.decide import Begin
from jasshaus.table.events import told
from jasshaus.table.stand_in import time_out
from jasshaus.table.table import Status, Table, awaited
from jasshaus.table.times import Times
from jasshaus.table.views import table_view
from table.unstored import do, empty

MATCHES: list[tuple[str, dict[str, object]]] = [
    ("schieber-classic", {"target": 1500}),
    ("schieber-partner", {}),
    ("schieber-3000", {"target": 1500, "schneider_below": 100}),
    ("differenzler-classic", {"rounds": 3}),
]


class Listener:
    """What a viewer knows who was there from the start and heard every public event."""

    def __init__(self) -> None:
        self.deals: list[table_pb2.TableEvent.DealScored] = []
        self.stoeck: list[table_pb2.TableEvent.StoeckScored] = []
        self.trick: list[int] = []
        self.last_trick: list[int] = []
        self.winner = 0
        self.tricks = 0
        self.heard: Counter[str] = Counter()

    def hear(self, event: table_pb2.TableEvent) -> None:
        kind = event.WhichOneof("event") or ""
        self.heard[kind] += 1
        match kind:
            case "deal_started":
                self.tricks, self.stoeck = 0, []
            case "card_played":
                self.trick.append(event.card_played.card)
            case "trick_won":
                self.tricks, self.winner = self.tricks + 1, event.trick_won.seat
                self.last_trick, self.trick = self.trick, []
            case "stoeck_scored":
                self.stoeck.append(event.stoeck_scored)
            case "deal_scored":
                self.deals.append(event.deal_scored)
            case _:
                pass


def cold(table: Table) -> Table:
    """The table as a replica reads it that has never seen it."""
    return codec.decode(codec.encode(table, b"nonce 8b"))[0]


def stand_in_moves(table: Table) -> Table:
    return do(table, time_out(table, awaited(table)[0].seat or 0), seed=11).table


@pytest.mark.parametrize(("preset", "options"), MATCHES)
def test_a_view_has_what_the_events_told(preset: str, options: dict[str, object]) -> None:
    heard: Counter[str] = Counter()
    for seed in range(1, 6):
        heard += _compare_all(empty(preset, **options), seed)
    assert heard["deal_scored"] > heard["match_ended"]
    assert heard["stoeck_scored"] or preset.startswith("diff")


def _compare_all(table: Table, seed: int) -> Counter[str]:
    listener = Listener()
    while table.status is Status.PLAYING:
        command = time_out(table, awaited(table)[0].seat or 0) if table.version else Begin()
        change = do(table, command, seed)
        for event in told(table, change).shared:
            listener.hear(event)
        table = change.table
        for viewer in (None, 0, 3):
            view = table_view(cold(table), viewer, Times(0))
            assert list(view.deals) == listener.deals
            assert list(view.stoeck) == listener.stoeck
            # Of the deal before, until there is one of this deal.
            shown = [] if listener.tricks else listener.last_trick
            assert list(view.last_trick.cards) == shown
            assert not shown or view.last_trick.winner == listener.winner
    return listener.heard


def test_the_last_trick_is_led_by_who_led_it() -> None:
    table = do(empty(target=2500), Begin(), seed=11).table
    while table.last_trick is None:
        before, table = table, stand_in_moves(table)
    assert isinstance(before.match, Match)
    assert table.last_trick.leader == before.match.leader
    assert table.last_trick.cards[:3] == before.match.table


def test_a_table_stored_before_shows_the_deal_it_knows() -> None:
    from jasshaus.api.internal.v1 import store_pb2  # noqa: PLC0415 - only here

    table = do(empty(target=2500), Begin(), seed=11).table
    while len(table.deals) < 2:
        table = stand_in_moves(table)
    record = store_pb2.TableRecord.FromString(codec.encode(table, b""))
    record.ClearField("deals")
    record.ClearField("last_trick")

    known = codec.decode(record.SerializeToString())[0]

    assert known.deals == table.deals[-1:]
    view = table_view(known, None, Times(0))
    assert (len(view.deals), view.HasField("last_trick")) == (1, False)
    while len(table.deals) < 3:
        table, known = stand_in_moves(table), stand_in_moves(known)
    assert known.deals == table.deals[1:]


@pytest.mark.parametrize(("preset", "options"), MATCHES)
def test_a_seats_view_is_the_shared_bytes_and_its_own_ones_appended(
    preset: str, options: dict[str, object]
) -> None:
    """What is private is in no repeated field that has shared items: they would append, and show twice."""
    table = do(empty(preset, **options), Begin(), seed=3).table
    times = Times(now=5_000, deadlines=(9_000, 9_001, 9_002, 9_003), lead_after=6_000)
    private: set[str] = set()
    while table.status is Status.PLAYING:
        shared = table_view(table, None, times)
        for seat in range(4):
            view = table_view(table, seat, times)
            own = table_pb2.TableView()
            own.CopyFrom(view)
            for field, value in shared.ListFields():
                if getattr(view, field.name) == value:
                    own.ClearField(field.name)
            private |= {field.name for field, _ in own.ListFields()}
            joined = shared.SerializeToString() + own.SerializeToString()
            assert table_pb2.TableView.FromString(joined) == view
        table = stand_in_moves(table)
    common = {"viewer_seat", "hand", "legal_actions", "decision_version"}
    assert private == common | ({"own_announcement"} if preset.startswith("diff") else {"own_weis"})
