"""Owns the wallet's RPCs: each reads its request, asks the ledger, and writes the answer."""

# ruff: noqa: N802, D102, ARG002 (the contract names the methods, documents them, and says what they are given)

from __future__ import annotations

from typing import Any, Final

import grpc

from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from jasshaus.platform.auth import Role, current_principal
from jasshaus.platform.errors import permission_denied
from jasshaus.platform.validation import bounded_int, optional_text, page_size, uuid_field
from jasshaus.wallet import wire
from jasshaus.wallet.ledger import Ledger
from jasshaus.wallet.paging import page_token, read_page_token

SERVICES: Final = tuple(service.full_name for service in wallet_pb2.DESCRIPTOR.services_by_name.values())

_MAX_REFERENCE_CHARS: Final = 128

Context = grpc.aio.ServicerContext[Any, Any]


def register(server: grpc.aio.Server, ledger: Ledger) -> None:
    """Add the wallet's services to a server."""
    wallet_pb2_grpc.add_WalletServiceServicer_to_server(WalletServicer(ledger), server)
    wallet_pb2_grpc.add_PotServiceServicer_to_server(PotServicer(ledger), server)
    wallet_pb2_grpc.add_CashierServiceServicer_to_server(CashierServicer(ledger), server)


class WalletServicer(wallet_pb2_grpc.WalletServiceServicer):
    """A player's own money."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def GetBalance(
        self, request: wallet_pb2.GetBalanceRequest, context: Context
    ) -> wallet_pb2.GetBalanceResponse:
        tenant, player = _whose(request)
        currency = request.currency_code and wire.read_currency(request.currency_code, "currency_code")
        balances = await self._ledger.balances(tenant, player, currency)
        return wallet_pb2.GetBalanceResponse(balances=map(wire.balance_message, balances))

    async def ListEntries(
        self, request: wallet_pb2.ListEntriesRequest, context: Context
    ) -> wallet_pb2.ListEntriesResponse:
        account = (*_whose(request), wire.read_currency(request.currency_code, "currency_code"))
        size, before = page_size(request.page_size), read_page_token(request.page_token, account)
        # One more than asked for tells whether there is another page.
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
        tenant, stakes = wire.read_tenant(request.tenant), wire.read_stakes(request.stakes)
        quotes = await self._ledger.quote_pots(tenant, stakes)
        return wallet_pb2.QuotePotsResponse(quotes=map(wire.quote_message, quotes))

    async def OpenPot(
        self, request: wallet_pb2.OpenPotRequest, context: Context
    ) -> wallet_pb2.OpenPotResponse:
        pot_id, tenant = uuid_field(request.pot_id, "pot_id"), wire.read_tenant(request.tenant)
        pot = await self._ledger.open_pot(pot_id, tenant, *wire.read_positive(request.stake, "stake"))
        return wallet_pb2.OpenPotResponse(pot=wire.pot_message(pot))

    async def HoldStake(
        self, request: wallet_pb2.HoldStakeRequest, context: Context
    ) -> wallet_pb2.HoldStakeResponse:
        hold = await self._ledger.hold_stake(
            uuid_field(request.pot_id, "pot_id"),
            uuid_field(request.reservation_id, "reservation_id"),
            bounded_int(request.seat, "seat", low=0, high=wire.LAST_SEAT),
            wire.read_player(request.player_id),
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
        pot_id, holds = uuid_field(request.pot_id, "pot_id"), wire.read_holds(request.holds)
        return wallet_pb2.LockPotResponse(pot=wire.pot_message(await self._ledger.lock_pot(pot_id, holds)))

    async def SettlePot(
        self, request: wallet_pb2.SettlePotRequest, context: Context
    ) -> wallet_pb2.SettlePotResponse:
        pot = await self._ledger.settle_pot(
            uuid_field(request.pot_id, "pot_id"),
            wire.read_winning_seats(request.winning_seats),
            wire.read_digest(request.result_digest),
            uuid_field(request.table_id, "table_id"),
        )
        return wallet_pb2.SettlePotResponse(pot=wire.pot_message(pot))

    async def RefundPot(
        self, request: wallet_pb2.RefundPotRequest, context: Context
    ) -> wallet_pb2.RefundPotResponse:
        pot_id, reason = uuid_field(request.pot_id, "pot_id"), wire.read_refund_reason(request.reason)
        return wallet_pb2.RefundPotResponse(
            pot=wire.pot_message(await self._ledger.refund_pot(pot_id, reason))
        )

    async def GetPot(self, request: wallet_pb2.GetPotRequest, context: Context) -> wallet_pb2.GetPotResponse:
        pot = await self._ledger.get_pot(uuid_field(request.pot_id, "pot_id"))
        return wallet_pb2.GetPotResponse(pot=wire.pot_message(pot))


class CashierServicer(wallet_pb2_grpc.CashierServiceServicer):
    """The operator's counter."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def Deposit(
        self, request: wallet_pb2.DepositRequest, context: Context
    ) -> wallet_pb2.DepositResponse:
        entry = await self._ledger.deposit(
            wire.tenant_or_default(request.tenant),
            uuid_field(request.request_id, "request_id"),
            wire.read_player(request.player_id),
            *wire.read_positive(request.amount, "amount"),
            optional_text(request.reference, "reference", max_length=_MAX_REFERENCE_CHARS),
        )
        return wallet_pb2.DepositResponse(entry=wire.entry_message(entry))

    async def TrialBalance(
        self, request: wallet_pb2.TrialBalanceRequest, context: Context
    ) -> wallet_pb2.TrialBalanceResponse:
        return wire.trial_balance_message(await self._ledger.trial_balance())


def _whose(request: wallet_pb2.GetBalanceRequest | wallet_pb2.ListEntriesRequest) -> tuple[str, str]:
    """Return (tenant, player) of the account asked for. Raises Fault NOT_YOUR_ACCOUNT."""
    caller = current_principal()
    if not request.player_id or (request.player_id == caller.subject and Role.OPERATOR not in caller.roles):
        return caller.tenant, caller.subject
    if Role.OPERATOR not in caller.roles:
        raise permission_denied("NOT_YOUR_ACCOUNT", "only an operator may read somebody else's account")
    return wire.tenant_or_default(request.tenant), wire.read_player(request.player_id)
