"""One stream: what its watcher has, what it lacks, and the messages that close the gap.

Nothing is queued but the bundles not sent yet, and no more of those than `BEHIND`: who is slower gets the
whole table again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from jasshaus.api.table.v1 import table_pb2
from jasshaus.platform.errors import Fault
from jasshaus.table.bundles import Bundle
from jasshaus.table.history import ResumePoint, resume_token
from jasshaus.table.table import Presences
from jasshaus.table.tables import Current
from jasshaus.table.views import table_view

BEHIND: Final = 64
Message = table_pb2.WatchTableResponse


@dataclass(frozen=True, slots=True)
class StreamKey:
    """Whose stream it is: a newer one of the same key ends the older."""

    player_id: str
    device: str


@dataclass(slots=True, eq=False)
class Watcher:
    """One stream of one seat. `version` is what it has; `stamp` orders streams across replicas."""

    key: StreamKey
    seat: int
    current: Current
    version: int
    stamp: tuple[int, str]
    presence: Presences
    missed: list[Bundle] = field(default_factory=list)
    whole: bool = False
    reset: bool = False
    retimed: bool = False
    replaced: bool = False
    fault: Fault | None = None
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, current: Current, bundles: Sequence[Bundle]) -> None:
        """Take note of a table that has moved on by these bundles (older ones among them do not matter)."""
        new = [bundle for bundle in bundles if bundle.version > self._noted]
        self.current = current
        if not new:
            self.retimed = True
        elif new[0].version != self._noted + 1 or len(self.missed) + len(new) > BEHIND:
            self.be_shown(current, reset=False)
        else:
            self.missed.extend(new)
        self.wake.set()

    def be_shown(self, current: Current, *, reset: bool) -> None:
        """Take note that the whole table must be sent, with `reset` because its history is another one."""
        self.current = current
        self.missed.clear()
        self.whole = True
        self.reset = self.reset or reset
        self.wake.set()

    @property
    def _noted(self) -> int:
        if self.whole:
            return self.current.table.version
        return self.missed[-1].version if self.missed else self.version

    def next_message(self) -> Message | None:
        """Return what brings the watcher up to date, or None when it is."""
        message = None
        if self.whole:
            message = snapshot(self.current, self.seat, reset=self.reset)
        elif self.missed or self.retimed:
            message = delta(self.current, self.seat, self.missed, self.presence)
        if message is not None:
            self.version, self.presence = self.current.table.version, self.current.times.presence
            self.missed, self.whole, self.reset, self.retimed = [], False, False, False
        return message


def snapshot(current: Current, seat: int, *, reset: bool) -> Message:
    """Return the whole table as a message."""
    return Message(
        snapshot=Message.Snapshot(
            view=table_view(current.table, seat, current.times), resume_token=token(current), reset=reset
        )
    )


def delta(
    current: Current,
    seat: int,
    bundles: Sequence[Bundle],
    presence: Presences | None = None,
) -> Message:
    """Return what happened as a message.

    `presence` is what its watcher was last shown: presence is no part of the history, so who left or came
    back since is told by the difference, and not at all to one that takes up the thread (None).
    """
    message = Message(
        delta=Message.Delta(view=table_view(current.table, seat, current.times), resume_token=token(current))
    )
    told = [event for bundle in bundles for event in bundle.events_for(seat)]
    moves = _presence_events(current, presence or current.times.presence)
    # With the last version, and before what the stand-in did there.
    last = next((at for at, event in enumerate(told) if event.version == current.table.version), len(told))
    message.delta.events.extend((*told[:last], *moves, *told[last:]))
    return message


def _presence_events(current: Current, before: Presences) -> list[table_pb2.TableEvent]:
    moves = []
    for seat, (was, now) in enumerate(zip(before, current.times.presence, strict=True)):
        if was.away != now.away:
            event = table_pb2.TableEvent(version=current.table.version)
            event.presence_changed.seat, event.presence_changed.away = seat, now.away
            moves.append(event)
    return moves


def token(current: Current) -> bytes:
    """Return the token that resumes after this version."""
    return resume_token(ResumePoint(current.table.version, current.nonce))
