"""Encodes a table as its stored record, and decodes it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from uuid import UUID

from google.protobuf.message import DecodeError

from jasshaus.api.common.v1 import money_pb2, rules_pb2
from jasshaus.api.internal.v1 import store_pb2
from jasshaus.api.table.v1 import table_pb2
from jasshaus.contracts.rules import rule_set_to_proto, stored_rule_set
from jasshaus.rules.core.options import PRESETS, OptionError, RuleSet
from jasshaus.rules.differenzler import PenaltiesScored
from jasshaus.rules.registry import Match
from jasshaus.rules.schieber import DealScored
from jasshaus.table.match_codec import FORMAT_OF, decode_deal, decode_match, encode_deal, encode_match
from jasshaus.table.table import (
    Decision,
    Money,
    Outcome,
    Pace,
    Presence,
    Presences,
    Seat,
    Status,
    Table,
    Unreadable,
)
from jasshaus.table.trick_codec import read_tricks, trick_records

FORMATS: Final = (1, 2)
"""Read. Written is the oldest that can hold the table: replicas of two releases serve the same tables."""

_ANY_PRESET: Final = "schieber-classic"


class UnknownFormatError(Exception):
    """A record was written by a release this one cannot read."""


def encode(table: Table, nonce: bytes) -> bytes:
    """Return the table as a serialized TableRecord; `nonce` is that of the commit which led to it."""
    record = store_pb2.TableRecord(
        format=FORMAT_OF[table.rules.variant],
        table_id=table.table_id.bytes,
        game_id=table.game_id.bytes,
        tenant=table.tenant,
        version=table.version,
        status=status_to_proto(table.status),
        seats=[
            store_pb2.SeatRecord(
                player_id=seat.player_id,
                reservation=b"" if seat.reservation is None else seat.reservation.bytes,
                decision_version=seat.decision_version,
            )
            for seat in table.seats
        ],
        rule_set=rule_set_message(table.rules, table.preset),
        stake=None if table.stake is None else amount_to_proto(table.stake),
        pace=store_pb2.PaceRecord(
            turn=table.pace.turn,
            weis=table.pace.weis,
            away=table.pace.away,
            away_after=table.pace.away_after,
            lead_pause=table.pace.lead_pause,
            trick_pause=table.pace.trick_pause,
            idle_limit=table.pace.idle_limit,
            keep=table.pace.keep,
        ),
        outcome=None if table.outcome is None else outcome_to_proto(table.outcome),
        match=table.match.raw if isinstance(table.match, Unreadable) else encode_match(table.match),
        nonce=nonce,
        created_by=table.created_by,
        deals=map(encode_deal, table.deals),
    )
    if table.last_trick is not None:
        record.last_trick.CopyFrom(trick_records([table.last_trick])[0])
    return record.SerializeToString(deterministic=True)


def decode(raw: bytes) -> tuple[Table, bytes]:
    """Return the table of a serialized TableRecord, and its commit's nonce. Raises UnknownFormatError.

    A match that cannot be read, itself or its rules, becomes `Unreadable`: the money of its table must still
    be given back. The rules are those of the preset then.
    """
    record = store_pb2.TableRecord.FromString(raw)
    if record.format not in FORMATS:
        raise UnknownFormatError(f"format {record.format}")
    match: Match | Unreadable
    try:
        rules = _rules(record.rule_set.SerializeToString(deterministic=True))
        match = _match(record.match, rules)
    except OptionError:
        rules = PRESETS.get(record.rule_set.preset, PRESETS[_ANY_PRESET])
        match = Unreadable(record.match)
    pace = record.pace
    table = Table(
        table_id=UUID(bytes=record.table_id),
        game_id=UUID(bytes=record.game_id),
        tenant=record.tenant,
        version=record.version,
        status=_STATUS_OF[record.status],
        seats=tuple(
            Seat(
                seat.player_id,
                seat.decision_version,
                UUID(bytes=seat.reservation) if seat.reservation else None,
            )
            for seat in record.seats
        ),
        preset=record.rule_set.preset,
        rules=rules,
        stake=amount_from_proto(record.stake) if record.HasField("stake") else None,
        pace=Pace(
            turn=pace.turn,
            weis=pace.weis,
            away=pace.away,
            away_after=pace.away_after,
            lead_pause=pace.lead_pause,
            trick_pause=pace.trick_pause,
            idle_limit=pace.idle_limit,
            keep=pace.keep,
        ),
        match=match,
        outcome=_outcome_from_proto(record.outcome) if record.HasField("outcome") else None,
        created_by=record.created_by,
        deals=_deals(record.deals, match),
        last_trick=read_tricks([record.last_trick])[0] if record.HasField("last_trick") else None,
    )
    return table, record.nonce


def presence_in_record(raw: bytes) -> Presences:
    """Return who was there by a serialized TableRecord of the release that kept presence in it."""
    seats = store_pb2.TableRecord.FromString(raw).seats
    first, second, third, fourth = (Presence(seat.away, seat.timeouts) for seat in seats)
    return first, second, third, fourth


def _deals(raw: Sequence[bytes], match: Match | Unreadable) -> tuple[DealScored | PenaltiesScored, ...]:
    if isinstance(match, Unreadable):
        return ()
    if not raw and match.last_deal is not None:
        # Stored before they were all kept: the last one is known.
        return (match.last_deal,)
    return tuple(decode_deal(each, match.rules) for each in raw)


def _match(raw: bytes, rules: RuleSet) -> Match | Unreadable:
    try:
        return decode_match(raw, rules)
    except (ValueError, DecodeError):
        return Unreadable(raw)


@lru_cache(maxsize=256)
def rule_set_message(rules: RuleSet, preset: str) -> rules_pb2.RuleSet:
    """Return a rule set as a message, to be copied and never changed: tables that share it share it."""
    return rule_set_to_proto(rules, preset)


@lru_cache(maxsize=256)
def _rules(raw: bytes) -> RuleSet:
    return stored_rule_set(rules_pb2.RuleSet.FromString(raw))


_STATUSES: Final = {
    Status.PLAYING: table_pb2.TABLE_STATUS_PLAYING,
    Status.SETTLING: table_pb2.TABLE_STATUS_SETTLING,
    Status.FINISHED: table_pb2.TABLE_STATUS_FINISHED,
    Status.VOIDED: table_pb2.TABLE_STATUS_VOIDED,
}
_STATUS_OF: Final = {number: status for status, number in _STATUSES.items()}


def status_to_proto(status: Status) -> table_pb2.TableStatus.ValueType:
    """Return the wire's name of a status."""
    return _STATUSES[status]


