"""Turns the ledger's records and refusals into the contract's messages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.common.v1.money_pb2 import Quote as QuoteMessage
from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.platform.errors import Fault
from jasshaus.wallet.ledger import REFUSALS, Refused
from jasshaus.wallet.records import (
    Balance,
    Entry,
    FeeSchedule,
    Hold,
    JournalKind,
    OperatorAct,
    Position,
    Pot,
    PotState,
    Quote,
    Recovery,
    TrialBalance,
)

_STATES: Final[Mapping[PotState, wallet_pb2.PotState.ValueType]] = MappingProxyType(
    {state: wallet_pb2.PotState.Value(f"POT_STATE_{state}") for state in PotState}
)
_KINDS: Final[Mapping[JournalKind, wallet_pb2.EntryKind.ValueType]] = MappingProxyType(
    {kind: wallet_pb2.EntryKind.Value(f"ENTRY_KIND_{kind.upper()}") for kind in JournalKind}
)


def to_fault(error: Exception) -> Fault | None:
    """Return the Fault for a refusal, with the pot among its details; None for anything else."""
    if not isinstance(error, Refused):
        return None
    missing = error.reason == "POT_NOT_FOUND"
    return Fault(
        grpc.StatusCode.NOT_FOUND if missing else grpc.StatusCode.FAILED_PRECONDITION,
        error.reason,
        REFUSALS[error.reason],
        metadata=_metadata(error),
        details=() if error.pot is None else (pot_message(error.pot),),
    )


def _metadata(error: Refused) -> dict[str, str]:
    found = {} if error.journal_id is None else {"journal_id": error.journal_id}
    if error.pot is not None:
        found |= {"pot_id": str(error.pot.pot_id), "pot_state": error.pot.state}
    return found


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
        table_id="" if pot.table_id is None else str(pot.table_id),
        refund_reason=_refund_reason(pot.refund_reason),
        create_time=time_message(pot.created_us),
        lock_time=time_message(pot.locked_us),
        close_time=time_message(pot.closed_us),
    )


def _refund_reason(reason: str | None) -> wallet_pb2.RefundReason.ValueType:
    return wallet_pb2.RefundReason.Value(f"REFUND_REASON_{reason or 'UNSPECIFIED'}")


def time_message(microseconds: int | None) -> Timestamp | None:
    """Return a Timestamp, or None."""
    if microseconds is None:
        return None
    timestamp = Timestamp()
    timestamp.FromMicroseconds(microseconds)
    return timestamp


def position_message(position: Position) -> wallet_pb2.LedgerPosition:
    """Return a LedgerPosition."""
    return wallet_pb2.LedgerPosition(
        system_identifier=position.lineage, timeline=position.timeline, flushed=position.flushed
    )


def recovery_message(recovery: Recovery) -> wallet_pb2.Recovery:
    """Return a Recovery."""
    return wallet_pb2.Recovery(
        recovery_id=recovery.recovery_id,
        cause=recovery.cause,
        begin_time=time_message(recovery.begun_us),
        end_time=time_message(recovery.ended_us),
        position=position_message(recovery.position),
        repaired=recovery.repaired,
        unmatched=recovery.unmatched,
        ended_by=recovery.ended_by,
    )


def entry_message(entry: Entry) -> wallet_pb2.Entry:
    """Return an Entry."""
    return wallet_pb2.Entry(
        journal_id=str(entry.journal_id),
        sequence=entry.sequence,
        amount=amount_message(entry.currency, entry.amount),
        balance_after=amount_message(entry.currency, entry.balance_after),
        kind=_KINDS[entry.kind],
        pot_id="" if entry.pot_id is None else str(entry.pot_id),
        create_time=time_message(entry.created_us),
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


def schedule_message(schedule: FeeSchedule) -> wallet_pb2.FeeSchedule:
    """Return a FeeSchedule."""
    return wallet_pb2.FeeSchedule(
        version=schedule.version,
        tenant=schedule.tenant,
        fee_bps=schedule.fee_bps,
        fee_min=schedule.fee_min,
        fee_max=schedule.fee_max,
        start_time=time_message(schedule.start_us),
        create_time=time_message(schedule.created_us),
        created_by=schedule.created_by,
    )


def act_message(act: OperatorAct) -> wallet_pb2.OperatorAct:
    """Return an OperatorAct."""
    return wallet_pb2.OperatorAct(
        act_id=act.act_id,
        subject=act.subject,
        subject_tenant=act.subject_tenant,
        kind=act.kind,
        request_id=str(act.request_id),
        tenant=act.tenant,
        object=act.object,
        reason=act.reason,
        journal_id="" if act.journal_id is None else str(act.journal_id),
        create_time=time_message(act.created_us),
    )
