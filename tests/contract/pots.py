"""Owns FakeWallet: the wallet service in memory, for tests of what calls it, with faults on demand.

It keeps the same contract as the real one: tests/contract/test_pots.py runs against both.
"""

# ruff: noqa: N802 (gRPC names its methods so)

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Self

import grpc

from contract.pots_books import Books
from jasshaus.api.wallet.v1 import wallet_pb2_grpc
from jasshaus.platform.errors import Fault, to_status_metadata, unavailable


class FakeWallet(
    Books,
    wallet_pb2_grpc.PotServiceServicer,
    wallet_pb2_grpc.WalletServiceServicer,
    wallet_pb2_grpc.CashierServiceServicer,
):
    """Pots, balances and deposits in memory. Any caller may do anything, and names the player.

    `calls` lists (method, request). Faults on demand: `down`, `unavailable`, `lose_answer`, `delay`, `pause`.
    """

    def __init__(self, *, fee_bps: int = 250, fee_min: int = 0, fee_max: int | None = None) -> None:
        super().__init__(fee_bps=fee_bps, fee_min=fee_min, fee_max=fee_max)
        self.calls: list[tuple[str, Any]] = []
        self.down = False
        self._before: Counter[str] = Counter()
        self._after: Counter[str] = Counter()
        self._delays: defaultdict[str, list[float]] = defaultdict(list)
        self._gates: dict[str, asyncio.Event] = {}

    # Faults on demand. Methods are named as in the contract: "SettlePot".

    def unavailable(self, method: str, times: int = 1) -> None:
        """Refuse the next calls with UNAVAILABLE, without any effect."""
        self._before[method] += times

    def lose_answer(self, method: str, times: int = 1) -> None:
        """Let the next calls take effect and answer UNAVAILABLE all the same."""
        self._after[method] += times

    def delay(self, method: str, seconds: float, times: int = 1) -> None:
        """Let the next calls wait before they take effect."""
        self._delays[method] += [seconds] * times

    def pause(self, method: str) -> asyncio.Event:
        """Let calls wait before they take effect until the event returned is set."""
        return self._gates.setdefault(method, asyncio.Event())

    def count(self, method: str) -> int:
        """Return how often a method was called."""
        return sum(1 for name, _ in self.calls if name == method)

    # Serving.

    def register(self, server: grpc.aio.Server) -> Self:
        """Add the three services to a server."""
        wallet_pb2_grpc.add_PotServiceServicer_to_server(self, server)
        wallet_pb2_grpc.add_WalletServiceServicer_to_server(self, server)
        wallet_pb2_grpc.add_CashierServiceServicer_to_server(self, server)
        return self

    @asynccontextmanager
    async def serve(self, address: str = "127.0.0.1:0") -> AsyncIterator[str]:
        """Serve on a plain server while inside; yields host:port."""
        server = grpc.aio.server()
        self.register(server)
        port = server.add_insecure_port(address)
        await server.start()
        try:
            yield f"{address.rpartition(':')[0]}:{port}"
        finally:
            await server.stop(None)

    async def _answer(self, context: Any, method: str, request: Any, effect: Callable[[Any], Any]) -> Any:
        self.calls.append((method, request))
        try:
            if self.down or self._take(self._before, method):
                raise _told_to("be down")
            if self._delays[method]:
                await asyncio.sleep(self._delays[method].pop(0))
            if method in self._gates:
                await self._gates[method].wait()
            response = effect(request)
            if self._take(self._after, method):
                raise _told_to("lose the answer")
        except Fault as fault:
            context.set_trailing_metadata(to_status_metadata(fault))
            await context.abort(fault.code, fault.message)
        return response

    @staticmethod
    def _take(counter: Counter[str], method: str) -> bool:
        if counter[method] <= 0:
            return False
        counter[method] -= 1
        return True

    # The services' methods.

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

    async def GetBalance(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "GetBalance", request, self.get_balance)

    async def Deposit(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "Deposit", request, self.deposit)

    async def TrialBalance(self, request: Any, context: Any) -> Any:
        return await self._answer(context, "TrialBalance", request, self.trial_balance)


def _told_to(what: str) -> Fault:
    return unavailable("STORE_UNAVAILABLE", f"the fake was told to {what}", retry_after=0.01)
