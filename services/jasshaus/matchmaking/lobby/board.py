"""One tenant's open games as cached by a replica, in order, each encoded once; no IO."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from jasshaus.matchmaking import codec
from jasshaus.matchmaking.domain import SEATS, GameView, SeatState, Status
from jasshaus.rules.core.options import Variant

_OPEN: Final = "open"


@dataclass(frozen=True, slots=True)
class Notice:
    """A game as sent to players, encoded once for all of them.

    `order`: its place among the games; `message`: encoded; `face`: hash of everything in it that may change.
    """

    view: GameView
    game_id: UUID
    version: int
    order: str
    face: int
    message: bytes

    @classmethod
    def of(cls, view: GameView) -> Notice:
        """Return a view's notice."""
        game, message = view.game, codec.game_to_proto(view).SerializeToString()
        return cls(view, game.game_id, view.version, game.terms.order, face(view), message)


class Board:
    """Open games with at least one player; put in any game as read, and those not open are dropped."""

    def __init__(self) -> None:
        self._notices: dict[UUID, Notice] = {}
        self._placed: dict[str, Notice] = {}
        # Ascending. `_OPEN`: all of them, a variant or None: those with a free seat.
        self._orders: dict[Variant | str | None, list[str]] = {key: [] for key in (_OPEN, None, *Variant)}

    def __len__(self) -> int:
        """How many games there are."""
        return len(self._notices)

    def put(self, notice: Notice) -> None:
        """Add or update a game; a state older than the known one is ignored."""
        known = self._notices.get(notice.game_id)
        if known is not None and notice.version < known.version:
            return
        before, after = _lists(known), _lists(notice)
        for key in before - after:
            _remove(self._orders[key], notice.order)
        for key in after - before:
            insort(self._orders[key], notice.order)
        if after:
            self._notices[notice.game_id] = self._placed[notice.order] = notice
        elif known is not None:
            del self._notices[known.game_id], self._placed[known.order]

    def drop(self, game_id: UUID) -> None:
        """Remove a game that no longer exists anywhere."""
        known = self._notices.pop(game_id, None)
        if known is not None:
            del self._placed[known.order]
            for key in _lists(known):
                _remove(self._orders[key], known.order)

    def page(self, variant: Variant | None, size: int, after: str) -> tuple[list[Notice], str]:
        """Return games with a free seat, newest first, after `after`, and the next page's `after`."""
        orders = self._orders[variant]
        end = bisect_left(orders, after) if after else len(orders)
        start = max(0, end - size)
        found = [self._placed[order] for order in reversed(orders[start:end])]
        return found, found[-1].order if start > 0 else ""

    def newest(self, limit: int) -> list[Notice]:
        """Return that many open games, including full ones, newest first."""
        return [self._placed[order] for order in reversed(self._orders[_OPEN][-limit:])]

    def rows(self) -> Iterator[tuple[UUID, int]]:
        """Yield each game with the version of the row it was read from."""
        for game_id, notice in self._notices.items():
            yield game_id, notice.view.game.changes


def visible(view: GameView, player: str | None) -> bool:
    """Return True if a player watches a game: open ones, and their own until they are over."""
    match view.game.status:
        case Status.OPEN:
            # An empty game is about to be closed.
            return bool(view.seats)
        case Status.STARTING | Status.PLAYING:
            return player is not None and view.has(player)
        case Status.OPENING | Status.FINISHED | Status.CLOSED | Status.VOIDED:
            return False


def face(view: GameView) -> int:
    """Return the hash of everything in a game's message that may change."""
    game = view.game
    seats = tuple((seat.seat, seat.player, seat.state is SeatState.RESERVED) for seat in view.seats)
    return hash((game.status, game.quote, game.table_id, game.result, seats))


def _lists(notice: Notice | None) -> set[Variant | str | None]:
    if notice is None or not visible(notice.view, None):
        return set()
    if len(notice.view.seats) == len(SEATS):
        return {_OPEN}
    return {_OPEN, None, notice.view.game.terms.rules.variant}


def _remove(orders: list[str], order: str) -> None:
    del orders[bisect_left(orders, order)]
