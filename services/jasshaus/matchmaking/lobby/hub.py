"""What a replica knows of one tenant's lobby: its board, its watchers, and the changes they have not had.

Nothing here waits for anything: `feed` reads, and tells it.
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
    """One stream. What waits is kept once a game, the latest; too much of it becomes a snapshot."""

    player: str | None
    stale: bool = True
    shown: dict[UUID, tuple[int, int]] = field(default_factory=dict)
    """The games it has, with version and face of what was last said of each."""
    pending: dict[UUID, Notice] = field(default_factory=dict)
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def offer(self, notice: Notice) -> None:
        """Let a change wait for the stream, in place of an earlier one of the same game."""
        self.pending[notice.game_id] = notice
        if len(self.pending) > MAX_PENDING:
            self.expire()
        self.wake.set()

    def expire(self) -> None:
        """Let the stream begin anew, with a snapshot."""
        self.stale = True
        self.pending.clear()
        self.wake.set()

    def wants(self, notice: Notice) -> bool:
        """Whether the stream says it: nothing twice; a game that leaves the stream is said a last time."""
        if notice.view.game.status is Status.OPENING or _deserted(notice.view):
            return False
        version, before = self.shown.get(notice.game_id, (0, None))
        if notice.version < version:
            # Read before what was said last.
            return False
        if visible(notice.view, self.player):
            self.shown[notice.game_id] = (notice.version, notice.face)
            return before != notice.face
        return self.shown.pop(notice.game_id, None) is not None


def _deserted(view: GameView) -> bool:
    """Whether the last one has just left, and the game is about to be closed."""
    return view.game.status is Status.OPEN and not view.seats


@dataclass(slots=True, eq=False)
class Reading:
    """A board being read, or read, at a revision: nothing up to it is missing."""

    began: float
    revision: int = 0
    board: Board = field(default_factory=Board)
    later: list[Notice | UUID] = field(default_factory=list)
    """What was heard of games while it was read (an id: there is no such game)."""


@dataclass(slots=True, eq=False)
class Hub:
    """What a replica knows of a tenant's lobby: its watchers, its open games, and what changed since."""

    watchers: set[Watcher] = field(default_factory=set)
    used_at: float = field(default_factory=time.monotonic)
    revision: int | None = None
    """The last change there was word of."""
    changed: set[UUID] = field(default_factory=set)
    board: Board | None = None
    """Current but for `changed`; None when nobody can tell."""
    reached: int = 0
    """The last change that was handed out, or read."""
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    reading: Reading | None = None
    task: asyncio.Task[Reading] | None = None
    kept: Reading | None = None
    """Read while there was no subscription: nothing keeps it current."""
    suspect: int | None = None
    """The revision at which the last comparison found that there should be a later one."""

    def expire(self) -> None:
        """Let go of everything: a change was missed, and nobody can tell which."""
        self.changed.clear()
        self.unplug()
        for watcher in self.watchers:
            watcher.expire()

    def unplug(self) -> None:
        """Let go of what nothing keeps current any more."""
        self.board = self.reading = self.kept = None
        self._move()

    def take(self, news: Notice | UUID) -> None:
        """Hand out what was read of a game that changed; its id if there is no such game."""
        if self.reading is not None:
            self.reading.later.append(news)
        if self.board is not None:
            put(self.board, news)
        if isinstance(news, Notice):
            for watcher in self.watchers:
                watcher.offer(news)

    def reach(self, revision: int) -> None:
        """Note that every change up to a revision is handed out, or read."""
        self.reached = max(self.reached, revision)
        self._move()

    def _move(self) -> None:
        self.moved.set()
        self.moved = asyncio.Event()

    @property
    def deaf(self) -> bool:
        """Whether nobody would hear what changed: who comes reads everything first."""
        return not self.watchers and self.board is None and self.reading is None

    @property
    def idle(self) -> bool:
        """Whether nobody has asked for it for a while."""
        return not self.watchers and time.monotonic() - self.used_at > _UNUSED_SECONDS


def put(board: Board, news: Notice | UUID) -> None:
    """Bring a board up to date with what was read of a game (see `Hub.take`)."""
    if isinstance(news, Notice):
        board.put(news)
    else:
        board.drop(news)
