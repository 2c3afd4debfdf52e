"""Encodes and decodes the stored record of a Schieber; both directions cover every field."""

from __future__ import annotations

from collections.abc import Sequence

from jasshaus.api.internal.v1 import store_pb2
from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.core.weis import ShownWeis, Weis, WeisKind
from jasshaus.rules.schieber import DealScored, EndedBy, Match, MatchEnded, Phase
from jasshaus.table.trick_codec import by_seat, read_tricks, trick_records


def encode_match(match: Match) -> bytes:
    """Return the match as a serialized MatchRecord, without its rules."""
    record = store_pb2.MatchRecord(
        phase=match.phase.value,
        totals=match.totals,
        deal=match.deal,
        forehand=match.forehand,
        dealt=match.dealt,
        hands=match.hands,
        pushed=match.pushed,
        contract=match.contract,
        declared=[_declaration(weis) for weis in match.declared],
        weis_scored=[
            store_pb2.ScoredWeisRecord(seat=shown.seat, weis=_weis(shown.weis), points=shown.points)
            for shown in match.weis_scored
        ],
        stoeck_scored=match.stoeck_scored,
        leader=match.leader,
        table=match.table,
        tricks=trick_records(match.tricks),
        claimed_by=match.claimed_by,
    )
    if match.last_deal is not None:
        record.last_deal.CopyFrom(deal_record(match.last_deal))
    if match.outcome is not None:
        record.outcome.CopyFrom(_end(match.outcome))
    return record.SerializeToString(deterministic=True)


def decode_match(raw: bytes, rules: RuleSet) -> Match:
    """Return the match of a serialized MatchRecord. Raises ValueError or DecodeError when it is none."""
    record = store_pb2.MatchRecord.FromString(raw)
    return Match(
        rules=rules,
        phase=Phase(record.phase),
        totals=_pair(record.totals),
        deal=record.deal,
        forehand=record.forehand,
        dealt=by_seat(record.dealt),
        hands=by_seat(record.hands),
        pushed=record.pushed,
        contract=Contract(record.contract) if record.HasField("contract") else None,
        declared=tuple(
            tuple(_read_weis(weis) for weis in each.weis) if each.made else None for each in record.declared
        ),
        weis_scored=tuple(
            ShownWeis(each.seat, _read_weis(each.weis), each.points) for each in record.weis_scored
        ),
        stoeck_scored=record.stoeck_scored,
        leader=record.leader,
        table=tuple(record.table),
        tricks=read_tricks(record.tricks),
        claimed_by=record.claimed_by if record.HasField("claimed_by") else None,
        last_deal=read_deal(record.last_deal) if record.HasField("last_deal") else None,
        outcome=_read_end(record.outcome) if record.HasField("outcome") else None,
    )


def _declaration(weis: tuple[Weis, ...] | None) -> store_pb2.DeclarationRecord:
    return store_pb2.DeclarationRecord(made=weis is not None, weis=[_weis(each) for each in weis or ()])


def _weis(weis: Weis) -> store_pb2.WeisRecord:
    return store_pb2.WeisRecord(kind=weis.kind, cards=weis.cards)


def _read_weis(record: store_pb2.WeisRecord) -> Weis:
    return Weis(WeisKind(record.kind), record.cards)


def deal_record(scored: DealScored) -> store_pb2.DealRecord:
    """Return a scored deal as a record."""
    return store_pb2.DealRecord(
        deal=scored.deal,
        card_points=scored.card_points,
        weis=scored.weis,
        stoeck=scored.stoeck,
        match_bonus=scored.match_bonus,
        multiplier=scored.multiplier,
        score=scored.score,
        totals=scored.totals,
    )


def read_deal(record: store_pb2.DealRecord) -> DealScored:
    """Return the scored deal of a record. Raises ValueError when a list has not two items."""
    return DealScored(
        deal=record.deal,
        card_points=_pair(record.card_points),
        weis=_pair(record.weis),
        stoeck=_pair(record.stoeck),
        match_bonus=_pair(record.match_bonus),
        multiplier=record.multiplier,
        score=_pair(record.score),
        totals=_pair(record.totals),
    )


def _end(ended: MatchEnded) -> store_pb2.EndRecord:
    return store_pb2.EndRecord(
        winner=ended.winner, by=ended.by.value, totals=ended.totals, schneider=ended.schneider
    )


def _read_end(record: store_pb2.EndRecord) -> MatchEnded:
    return MatchEnded(record.winner, EndedBy(record.by), _pair(record.totals), record.schneider)


def _pair(numbers: Sequence[int]) -> tuple[int, int]:
    first, second = numbers
    return first, second
