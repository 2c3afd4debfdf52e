"""Owns which record a match of either game is kept as, and since which format."""

from __future__ import annotations

from typing import Final

from jasshaus.rules import schieber
from jasshaus.rules.game import Match
from jasshaus.rules.options import RuleSet, Variant
from jasshaus.table.rounds_codec import decode_rounds, encode_rounds
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
