"""The demo's players against the rules themselves, without a server: whole matches, view by view."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from jasshaus.api.table.v1.table_pb2 import Action
from jasshaus.cli.demo.players import choose
from jasshaus.contracts.rules import contract_from_proto
from jasshaus.rules.registry import view as rules_view
from jasshaus.rules.schieber import ChooseContract, Claim, Command, DeclareWeis, PlayCard, Push
from jasshaus.table.decide import Play
from jasshaus.table.table import Decision, Presence, Status, Table
from jasshaus.table.times import Times
from jasshaus.table.views import table_view
from table.unstored import begun, do

PRESETS = ("schieber-classic", "schieber-3000", "schieber-partner")


def command_of(table: Table, seat: int, action: Action) -> Command:
    match action.WhichOneof("action"):
        case "push":
            return Push(seat)
        case "choose_contract":
            return ChooseContract(seat, contract_from_proto(action.choose_contract.contract))
        case "declare_weis":
            legal = rules_view(table.match, seat).legal  # type: ignore[arg-type]
            assert legal is not None
            assert len(action.declare_weis.weis) == len(legal.weis_recommended)
            return DeclareWeis(seat, legal.weis_recommended)
        case "play_card":
            return PlayCard(seat, action.play_card.card - 1)
        case "claim":
            return Claim(seat)
        case other:
            raise AssertionError(other)


def play(preset: str, target: int, seed: int, order: Sequence[int] = (0, 1, 2, 3)) -> list[tuple[int, str]]:
    """Play a match, asking the seats in this order each time; returns what was done, and the result."""
    options = {"schneider_below": target // 2} if preset == "schieber-3000" else {}
    table = begun(preset, seed=seed, target=target, **options)
    done: list[tuple[int, str]] = []
    while table.status is Status.PLAYING:
        for seat in order:
            action = choose(table_view(table, seat, Times(now=0)))
            if action is not None:
                break
        else:
            raise AssertionError("nobody does anything")
        done.append((seat, str(action)))
        table = do(table, Play(seat, command_of(table, seat, action)), seed).table
    assert table.outcome is not None
    done.append((table.outcome.winning_seats[0], f"{table.outcome.decision} {table.outcome.points}"))
    return done


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(8))
def test_every_match_is_played_to_its_end_without_a_false_claim(preset: str, seed: int) -> None:
    *_, (_, result) = play(preset, 600, seed)
    assert Decision.FALSE_CLAIM not in result


def test_some_matches_end_by_a_claim() -> None:
    results = [play("schieber-classic", 500, seed)[-1][1] for seed in range(12)]
    assert any(result.startswith(Decision.CLAIM) for result in results)


def test_some_hands_are_pushed_and_some_weis_declared() -> None:
    said = {action for seed in range(4) for _, action in play("schieber-classic", 500, seed)}
    assert any("push" in action for action in said)
    assert any("combination" in action or "cards" in action for action in said if "declare_weis" in action)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_plays_the_same_match(preset: str) -> None:
    assert play(preset, 500, 7) == play(preset, 500, 7)
    assert play(preset, 500, 7) != play(preset, 500, 8)


@pytest.mark.parametrize("preset", PRESETS)
def test_who_is_asked_first_changes_nothing_but_the_order_of_declarations(preset: str) -> None:
    forwards, backwards = play(preset, 500, 7), play(preset, 500, 7, order=(3, 2, 1, 0))
    assert sorted(forwards) == sorted(backwards)
    assert forwards[-1] == backwards[-1]


def test_a_seat_that_is_away_comes_back() -> None:
    away = (Presence(), Presence(), Presence(away=True), Presence())
    action = choose(table_view(begun(target=500), 2, Times(now=0, presence=away)))
    assert action is not None
    assert action.WhichOneof("action") == "come_back"


def test_a_spectators_view_asks_for_nothing() -> None:
    table = begun(target=500)
    assert choose(table_view(table, None, Times(now=0))) is None
