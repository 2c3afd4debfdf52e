"""The wallet's RPCs: each reads the request, calls the ledger and writes the answer."""

# ruff: noqa: N802, D102, ARG002 (the contract names and documents the methods and their parameters)

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import grpc

from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from jasshaus.platform.auth import Role, current_principal
from jasshaus.platform.errors import permission_denied
from jasshaus.platform.validation import bounded_int, optional_text, page_size, required, uuid_field
from jasshaus.wallet import reading, wire
from jasshaus.wallet.ledger import Ledger
from jasshaus.wallet.paging import page_token, place_token, read_page_token, read_place_token
from jasshaus.wallet.records import Movement, Operator, Won

SERVICES: Final = tuple(service.full_name for service in wallet_pb2.DESCRIPTOR.services_by_name.values())

_MAX_REASON_CHARS: Final = 256
_MAX_COUNT: Final = 2**63 - 1

Context = grpc.aio.ServicerContext[Any, Any]


def register(server: grpc.aio.Server, ledger: Ledger) -> None:
    """Add the wallet's services to a server."""
    wallet_pb2_grpc.add_WalletServiceServicer_to_server(WalletServicer(ledger), server)
    wallet_pb2_grpc.add_PotServiceServicer_to_server(PotServicer(ledger), server)
    wallet_pb2_grpc.add_RecoveryServiceServicer_to_server(RecoveryServicer(ledger), server)
    wallet_pb2_grpc.add_CashierServiceServicer_to_server(CashierServicer(ledger), server)


