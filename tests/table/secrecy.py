"""Checks that nobody is sent what they may not know, with pairs of tables that differ only in that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from google.protobuf.message import Message

from jasshaus.api.common.v1 import card_pb2, rules_pb2
from jasshaus.api.table.v1 import table_pb2
from jasshaus.rules.core.refusals import RuleViolation
from jasshaus.table.bundles import decode
from jasshaus.table.decide import Begin, Change, Drawn, Refusal, asked, decide
from jasshaus.table.table import Presence, Unreadable
from jasshaus.table.tables import Current, prepare
from jasshaus.table.times import Times
from jasshaus.table.views import table_view
from jasshaus.table.watcher import delta, snapshot
from table.harness import view_of
from table.unstored import empty


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
        self.announcements = 0

    def check(self, update: table_pb2.WatchTableResponse) -> None:
        deal_ = max(self.knows, default=0)
        for event in update.delta.events:
            if event.HasField("deal_started"):
                deal_ = event.deal_started.deal
                self.knows[deal_] = _trump_card(event.deal_started)
            elif event.HasField("hand_dealt"):
                assert (self.seat is not None, event.hand_dealt.deal) == (True, deal_)
                assert len(event.hand_dealt.hand) == 9
                self.knows[deal_] |= set(event.hand_dealt.hand)
            elif event.HasField("own_announcement"):
                assert self.seat is not None
                self.announcements += 1
            elif event.HasField("card_played"):
                self.knows[deal_].add(event.card_played.card)
            elif event.HasField("weis_scored"):
                self.knows[deal_].update(cards_of(event.weis_scored))
            elif event.HasField("points_announced"):
                self._check_announcement(event.points_announced, hidden=_is_hidden(view_of(update)))
            assert set(cards_of(event)) <= self.knows[deal_]
        self.check_view(view_of(update))

    def check_view(self, view: table_pb2.TableView) -> None:
        if view.deal not in self.knows:
            self.knows[view.deal] = set(view.hand) | _trump_card(view)
        if view.status == table_pb2.TABLE_STATUS_PLAYING:
            said = {each.seat for each in view.differenzler.announcements}
            assert view.HasField("own_announcement") == (self.seat is not None and self.seat in said)
            for announcement in view.differenzler.announcements:
                self._check_announcement(announcement, hidden=_is_hidden(view))
        # A trick of the deal before lies there until the first of this one is complete.
        before, shown = self.knows.get(view.deal - 1), set(view.last_trick.cards)
        assert before is None or shown <= before
        this_deal = table_pb2.TableView()
        this_deal.CopyFrom(view)
        this_deal.ClearField("last_trick")
        assert set(cards_of(this_deal)) <= self.knows[view.deal]

    def _check_announcement(self, announcement: Any, *, hidden: bool) -> None:
        self.announcements += 1
        assert announcement.HasField("points") == (not hidden)


def _is_hidden(view: table_pb2.TableView) -> bool:
    return view.rule_set.announcements == rules_pb2.ANNOUNCEMENTS_HIDDEN


def _trump_card(message: Any) -> set[int]:
    return {message.trump_card} if message.trump_card else set()


NONCE = b"01234567"


class Twin:
    """One of two tables that differ in what seat 0 does not see."""

    def __init__(self, deck: tuple[int, ...], preset: str, forehand: int, **options: object) -> None:
        self.current = Current(empty(preset, **options), b"", b"", Times(0))
        self.deck = deck
        self.forehand = forehand
        self.received: list[bytes] = []
        self.do(Begin())

    @property
    def match(self) -> Any:
        assert not isinstance(self.current.table.match, Unreadable)
        return self.current.table.match

    def do(self, command: Any) -> None:
        """Commit a command, or take its refusal; note all that seat 0 and a spectator receive of it."""
        try:
            change = decide(self.current.table, command, Drawn(self.deck, self.forehand))
        except (RuleViolation, Refusal) as refusal:
            self.received.append(repr((refusal.reason, refusal.text)).encode())
            return
        commit = prepare(self.current, change, None, NONCE)
        before = self.current.table.version
        version = change.table.version
        times = Times(1_000 + version, changes=version)
        self.current = Current(change.table, commit.etag, NONCE, times)
        bundle = decode(commit.bundle)
        for seat in (0, None):
            self.received += [
                table_view(change.table, seat, self.current.times).SerializeToString(deterministic=True),
                b"".join(e.SerializeToString(deterministic=True) for e in bundle.events_for(seat)),
            ]
        self.received.append(snapshot(self.current, 0, reset=False).SerializeToString(deterministic=True))
        self.received.append(delta(self.current, 0, [bundle]).SerializeToString(deterministic=True))
        waits = asked(change.table)
        self.received.append(repr((before, _timing(change), waits, len(bundle.shared))).encode())

    def leave_and_come_back(self) -> None:
        """Note what seat 0 receives of an absence: its own, and another seat's."""
        for seat in (0, 2):
            here = self.current.times.presence
            away = tuple(Presence(away=True) if at == seat else each for at, each in enumerate(here))
            gone = replace(self.current, times=replace(self.current.times, presence=away))
            for current, was in ((gone, here), (self.current, away)):
                self.received.append(delta(current, 0, [], was).SerializeToString(deterministic=True))


def _timing(change: Change) -> object:
    return change.seats, change.idle, change.gated, change.lead_pause, change.settle
