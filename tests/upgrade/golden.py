"""Golden records: a sample of everything this release stores, and beside each what it means, as text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any
from uuid import UUID

from google.protobuf.json_format import MessageToDict

from jasshaus.api.table.v1 import table_pb2
from jasshaus.matchmaking import codec as lobby_codec
from jasshaus.matchmaking.domain import Hold, Quote, Result, Seat, SeatState
from jasshaus.matchmaking.lobby.store import read_seat, write_seat
from jasshaus.rules.transcript import parse_transcript, play
from jasshaus.table import bundles, codec, history, replies
from jasshaus.table import result as results
from jasshaus.table.decide import Abort, Begin, Settled
from jasshaus.table.stand_in import time_out
from jasshaus.table.table import Decision, Money, Outcome, Presence, Status, Table, Unreadable, awaited
from jasshaus.table.tables import Current, prepare
from jasshaus.table.times import Times
from jasshaus.table.views import table_view
from jasshaus.wallet import paging
from table.unstored import do, empty

EVENT = table_pb2.TableEvent.DESCRIPTOR

FORMATS = {
    "table": list(codec.FORMATS),
    "bundle": [bundles.FORMAT],
    "result": [results.FORMAT],
}
"""What this release reads of records that carry a format number."""

_MATCHES: tuple[tuple[str, dict[str, object]], ...] = (
    ("schieber-classic", {"target": 700}),
    ("schieber-partner", {"target": 500}),
    ("differenzler-classic", {"rounds": 2}),
    ("differenzler-classic", {"rounds": 1, "announcements": "open"}),
)
_TRANSCRIPTS = Path(__file__).parents[1] / "rules" / "transcripts"
_GAME = UUID(int=0x5AFE)
_STATEMENT = ("default", "anna", "CHF")


@dataclass(frozen=True, slots=True)
class Record:
    """What is stored, as `kind`; `name` says which sample it is, `means` what it is read as."""

    kind: str
    name: str
    stored: bytes
    means: Any

    def line(self) -> str:
        row = {"kind": self.kind, "name": self.name, "stored": self.stored.hex(), "means": self.means}
        return json.dumps(row, ensure_ascii=False)


def read(line: str) -> Record:
    """Return the record of a line."""
    row = json.loads(line)
    return Record(row["kind"], row["name"], bytes.fromhex(row["stored"]), row["means"])


def records() -> Iterator[Record]:
    """Make a sample of every kind, with every status and every kind of event in it."""
    for preset, options in _MATCHES:
        yield from _of_a_match(preset, options)
    yield from _in_the_hash()
    yield from _tokens()
    yield from _of_the_lobby()
    for file in sorted(_TRANSCRIPTS.glob("*.jass")):
        yield _record("transcript", file.stem, file.read_bytes())


def meaning(kind: str, stored: bytes) -> Any:
    """Return what today's code reads a stored value as, as JSON has it."""
    return _plain(READERS[kind](stored))


def _record(kind: str, name: str, stored: bytes) -> Record:
    return Record(kind, name, stored, meaning(kind, stored))


def _of_a_match(preset: str, options: dict[str, object]) -> Iterator[Record]:
    """A record a phase and status, and a bundle a kind of event."""
    label = f"{preset}{'-open' if 'announcements' in options else ''}"
    seats = tuple(replace(each, reservation=UUID(int=9 + at)) for at, each in enumerate(empty().seats))
    current = Current(replace(empty(preset, **options), seats=seats), b"", b"", Times(0))
    seen: set[str] = set()

    def commit(after: Table, bundle: bytes) -> Iterator[Record]:
        stored = bundles.decode(bundle)
        events = [*stored.shared, *(event for own in stored.own for event in own)]
        kinds = {event.WhichOneof("event") or "" for event in events}
        if kinds - seen:
            yield _record("bundle", f"{label} {'+'.join(sorted(kinds - seen))}", bundle)
            seen.update(kinds)
        assert not isinstance(after.match, Unreadable)
        place = f"{after.status} {after.match.phase} {'later' if after.deals else 'first'} deal"
        if place not in seen:
            seen.add(place)
            yield _record("table", f"{label} {place}", codec.encode(after, b"nonce 8b"))

    def run(command: Any) -> Iterator[Record]:
        nonlocal current
        change = do(current.table, command, seed=6)
        made = prepare(current, change, None, current.table.version.to_bytes(8, "big"))
        current = Current(change.table, made.etag, b"nonce 8b", Times(0))
        yield from commit(change.table, made.bundle)
        if made.result is not None:
            ended = (1_764_000_000_000).to_bytes(results.TIME_BYTES, "big")
            yield _record("result", f"{label} {change.table.status}", ended + made.result)

    yield from run(Begin())
    while current.table.status is Status.PLAYING:
        before = current
        yield from run(time_out(current.table, awaited(current.table)[0].seat or 0))
    outcome = current.table.outcome
    assert outcome is not None
    paid = replace(outcome, payouts=(Money("CHF", 195),) * len(outcome.winning_seats), fee=Money("CHF", 10))
    yield from run(Settled(Status.FINISHED, paid))
    current = before
    yield from run(Abort("operator"))
    void = Outcome(Decision.ABORTED, abort_reason="operator")
    yield from run(Settled(Status.VOIDED, void))