class WalletServicer(wallet_pb2_grpc.WalletServiceServicer):
    """A player's own money."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def GetBalance(
        self, request: wallet_pb2.GetBalanceRequest, context: Context
    ) -> wallet_pb2.GetBalanceResponse:
        tenant, player = _whose(request)
        currency = request.currency_code and reading.read_currency(request.currency_code, "currency_code")
        balances = await self._ledger.balances(tenant, player, currency)
        return wallet_pb2.GetBalanceResponse(balances=map(wire.balance_message, balances))

    async def ListEntries(
        self, request: wallet_pb2.ListEntriesRequest, context: Context
    ) -> wallet_pb2.ListEntriesResponse:
        account = (*_whose(request), reading.read_currency(request.currency_code, "currency_code"))
        size, before = page_size(request.page_size), read_page_token(request.page_token, account)
        # One more than requested shows whether there is another page.
        entries = await self._ledger.entries(*account, before=before, limit=size + 1)
        more = len(entries) > size
        return wallet_pb2.ListEntriesResponse(
            entries=map(wire.entry_message, entries[:size]),
            next_page_token=page_token(account, entries[size - 1].sequence) if more else "",
        )


class PotServicer(wallet_pb2_grpc.PotServiceServicer):
    """Stakes, moved by the other services."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def QuotePots(
        self, request: wallet_pb2.QuotePotsRequest, context: Context
    ) -> wallet_pb2.QuotePotsResponse:
        tenant, stakes = reading.read_tenant(request.tenant), reading.read_stakes(request.stakes)
        quotes = await self._ledger.quote_pots(tenant, stakes)
        return wallet_pb2.QuotePotsResponse(quotes=map(wire.quote_message, quotes))

    async def OpenPot(
        self, request: wallet_pb2.OpenPotRequest, context: Context
    ) -> wallet_pb2.OpenPotResponse:
        pot_id, tenant = uuid_field(request.pot_id, "pot_id"), reading.read_tenant(request.tenant)
        pot = await self._ledger.open_pot(pot_id, tenant, *reading.read_positive(request.stake, "stake"))
        return wallet_pb2.OpenPotResponse(pot=wire.pot_message(pot))

    async def HoldStake(
        self, request: wallet_pb2.HoldStakeRequest, context: Context
    ) -> wallet_pb2.HoldStakeResponse:
        hold = await self._ledger.hold_stake(
            uuid_field(request.pot_id, "pot_id"),
            uuid_field(request.reservation_id, "reservation_id"),
            bounded_int(request.seat, "seat", low=0, high=reading.LAST_SEAT),
            reading.read_player(request.player_id),
        )
        return wallet_pb2.HoldStakeResponse(hold=wire.hold_message(hold))

    async def ReleaseStake(
        self, request: wallet_pb2.ReleaseStakeRequest, context: Context
    ) -> wallet_pb2.ReleaseStakeResponse:
        released = await self._ledger.release_stake(
            uuid_field(request.pot_id, "pot_id"), uuid_field(request.reservation_id, "reservation_id")
        )
        return wallet_pb2.ReleaseStakeResponse(released=released)

    async def LockPot(
        self, request: wallet_pb2.LockPotRequest, context: Context
    ) -> wallet_pb2.LockPotResponse:
        pot = await self._ledger.lock_pot(
            uuid_field(request.pot_id, "pot_id"),
            reading.read_holds(request.holds),
            reading.read_table(request.table_id),
            _caller(),
        )
        return wallet_pb2.LockPotResponse(pot=wire.pot_message(pot))

    async def SettlePot(
        self, request: wallet_pb2.SettlePotRequest, context: Context
    ) -> wallet_pb2.SettlePotResponse:
        pot = await self._ledger.settle_pot(
            uuid_field(request.pot_id, "pot_id"),
            Won(
                tuple(reading.read_winning_seats(request.winning_seats)),
                reading.read_digest(request.result_digest),
            ),
            uuid_field(request.table_id, "table_id"),
            reading.read_seats(request.seats),
            _caller(),
        )
        return wallet_pb2.SettlePotResponse(pot=wire.pot_message(pot))

    async def RefundPot(
        self, request: wallet_pb2.RefundPotRequest, context: Context
    ) -> wallet_pb2.RefundPotResponse:
        pot = await self._ledger.refund_pot(
            uuid_field(request.pot_id, "pot_id"),
            reading.read_refund_reason(request.reason),
            reading.read_table(request.table_id),
            reading.read_seats(request.seats, optional=not request.table_id),
            _caller(),
        )
        return wallet_pb2.RefundPotResponse(pot=wire.pot_message(pot))

    async def GetPot(self, request: wallet_pb2.GetPotRequest, context: Context) -> wallet_pb2.GetPotResponse:
        pot = await self._ledger.get_pot(uuid_field(request.pot_id, "pot_id"))
        return wallet_pb2.GetPotResponse(pot=wire.pot_message(pot))

    async def ListPots(
        self, request: wallet_pb2.ListPotsRequest, context: Context
    ) -> wallet_pb2.ListPotsResponse:
        states = reading.read_states(request.states)
        tenant = request.tenant and reading.read_tenant(request.tenant)
        before = (
            reading.read_time(request.opened_before, "opened_before")
            if request.HasField("opened_before")
            else None
        )
        listed = ("pots", *states, tenant, str(before))
        size, after = page_size(request.page_size), read_place_token(request.page_token, listed)
        # One more than requested shows whether there is another page.
        pots = await self._ledger.list_pots(
            states, tenant, opened_before_us=before, after=after, limit=size + 1
        )
        last = pots[size - 1] if len(pots) > size else None
        return wallet_pb2.ListPotsResponse(
            pots=map(wire.pot_message, pots[:size]),
            next_page_token="" if last is None else place_token(listed, last.created_us, last.pot_id),
        )

    async def ReconcilePot(
        self, request: wallet_pb2.ReconcilePotRequest, context: Context
    ) -> wallet_pb2.ReconcilePotResponse:
        pot, repaired = await self._ledger.reconcile_pot(
            uuid_field(request.pot_id, "pot_id"),
            uuid_field(request.table_id, "table_id"),
            reading.read_seats(request.seats),
            reading.read_known(request),
            _caller(),
        )
        return wallet_pb2.ReconcilePotResponse(pot=wire.pot_message(pot), repaired=repaired)

    async def CheckPots(
        self, request: wallet_pb2.CheckPotsRequest, context: Context
    ) -> wallet_pb2.CheckPotsResponse:
        otherwise = await self._ledger.check_pots(reading.read_ended(request.ended))
        return wallet_pb2.CheckPotsResponse(pot_ids=map(str, otherwise))

    async def RecordAct(
        self, request: wallet_pb2.RecordActRequest, context: Context
    ) -> wallet_pb2.RecordActResponse:
        act_id = await self._ledger.record_act(
            reading.read_act_kind(request.kind),
            uuid_field(request.request_id, "request_id"),
            request.tenant and reading.read_tenant(request.tenant),
            str(uuid_field(request.object, "object")),
            optional_text(request.reason, "reason", max_length=_MAX_REASON_CHARS),
            Operator(
                reading.read_player(request.subject, "subject"),
                reading.read_tenant(request.subject_tenant, default=""),
            ),
        )
        return wallet_pb2.RecordActResponse(act_id=act_id)


