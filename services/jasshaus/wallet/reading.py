"""Reads requests into the ledger's values; errors name the field."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from google.protobuf.timestamp_pb2 import Timestamp

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.platform.auth import DEFAULT_TENANT
from jasshaus.platform.errors import invalid_argument
from jasshaus.platform.validation import bounded_int, identifier, known_enum, required, uuid_field
from jasshaus.wallet.records import (
    Aborted,
    Ended,
    FeeTerms,
    Hold,
    Known,
    Playing,
    Position,
    PotState,
    Seat,
    Won,
)

MAX_AMOUNT: Final = 1_000_000_000_000
LAST_SEAT: Final = 3
SEATS: Final = (0, 1, 2, 3)

_MAX_STAKES: Final = 100
_MAX_ENDED: Final = 1000
_MAX_PLAYER_CHARS: Final = 128
_MAX_REFERENCE_CHARS: Final = 128
_DIGEST_BYTES: Final = 32
_MAX_WINNERS: Final = 2
# References used by the ledger itself.
_OWN_REASONS: Final = frozenset({wallet_pb2.REFUND_REASON_STAKES_MISSING, wallet_pb2.REFUND_REASON_OPERATOR})
_ALL_BPS: Final = 10_000
_MAX_TIMELINE: Final = 2**32 - 1
_MAX_INT64: Final = 2**63 - 1
# The end of the year 9999, the limit of a Timestamp.
_MAX_SECONDS: Final = 253_402_300_799
_NANOSECONDS: Final = 1_000_000_000
_CURRENCY: Final = re.compile(r"[A-Z][A-Z0-9]{2,7}")
_TENANT: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")


def read_currency(value: str, field: str) -> str:
    """Return a currency code. Raises Fault INVALID_FIELD."""
    if not _CURRENCY.fullmatch(value):
        raise invalid_argument(field, "must be 3 to 8 upper-case letters and digits, the first a letter")
    return value


def read_positive(amount: Amount, field: str) -> tuple[str, int]:
    """Return (currency, minor units) of an amount above zero. Raises Fault INVALID_FIELD."""
    currency = read_currency(amount.currency_code, f"{field}.currency_code")
    return currency, bounded_int(amount.minor_units, f"{field}.minor_units", low=1, high=MAX_AMOUNT)


def read_signed(amount: Amount, field: str) -> tuple[str, int]:
    """Return (currency, minor units) of an amount of either sign, not zero. Raises Fault INVALID_FIELD."""
    currency = read_currency(amount.currency_code, f"{field}.currency_code")
    if amount.minor_units == 0:
        raise invalid_argument(f"{field}.minor_units", "must not be 0")
    return currency, bounded_int(amount.minor_units, f"{field}.minor_units", low=-MAX_AMOUNT, high=MAX_AMOUNT)


def read_terms(request: wallet_pb2.SetFeeScheduleRequest) -> FeeTerms:
    """Return the terms of a fee schedule. Raises Fault INVALID_FIELD."""
    low = bounded_int(request.fee_min, "fee_min", low=0, high=MAX_AMOUNT)
    return FeeTerms(
        fee_bps=bounded_int(request.fee_bps, "fee_bps", low=0, high=_ALL_BPS),
        fee_min=low,
        fee_max=bounded_int(request.fee_max, "fee_max", low=low, high=MAX_AMOUNT)
        if request.HasField("fee_max")
        else None,
    )


def read_tenant(value: str, field: str = "tenant", *, default: str = "") -> str:
    """Return a tenant's name, `default` when empty. Raises Fault INVALID_FIELD."""
    value = value or default
    if not _TENANT.fullmatch(value):
        raise invalid_argument(
            field, "must be 1 to 63 lower-case letters, digits and hyphens, no hyphen first"
        )
    return value


def read_player(value: str, field: str = "player_id") -> str:
    """Return a player's id, as allowed in a token's `sub`. Raises Fault INVALID_FIELD."""
    if any(character.isspace() for character in required(value, field, max_length=_MAX_PLAYER_CHARS)):
        raise invalid_argument(field, "must have no spaces")
    return value


def read_reference(value: str) -> str:
    """Return the reference of a payment. Raises Fault INVALID_FIELD if others could look alike."""
    required(value, "reference", max_length=_MAX_REFERENCE_CHARS)
    if value != " ".join(value.split()):
        raise invalid_argument("reference", "must have no spaces at either end and no two in a row")
    if not unicodedata.is_normalized("NFC", value):
        raise invalid_argument("reference", "must be in Unicode normalization form C")
    return value


def read_act_kind(kind: int) -> str:
    """Return the act's name in the ledger. Raises Fault INVALID_FIELD."""
    known_enum(kind, "kind", wallet_pb2.ActKind.values())
    return wallet_pb2.ActKind.Name(wallet_pb2.ActKind.ValueType(kind)).removeprefix("ACT_KIND_").lower()


def read_stakes(stakes: Sequence[Amount]) -> list[tuple[str, int]]:
    """Return (currency, minor units) of each. Raises Fault INVALID_FIELD."""
    bounded_int(len(stakes), "stakes", low=0, high=_MAX_STAKES)
    return [read_positive(stake, f"stakes[{place}]") for place, stake in enumerate(stakes)]


def read_holds(holds: Sequence[wallet_pb2.Hold]) -> list[Hold]:
    """Return four holds, one per seat. Raises Fault INVALID_FIELD."""
    if sorted(hold.seat for hold in holds) != list(SEATS):
        raise invalid_argument("holds", "must be four, one for each seat from 0 to 3")
    return [_read_hold(hold, f"holds[{place}]") for place, hold in enumerate(holds)]


