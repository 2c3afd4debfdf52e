"""Bank: the wallet's clients as tests use them. A refusal is raised as the Fault it carries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Self
from uuid import uuid4

import grpc
import pytest

from jasshaus.api.common.v1 import money_pb2
from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from jasshaus.platform.errors import Fault, from_rpc_error

Pot = wallet_pb2.Pot
Hold = wallet_pb2.Hold
MatchSeat = wallet_pb2.MatchSeat
Playing = wallet_pb2.ReconcilePotRequest.Playing
Aborted = wallet_pb2.ReconcilePotRequest.Aborted

OPEN = wallet_pb2.POT_STATE_OPEN
LOCKED = wallet_pb2.POT_STATE_LOCKED
SETTLED = wallet_pb2.POT_STATE_SETTLED
REFUNDED = wallet_pb2.POT_STATE_REFUNDED

TABLE = "7ab1e000-0000-4000-8000-000000000000"
OTHER_TABLE = "7ab1e000-0000-4000-8000-000000000001"
FOUR = ("anna", "beat", "cla", "dora")


def new_id() -> str:
    return str(uuid4())


def digest(result: str) -> bytes:
    return sha256(result.encode()).digest()


NOBODY = [MatchSeat(seat=seat, player_id="nobody") for seat in range(4)]

# The seats that pots were locked on, as their tables know them: a pot that is over does not tell.
_LOCKED_ON: dict[str, list[MatchSeat]] = {}


def seats_of(pot: Pot, *, reservations: bool = True) -> list[MatchSeat]:
    """The seats of a match as its table knows them, from a pot that is not over."""
    return [
        MatchSeat(
            seat=hold.seat,
            player_id=hold.player_id,
            reservation_id=hold.reservation_id if reservations else "",
        )
        for hold in pot.holds
    ]


def won(seats: Sequence[int] = (0, 2), result: str = "result") -> wallet_pb2.ReconcilePotRequest.Won:
    return wallet_pb2.ReconcilePotRequest.Won(winning_seats=seats, result_digest=digest(result))


def amount(minor_units: int, currency: str = "CHF") -> money_pb2.Amount:
    return money_pb2.Amount(currency_code=currency, minor_units=minor_units)


@dataclass(slots=True)
class Caught:
    """What a refused block was refused with."""

    fault: Fault = field(init=False)

    @property
    def pot(self) -> Pot:
        pot = self.fault.detail(Pot)
        assert pot is not None, "the refusal carries no pot"
        return pot


@contextmanager
def refused(reason: str, code: grpc.StatusCode = grpc.StatusCode.FAILED_PRECONDITION) -> Iterator[Caught]:
    caught = Caught()
    with pytest.raises(Fault) as raised:
        yield caught
    caught.fault = raised.value
    assert (caught.fault.code, caught.fault.reason) == (code, reason)


def not_found(reason: str = "POT_NOT_FOUND") -> Any:
    return refused(reason, grpc.StatusCode.NOT_FOUND)


def malformed(reason: str = "INVALID_FIELD") -> Any:
    return refused(reason, grpc.StatusCode.INVALID_ARGUMENT)


class Bank:
    """The wallet at an address, called as a service (pots) or as an operator (the rest)."""

    def __init__(self, address: str, *, service: str = "", operator: str = "") -> None:
        self.address = address
        self.channel = grpc.aio.insecure_channel(address)
        self.pots = wallet_pb2_grpc.PotServiceStub(self.channel)
        self.wallet = wallet_pb2_grpc.WalletServiceStub(self.channel)
        self.recovery = wallet_pb2_grpc.RecoveryServiceStub(self.channel)
        self.cashier = wallet_pb2_grpc.CashierServiceStub(self.channel)
        self.service = service
        self.operator = operator

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.channel.close()

    async def call(self, method: Any, request: Any, token: str) -> Any:
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        try:
            return await method(request, metadata=metadata, timeout=60)
        except grpc.aio.AioRpcError as error:
            fault = from_rpc_error(error)
            if fault is None:
                raise
            raise fault from error

    # The operator's side.

    async def deposit(
        self,
        player: str,
        minor_units: int,
        *,
        request_id: str = "",
        currency: str = "CHF",
        tenant: str = "default",
        reference: str = "",
    ) -> wallet_pb2.Entry:
        request = wallet_pb2.DepositRequest(
            request_id=request_id or new_id(),
            tenant=tenant,
            player_id=player,
            amount=amount(minor_units, currency),
            reference=reference,
        )
        return (await self.call(self.cashier.Deposit, request, self.operator)).entry

    async def withdraw(self, player: str, minor_units: int, **asked: Any) -> wallet_pb2.Entry:
        return (
            await self._move(self.cashier.Withdraw, wallet_pb2.WithdrawRequest, player, minor_units, asked)
        ).entry

    async def correct(self, player: str, minor_units: int, **asked: Any) -> wallet_pb2.Entry:
        return (
            await self._move(self.cashier.Correct, wallet_pb2.CorrectRequest, player, minor_units, asked)
        ).entry

    async def _move(
        self, method: Any, message: Any, player: str, minor_units: int, asked: dict[str, Any]
    ) -> Any:
        """`asked` may hold request_id, tenant, reference and currency."""
        fields = {"request_id": new_id(), "tenant": "default", "reference": new_id(), **asked}
        paid = amount(minor_units, fields.pop("currency", "CHF"))
        return await self.call(method, message(player_id=player, amount=paid, **fields), self.operator)

    async def set_fees(self, fee_bps: int, **asked: Any) -> wallet_pb2.FeeSchedule:
        """`asked` may hold request_id, tenant, fee_min, fee_max and start_time."""
        fields = {"request_id": new_id(), **asked}
        request = wallet_pb2.SetFeeScheduleRequest(fee_bps=fee_bps, **fields)
        return (await self.call(self.cashier.SetFeeSchedule, request, self.operator)).schedule

    async def fees(self, size: int = 0, token: str = "") -> wallet_pb2.ListFeeSchedulesResponse:
        request = wallet_pb2.ListFeeSchedulesRequest(page_size=size, page_token=token)
        return await self.call(self.cashier.ListFeeSchedules, request, self.operator)

    async def force_refund(self, pot_id: str, reason: str = "stuck", request_id: str = "") -> Pot:
        request = wallet_pb2.ForceRefundPotRequest(
            request_id=request_id or new_id(), pot_id=pot_id, reason=reason
        )
        return (await self.call(self.cashier.ForceRefundPot, request, self.operator)).pot

    async def force_settle(
        self, pot_id: str, seats: Sequence[int] = (0, 2), reason: str = "stuck", request_id: str = ""
    ) -> Pot:
        request = wallet_pb2.ForceSettlePotRequest(
            request_id=request_id or new_id(), pot_id=pot_id, winning_seats=seats, reason=reason
        )
        return (await self.call(self.cashier.ForceSettlePot, request, self.operator)).pot

    async def acts(
        self, subject: str = "", size: int = 0, token: str = ""
    ) -> wallet_pb2.ListOperatorActsResponse:
        request = wallet_pb2.ListOperatorActsRequest(subject=subject, page_size=size, page_token=token)
        return await self.call(self.cashier.ListOperatorActs, request, self.operator)

    async def balance(self, player: str, currency: str = "CHF", tenant: str = "default") -> int:
        return (await self.balances(player, currency, tenant))[0][0]

    async def balances(
        self, player: str, currency: str = "", tenant: str = "default"
    ) -> list[tuple[int, int, str]]:
        """(available, in pots, currency) of each currency."""
        request = wallet_pb2.GetBalanceRequest(player_id=player, tenant=tenant, currency_code=currency)
        response = await self.call(self.wallet.GetBalance, request, self.operator)
        return [
            (each.available.minor_units, each.in_pots.minor_units, each.available.currency_code)
            for each in response.balances
        ]

    async def entries(self, player: str, size: int = 0, token: str = "", currency: str = "CHF") -> Any:
        request = wallet_pb2.ListEntriesRequest(
            player_id=player, currency_code=currency, page_size=size, page_token=token
        )
        return await self.call(self.wallet.ListEntries, request, self.operator)

    async def assert_sound(self) -> wallet_pb2.TrialBalanceResponse:
        """The last line of every test of money."""
        trial = await self.call(self.cashier.TrialBalance, wallet_pb2.TrialBalanceRequest(), self.operator)
        assert trial.balanced
        assert not any(total.minor_units for total in trial.totals)
        return trial

    # The services' side.

    async def open(
        self, stake: int, *, pot_id: str = "", currency: str = "CHF", tenant: str = "default"
    ) -> Pot:
        request = wallet_pb2.OpenPotRequest(
            pot_id=pot_id or new_id(), tenant=tenant, stake=amount(stake, currency)
        )
        return (await self.call(self.pots.OpenPot, request, self.service)).pot

    async def hold(self, pot_id: str, seat: int, player: str, reservation_id: str = "") -> Hold:
        request = wallet_pb2.HoldStakeRequest(
            pot_id=pot_id, reservation_id=reservation_id or new_id(), seat=seat, player_id=player
        )
        return (await self.call(self.pots.HoldStake, request, self.service)).hold

    async def release(self, pot_id: str, reservation_id: str) -> bool:
        request = wallet_pb2.ReleaseStakeRequest(pot_id=pot_id, reservation_id=reservation_id)
        return (await self.call(self.pots.ReleaseStake, request, self.service)).released

    async def lock(self, pot_id: str, holds: Sequence[Hold], table_id: str = TABLE) -> Pot:
        request = wallet_pb2.LockPotRequest(pot_id=pot_id, holds=holds, table_id=table_id)
        pot: Pot = (await self.call(self.pots.LockPot, request, self.service)).pot
        _LOCKED_ON.setdefault(
            pot_id,
            [MatchSeat(seat=h.seat, player_id=h.player_id, reservation_id=h.reservation_id) for h in holds],
        )
        return pot

    async def settle(
        self,
        pot_id: str,
        seats: Sequence[int] = (0, 2),
        result: str = "result",
        table_id: str = TABLE,
        named: Sequence[MatchSeat] = (),
    ) -> Pot:
        request = wallet_pb2.SettlePotRequest(
            pot_id=pot_id,
            winning_seats=seats,
            result_digest=digest(result),
            table_id=table_id,
            seats=named or _LOCKED_ON.get(pot_id, NOBODY),
        )
        return (await self.call(self.pots.SettlePot, request, self.service)).pot

    async def refund(
        self,
        pot_id: str,
        reason: int = wallet_pb2.REFUND_REASON_TABLE_ABORTED,
        table_id: str = "",
        named: Sequence[MatchSeat] = (),
    ) -> Pot:
        if table_id and not named:
            named = _LOCKED_ON.get(pot_id, NOBODY)
        request = wallet_pb2.RefundPotRequest(pot_id=pot_id, reason=reason, table_id=table_id, seats=named)
        return (await self.call(self.pots.RefundPot, request, self.service)).pot

    async def reconcile(
        self, pot_id: str, seats: Sequence[MatchSeat], table_id: str = TABLE, **known: Any
    ) -> wallet_pb2.ReconcilePotResponse:
        """`known` is one of playing=Playing(), won=won(...), aborted=Aborted()."""
        request = wallet_pb2.ReconcilePotRequest(pot_id=pot_id, table_id=table_id, seats=seats, **known)
        answer: wallet_pb2.ReconcilePotResponse = await self.call(
            self.pots.ReconcilePot, request, self.service
        )
        _LOCKED_ON.setdefault(pot_id, list(seats))
        return answer

    async def check_pots(self, *ended: wallet_pb2.CheckPotsRequest.Ended) -> list[str]:
        request = wallet_pb2.CheckPotsRequest(ended=ended)
        return list((await self.call(self.pots.CheckPots, request, self.service)).pot_ids)

    async def list_pots(self, **asked: Any) -> wallet_pb2.ListPotsResponse:
        return await self.call(self.pots.ListPots, wallet_pb2.ListPotsRequest(**asked), self.service)

    async def check(self, seen: wallet_pb2.LedgerPosition | None = None) -> wallet_pb2.CheckLedgerResponse:
        request = wallet_pb2.CheckLedgerRequest(seen=seen)
        return await self.call(self.recovery.CheckLedger, request, self.service)

    async def end_recovery(
        self, recovery_id: int, repaired: int = 0, unmatched: int = 0
    ) -> wallet_pb2.Recovery:
        request = wallet_pb2.EndRecoveryRequest(
            recovery_id=recovery_id, repaired=repaired, unmatched=unmatched
        )
        return (await self.call(self.recovery.EndRecovery, request, self.service)).recovery

    async def force_end_recovery(
        self, recovery_id: int, reason: str = "Redis is lost", request_id: str = ""
    ) -> wallet_pb2.Recovery:
        request = wallet_pb2.ForceEndRecoveryRequest(
            request_id=request_id or new_id(), recovery_id=recovery_id, reason=reason
        )
        return (await self.call(self.recovery.ForceEndRecovery, request, self.operator)).recovery

    async def record_act(self, **asked: Any) -> int:
        request = wallet_pb2.RecordActRequest(
            **{
                "request_id": new_id(),
                "kind": wallet_pb2.ACT_KIND_ABORT_TABLE,
                "subject": "olga",
                "subject_tenant": "red",
                "tenant": "default",
                "object": TABLE,
                "reason": "cheating",
            }
            | asked
        )
        return (await self.call(self.pots.RecordAct, request, self.service)).act_id

    async def recoveries(self, size: int = 0, token: str = "") -> wallet_pb2.ListRecoveriesResponse:
        request = wallet_pb2.ListRecoveriesRequest(page_size=size, page_token=token)
        return await self.call(self.recovery.ListRecoveries, request, self.operator)

    async def get(self, pot_id: str) -> Pot:
        request = wallet_pb2.GetPotRequest(pot_id=pot_id)
        return (await self.call(self.pots.GetPot, request, self.service)).pot

    async def quote(self, *stakes: int, tenant: str = "default") -> list[money_pb2.Quote]:
        request = wallet_pb2.QuotePotsRequest(tenant=tenant, stakes=[amount(stake) for stake in stakes])
        return list((await self.call(self.pots.QuotePots, request, self.service)).quotes)

    # A few steps at once.

    async def seated(self, stake: int = 100, players: Sequence[str] = FOUR, funds: int = 1000) -> Pot:
        """A pot with a stake of each of these players, who got `funds` each."""
        pot = await self.open(stake)
        for seat, player in enumerate(players):
            await self.deposit(player, funds)
            await self.hold(pot.pot_id, seat, player)
        return await self.get(pot.pot_id)

    async def locked(self, stake: int = 100, table_id: str = TABLE) -> Pot:
        """A locked pot of four; an empty table is how an older release locked it."""
        pot = await self.seated(stake)
        return await self.lock(pot.pot_id, pot.holds, table_id)
