"""Owns the calls to the wallet: a player's own money, and the operator's counter."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from uuid import uuid4

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.wallet.v1.wallet_pb2 import (
    Balance,
    DepositRequest,
    Entry,
    GetBalanceRequest,
    GetPotRequest,
    ListEntriesRequest,
    ListEntriesResponse,
    Pot,
    TrialBalanceRequest,
    TrialBalanceResponse,
)
from jasshaus.api.wallet.v1.wallet_pb2_grpc import CashierServiceStub, PotServiceStub, WalletServiceStub
from jasshaus.client.connection import Connection


class WalletCalls:
    """Balances and statements for players; deposits, pots and the trial balance for operators."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._wallet = WalletServiceStub(connection.channel)
        self._pots = PotServiceStub(connection.channel)
        self._cashier = CashierServiceStub(connection.channel)

    async def get_balances(self, *, player_id: str = "", tenant: str = "") -> list[Balance]:
        """Return the caller's balances, one a currency; operators: anybody's."""
        request = GetBalanceRequest(player_id=player_id, tenant=tenant)
        return list((await self._connection.call(self._wallet.GetBalance, request)).balances)

    async def get_balance(self, currency_code: str, *, player_id: str = "", tenant: str = "") -> Balance:
        """Return the caller's balance in one currency, zero without an account; operators: anybody's."""
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

    async def trial_balance(self) -> TrialBalanceResponse:
        """Return the sums of all accounts (operators). In a sound ledger each currency adds to zero."""
        return await self._connection.call(self._cashier.TrialBalance, TrialBalanceRequest())
