"""Tables that are decided upon in memory and never stored."""

from __future__ import annotations

from uuid import UUID

from jasshaus.rules.core.options import rule_set
from jasshaus.table.decide import Begin, Change, Command, DeckNeeded, Play, decide
from jasshaus.table.entropy import from_seed
from jasshaus.table.stand_in import choose
from jasshaus.table.table import Money, Pace, Seat, Status, Table, Unreadable, awaited
from table.harness import PLAYERS

#: No two figures alike, so that a test sees which of them was taken; in milliseconds but for `away_after`.
PACE = Pace(
    turn=30_000,
    weis=15_000,
    away=1_000,
    away_after=2,
    lead_pause=1_500,
    trick_pause=2_000,
    idle_limit=900_000,
    keep=86_400_000,
)


#: Presets and options that differ in what players see and decide.
TABLES: list[tuple[str, dict[str, object]]] = [
    ("schieber-classic", {"target": 600}),
    ("schieber-classic", {"target": 600, "live_points": False, "weis_when": "own_first_card"}),
    ("schieber-classic", {"target": 600, "weis_award": "team_all", "claim_counts_unplayed_stoeck": True}),
    ("schieber-3000", {"target": 800, "schneider_below": 400}),
    ("schieber-partner", {"target": 600}),
    ("differenzler-classic", {"rounds": 2}),
    ("differenzler-classic", {"rounds": 2, "announcements": "open"}),
    ("differenzler-swisslos", {"rounds": 2, "live_points": False, "first_forehand": "rose7"}),
]


def empty(preset: str = "schieber-classic", **options: object) -> Table:
    """Return a table before its first deal."""
    return Table(
        table_id=UUID(int=1),
        game_id=UUID(int=2),
        tenant="default",
        version=0,
        status=Status.PLAYING,
        seats=tuple(Seat(player) for player in PLAYERS),
        preset=preset,
        rules=rule_set(preset, options),
        stake=Money("CHF", 100),
        pace=PACE,
        match=Unreadable(b""),
        outcome=None,
        created_by=b"digest",
    )


def begun(preset: str = "schieber-classic", *, seed: int = 7, **options: object) -> Table:
    """Return a table with the first deal dealt."""
    return do(empty(preset, **options), Begin(), seed).table


def do(table: Table, command: Command, seed: int = 7) -> Change:
    """Decide, with a deck drawn from the seed where one is needed."""
    try:
        return decide(table, command)
    except DeckNeeded as needed:
        return decide(table, command, from_seed(seed)(needed.deal))


def advance(table: Table) -> Change:
    """Take one decision, as the stand-in would, for the seat that is asked first."""
    seat = awaited(table)[0].seat
    assert seat is not None
    assert not isinstance(table.match, Unreadable)
    return do(table, Play(seat, choose(table.match, seat)))
