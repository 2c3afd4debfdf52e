"""Parts of a view shared by all games: tricks as a viewer sees them, and a deal without the others' cards.

A viewer is a seat 0..3, or None for a spectator.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from jasshaus.rules.core.events import DealStarted
from jasshaus.rules.core.tricks import Trick


@dataclass(frozen=True, slots=True)
class SeenTrick:
    """A completed trick of this deal; `points` is None where the table shows no points during a deal."""

    leader: int
    cards: tuple[int, ...]  # four, in order of play from `leader` on
    winner: int
    points: int | None


def seen_tricks(tricks: tuple[Trick, ...], *, points: bool) -> tuple[SeenTrick, ...]:
    """Return the completed tricks of a deal as visible to all, with their points if `points`."""
    return tuple(
        SeenTrick(trick.leader, trick.cards, trick.winner, trick.points if points else None)
        for trick in tricks
    )


def own_hand(event: DealStarted, viewer: int | None) -> DealStarted:
    """Return a deal with the viewer's own hand only, with none for a spectator."""
    seen = [hand if seat == viewer else 0 for seat, hand in enumerate(event.hands)]
    return replace(event, hands=(seen[0], seen[1], seen[2], seen[3]))
