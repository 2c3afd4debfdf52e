"""Whole matches over real sockets: played, paid, and the books compared."""

from __future__ import annotations

import pytest

from jasshaus.api.common.v1.rules_pb2 import Announcements, RuleSet
from jasshaus.api.table.v1.table_pb2 import Action, Decision, TableView
from jasshaus.cli.demo import audit
from jasshaus.cli.demo.players import choose as play_well
from jasshaus.client import actions

from .conftest import STAKE, House


@pytest.mark.parametrize("preset", ["schieber-classic", "schieber-partner"])
async def test_a_match_is_played_to_the_end_and_the_winners_are_paid(house: House, preset: str) -> None:
    party = await house.seat_four(preset=preset)
    views = await house.play(party)
    assert len({view.outcome.SerializeToString() for view in views}) == 1
    books = await house.books(party, views[0])
    assert audit.disagreements(books) == []
    assert sorted(audit.paid(books).values()) == [0, 0, 390, 390]


async def test_the_longest_rule_set(house: House) -> None:
    # schneider_below may not be above the target, hence the whole distance.
    party = await house.seat_four(preset="schieber-3000", target=3000)
    views = await house.play(party)
    assert audit.disagreements(await house.books(party, views[0])) == []


@pytest.mark.parametrize(
    ("preset", "announcements"),
    [
        ("differenzler-classic", Announcements.ANNOUNCEMENTS_HIDDEN),
        ("differenzler-classic", Announcements.ANNOUNCEMENTS_OPEN),
        ("differenzler-swisslos", Announcements.ANNOUNCEMENTS_HIDDEN),
    ],
)
async def test_a_differenzler_is_played_to_the_end_and_its_winner_takes_all(
    house: House, preset: str, announcements: Announcements.ValueType
) -> None:
    party = await house.seat_four(preset=preset, overrides=RuleSet(announcements=announcements, rounds=2))
    assert party.game.quote.net.minor_units == 780
    views = await house.play(party)
    outcome = views[0].outcome
    assert {view.outcome.SerializeToString() for view in views} == {outcome.SerializeToString()}
    assert outcome.decision == Decision.DECISION_ROUNDS
    assert [outcome.points[seat] for seat in outcome.winning_seats] == [min(outcome.points)]
    books = await house.books(party, views[0])
    assert audit.disagreements(books) == []
    assert sorted(audit.paid(books).values()) == [0, 0, 0, 780]


async def test_an_odd_pot_is_split_to_the_last_unit(house: House) -> None:
    party = await house.seat_four(stake=101, target=100)
    views = await house.play(party)
    books = await house.books(party, views[0])
    assert audit.disagreements(books) == []
    assert sorted(audit.paid(books).values()) == [0, 0, 197, 197]
    assert views[0].outcome.fee.minor_units == 10


async def test_a_match_without_a_stake_moves_no_money(house: House) -> None:
    party = await house.seat_four(stake=0, target=100)
    views = await house.play(party)
    books = await house.books(party, views[0])
    assert books.pot is None
    assert audit.disagreements(books) == []
    assert set(audit.paid(books).values()) == {0}


async def test_a_false_claim_loses_the_pot(house: House) -> None:
    def bluff(view: TableView) -> Action | None:
        return actions.claim() if view.legal_actions.claim else play_well(view)

    party = await house.seat_four(target=10_000)
    views = await house.play(party, [bluff, play_well, bluff, play_well])
    outcome = views[0].outcome
    assert outcome.decision == Decision.DECISION_FALSE_CLAIM
    assert list(outcome.winning_seats) == [1, 3]
    books = await house.books(party, views[0])
    assert audit.disagreements(books) == []
    assert (
        books.after[party.players[0]].available.minor_units
        == party.before[party.players[0]].available.minor_units - STAKE
    )


async def test_a_right_claim_wins_the_pot(house: House) -> None:
    party = await house.seat_four(target=100)
    views = await house.play(party)
    assert views[0].outcome.decision in (
        Decision.DECISION_CLAIM,
        Decision.DECISION_WEIS,
        Decision.DECISION_TRICK,
    )
    assert audit.disagreements(await house.books(party, views[0])) == []


async def test_the_operator_ends_a_match_and_the_stakes_come_back(house: House) -> None:
    party = await house.seat_four(target=1000)
    table_id = await party.table_id()
    await house.operator.table.abort_table(table_id, "test")
    views = await house.play(party)
    assert views[0].outcome.decision == Decision.DECISION_ABORTED
    for name, client in zip(party.players, party.clients, strict=True):
        assert await client.wallet.get_balance("CHF") == party.before[name]