def _in_the_hash() -> Iterator[Record]:
    """What the scripts keep beside a table's record."""
    presence = (Presence(), Presence(away=True, timeouts=2), Presence(timeouts=1), Presence(away=True))
    yield _record("presence", "two away", replies.presence_argument(presence).encode())
    entry = bytes(range(16)) + bytes(range(16, 32)) + (7).to_bytes(8, "big")
    yield _record("requests", "two remembered", entry + entry[::-1])


def _tokens() -> Iterator[Record]:
    yield _record("resume token", "of version 7", history.resume_token(history.ResumePoint(7, b"nonce 8b")))
    yield _record("page token", "of a statement", paging.page_token(_STATEMENT, 99).encode())


def _of_the_lobby() -> Iterator[Record]:
    for state in SeatState:
        seat = Seat(2, "anna|with a bar", _GAME, state, 1_764_000_000_000)
        yield _record("lobby seat", state.name, write_seat(seat).encode())
    quote = Quote("CHF", 200, 800, 20, 780, (390, 390), 3, 250)
    yield _record("quote", "of a stake", _json(lobby_codec.quote_to_json(quote)))
    holds = tuple(Hold(seat, f"player-{seat}", UUID(int=seat + 1)) for seat in range(4))
    yield _record("holds", "four", _json(lobby_codec.holds_to_json(holds)))
    end = datetime(2025, 11, 24, 16, tzinfo=UTC)
    paid = Result(False, (0, 2), (390, 390), 20, (1012, 800), end)
    for name, each in {"paid": paid, "voided": Result(True)}.items():
        yield _record("game result", name, _json(lobby_codec.result_to_json(each)))


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _read_table(stored: bytes) -> Any:
    """What every viewer is shown of it, and what none is."""
    table, nonce = codec.decode(stored)
    views = {str(viewer): table_view(table, viewer, Times(0)) for viewer in (None, 0, 1, 2, 3)}
    shared = MessageToDict(views.pop("None"))
    return {
        "shared": shared,
        # Of a seat's view, what differs from the shared one.
        "seats": {
            seat: {key: value for key, value in MessageToDict(view).items() if shared.get(key) != value}
            for seat, view in views.items()
        },
        "reservations": [seat.reservation for seat in table.seats],
        "tenant": table.tenant,
        "pace": table.pace,
        "created_by": table.created_by,
        "nonce": nonce,
    }


def _read_bundle(stored: bytes) -> Any:
    bundle = bundles.decode(stored)
    return {
        "version": bundle.version,
        "nonce": bundle.nonce,
        "shared": [MessageToDict(event) for event in bundle.shared],
        "own": [[MessageToDict(event) for event in own] for own in bundle.own],
    }


def _read_transcript(stored: bytes) -> Any:
    transcript = parse_transcript(stored.decode())
    match, events = play(transcript)
    return {"events": len(events), "phase": match.phase, "totals": match.totals, "outcome": match.outcome}


READERS: dict[str, Callable[[bytes], Any]] = {
    "table": _read_table,
    "bundle": _read_bundle,
    "result": results.decode_result,
    "presence": replies.read_presence,
    "requests": replies.read_requests,
    "resume token": history.read_resume_token,
    "page token": lambda stored: paging.read_page_token(stored.decode(), _STATEMENT),
    "lobby seat": lambda stored: read_seat(2, stored.decode()),
    "quote": lambda stored: lobby_codec.quote_from_json(json.loads(stored)),
    "holds": lambda stored: lobby_codec.holds_from_json(json.loads(stored)),
    "game result": lambda stored: lobby_codec.result_from_json(json.loads(stored)),
    "transcript": _read_transcript,
}


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    match value:
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case bytes():
            return value.hex()
        case Enum() | UUID() | datetime():
            return str(value)
        case _:
            return value
