"""The demo's players in a Differenzler, without a server: what they read of a view is what the rules say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from jasshaus.cli.demo.differenzler import read_view
from jasshaus.cli.demo.players import choose
from jasshaus.rules import differenzler, registry
from jasshaus.rules.core.decisions import LegalActions
from jasshaus.rules.differenzler import Announce
from jasshaus.rules.differenzler import View as DifferenzlerView
from jasshaus.rules.schieber import PlayCard
from jasshaus.table.decide import Play, Timeout
from jasshaus.table.table import Status, Table, Unreadable
from jasshaus.table.views import Times, table_view
from table.unstored import begun, do

VARIANTS = [
    ("differenzler-classic", {"rounds": 2}),
    ("differenzler-classic", {"rounds": 2, "announcements": "open"}),
    ("differenzler-swisslos", {"rounds": 2, "live_points": False, "first_forehand": "rose7"}),
]


def play(preset: str, options: dict[str, object], seed: int, order: Sequence[int] = (0, 1, 2, 3)) -> Table:
    """Play a match, asking the seats in this order each time."""
    table = begun(preset, seed=seed, **options)
    while table.status is Status.PLAYING:
        views = ((seat, table_view(table, seat, Times(now=0))) for seat in order)
        seat, action = next((seat, action) for seat, view in views if (action := choose(view)) is not None)
        command = (
            Announce(seat, action.announce_points.points)
            if action.HasField("announce_points")
            else PlayCard(seat, action.play_card.card - 1)
        )
        table = do(table, Play(seat, command), seed).table
    return table


@pytest.mark.parametrize(("preset", "options"), VARIANTS)
def test_a_view_on_the_wire_is_the_rules_view(preset: str, options: dict[str, object]) -> None:
    table, compared = begun(preset, seed=5, **options), 0
    while table.status is Status.PLAYING:
        assert not isinstance(table.match, Unreadable)
        for seat in range(4):
            seen = registry.view(table.match, seat)
            assert isinstance(seen, DifferenzlerView)
            assert seen.legal is not None
            legal = LegalActions(can_announce=seen.legal.can_announce, cards=seen.legal.cards)
            bare = replace(seen, legal=legal, pending=(), last_deal=None)
            # The points of a trick are the sum of its cards'; who plays does not need them.
            bare = replace(bare, tricks=tuple(replace(trick, points=None) for trick in seen.tricks))
            assert read_view(table_view(table, seat, Times(now=0))) == bare
            compared += 1
        seat_asked = registry.pending(table.match)[0].seat
        assert seat_asked is not None
        table = do(table, Timeout(seat_asked), 5).table
    assert compared > 200


@pytest.mark.parametrize(("preset", "options"), VARIANTS)
def test_the_order_in_which_players_are_asked_changes_nothing(
    preset: str, options: dict[str, object]
) -> None:
    forwards, backwards = play(preset, options, 7), play(preset, options, 7, order=(3, 2, 1, 0))
    assert isinstance(forwards.match, differenzler.Match)
    assert forwards.match == backwards.match
    assert forwards.outcome == backwards.outcome
    assert play(preset, options, 8).match != forwards.match