class RecoveryServicer(wallet_pb2_grpc.RecoveryServiceServicer):
    """Recovery after PostgreSQL went back in time."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def CheckLedger(
        self, request: wallet_pb2.CheckLedgerRequest, context: Context
    ) -> wallet_pb2.CheckLedgerResponse:
        seen = reading.read_position(request.seen) if request.HasField("seen") else None
        position, recovery = await self._ledger.check(seen)
        return wallet_pb2.CheckLedgerResponse(
            position=wire.position_message(position),
            recovery=None if recovery is None else wire.recovery_message(recovery),
        )

    async def EndRecovery(
        self, request: wallet_pb2.EndRecoveryRequest, context: Context
    ) -> wallet_pb2.EndRecoveryResponse:
        recovery = await self._ledger.end_recovery(
            bounded_int(request.recovery_id, "recovery_id", low=1, high=_MAX_COUNT),
            bounded_int(request.repaired, "repaired", low=0, high=_MAX_COUNT),
            bounded_int(request.unmatched, "unmatched", low=0, high=_MAX_COUNT),
        )
        return wallet_pb2.EndRecoveryResponse(recovery=wire.recovery_message(recovery))

    async def ForceEndRecovery(
        self, request: wallet_pb2.ForceEndRecoveryRequest, context: Context
    ) -> wallet_pb2.ForceEndRecoveryResponse:
        recovery = await self._ledger.force_end_recovery(
            uuid_field(request.request_id, "request_id"),
            bounded_int(request.recovery_id, "recovery_id", low=0, high=_MAX_COUNT),
            required(request.reason, "reason", max_length=_MAX_REASON_CHARS),
            _operator(),
        )
        return wallet_pb2.ForceEndRecoveryResponse(recovery=wire.recovery_message(recovery))

    async def ListRecoveries(
        self, request: wallet_pb2.ListRecoveriesRequest, context: Context
    ) -> wallet_pb2.ListRecoveriesResponse:
        listed = ("recoveries",)
        size, before = page_size(request.page_size), read_page_token(request.page_token, listed)
        found = await self._ledger.recoveries(before=before, limit=size + 1)
        more = len(found) > size
        return wallet_pb2.ListRecoveriesResponse(
            recoveries=map(wire.recovery_message, found[:size]),
            next_page_token=page_token(listed, found[size - 1].recovery_id) if more else "",
        )


class CashierServicer(wallet_pb2_grpc.CashierServiceServicer):
    """The cashier."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def Deposit(
        self, request: wallet_pb2.DepositRequest, context: Context
    ) -> wallet_pb2.DepositResponse:
        movement = _movement(
            request,
            reading.read_positive(request.amount, "amount"),
            request.reference and reading.read_reference(request.reference),
        )
        entry = await self._ledger.deposit(_request_id(request), movement, _operator())
        return wallet_pb2.DepositResponse(entry=wire.entry_message(entry))

    async def Withdraw(
        self, request: wallet_pb2.WithdrawRequest, context: Context
    ) -> wallet_pb2.WithdrawResponse:
        movement = _movement(
            request,
            reading.read_positive(request.amount, "amount"),
            reading.read_reference(request.reference),
        )
        entry = await self._ledger.withdraw(_request_id(request), movement, _operator())
        return wallet_pb2.WithdrawResponse(entry=wire.entry_message(entry))

    async def Correct(
        self, request: wallet_pb2.CorrectRequest, context: Context
    ) -> wallet_pb2.CorrectResponse:
        movement = _movement(
            request,
            reading.read_signed(request.amount, "amount"),
            reading.read_reference(request.reference),
        )
        entry = await self._ledger.correct(_request_id(request), movement, _operator())
        return wallet_pb2.CorrectResponse(entry=wire.entry_message(entry))

    async def SetFeeSchedule(
        self, request: wallet_pb2.SetFeeScheduleRequest, context: Context
    ) -> wallet_pb2.SetFeeScheduleResponse:
        schedule = await self._ledger.set_fee_schedule(
            _request_id(request),
            request.tenant and reading.read_tenant(request.tenant),
            reading.read_terms(request),
            reading.read_time(request.start_time, "start_time") if request.HasField("start_time") else None,
            _operator(),
        )
        return wallet_pb2.SetFeeScheduleResponse(schedule=wire.schedule_message(schedule))

    async def ListFeeSchedules(
        self, request: wallet_pb2.ListFeeSchedulesRequest, context: Context
    ) -> wallet_pb2.ListFeeSchedulesResponse:
        listed = ("fee schedules",)
        size, before = page_size(request.page_size), read_page_token(request.page_token, listed)
        found = await self._ledger.fee_schedules(before=before, limit=size + 1)
        more = len(found) > size
        return wallet_pb2.ListFeeSchedulesResponse(
            schedules=map(wire.schedule_message, found[:size]),
            next_page_token=page_token(listed, found[size - 1].version) if more else "",
        )

    async def ForceRefundPot(
        self, request: wallet_pb2.ForceRefundPotRequest, context: Context
    ) -> wallet_pb2.ForceRefundPotResponse:
        pot = await self._ledger.force_refund_pot(
            _request_id(request),
            uuid_field(request.pot_id, "pot_id"),
            required(request.reason, "reason", max_length=_MAX_REASON_CHARS),
            _operator(),
        )
        return wallet_pb2.ForceRefundPotResponse(pot=wire.pot_message(pot))

    async def ForceSettlePot(
        self, request: wallet_pb2.ForceSettlePotRequest, context: Context
    ) -> wallet_pb2.ForceSettlePotResponse:
        pot = await self._ledger.force_settle_pot(
            _request_id(request),
            uuid_field(request.pot_id, "pot_id"),
            reading.read_winning_seats(request.winning_seats),
            required(request.reason, "reason", max_length=_MAX_REASON_CHARS),
            _operator(),
        )
        return wallet_pb2.ForceSettlePotResponse(pot=wire.pot_message(pot))

    async def ListOperatorActs(
        self, request: wallet_pb2.ListOperatorActsRequest, context: Context
    ) -> wallet_pb2.ListOperatorActsResponse:
        subject = request.subject and reading.read_player(request.subject, "subject")
        listed = ("operator acts", subject)
        size, before = page_size(request.page_size), read_page_token(request.page_token, listed)
        found = await self._ledger.operator_acts(subject, before=before, limit=size + 1)
        more = len(found) > size
        return wallet_pb2.ListOperatorActsResponse(
            acts=map(wire.act_message, found[:size]),
            next_page_token=page_token(listed, found[size - 1].act_id) if more else "",
        )

    async def TrialBalance(
        self, request: wallet_pb2.TrialBalanceRequest, context: Context
    ) -> wallet_pb2.TrialBalanceResponse:
        return wire.trial_balance_message(await self._ledger.trial_balance())