def amount_to_proto(money: Money) -> money_pb2.Amount:
    """Return an amount as a message."""
    return money_pb2.Amount(currency_code=money.currency, minor_units=money.minor_units)


def amount_from_proto(amount: money_pb2.Amount) -> Money:
    """Return the amount of a message."""
    return Money(amount.currency_code, amount.minor_units)


def outcome_to_proto(outcome: Outcome) -> table_pb2.Outcome:
    """Return an outcome as a message."""
    return table_pb2.Outcome(
        decision=table_pb2.Decision.Value(f"DECISION_{outcome.decision.name}"),
        winning_seats=outcome.winning_seats,
        points=outcome.points,
        schneider=outcome.schneider,
        payouts=[amount_to_proto(payout) for payout in outcome.payouts],
        fee=None if outcome.fee is None else amount_to_proto(outcome.fee),
        abort_reason=outcome.abort_reason,
    )


def _outcome_from_proto(message: table_pb2.Outcome) -> Outcome:
    name = table_pb2.Decision.Name(message.decision).removeprefix("DECISION_")
    return Outcome(
        decision=Decision[name],
        winning_seats=tuple(message.winning_seats),
        points=tuple(message.points),
        schneider=message.schneider,
        payouts=tuple(amount_from_proto(payout) for payout in message.payouts),
        fee=amount_from_proto(message.fee) if message.HasField("fee") else None,
        abort_reason=message.abort_reason,
    )
