"""Encodes tricks and numbers by seat, which both games store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jasshaus.api.internal.v1 import store_pb2
from jasshaus.rules.core.tricks import Trick


def trick_records(tricks: Iterable[Trick]) -> list[store_pb2.TrickRecord]:
    """Return complete tricks as records."""
    return [
        store_pb2.TrickRecord(
            leader=trick.leader, cards=trick.cards, winner=trick.winner, points=trick.points
        )
        for trick in tricks
    ]


def read_tricks(records: Iterable[store_pb2.TrickRecord]) -> tuple[Trick, ...]:
    """Return the complete tricks of records. Raises ValueError when one has not four cards."""
    return tuple(Trick(each.leader, by_seat(each.cards), each.winner, each.points) for each in records)


def by_seat(numbers: Sequence[int]) -> tuple[int, int, int, int]:
    """Return four numbers. Raises ValueError for more or fewer."""
    first, second, third, fourth = numbers
    return first, second, third, fourth
