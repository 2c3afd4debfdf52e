"""FakeWallet: the wallet service in memory, for tests of its callers, with faults on demand.

It keeps the same contract as the real one: tests/contract/test_pots.py runs against both.
"""

# ruff: noqa: N802 (gRPC names its methods so)

from __future__ import annotations

from typing import Any

import grpc

from contract.faulty import Faulty
from contract.pots_books import Books
from jasshaus.api.wallet.v1 import wallet_pb2_grpc


class FakeWallet(
    Faulty,
    Books,
    wallet_pb2_grpc.PotServiceServicer,
    wallet_pb2_grpc.WalletServiceServicer,
    wallet_pb2_grpc.RecoveryServiceServicer,
    wallet_pb2_grpc.CashierServiceServicer,
):
    """Pots, balances and the cashier in memory. Any caller may do anything, and names the player.

    `operator` and `service` name the callers: nobody may decide on a pot that they play for.
    """

    def __init__(self, *, fee_bps: int = 250, fee_min: int = 0, fee_max: int | None = None) -> None:
        Faulty.__init__(self)
        Books.__init__(self, fee_bps=fee_bps, fee_min=fee_min, fee_max=fee_max)

    def register(self, server: grpc.aio.Server) -> None:
        """Add the four services to a server."""
        wallet_pb2_grpc.add_PotServiceServicer_to_server(self, server)
        wallet_pb2_grpc.add_WalletServiceServicer_to_server(self, server)
        wallet_pb2_grpc.add_RecoveryServiceServicer_to_server(self, server)
        wallet_pb2_grpc.add_CashierServiceServicer_to_server(self, server)

    async def QuotePots(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "QuotePots", request, self.quote_pots)

    async def OpenPot(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "OpenPot", request, self.open_pot)

    async def HoldStake(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "HoldStake", request, self.hold_stake)

    async def ReleaseStake(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "ReleaseStake", request, self.release_stake)

    async def LockPot(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "LockPot", request, self.lock_pot)

    async def SettlePot(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "SettlePot", request, self.settle_pot)

    async def RefundPot(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "RefundPot", request, self.refund_pot)

    async def GetPot(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "GetPot", request, self.get_pot)

    async def ListPots(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "ListPots", request, self.list_pots)

    async def ReconcilePot(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "ReconcilePot", request, self.reconcile_pot)

    async def CheckPots(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "CheckPots", request, self.check_pots)

    async def RecordAct(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "RecordAct", request, self.record_act)

    async def ForceEndRecovery(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "ForceEndRecovery", request, self.force_end_recovery)

    async def CheckLedger(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "CheckLedger", request, self.check_ledger)

    async def EndRecovery(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "EndRecovery", request, self.end_recovery)

    async def ListRecoveries(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "ListRecoveries", request, self.list_recoveries)

    async def GetBalance(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "GetBalance", request, self.get_balance)

    async def Deposit(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "Deposit", request, self.deposit)

    async def Withdraw(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "Withdraw", request, self.withdraw)

    async def Correct(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "Correct", request, self.correct)

    async def SetFeeSchedule(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "SetFeeSchedule", request, self.set_fee_schedule)

    async def ListFeeSchedules(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "ListFeeSchedules", request, self.list_fee_schedules)

    async def ForceRefundPot(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "ForceRefundPot", request, self.force_refund_pot)

    async def ForceSettlePot(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "ForceSettlePot", request, self.force_settle_pot)

    async def ListOperatorActs(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "ListOperatorActs", request, self.list_operator_acts)

    async def TrialBalance(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "TrialBalance", request, self.trial_balance)
