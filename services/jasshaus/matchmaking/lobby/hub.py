"""A replica's state of one tenant's lobby: its board, its watchers, and changes not sent yet.

Nothing here does IO: `feed` reads, and passes the results in.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from jasshaus.matchmaking.domain import GameView, Status
from jasshaus.matchmaking.lobby.board import Board, Notice, visible

MAX_PENDING: Final = 500
"""How many games may wait for one stream."""
_UNUSED_SECONDS: Final = 60.0


@dataclass(slots=True, eq=False)
class Watcher:
    """One stream. Pending changes are kept per game, latest only; too many become a snapshot."""

    player: str | None
    stale: bool = True
    shown: dict[UUID, tuple[int, int]] = field(default_factory=dict)
    """The games it has, with version and face of the last message about each."""
    pending: dict[UUID, Notice] = field(default_factory=dict)
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def offer(self, notice: Notice) -> None:
        """Queue a change for the stream, replacing an earlier one of the same game."""
        self.pending[notice.game_id] = notice
        if len(self.pending) > MAX_PENDING:
            self.expire()
        self.wake.set()

    def expire(self) -> None:
        """Restart the stream with a snapshot."""
        self.stale = True
        self.pending.clear()
        self.wake.set()

    def wants(self, notice: Notice) -> bool:
        """Whether to send it: nothing twice; a game that leaves the stream is sent a last time."""
        if notice.view.game.status is Status.OPENING or _deserted(notice.view):
            return False
        version, before = self.shown.get(notice.game_id, (0, None))
        if notice.version < version:
            # Read before what was sent last.
            return False
        if visible(notice.view, self.player):
            self.shown[notice.game_id] = (notice.version, notice.face)
            return before != notice.face
        return self.shown.pop(notice.game_id, None) is not None


def _deserted(view: GameView) -> bool:
    """Whether the last player has just left, and the game is about to be closed."""
    return view.game.status is Status.OPEN and not view.seats


@dataclass(slots=True, eq=False)
class Reading:
    """A board being read, or complete, at a revision: it includes everything up to that."""

    began: float
    revision: int = 0
    board: Board = field(default_factory=Board)
    later: list[Notice | UUID] = field(default_factory=list)
    """Games received while it was being read (an id: there is no such game)."""


@dataclass(slots=True, eq=False)
class Hub:
    """A replica's state of a tenant's lobby: its watchers, its open games, and recent changes."""

    watchers: set[Watcher] = field(default_factory=set)
    used_at: float = field(default_factory=time.monotonic)
    revision: int | None = None
    """The latest change notified."""
    changed: set[UUID] = field(default_factory=set)
    board: Board | None = None
    """Current except for `changed`; None if unknown."""
    reached: int = 0
    """The latest change that was sent or read."""
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    reading: Reading | None = None
    task: asyncio.Task[Reading] | None = None
    kept: Reading | None = None
    """Read without a subscription: nothing keeps it current."""
    suspect: int | None = None
    """The revision at which the last comparison found a later one missing."""

    def expire(self) -> None:
        """Drop everything: an unknown change was missed."""
        self.changed.clear()
        self.unplug()
        for watcher in self.watchers:
            watcher.expire()

    def unplug(self) -> None:
        """Drop what nothing keeps current any more."""
        self.board = self.reading = self.kept = None
        self._move()

    def take(self, news: Notice | UUID) -> None:
        """Distribute a changed game as read; its id if there is no such game."""
        if self.reading is not None:
            self.reading.later.append(news)
        if self.board is not None:
            put(self.board, news)
        if isinstance(news, Notice):
            for watcher in self.watchers:
                watcher.offer(news)

    def reach(self, revision: int) -> None:
        """Record that every change up to a revision has been sent or read."""
        self.reached = max(self.reached, revision)
        self._move()

    def _move(self) -> None:
        self.moved.set()
        self.moved = asyncio.Event()

    @property
    def deaf(self) -> bool:
        """Whether nobody would notice changes: new callers read everything first."""
        return not self.watchers and self.board is None and self.reading is None

    @property
    def idle(self) -> bool:
        """Whether nobody has used it for a while."""
        return not self.watchers and time.monotonic() - self.used_at > _UNUSED_SECONDS


def put(board: Board, news: Notice | UUID) -> None:
    """Update a board with a game as read (see `Hub.take`)."""
    if isinstance(news, Notice):
        board.put(news)
    else:
        board.drop(news)
