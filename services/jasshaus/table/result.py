"""Result records: what is kept of a match for the restore window, longer than its table.

After a restore of PostgreSQL they are the only evidence of who won.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final
from uuid import UUID

from google.protobuf.message import Message

from jasshaus.api.common.v1 import rules_pb2
from jasshaus.api.internal.v1 import store_pb2
from jasshaus.contracts.rules import stored_rule_set
from jasshaus.rules.core.options import PRESETS, OptionError, RuleSet
from jasshaus.table.codec import rule_set_message
from jasshaus.table.table import Outcome, Table

FORMAT: Final = 1
TIME_BYTES: Final = 8
"""The store prepends its own clock's time to a record: Unix milliseconds, big-endian."""

_UUID_BYTES: Final = 16
_NEEDED: Final = frozenset({"preset", "variant"})


@dataclass(frozen=True, slots=True)
class MatchResult:
    """Summary of a match. `winning_seats` is empty if it was aborted.

    `reservations` are those of the four seats, or empty; `digest` is 32 bytes, as SettlePot carries it;
    `ended_at` is in Unix milliseconds of the store's clock, 0 before the store has set it. `players` are
    empty, and `rules` None, in records of a release that did not keep them.
    """

    table_id: UUID
    game_id: UUID
    tenant: str
    reservations: tuple[UUID, ...]
    winning_seats: tuple[int, ...]
    points: tuple[int, ...]
    digest: bytes
    staked: bool
    ended_at: int = 0
    players: tuple[str, ...] = ()
    preset: str = ""
    rules: RuleSet | None = None


def result_of(table: Table, outcome: Outcome, digest: bytes) -> MatchResult:
    """Return a table's result record."""
    reservations = tuple(seat.reservation for seat in table.seats if seat.reservation is not None)
    return MatchResult(
        table_id=table.table_id,
        game_id=table.game_id,
        tenant=table.tenant,
        reservations=reservations if len(reservations) == len(table.seats) else (),
        winning_seats=outcome.winning_seats,
        points=outcome.points,
        digest=digest,
        staked=table.stake is not None,
        players=tuple(seat.player_id for seat in table.seats),
        preset=table.preset,
        rules=table.rules,
    )


def encode_result(result: MatchResult) -> bytes:
    """Return a result as a serialized ResultRecord, without its time."""
    packed = _packed(result.players)
    record = store_pb2.ResultRecord(
        format=FORMAT,
        table_id=result.table_id.bytes,
        game_id=result.game_id.bytes,
        tenant=result.tenant,
        reservations=b"".join(each.bytes for each in result.reservations),
        winning_seats=result.winning_seats,
        points=result.points,
        digest=result.digest,
        staked=result.staked,
        rule_set=None if result.rules is None else _differences(result.rules, result.preset),
        players=packed,
        player_ids=() if packed else result.players,
    )
    return record.SerializeToString(deterministic=True)


def decode_result(stored: bytes) -> MatchResult:
    """Return the result of a stored record, which begins with its time."""
    record = store_pb2.ResultRecord.FromString(stored[TIME_BYTES:])
    result = MatchResult(
        table_id=UUID(bytes=record.table_id),
        game_id=UUID(bytes=record.game_id),
        tenant=record.tenant,
        reservations=_uuids(record.reservations),
        winning_seats=tuple(record.winning_seats),
        points=tuple(record.points),
        digest=record.digest,
        staked=record.staked,
        players=tuple(map(str, _uuids(record.players))) or tuple(record.player_ids),
        preset=record.rule_set.preset,
        rules=_rules(record.rule_set) if record.HasField("rule_set") else None,
    )
    return replace(result, ended_at=int.from_bytes(stored[:TIME_BYTES], "big"))


def _rules(message: rules_pb2.RuleSet) -> RuleSet | None:
    try:
        return stored_rule_set(message)
    except OptionError:
        # Written by a later release. The rest of the record, who won, must not be lost because of it.
        return None


@lru_cache(maxsize=256)
def _differences(rules: RuleSet, preset: str) -> rules_pb2.RuleSet:
    """Return a rule set without what `stored_rule_set` takes from its preset; copy it, never change it."""
    message = rules_pb2.RuleSet()
    message.CopyFrom(rule_set_message(rules, preset))
    start = PRESETS.get(preset)
    if start is None or start.variant is not rules.variant:
        return message
    cleared: Message = message
    usual = {option.name: value for option, value in rule_set_message(start, preset).ListFields()}
    for option, value in message.ListFields():
        if option.name not in _NEEDED and usual.get(option.name) == value:
            cleared.ClearField(option.name)
    return message if stored_rule_set(message) == rules else rule_set_message(rules, preset)


def _packed(players: tuple[str, ...]) -> bytes:
    """Return UUIDs as bytes; empty if any id is not a UUID, or is spelled differently."""
    try:
        ids = [UUID(player) for player in players]
    except ValueError:
        return b""
    return b"".join(each.bytes for each in ids) if tuple(map(str, ids)) == players else b""


def _uuids(packed: bytes) -> tuple[UUID, ...]:
    return tuple(
        UUID(bytes=packed[start : start + _UUID_BYTES]) for start in range(0, len(packed), _UUID_BYTES)
    )
