"""Owns the way between the contract's messages and the ledger's records, field checks included."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.common.v1.money_pb2 import Quote as QuoteMessage
from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.platform.auth import DEFAULT_TENANT
from jasshaus.platform.errors import Fault, invalid_argument
from jasshaus.platform.validation import bounded_int, known_enum, required, uuid_field
from jasshaus.wallet.ledger import REFUSALS, Refused
from jasshaus.wallet.records import Balance, Entry, Hold, JournalKind, Pot, PotState, Quote, TrialBalance

MAX_AMOUNT: Final = 1_000_000_000_000
LAST_SEAT: Final = 3
SEATS: Final = (0, 1, 2, 3)

_MAX_STAKES: Final = 100
_MAX_PLAYER_CHARS: Final = 128
_DIGEST_BYTES: Final = 32
_MAX_WINNERS: Final = 2
_CURRENCY: Final = re.compile(r"[A-Z][A-Z0-9]{2,7}")
_TENANT: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")

_STATES: Final[Mapping[PotState, wallet_pb2.PotState.ValueType]] = MappingProxyType(
    {state: wallet_pb2.PotState.Value(f"POT_STATE_{state}") for state in PotState}
)
_KINDS: Final[Mapping[JournalKind, wallet_pb2.EntryKind.ValueType]] = MappingProxyType(
    {kind: wallet_pb2.EntryKind.Value(f"ENTRY_KIND_{kind.upper()}") for kind in JournalKind}
)


def to_fault(error: Exception) -> Fault | None:
    """Return the Fault a refusal is answered with, the pot among its details; None for anything else."""
    if not isinstance(error, Refused):
        return None
    missing = error.reason == "POT_NOT_FOUND"
    return Fault(
        grpc.StatusCode.NOT_FOUND if missing else grpc.StatusCode.FAILED_PRECONDITION,
        error.reason,
        REFUSALS[error.reason],
        metadata={} if error.pot is None else {"pot_id": str(error.pot.pot_id), "pot_state": error.pot.state},
        details=() if error.pot is None else (pot_message(error.pot),),
    )


def amount_message(currency: str, minor_units: int) -> Amount:
    """Return an Amount."""
    return Amount(currency_code=currency, minor_units=minor_units)


def quote_message(quote: Quote) -> QuoteMessage:
    """Return a Quote."""
    return QuoteMessage(
        stake=amount_message(quote.currency, quote.stake),
        pot=amount_message(quote.currency, quote.pot),
        fee=amount_message(quote.currency, quote.fee),
        net=amount_message(quote.currency, quote.net),
        side_payouts=[amount_message(quote.currency, share) for share in quote.side_payouts],
        fee_schedule_version=quote.fee_schedule_version,
        fee_bps=quote.fee_bps,
    )


def hold_message(hold: Hold) -> wallet_pb2.Hold:
    """Return a Hold."""
    return wallet_pb2.Hold(
        seat=hold.seat,
        player_id=hold.player,
        reservation_id=str(hold.reservation_id),
        amount=amount_message(hold.currency, hold.amount),
    )


def pot_message(pot: Pot) -> wallet_pb2.Pot:
    """Return a Pot."""
    currency = pot.quote.currency
    return wallet_pb2.Pot(
        pot_id=str(pot.pot_id),
        tenant=pot.tenant,
        state=_STATES[pot.state],
        quote=quote_message(pot.quote),
        holds=[hold_message(hold) for hold in pot.holds],
        payouts=[
            wallet_pb2.Payout(
                seat=each.seat, player_id=each.player, amount=amount_message(currency, each.amount)
            )
            for each in pot.payouts
        ],
        fee_taken=None if pot.fee_taken is None else amount_message(currency, pot.fee_taken),
        result_digest=pot.result_digest,
    )


def entry_message(entry: Entry) -> wallet_pb2.Entry:
    """Return an Entry."""
    create_time = Timestamp()
    create_time.FromMicroseconds(entry.created_us)
    return wallet_pb2.Entry(
        journal_id=str(entry.journal_id),
        sequence=entry.sequence,
        amount=amount_message(entry.currency, entry.amount),
        balance_after=amount_message(entry.currency, entry.balance_after),
        kind=_KINDS[entry.kind],
        pot_id="" if entry.pot_id is None else str(entry.pot_id),
        create_time=create_time,
        reference=entry.reference,
    )


def balance_message(balance: Balance) -> wallet_pb2.Balance:
    """Return a Balance."""
    return wallet_pb2.Balance(
        available=amount_message(balance.currency, balance.available),
        in_pots=amount_message(balance.currency, balance.in_pots),
    )


def trial_balance_message(trial: TrialBalance) -> wallet_pb2.TrialBalanceResponse:
    """Return a TrialBalanceResponse."""
    return wallet_pb2.TrialBalanceResponse(
        lines=[
            wallet_pb2.TrialBalanceResponse.Line(
                kind=line.kind, total=amount_message(line.currency, line.total), accounts=line.accounts
            )
            for line in trial.lines
        ],
        totals=[amount_message(currency, total) for currency, total in trial.totals.items()],
        balanced=trial.balanced,
    )


def read_currency(value: str, field: str) -> str:
    """Return a currency code. Raises Fault INVALID_FIELD."""
    if not _CURRENCY.fullmatch(value):
        raise invalid_argument(field, "must be 3 to 8 upper-case letters and digits, the first a letter")
    return value


def read_positive(amount: Amount, field: str) -> tuple[str, int]:
    """Return (currency, minor units) of an amount above zero. Raises Fault INVALID_FIELD."""
    currency = read_currency(amount.currency_code, f"{field}.currency_code")
    return currency, bounded_int(amount.minor_units, f"{field}.minor_units", low=1, high=MAX_AMOUNT)


def read_tenant(value: str, field: str = "tenant", *, default: str = "") -> str:
    """Return a tenant's name, `default` when empty. Raises Fault INVALID_FIELD."""
    value = value or default
    if not _TENANT.fullmatch(value):
        raise invalid_argument(
            field, "must be 1 to 63 lower-case letters, digits and hyphens, no hyphen first"
        )
    return value


