"""The table above the rules: clock, presence, deals, ends. Pure, no store."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from jasshaus.api.internal.v1 import store_pb2
from jasshaus.rules.core.options import applicable
from jasshaus.rules.core.refusals import RuleViolation
from jasshaus.rules.schieber import CardPlayed, DealStarted, DeclareWeis, Match, Phase, PlayCard, WeisDeclared
from jasshaus.table import codec
from jasshaus.table.decide import (
    Abort,
    Begin,
    Change,
    DeckNeeded,
    Open,
    Play,
    Refusal,
    Settled,
    Stop,
    decide,
)
from jasshaus.table.events import told
from jasshaus.table.stand_in import time_out
from jasshaus.table.table import (
    Decision,
    Money,
    Outcome,
    Presence,
    Status,
    Table,
    Unreadable,
    awaited,
    decision_version,
)
from table.unstored import advance, begun, do, empty


def game(table: Table) -> Match:
    assert isinstance(table.match, Match)
    return table.match


def until(table: Table, phase: Phase) -> Table:
    while game(table).phase is not phase:
        table = advance(table).table
    return table


def to_end_of_trick(table: Table) -> Change:
    while True:
        before = len(game(table).tricks)
        change = advance(table)
        table = change.table
        if len(game(table).tricks) > before:
            return change


def test_a_deal_needs_a_deck() -> None:
    with pytest.raises(DeckNeeded) as needed:
        decide(empty(), Begin())
    assert needed.value.deal == 1


def test_the_first_deal_opens_one_decision_and_the_idle_limit() -> None:
    change = do(empty(), Begin())
    forehand = game(change.table).forehand
    assert change.table.version == 1
    assert [seat for seat, timer in enumerate(change.seats) if timer == Open(0, 30_000)] == [forehand]
    assert change.idle == Open(0, 900_000)


def test_each_deal_is_dealt_in_the_commit_that_scores_the_one_before() -> None:
    table = begun()
    while game(table).deal == 1:
        change = advance(table)
        table = change.table
    assert [type(event) for event in change.events].count(DealStarted) == 1
    assert game(table).phase is Phase.CONTRACT
    # The pause after the last trick delays the next choice; a lead pause there is none.
    assert change.seats[game(table).forehand] == Open(2_000, 30_000)
    assert change.lead_pause == 0


def test_four_declarations_are_opened_at_once_and_each_ends_for_itself() -> None:
    table = begun()
    while game(table).phase is not Phase.WEIS:
        change = advance(table)
        table = change.table
    assert change.seats == (Open(0, 15_000),) * 4
    seat = awaited(table)[0].seat
    assert seat is not None
    timers = advance(table).seats
    assert timers[seat] == Stop()
    assert [timer for index, timer in enumerate(timers) if index != seat] == [None] * 3


def test_the_one_who_leads_after_a_trick_waits_for_both_pauses() -> None:
    change = to_end_of_trick(until(begun(), Phase.PLAY))
    leader = game(change.table).leader
    assert change.seats[leader] == Open(2_000, 30_000)
    assert change.lead_pause == 1_500
    lead = advance(change.table)
    assert lead.gated
    assert not advance(lead.table).gated


def test_tables_without_claims_are_not_gated() -> None:
    change = to_end_of_trick(until(begun("schieber-partner"), Phase.PLAY))
    assert change.lead_pause == 0
    assert not advance(change.table).gated


def test_a_seat_that_won_the_trick_and_leads_has_two_decisions() -> None:
    table = until(begun(), Phase.PLAY)
    while True:
        before = game(table)
        change = advance(table)
        table = change.table
        if len(before.table) == 3 and game(table).leader == before.player:
            break
        assert len(game(table).tricks) < 9
    assert change.seats[game(table).leader] == Open(2_000, 30_000)


def test_a_timeout_is_the_stand_ins_move() -> None:
    table = until(begun(), Phase.PLAY)
    seat = game(table).player
    change = do(table, time_out(table, seat))
    assert change.stand_in
    assert any(isinstance(event, CardPlayed) and event.seat == seat for event in change.events)
    assert change.seat == seat
    told_to = told(table, change)
    played = [event.card_played for event in told_to.shared if event.HasField("card_played")]
    assert [event.by_stand_in for event in played] == [True]


@pytest.mark.parametrize(
    ("phase", "kind"), [(Phase.CONTRACT, "contract_chosen"), (Phase.WEIS, "weis_declared")]
)
def test_every_decision_of_the_stand_in_is_told_as_his(phase: Phase, kind: str) -> None:
    table = until(begun(), phase)
    seat = awaited(table)[0].seat
    assert seat is not None
    told_to = told(table, do(table, time_out(table, seat)))
    decided = [event for event in told_to.shared if event.WhichOneof("event") in (kind, "pushed")]
    assert [getattr(event, event.WhichOneof("event") or "").by_stand_in for event in decided] == [True]
    by_himself = told(table, advance(table))
    decided = [event for event in by_himself.shared if event.WhichOneof("event") in (kind, "pushed")]
    assert [getattr(event, event.WhichOneof("event") or "").by_stand_in for event in decided] == [False]


def test_the_stand_in_declares_and_plays_in_one_where_both_are_due() -> None:
    declared = []
    for seed in range(1, 6):
        table = until(begun("schieber-partner", seed=seed), Phase.PLAY)
        for seat in [game(table).player + steps & 3 for steps in range(4)]:
            change = do(table, time_out(table, seat))
            said, played = change.events[:2]
            assert isinstance(said, WeisDeclared)
            assert isinstance(played, CardPlayed)
            assert said.seat == played.seat == seat
            assert change.table.version == table.version + 1
            declared.append(bool(said.notices))
            table = change.table
    assert {True, False} == set(declared)


def test_a_declaration_at_the_own_first_card_leaves_the_time_for_the_card_as_it_is() -> None:
    table = until(begun("schieber-partner"), Phase.PLAY)
    seat = game(table).player
    change = do(table, Play(seat, DeclareWeis(seat)))
    assert change.seats == (None, None, None, None)
    assert decision_version(change.table, seat) == decision_version(table, seat) == table.version


def test_what_the_table_declares_is_nobodys_decision() -> None:
    table, events = until(begun("schieber-3000"), Phase.CONTRACT), []
    for _ in range(6):
        change = do(table, time_out(table, awaited(table)[0].seat or 0))
        events += told(table, change).shared
        table = change.table
    declared = [event.weis_declared for event in events if event.HasField("weis_declared")]
    assert declared
    assert all(each.automatic and not each.by_stand_in for each in declared)


def test_the_stand_in_never_claims() -> None:
    rng = random.Random(1)
    for _ in range(10):
        table = do(empty(target=100), Begin(), seed=rng.randrange(10**6)).table
        while table.status is Status.PLAYING:
            seat = awaited(table)[0].seat
            assert seat is not None
            table = do(table, time_out(table, seat)).table
        assert table.outcome is not None
        assert table.outcome.decision not in {Decision.CLAIM, Decision.FALSE_CLAIM}


def test_nothing_is_timed_out_that_is_not_asked() -> None:
    table = begun()
    with pytest.raises(Refusal):
        do(table, time_out(table, (game(table).forehand + 1) % 4))


def test_an_aborted_match_must_be_settled_and_asks_nobody() -> None:
    change = do(begun(), Abort("operator"))
    assert change.settle
    assert change.seats == (Stop(),) * 4
    assert change.idle == Stop()
    assert change.table.status is Status.SETTLING
    assert change.table.outcome == Outcome(Decision.ABORTED, abort_reason="operator")
    assert not awaited(change.table)


def test_a_match_that_cannot_be_read_can_be_aborted() -> None:
    sick = replace(begun(), match=Unreadable(b"\xff"))
    assert do(sick, Abort("idle")).table.match == Unreadable(b"\xff")
    assert not awaited(sick)


def test_the_end_stops_all_clocks_and_asks_for_the_money() -> None:
    table = begun(target=100)
    while table.status is Status.PLAYING:
        change = advance(table)
        table = change.table
    assert change.settle
    assert change.idle == Stop()
    assert all(timer in (None, Stop()) for timer in change.seats)
    assert table.outcome is not None
    assert set(table.outcome.winning_seats) in ({0, 2}, {1, 3})
    for command in (Abort("x"), Play(0, PlayCard(0, 1)), time_out(table, 0)):
        with pytest.raises(Refusal) as refused:
            do(table, command)
        assert refused.value.reason == "TABLE_ENDED"
    closed = do(table, Settled(Status.FINISHED, table.outcome))
    assert closed.closed
    assert closed.table.status is Status.FINISHED


def test_a_refusal_of_the_rules_changes_nothing() -> None:
    table = begun()
    with pytest.raises(RuleViolation):
        do(table, Play(0, PlayCard(0, 0)))
    assert table == begun()


@pytest.mark.parametrize("preset", ["schieber-classic", "schieber-partner", "schieber-3000"])
def test_every_state_of_a_match_survives_its_record(preset: str) -> None:
    table = begun(preset)
    while table.status is Status.PLAYING:
        assert codec.decode(codec.encode(table, b"nonce 8b")) == (table, b"nonce 8b")
        table = advance(table).table
    assert codec.decode(codec.encode(table, b""))[0] == table


def test_outcomes_survive_their_record() -> None:
    paid = Outcome(
        Decision.CLAIM, (1, 3), (900, 1200), True, (Money("CHF", 390), Money("CHF", 390)), Money("CHF", 20)
    )
    table = replace(begun(), status=Status.FINISHED, outcome=paid)
    assert codec.decode(codec.encode(table, b""))[0].outcome == paid


def test_a_record_of_the_first_release_is_read_and_written_so_that_it_can_read_it() -> None:
    raw = (Path(__file__).parent / "records" / "schieber-1.bin").read_bytes()
    table, chain = codec.decode(raw)
    assert chain == b"chain"
    assert (game(table).deal, len(game(table).tricks), len(game(table).table)) == (2, 3, 2)
    # All of the deals that it knows, and when it was asked for what is pending: at the latest now.
    assert [each.deal for each in table.deals] == [1]
    assert decision_version(table, game(table).player) == table.version
    # But for what is new, a replica of that release reads what it wrote. Presence is the hash's now.
    written = store_pb2.TableRecord.FromString(codec.encode(table, chain))
    before = store_pb2.TableRecord.FromString(raw)
    assert codec.presence_in_record(raw) == tuple(Presence(each.away, each.timeouts) for each in before.seats)
    for seat in before.seats:
        seat.ClearField("away")
        seat.ClearField("timeouts")
    written.ClearField("deals")
    assert written == before


def test_a_record_of_another_format_is_not_guessed_at() -> None:
    record = store_pb2.TableRecord.FromString(codec.encode(begun(), b""))
    record.format = 99
    with pytest.raises(codec.UnknownFormatError):
        codec.decode(record.SerializeToString())


@pytest.mark.parametrize("preset", ["schieber-classic", "schieber-partner", "schieber-3000"])
def test_a_record_from_before_an_option_existed_is_the_same_table(preset: str) -> None:
    table = begun(preset)
    for name in applicable(table.rules):
        record = store_pb2.TableRecord.FromString(codec.encode(table, b""))
        record.rule_set.ClearField(name)  # type: ignore[arg-type]
        assert codec.decode(record.SerializeToString())[0] == table, name
