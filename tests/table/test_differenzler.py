"""Differenzler at the tables: trumps, announcements and their time, penalties, ties, the one winner."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jasshaus.api.internal.v1 import store_pb2
from jasshaus.api.table.v1 import table_pb2
from jasshaus.contracts.rules import card_from_proto, contract_from_proto
from jasshaus.platform.errors import Fault
from jasshaus.rules.core.cards import HAND_SIZE, Contract
from jasshaus.rules.differenzler import Announce, Match, PenaltiesScored, Phase
from jasshaus.table import codec
from jasshaus.table.decide import (
    Begin,
    Open,
    Play,
    Stop,
)
from jasshaus.table.events import told
from jasshaus.table.stand_in import choose, time_out
from jasshaus.table.table import Decision, Status, Table, Unreadable, awaited
from jasshaus.table.times import Times
from jasshaus.table.views import table_view
from table import unstored
from table.harness import AT_LEISURE, STAKE, Harness, Replica, closed, deciding, play_until, view_of
from table.unstored import advance, do, empty

CLASSIC = "differenzler-classic"
VARIANTS = [
    (CLASSIC, {}),
    (CLASSIC, {"announcements": "open", "rounds": 2}),
    ("differenzler-swisslos", {"tie_round_eligible": "tied_only", "exact_bonus": 10, "live_points": False}),
]


def begun(preset: str = CLASSIC, **options: object) -> Table:
    return unstored.begun(preset, **options)


def game(table: Table) -> Match:
    assert isinstance(table.match, Match)
    return table.match


def before_the_last_card(table: Table, deal: int) -> Table:
    while (game(table).deal, len(game(table).tricks), len(game(table).table)) != (deal, HAND_SIZE - 1, 3):
        table = advance(table).table
    return table


def test_hidden_announcements_have_four_timers_of_their_own() -> None:
    change = do(empty(CLASSIC), Begin())
    assert change.seats == (Open(0, 30_000),) * 4
    for seat in (2, 0, 3):
        change = do(change.table, Play(seat, Announce(seat, 40)))
        assert change.seats[seat] == Stop()
        assert [timer for other, timer in enumerate(change.seats) if other != seat] == [None] * 3
    change = do(change.table, Play(1, Announce(1, 40)))
    leader = game(change.table).leader
    assert change.seats[leader] == Open(0, 30_000)
    assert all(timer != Open(0, 30_000) for seat, timer in enumerate(change.seats) if seat != leader)


def test_open_announcements_are_asked_for_one_after_the_other() -> None:
    change = do(empty(CLASSIC, announcements="open"), Begin())
    for seat in [(game(change.table).forehand + steps) % 4 for steps in range(4)]:
        assert [each.seat for each in awaited(change.table)] == [seat]
        assert change.seats[seat] == Open(0, 30_000)
        change = do(change.table, Play(seat, Announce(seat, 40)))
    assert game(change.table).phase is Phase.PLAY


def test_the_next_deal_can_be_looked_at_before_its_announcements_are_due() -> None:
    change = advance(before_the_last_card(begun(), 1))
    assert game(change.table).deal == 2
    assert change.seats == (Open(2_000, 30_000),) * 4
    assert not change.lead_pause
    assert not advance(change.table).gated


def test_a_timeout_announces_what_the_stand_in_would() -> None:
    table = begun()
    change = do(table, time_out(table, 2))
    said = choose(game(table), 2)
    assert isinstance(said, Announce)
    told_to = told(table, change)
    (own,) = told_to.own[2]
    assert (own.version, own.own_announcement.points) == (change.table.version, said.points)
    assert [told_to.own[seat] for seat in (0, 1, 3)] == [[], [], []]
    (event,) = told_to.shared
    assert event.points_announced.by_stand_in
    assert (event.points_announced.seat, event.points_announced.HasField("points")) == (2, False)


@pytest.mark.parametrize(("preset", "options"), VARIANTS)
def test_stand_ins_play_a_match_to_its_one_winner(preset: str, options: dict[str, object]) -> None:
    table, deals = begun(preset, **options), []
    while table.status is Status.PLAYING:
        seat = awaited(table)[-1].seat
        assert seat is not None
        change = do(table, time_out(table, seat))
        table = change.table
        deals += [event for event in change.events if isinstance(event, PenaltiesScored)]
    assert len(deals) >= table.rules.rounds
    # A sound announcement: no seat is off by a whole hand deal after deal.
    assert sum(map(sum, (deal.penalties for deal in deals))) / len(deals) < 4 * 30
    assert table.outcome is not None
    assert table.outcome.decision is Decision.ROUNDS
    assert len(table.outcome.winning_seats) == 1
    assert table.outcome.points == game(table).totals
    assert change.settle
    assert change.idle == Stop()


@pytest.mark.parametrize(("preset", "options"), VARIANTS)
def test_every_state_of_a_match_survives_its_record(preset: str, options: dict[str, object]) -> None:
    table = begun(preset, **options)
    while table.status is Status.PLAYING:
        assert codec.decode(codec.encode(table, b"nonce 8b")) == (table, b"nonce 8b")
        table = advance(table).table
    assert codec.decode(codec.encode(table, b""))[0] == table


def test_replicas_of_the_release_before_are_told_that_they_cannot_read_it() -> None:
    record = store_pb2.TableRecord.FromString(codec.encode(begun(), b""))
    assert record.format == 2


def test_a_match_that_cannot_be_read_does_not_hide_its_table() -> None:
    record = store_pb2.TableRecord.FromString(codec.encode(begun(), b""))
    record.match = record.match[:-9]
    assert isinstance(codec.decode(record.SerializeToString())[0].match, Unreadable)


def tie_of_two(table: Table, options: dict[str, object]) -> tuple[Table, tuple[int, ...]]:
    """The table with one deal more, because the last one has left seats 0 and 3 level."""
    table = before_the_last_card(table, table.rules.rounds)
    scored = next(event for event in advance(table).events if isinstance(event, PenaltiesScored))
    missing = tuple((20 if seat in (0, 3) else 90) - penalty for seat, penalty in enumerate(scored.penalties))
    match = replace(game(table), totals=missing)  # type: ignore[arg-type]
    table = advance(replace(table, match=match)).table
    assert game(table).totals == (20, 90, 90, 20)
    assert (table.status, game(table).deal) == (Status.PLAYING, 1 + table.rules.rounds)
    return table, (0, 3) if options else (0, 1, 2, 3)


@pytest.mark.parametrize("options", [{}, {"tie_round_eligible": "tied_only"}])
def test_a_tie_is_one_more_deal(options: dict[str, object]) -> None:
    table, contenders = tie_of_two(begun(rounds=1, **options), options)
    view = table_view(table, 1, Times(0))
    assert tuple(view.differenzler.contenders) == contenders
    while table.status is Status.PLAYING:
        table = advance(table).table
    assert table.outcome is not None
    (winner,) = table.outcome.winning_seats
    assert winner in contenders


def test_the_view_has_trumps_and_what_the_viewer_may_know_of_the_announcements() -> None:
    table = begun()
    for seat in (1, 3):
        table = do(table, Play(seat, Announce(seat, 30 + seat))).table
    match = game(table)
    views = {viewer: table_view(table, viewer, Times(0)) for viewer in (None, 0, 1)}
    for viewer, view in views.items():
        assert view.phase == table_pb2.PHASE_ANNOUNCE
        assert card_from_proto(view.trump_card) == match.trump_card
        assert contract_from_proto(view.contract) == Contract(match.trump_card // 9)  # type: ignore[operator]
        assert view.trump_holder == view.dealer == match.dealer
        said = [
            (each.seat, each.points if each.HasField("points") else None)
            for each in view.differenzler.announcements
        ]
        assert said == [(1, None), (3, None)]
        assert view.HasField("own_announcement") == (viewer == 1)
        assert list(view.differenzler.totals) == [0, 0, 0, 0]
        assert list(view.differenzler.running) == [0, 0, 0, 0]
        assert list(view.differenzler.contenders) == [0, 1, 2, 3]
        assert deciding(view) == [0, 2]
    assert views[1].own_announcement == 31
    assert views[0].legal_actions.announce_points
    assert not views[1].legal_actions.announce_points
    assert not views[1].legal_actions.cards


def test_running_points_are_shown_where_the_table_shows_them() -> None:
    for live in (True, False):
        table = begun(live_points=live)
        while not game(table).tricks:
            table = advance(table).table
        running = table_view(table, 0, Times(0)).differenzler.running
        assert [bool(points) for points in running].count(True) <= 1
        assert len(running) == (4 if live else 0)


def test_a_scored_deal_shows_every_announcement() -> None:
    table = before_the_last_card(begun(), 1)
    announced = game(table).announced
    change = advance(table)
    messages = told(table, change).shared
    (scored,) = [event.deal_scored for event in messages if event.HasField("deal_scored")]
    assert tuple(scored.announced) == announced
    assert sum(scored.card_points) == 157
    assert list(scored.score) == [
        abs(said - made) for said, made in zip(announced, scored.card_points, strict=True)
    ]
    assert (scored.multiplier, list(scored.totals)) == (1, list(scored.score))
    (started,) = [event.deal_started for event in messages if event.HasField("deal_started")]
    assert card_from_proto(started.trump_card) == game(change.table).trump_card


@pytest.mark.parametrize("announcements", ["hidden", "open"])
async def test_a_staked_match_is_played_and_the_winner_takes_all(
    harness: Harness, replica: Replica, announcements: str
) -> None:
    table_id = await harness.table(replica, CLASSIC, stake=STAKE, rounds=2, announcements=announcements)

    await play_until(replica, table_id, lambda view: view.status != table_pb2.TABLE_STATUS_PLAYING)
    view = await closed(replica, table_id)

    assert view.status == table_pb2.TABLE_STATUS_FINISHED
    assert view.outcome.decision == table_pb2.DECISION_ROUNDS
    (winner,) = view.outcome.winning_seats
    assert view.outcome.points[winner] == min(view.outcome.points)
    assert [payout.minor_units for payout in view.outcome.payouts] == [780]
    assert view.outcome.fee.minor_units == 20
    assert harness.wallet.balance(view.seats[winner].player_id) == 780
    assert harness.wallet.total() == 0
    assert list(harness.history.reports[0].result.winning_seats) == [winner]
    assert len(view.differenzler.announcements) == 4
    assert all(each.HasField("points") for each in view.differenzler.announcements)


async def test_clocks_alone_play_a_match(harness: Harness) -> None:
    async with harness.replica(pace=replace(AT_LEISURE, turn=20, away=0)) as replica:
        table_id = await harness.table(replica, CLASSIC, rounds=1)
        view = await closed(replica, table_id, timeout=30)
        assert len(view.outcome.winning_seats) == 1
        assert all(seat.away for seat in view.seats)


async def test_what_is_not_due_is_refused_by_its_name(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica, CLASSIC)
    announce = table_pb2.Action(announce_points=table_pb2.Action.AnnouncePoints(points=0))
    contract = table_pb2.Action(choose_contract=table_pb2.Action.ChooseContract(contract=1))
    anna = replica.as_("anna")
    play = table_pb2.Action(play_card=table_pb2.Action.PlayCard(card=(await anna.get(table_id)).hand[0]))
    await anna.act(table_id, announce)
    for action, reason in [
        (announce, "ANNOUNCEMENT_ALREADY_MADE"),
        (play, "ANNOUNCEMENT_DUE"),
        (contract, "ACTION_NOT_PLAYED"),
        (table_pb2.Action(claim=table_pb2.Action.Claim()), "ACTION_NOT_PLAYED"),
    ]:
        with pytest.raises(Fault) as refused:
            await anna.act(table_id, action)
        assert refused.value.reason == reason


@pytest.mark.parametrize("points", [-1, 158, 2**31 - 1])
async def test_announcements_are_0_to_157(harness: Harness, replica: Replica, points: int) -> None:
    table_id = await harness.table(replica, CLASSIC)
    action = table_pb2.Action(announce_points=table_pb2.Action.AnnouncePoints(points=points))
    with pytest.raises(Fault) as refused:
        await replica.as_("anna").act(table_id, action)
    assert [violation[0] for violation in refused.value.violations] == ["action.announce_points.points"]


async def test_a_stream_tells_who_announced_and_not_what(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica, CLASSIC)
    stream = replica.as_("beat").watch(table_id)
    await stream.next()
    action = table_pb2.Action(announce_points=table_pb2.Action.AnnouncePoints(points=33))
    await replica.as_("anna").act(table_id, action)
    update = await stream.next()
    (event,) = update.delta.events
    assert (event.points_announced.seat, event.points_announced.HasField("points")) == (0, False)
    assert [each.seat for each in view_of(update).differenzler.announcements] == [0]
    stream.cancel()
