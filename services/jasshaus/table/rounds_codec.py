"""Encodes and decodes the stored record of a Differenzler; both directions cover every field."""

from __future__ import annotations

from typing import Final

from jasshaus.api.internal.v1 import store_pb2
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.differenzler import Match, PenaltiesScored, Phase, RoundsEnded
from jasshaus.table.trick_codec import by_seat, read_tricks, trick_records

_NOT_ANNOUNCED: Final = -1


def encode_rounds(match: Match) -> bytes:
    """Return the match as a serialized RoundsRecord, without its rules."""
    assert match.outcome is None or match.outcome.totals == match.totals
    record = store_pb2.RoundsRecord(
        phase=match.phase.value,
        totals=match.totals,
        contenders=match.contenders,
        deal=match.deal,
        forehand=match.forehand,
        dealt=match.dealt,
        hands=match.hands,
        trump_card=match.trump_card,
        announced=[_NOT_ANNOUNCED if points is None else points for points in match.announced],
        leader=match.leader,
        table=match.table,
        tricks=trick_records(match.tricks),
        winner=None if match.outcome is None else match.outcome.winner,
    )
    if match.last_deal is not None:
        record.last_deal.CopyFrom(penalties_record(match.last_deal))
    return record.SerializeToString(deterministic=True)


def decode_rounds(raw: bytes, rules: RuleSet) -> Match:
    """Return the match of a serialized RoundsRecord. Raises ValueError or DecodeError when it is none."""
    record = store_pb2.RoundsRecord.FromString(raw)
    totals = by_seat(record.totals)
    first, second, third, fourth = (
        None if points == _NOT_ANNOUNCED else points for points in by_seat(record.announced)
    )
    return Match(
        rules=rules,
        phase=Phase(record.phase),
        totals=totals,
        contenders=tuple(record.contenders),
        deal=record.deal,
        forehand=record.forehand,
        dealt=by_seat(record.dealt),
        hands=by_seat(record.hands),
        trump_card=record.trump_card if record.HasField("trump_card") else None,
        announced=(first, second, third, fourth),
        leader=record.leader,
        table=tuple(record.table),
        tricks=read_tricks(record.tricks),
        last_deal=read_penalties(record.last_deal) if record.HasField("last_deal") else None,
        outcome=RoundsEnded(record.winner, totals) if record.HasField("winner") else None,
    )


def penalties_record(scored: PenaltiesScored) -> store_pb2.PenaltiesRecord:
    """Return a scored deal as a record."""
    return store_pb2.PenaltiesRecord(
        deal=scored.deal,
        announced=scored.announced,
        made=scored.made,
        penalties=scored.penalties,
        totals=scored.totals,
    )


def read_penalties(record: store_pb2.PenaltiesRecord) -> PenaltiesScored:
    """Return the scored deal of a record. Raises ValueError when a list has not four items."""
    return PenaltiesScored(
        deal=record.deal,
        announced=by_seat(record.announced),
        made=by_seat(record.made),
        penalties=by_seat(record.penalties),
        totals=by_seat(record.totals),
    )
