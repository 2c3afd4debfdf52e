"""An event on the wire is the rules' event in its public form."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jasshaus.api.table.v1 import table_pb2
from jasshaus.bots import BOTS
from jasshaus.contracts.events import event_from_proto
from jasshaus.rules import registry, schieber
from jasshaus.table.decide import Abort, Aborted, Closed, Play
from jasshaus.table.events import told
from jasshaus.table.table import Status, Unreadable
from table.unstored import TABLES, begun, do


def in_public(event: registry.Event) -> registry.Event:
    seen = registry.project(event, None)
    if isinstance(seen, schieber.MatchEnded) and seen.by is schieber.EndedBy.STICH:
        return replace(seen, by=schieber.EndedBy.AUTOMATIC)
    return seen


@pytest.mark.parametrize(("preset", "options"), TABLES)
def test_an_event_on_the_wire_is_the_rules_event(preset: str, options: dict[str, object]) -> None:
    kinds = set()
    for seed in range(3):
        table = begun(preset, seed=seed, **options)
        while table.status is Status.PLAYING:
            assert not isinstance(table.match, Unreadable)
            seat = registry.pending(table.match)[0].seat
            assert seat is not None
            change = do(table, Play(seat, BOTS["random"](registry.view(table.match, seat), seed)), seed)
            of_the_rules = [event for event in change.events if not isinstance(event, Aborted | Closed)]
            read = [event_from_proto(message) for message in told(table, change).shared]
            assert [event for event in read if event is not None] == list(map(in_public, of_the_rules))
            kinds |= {type(event) for event in of_the_rules}
            table = change.table
    assert len(kinds) >= 5


def test_what_is_no_event_of_the_rules_is_none() -> None:
    table = begun()
    aborted = told(table, do(table, Abort("idle"))).shared
    assert [event.WhichOneof("event") for event in aborted] == ["match_ended"]
    assert event_from_proto(aborted[0]) is None
    change = table_pb2.TableEvent.PresenceChanged(seat=1, away=True)
    assert event_from_proto(table_pb2.TableEvent(presence_changed=change)) is None
    assert event_from_proto(table_pb2.TableEvent(hand_dealt=table_pb2.TableEvent.HandDealt(deal=1))) is None
    assert event_from_proto(table_pb2.TableEvent()) is None


def test_an_unknown_card_is_refused() -> None:
    played = table_pb2.TableEvent.CardPlayed(seat=0)
    with pytest.raises(ValueError, match="not a card"):
        event_from_proto(table_pb2.TableEvent(card_played=played))
