"""Chooses the record in which a match or a deal of either game is stored, and since which format."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from jasshaus.api.internal.v1 import store_pb2
from jasshaus.rules import schieber
from jasshaus.rules.core.options import RuleSet, Variant
from jasshaus.rules.differenzler import PenaltiesScored
from jasshaus.rules.registry import Match
from jasshaus.rules.schieber import DealScored
from jasshaus.table.rounds_codec import decode_rounds, encode_rounds, penalties_record, read_penalties
from jasshaus.table.schieber_codec import deal_record, read_deal
from jasshaus.table.schieber_codec import decode_match as decode_schieber
from jasshaus.table.schieber_codec import encode_match as encode_schieber

FORMAT_OF: Final = {Variant.SCHIEBER: 1, Variant.DIFFERENZLER: 2}
"""The oldest format of a table's record that can hold a match of the game."""


def encode_match(match: Match) -> bytes:
    """Return the match as a serialized record of its game, without its rules."""
    return encode_schieber(match) if isinstance(match, schieber.Match) else encode_rounds(match)


def decode_match(raw: bytes, rules: RuleSet) -> Match:
    """Return the match of a serialized record. Raises ValueError or DecodeError when it is none."""
    match rules.variant:
        case Variant.SCHIEBER:
            return decode_schieber(raw, rules)
        case Variant.DIFFERENZLER:
            return decode_rounds(raw, rules)


@lru_cache(maxsize=4096)
def encode_deal(deal: DealScored | PenaltiesScored) -> bytes:
    """Return a scored deal as a serialized record of its game. Every later move of its match writes it."""
    record = deal_record(deal) if isinstance(deal, DealScored) else penalties_record(deal)
    return record.SerializeToString(deterministic=True)


def decode_deal(raw: bytes, rules: RuleSet) -> DealScored | PenaltiesScored:
    """Return the scored deal of a serialized record. Raises ValueError or DecodeError when it is none."""
    match rules.variant:
        case Variant.SCHIEBER:
            return read_deal(store_pb2.DealRecord.FromString(raw))
        case Variant.DIFFERENZLER:
            return read_penalties(store_pb2.PenaltiesRecord.FromString(raw))
