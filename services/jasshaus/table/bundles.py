"""How what a commit made happen is stored, and read again for whoever missed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jasshaus.api.internal.v1 import store_pb2
from jasshaus.api.table.v1 import table_pb2

FORMAT: Final = 1
_SEATS: Final = range(4)
_NOTHING: Final = ((), (), (), ())


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a commit made happen: what all are told, and what each of four seats is told besides.

    `nonce` is the commit's; see `history`. One that is not readable was written by another release in a
    format of its own: its place in the history is known, but not what happened.
    """

    version: int
    nonce: bytes
    shared: Sequence[table_pb2.TableEvent]
    own: Sequence[Sequence[table_pb2.TableEvent]]
    readable: bool = True

    def events_for(self, seat: int | None) -> Sequence[table_pb2.TableEvent]:
        """Return the events as a seat, or a spectator, may know them."""
        return self.shared if seat is None else [*self.shared, *self.own[seat]]


def encode(bundle: Bundle) -> bytes:
    """Return a bundle as a serialized EventBundle."""
    record = store_pb2.EventBundle(
        format=FORMAT,
        version=bundle.version,
        nonce=bundle.nonce,
        events=bundle.shared,
        seats=[
            store_pb2.SeatEvents(seat=seat, events=bundle.own[seat]) for seat in _SEATS if bundle.own[seat]
        ],
    )
    return record.SerializeToString(deterministic=True)


def decode(raw: bytes) -> Bundle:
    """Return the bundle of a serialized EventBundle."""
    record = store_pb2.EventBundle.FromString(raw)
    if record.format != FORMAT:
        return Bundle(record.version, record.nonce, (), _NOTHING, readable=False)
    own = {each.seat: each.events for each in record.seats}
    return Bundle(record.version, record.nonce, record.events, [own.get(seat, ()) for seat in _SEATS])
