"""A view on the wire is the rules' view: read back, nothing is missing that a player needs to decide."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jasshaus.api.common.v1 import card_pb2
from jasshaus.api.table.v1 import table_pb2
from jasshaus.bots import BOTS
from jasshaus.client import actions
from jasshaus.contracts.views import action_of, view_from_proto
from jasshaus.rules import differenzler, registry, schieber
from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.view import SeenTrick
from jasshaus.rules.core.weis import Weis, WeisKind
from jasshaus.table.decide import Play
from jasshaus.table.table import Status, Unreadable
from jasshaus.table.times import Times
from jasshaus.table.views import table_view
from table.unstored import TABLES, begun, do


def without_points(tricks: tuple[SeenTrick, ...]) -> tuple[SeenTrick, ...]:
    return tuple(replace(trick, points=None) for trick in tricks)


def needed(seen: registry.View, kind: registry.PendingKind | None) -> registry.View:
    """Leave out what nobody needs to decide; a list that all may know in any order comes in one order."""
    legal = seen.legal
    assert legal is not None
    if kind is not registry.PendingKind.CARD:
        legal = replace(legal, illegal={})
    tricks = without_points(seen.tricks)
    if isinstance(seen, differenzler.View):
        return replace(seen, tricks=tricks, legal=legal, pending=(), last_deal=None)
    return replace(
        seen,
        tricks=tricks,
        legal=legal,
        pending=(),
        last_deal=None,
        notices=tuple(told if told is None else tuple(sorted(told, key=str)) for told in seen.notices),
        weis_shown=tuple(sorted(seen.weis_shown, key=str)),
    )


@pytest.mark.parametrize(("preset", "options"), TABLES)
def test_a_view_on_the_wire_is_the_rules_view(preset: str, options: dict[str, object]) -> None:
    compared = 0
    for seed in range(3):
        table = begun(preset, seed=seed, **options)
        while table.status is Status.PLAYING:
            assert not isinstance(table.match, Unreadable)
            asked = {each.seat: each.kind for each in registry.pending(table.match)}
            for seat in range(4):
                seen = registry.view(table.match, seat)
                read = view_from_proto(table_view(table, seat, Times(now=0)))
                assert needed(read, asked.get(seat)) == needed(seen, asked.get(seat))
                compared += 1
            seat = next(seat for seat in asked if seat is not None)
            table = do(
                table, Play(seat, BOTS["random"](registry.view(table.match, seat), compared)), seed
            ).table
    assert compared > 200


def test_a_spectators_view_and_a_match_that_is_over_are_refused() -> None:
    table = begun()
    with pytest.raises(ValueError, match="spectator"):
        view_from_proto(table_view(table, None, Times(now=0)))
    over = table_view(table, 0, Times(now=0))
    over.phase = table_pb2.PHASE_OVER
    with pytest.raises(ValueError, match="over"):
        view_from_proto(over)


@pytest.mark.parametrize(
    ("command", "action"),
    [
        (schieber.Push(0), actions.push()),
        (
            schieber.ChooseContract(0, Contract.UNENUFE),
            actions.choose_contract(card_pb2.CONTRACT_UNENUFE),
        ),
        (schieber.DeclareWeis(1, ()), actions.declare_weis()),
        (
            schieber.DeclareWeis(1, (Weis(WeisKind.RUN, 0b111),)),
            actions.declare_weis([table_pb2.Weis(cards=[1, 2, 3])]),
        ),
        (schieber.PlayCard(2, 35), actions.play_card(card_pb2.Card.ValueType(36))),
        (schieber.Claim(3), actions.claim()),
        (differenzler.Announce(3, 157), actions.announce_points(157)),
    ],
)
def test_each_command_is_an_action(command: registry.Command, action: table_pb2.Action) -> None:
    assert action_of(command) == action


def test_a_deal_is_no_seats_command() -> None:
    with pytest.raises(ValueError, match="no seat's"):
        action_of(schieber.StartDeal((1, 2, 3, 4)))