def read_player(value: str, field: str = "player_id") -> str:
    """Return a player's id: what a token's `sub` can be. Raises Fault INVALID_FIELD."""
    if any(character.isspace() for character in required(value, field, max_length=_MAX_PLAYER_CHARS)):
        raise invalid_argument(field, "must have no spaces")
    return value


def read_stakes(stakes: Sequence[Amount]) -> list[tuple[str, int]]:
    """Return (currency, minor units) of each. Raises Fault INVALID_FIELD."""
    bounded_int(len(stakes), "stakes", low=0, high=_MAX_STAKES)
    return [read_positive(stake, f"stakes[{place}]") for place, stake in enumerate(stakes)]


def read_holds(holds: Sequence[wallet_pb2.Hold]) -> list[Hold]:
    """Return four holds, one a seat. Raises Fault INVALID_FIELD."""
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


def read_winning_seats(seats: Sequence[int]) -> list[int]:
    """Return one or two seats in ascending order. Raises Fault INVALID_FIELD."""
    found = list(seats)
    if not 1 <= len(found) <= _MAX_WINNERS or found != sorted(set(found)) or found[-1] > LAST_SEAT:
        raise invalid_argument("winning_seats", "must be one or two seats from 0 to 3, in order")
    return found


def read_digest(digest: bytes, field: str = "result_digest") -> bytes:
    """Return 32 bytes. Raises Fault INVALID_FIELD."""
    if len(digest) != _DIGEST_BYTES:
        raise invalid_argument(field, f"must have {_DIGEST_BYTES} bytes")
    return digest


def read_refund_reason(reason: int) -> str:
    """Return the reason's name as the ledger keeps it. Raises Fault INVALID_FIELD."""
    known_enum(reason, "reason", wallet_pb2.RefundReason.values())
    return wallet_pb2.RefundReason.Name(wallet_pb2.RefundReason.ValueType(reason)).removeprefix(
        "REFUND_REASON_"
    )


def tenant_or_default(value: str) -> str:
    """Return the tenant an operator names, `default` when empty. Raises Fault INVALID_FIELD."""
    return read_tenant(value, default=DEFAULT_TENANT)