def _read_hold(hold: wallet_pb2.Hold, field: str) -> Hold:
    currency, amount = read_positive(hold.amount, f"{field}.amount")
    return Hold(
        seat=hold.seat,
        player=read_player(hold.player_id, f"{field}.player_id"),
        reservation_id=uuid_field(hold.reservation_id, f"{field}.reservation_id"),
        currency=currency,
        amount=amount,
    )


def read_table(value: str, field: str = "table_id") -> UUID | None:
    """Return a table's id, None when empty. Raises Fault INVALID_FIELD."""
    return uuid_field(value, field) if value else None


def read_seats(seats: Sequence[wallet_pb2.MatchSeat], *, optional: bool = False) -> list[Seat]:
    """Return four seats, or none if allowed. Raises Fault INVALID_FIELD."""
    if sorted(seat.seat for seat in seats) != list(SEATS) and not (optional and not seats):
        raise invalid_argument("seats", "must be four, one for each seat from 0 to 3")
    return [
        Seat(
            seat=seat.seat,
            player=read_player(seat.player_id, f"seats[{place}].player_id"),
            reservation_id=read_table(seat.reservation_id, f"seats[{place}].reservation_id"),
        )
        for place, seat in enumerate(seats)
    ]


def read_known(request: wallet_pb2.ReconcilePotRequest) -> Known:
    """Return a table's state of its match. Raises Fault INVALID_FIELD."""
    match request.WhichOneof("known"):
        case "playing":
            return Playing()
        case "won":
            return Won(
                tuple(read_winning_seats(request.won.winning_seats, "won.winning_seats")),
                read_digest(request.won.result_digest, "won.result_digest"),
            )
        case "aborted":
            return Aborted()
        case _:
            raise invalid_argument("known", "is required: playing, won or aborted")


def read_ended(named: Sequence[wallet_pb2.CheckPotsRequest.Ended]) -> list[Ended]:
    """Return how matches ended. Raises Fault INVALID_FIELD."""
    bounded_int(len(named), "ended", low=0, high=_MAX_ENDED)
    return [_read_ended(ended, f"ended[{place}]") for place, ended in enumerate(named)]


def _read_ended(ended: wallet_pb2.CheckPotsRequest.Ended, field: str) -> Ended:
    how: Won | Aborted = Aborted()
    if ended.winning_seats:
        how = Won(
            tuple(read_winning_seats(ended.winning_seats, f"{field}.winning_seats")),
            read_digest(ended.result_digest, f"{field}.result_digest"),
        )
    pot_id = uuid_field(ended.pot_id, f"{field}.pot_id")
    return Ended(pot_id, uuid_field(ended.table_id, f"{field}.table_id"), how)


def read_position(message: wallet_pb2.LedgerPosition) -> Position:
    """Return a position from an earlier answer. Raises Fault INVALID_FIELD."""
    return Position(
        lineage=identifier(message.system_identifier, "seen.system_identifier"),
        timeline=bounded_int(message.timeline, "seen.timeline", low=1, high=_MAX_TIMELINE),
        flushed=bounded_int(message.flushed, "seen.flushed", low=0, high=_MAX_INT64),
    )


def read_states(states: Sequence[int]) -> list[str]:
    """Return the names of pot states. Raises Fault INVALID_FIELD."""
    known = {wallet_pb2.PotState.Value(f"POT_STATE_{state}"): state for state in PotState}
    for place, state in enumerate(states):
        known_enum(state, f"states[{place}]", known)
    return sorted({known[wallet_pb2.PotState.ValueType(state)].value for state in states})


def read_time(message: Timestamp, field: str) -> int:
    """Return microseconds since 1970. Raises Fault INVALID_FIELD."""
    bounded_int(message.seconds, f"{field}.seconds", low=0, high=_MAX_SECONDS)
    bounded_int(message.nanos, f"{field}.nanos", low=0, high=_NANOSECONDS - 1)
    return int(message.ToMicroseconds())


def read_winning_seats(seats: Sequence[int], field: str = "winning_seats") -> list[int]:
    """Return one or two seats in ascending order. Raises Fault INVALID_FIELD."""
    found = list(seats)
    if not 1 <= len(found) <= _MAX_WINNERS or found != sorted(set(found)) or found[-1] > LAST_SEAT:
        raise invalid_argument(field, "must be one or two seats from 0 to 3, in order")
    return found


def read_digest(digest: bytes, field: str = "result_digest") -> bytes:
    """Return 32 bytes. Raises Fault INVALID_FIELD."""
    if len(digest) != _DIGEST_BYTES:
        raise invalid_argument(field, f"must have {_DIGEST_BYTES} bytes")
    return digest


def read_refund_reason(reason: int) -> str:
    """Return the reason's name in the ledger. Raises Fault INVALID_FIELD."""
    known_enum(reason, "reason", wallet_pb2.RefundReason.values())
    if reason in _OWN_REASONS:
        raise invalid_argument("reason", "must be one that services may use")
    return wallet_pb2.RefundReason.Name(wallet_pb2.RefundReason.ValueType(reason)).removeprefix(
        "REFUND_REASON_"
    )


def tenant_or_default(value: str) -> str:
    """Return the tenant named by an operator, `default` if empty. Raises Fault INVALID_FIELD."""
    return read_tenant(value, default=DEFAULT_TENANT)
