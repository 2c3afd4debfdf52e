"""The witness of a storm finds nothing at a sound table, and what is wrong with the others."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from faults.chronicle import Chronicle
from faults.findings import Findings
from faults.witness import Witness
from jasshaus.api.table.v1.table_pb2 import TableEvent, WatchTableResponse
from jasshaus.table.bundles import Bundle
from jasshaus.table.bundles import decode as decode_bundle
from jasshaus.table.decide import Begin, DeckNeeded, decide
from jasshaus.table.entropy import from_seed
from jasshaus.table.stand_in import time_out
from jasshaus.table.table import Status, Table, awaited
from jasshaus.table.tables import Current, prepare
from jasshaus.table.times import Times
from jasshaus.table.watcher import delta, snapshot
from table.secrecy import NONCE
from table.unstored import empty

Updates = list[WatchTableResponse]
HIDDEN = ("differenzler-classic", {"rounds": 2, "exact_bonus": 10})
OPEN = ("differenzler-classic", {"rounds": 1, "announcements": "open"})
SCHIEBER = ("schieber-classic", {"target": 100})


def streams(preset: str, options: dict[str, object]) -> list[Updates]:
    """What the four seats are sent of a match that stand-ins play; several versions at once, now and then."""
    chance = random.Random(3)
    table: Table = empty(preset, **options)
    current = Current(table, b"", b"", Times(0))
    sent: list[Updates] = [[], [], [], []]
    missed: list[list[Bundle]] = [[], [], [], []]
    while table.status is Status.PLAYING:
        command = time_out(table, awaited(table)[0].seat or 0) if table.version else Begin()
        try:
            change = decide(table, command)
        except DeckNeeded as needed:
            change = decide(table, command, from_seed(5)(needed.deal))
        commit = prepare(current, change, None, NONCE)
        table = change.table
        current = Current(table, commit.etag, NONCE, Times(0))
        bundle = decode_bundle(commit.bundle)
        for seat in range(4):
            if table.version == 1:
                sent[seat].append(snapshot(current, seat, reset=False))
                continue
            missed[seat].append(bundle)
            if chance.random() < 0.7 or table.status is not Status.PLAYING:
                sent[seat].append(delta(current, seat, missed[seat]))
                missed[seat] = []
    return sent


def watch(sent: list[Updates]) -> Findings:
    findings, chronicle = Findings(), Chronicle()
    for seat, updates in enumerate(sent):
        witness = Witness(f"seat {seat}", findings, chronicle)
        for update in updates:
            witness.see(update.snapshot if update.HasField("snapshot") else update.delta)
    return findings


def events(updates: Updates, kind: str) -> Iterator[TableEvent]:
    for update in updates:
        yield from (event for event in update.delta.events if event.HasField(kind))


@pytest.mark.parametrize(("preset", "options"), [HIDDEN, OPEN, SCHIEBER])
def test_a_sound_table_is_found_sound(preset: str, options: dict[str, object]) -> None:
    findings = watch(streams(preset, options))
    assert findings.wrong == []
    assert findings.counts["deltas"] > 100
    if preset != SCHIEBER[0]:
        assert findings.counts["rounds heard"] == 4 * int(str(options["rounds"]))


def own_announcement(sent: list[Updates], seat: int) -> TableEvent:
    return next(events(sent[seat], "own_announcement"))


def tell_a_hidden_announcement(sent: list[Updates]) -> None:
    own = own_announcement(sent, 1)
    other = next(event for event in events(sent[0], "points_announced") if event.version == own.version)
    other.points_announced.points = own.own_announcement.points


def show_a_hidden_announcement(sent: list[Updates]) -> None:
    views = (update.delta.view for update in sent[0])
    announced = next(view.differenzler.announcements for view in views if view.differenzler.announcements)
    for each in announced:
        each.points = 20


def keep_an_own_announcement_back(sent: list[Updates]) -> None:
    own = own_announcement(sent, 2)
    delta = next(update.delta for update in sent[2] if own in update.delta.events)
    delta.events.remove(own)


def score_another_announcement(sent: list[Updates]) -> None:
    scored = next(events(sent[3], "deal_scored")).deal_scored
    scored.announced[3] += 1


def penalise_another(sent: list[Updates]) -> None:
    scored = next(events(sent[0], "deal_scored")).deal_scored
    scored.score[0], scored.score[1] = scored.score[1] + 1, scored.score[0]


def leave_a_version_out(sent: list[Updates]) -> None:
    del sent[0][20]


def tell_one_seat_another_story(sent: list[Updates]) -> None:
    played = next(events(sent[0], "card_played")).card_played
    played.by_stand_in = not played.by_stand_in


@pytest.mark.parametrize(
    "tamper",
    [
        tell_a_hidden_announcement,
        show_a_hidden_announcement,
        keep_an_own_announcement_back,
        score_another_announcement,
        penalise_another,
        leave_a_version_out,
        tell_one_seat_another_story,
    ],
)
def test_what_is_wrong_is_found(tamper: Callable[[list[Updates]], None]) -> None:
    sent = streams(*HIDDEN)
    tamper(sent)
    assert watch(sent).wrong
