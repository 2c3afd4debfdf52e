"""Calls to the wallet: a player's own money, and the operator's cashier."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from uuid import uuid4

from google.protobuf.timestamp_pb2 import Timestamp

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.wallet.v1.wallet_pb2 import (
    Balance,
    CorrectRequest,
    DepositRequest,
    Entry,
    FeeSchedule,
    ForceEndRecoveryRequest,
    ForceRefundPotRequest,
    ForceSettlePotRequest,
    GetBalanceRequest,
    GetPotRequest,
    ListEntriesRequest,
    ListEntriesResponse,
    ListFeeSchedulesRequest,
    ListFeeSchedulesResponse,
    ListOperatorActsRequest,
    ListOperatorActsResponse,
    ListPotsRequest,
    ListPotsResponse,
    ListRecoveriesRequest,
    ListRecoveriesResponse,
    Pot,
    PotState,
    Recovery,
    SetFeeScheduleRequest,
    TrialBalanceRequest,
    TrialBalanceResponse,
    WithdrawRequest,
)
from jasshaus.api.wallet.v1.wallet_pb2_grpc import (
    CashierServiceStub,
    PotServiceStub,
    RecoveryServiceStub,
    WalletServiceStub,
)
from jasshaus.client.connection import Connection


class WalletCalls:
    """Balances and statements for players; the cashier, pots, fees and the trial balance for operators."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._wallet = WalletServiceStub(connection.channel)
        self._pots = PotServiceStub(connection.channel)
        self._recovery = RecoveryServiceStub(connection.channel)
        self._cashier = CashierServiceStub(connection.channel)

    async def get_balances(self, *, player_id: str = "", tenant: str = "") -> list[Balance]:
        """Return the caller's balances, one per currency; operators may name any player."""
        request = GetBalanceRequest(player_id=player_id, tenant=tenant)
        return list((await self._connection.call(self._wallet.GetBalance, request)).balances)

    async def get_balance(self, currency_code: str, *, player_id: str = "", tenant: str = "") -> Balance:
        """Return the balance in one currency, zero without an account; operators may name any player."""
        request = GetBalanceRequest(player_id=player_id, tenant=tenant, currency_code=currency_code)
        return (await self._connection.call(self._wallet.GetBalance, request)).balances[0]

    async def list_entries(
        self,
        currency_code: str,
        *,
        player_id: str = "",
        tenant: str = "",
        page_size: int = 0,
        page_token: str = "",
    ) -> ListEntriesResponse:
        """Return one page of a statement, newest first."""
        request = ListEntriesRequest(
            player_id=player_id,
            tenant=tenant,
            currency_code=currency_code,
            page_size=page_size,
            page_token=page_token,
        )
        return await self._connection.call(self._wallet.ListEntries, request)

    async def all_entries(
        self, currency_code: str, *, player_id: str = "", tenant: str = ""
    ) -> AsyncGenerator[Entry, None]:
        """Yield a whole statement, newest first, page by page."""
        page_token = ""
        while True:
            page = await self.list_entries(
                currency_code, player_id=player_id, tenant=tenant, page_token=page_token
            )
            for entry in page.entries:
                yield entry
            page_token = page.next_page_token
            if not page_token:
                return

    async def get_pot(self, pot_id: str) -> Pot:
        """Return a game's pot; its id is the game's (operators)."""
        return (await self._connection.call(self._pots.GetPot, GetPotRequest(pot_id=pot_id))).pot

    async def deposit(
        self,
        player_id: str,
        amount: Amount,
        *,
        tenant: str = "",
        reference: str = "",
        request_id: str | None = None,
    ) -> Entry:
        """Credit a player (operators)."""
        request = DepositRequest(
            request_id=request_id or str(uuid4()),
            tenant=tenant,
            player_id=player_id,
            amount=amount,
            reference=reference,
        )
        return (await self._connection.call(self._cashier.Deposit, request)).entry

    async def withdraw(
        self,
        player_id: str,
        amount: Amount,
        *,
        reference: str,
        tenant: str = "",
        request_id: str | None = None,
    ) -> Entry:
        """Debit a player (operators): money paid out to them."""
        request = WithdrawRequest(
            request_id=request_id or str(uuid4()),
            tenant=tenant,
            player_id=player_id,
            amount=amount,
            reference=reference,
        )
        return (await self._connection.call(self._cashier.Withdraw, request)).entry

    async def correct(
        self,
        player_id: str,
        amount: Amount,
        *,
        reference: str,
        tenant: str = "",
        request_id: str | None = None,
    ) -> Entry:
        """Correct a player's balance by a signed amount (operators)."""
        request = CorrectRequest(
            request_id=request_id or str(uuid4()),
            tenant=tenant,
            player_id=player_id,
            amount=amount,
            reference=reference,
        )
        return (await self._connection.call(self._cashier.Correct, request)).entry

    async def set_fee_schedule(
        self,
        fee_bps: int,
        *,
        fee_min: int = 0,
        fee_max: int | None = None,
        tenant: str = "",
        start_time: Timestamp | None = None,
        request_id: str | None = None,
    ) -> FeeSchedule:
        """Add a fee schedule (operators), for a tenant or for all without their own; now, or later."""
        request = SetFeeScheduleRequest(
            request_id=request_id or str(uuid4()),
            tenant=tenant,
            fee_bps=fee_bps,
            fee_min=fee_min,
            fee_max=fee_max,
            start_time=start_time,
        )
        return (await self._connection.call(self._cashier.SetFeeSchedule, request)).schedule

    async def list_fee_schedules(
        self, *, page_size: int = 0, page_token: str = ""
    ) -> ListFeeSchedulesResponse:
        """Return one page of all fee schedules, newest first (operators)."""
        request = ListFeeSchedulesRequest(page_size=page_size, page_token=page_token)
        return await self._connection.call(self._cashier.ListFeeSchedules, request)

    async def list_pots(
        self,
        *,
        states: Sequence[PotState.ValueType] = (),
        tenant: str = "",
        opened_before: Timestamp | None = None,
        page_size: int = 0,
        page_token: str = "",
    ) -> ListPotsResponse:
        """Return one page of pots, oldest first (operators)."""
        request = ListPotsRequest(
            states=states,
            tenant=tenant,
            opened_before=opened_before,
            page_size=page_size,
            page_token=page_token,
        )
        return await self._connection.call(self._pots.ListPots, request)

    async def force_refund_pot(self, pot_id: str, reason: str, *, request_id: str | None = None) -> Pot:
        """Refund a pot when nothing else will (operators)."""
        request = ForceRefundPotRequest(request_id=request_id or str(uuid4()), pot_id=pot_id, reason=reason)
        return (await self._connection.call(self._cashier.ForceRefundPot, request)).pot

    async def force_settle_pot(
        self, pot_id: str, winning_seats: Sequence[int], reason: str, *, request_id: str | None = None
    ) -> Pot:
        """Pay a locked pot to the named winners when nothing else will (operators)."""
        request = ForceSettlePotRequest(
            request_id=request_id or str(uuid4()), pot_id=pot_id, winning_seats=winning_seats, reason=reason
        )
        return (await self._connection.call(self._cashier.ForceSettlePot, request)).pot

    async def list_operator_acts(
        self, *, subject: str = "", page_size: int = 0, page_token: str = ""
    ) -> ListOperatorActsResponse:
        """Return one page of operator acts, newest first (operators)."""
        request = ListOperatorActsRequest(subject=subject, page_size=page_size, page_token=page_token)
        return await self._connection.call(self._cashier.ListOperatorActs, request)

    async def list_recoveries(self, *, page_size: int = 0, page_token: str = "") -> ListRecoveriesResponse:
        """Return one page of the ledger's recoveries, newest first (operators)."""
        request = ListRecoveriesRequest(page_size=page_size, page_token=page_token)
        return await self._connection.call(self._recovery.ListRecoveries, request)

    async def force_end_recovery(
        self, recovery_id: int, reason: str, *, request_id: str | None = None
    ) -> Recovery:
        """End a recovery before everything is compared (operators). Raises Refused RECOVERY_NOT_CURRENT."""
        request = ForceEndRecoveryRequest(
            request_id=request_id or str(uuid4()), recovery_id=recovery_id, reason=reason
        )
        return (await self._connection.call(self._recovery.ForceEndRecovery, request)).recovery

    async def trial_balance(self) -> TrialBalanceResponse:
        """Return the sums of all accounts (operators). In a sound ledger each currency adds up to zero."""
        return await self._connection.call(self._cashier.TrialBalance, TrialBalanceRequest())