def _request_id(
    request: wallet_pb2.DepositRequest
    | wallet_pb2.WithdrawRequest
    | wallet_pb2.CorrectRequest
    | wallet_pb2.SetFeeScheduleRequest
    | wallet_pb2.ForceRefundPotRequest
    | wallet_pb2.ForceSettlePotRequest,
) -> UUID:
    return uuid_field(request.request_id, "request_id")


def _movement(
    request: wallet_pb2.DepositRequest | wallet_pb2.WithdrawRequest | wallet_pb2.CorrectRequest,
    amount: tuple[str, int],
    reference: str,
) -> Movement:
    """Return the change to a player's balance. Raises Fault INVALID_FIELD."""
    currency, minor_units = amount
    return Movement(
        tenant=reading.tenant_or_default(request.tenant),
        player=reading.read_player(request.player_id),
        currency=currency,
        amount=minor_units,
        reference=reference,
    )


def _operator() -> Operator:
    caller = current_principal()
    return Operator(caller.subject, caller.tenant)


def _caller() -> str:
    return current_principal().subject


def _whose(request: wallet_pb2.GetBalanceRequest | wallet_pb2.ListEntriesRequest) -> tuple[str, str]:
    """Return (tenant, player) of the requested account. Raises Fault NOT_YOUR_ACCOUNT."""
    caller = current_principal()
    if not request.player_id or (request.player_id == caller.subject and Role.OPERATOR not in caller.roles):
        return caller.tenant, caller.subject
    if Role.OPERATOR not in caller.roles:
        raise permission_denied("NOT_YOUR_ACCOUNT", "only an operator may read someone else's account")
    return reading.tenant_or_default(request.tenant), reading.read_player(request.player_id)
