"""Runs the wallet for tests: the real servicers and interceptor on a real server and PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import grpc
from prometheus_client import CollectorRegistry

from contract.pots_bank import Bank
from jasshaus.platform.access import ACCESS, methods_of
from jasshaus.platform.auth import Verifier, mint_token
from jasshaus.platform.interceptor import RpcInterceptor
from jasshaus.platform.metrics import RpcMetrics
from jasshaus.wallet.bookkeeping import Bookkeeping
from jasshaus.wallet.ledger import Ledger
from jasshaus.wallet.metrics import WalletMetrics
from jasshaus.wallet.servicer import SERVICES, register
from jasshaus.wallet.store import Store
from jasshaus.wallet.wire import to_fault

#: How many statements wait for another one's lock: what a test that holds one looks at before it goes on.
WAITING_FOR_LOCKS = "SELECT count(*) FROM pg_locks WHERE NOT granted"

SECRET = "a secret for tests, of 32 bytes and more"


def token(subject: str, role: str = "player", tenant: str = "default") -> str:
    return mint_token(SECRET, subject, [role], tenant)


@dataclass(frozen=True, slots=True)
class RunningWallet:
    """A wallet at an address, and what it is made of."""

    address: str
    ledger: Ledger
    books: Bookkeeping
    registry: CollectorRegistry

    def metric(self, name: str, **labels: str) -> float | None:
        return self.registry.get_sample_value(name, labels)

    def bank(self) -> Bank:
        return Bank(
            self.address, service=token("matchmaking", "service"), operator=token("cashier", "operator")
        )


@asynccontextmanager
async def serve_wallet(
    dsn: str,
    *,
    fees: tuple[int, int, int | None] = (250, 0, None),
    connections: int = 10,
    witness: bool = True,
) -> AsyncIterator[RunningWallet]:
    registry = CollectorRegistry()
    metrics = WalletMetrics(registry)
    async with Store(dsn, metrics, connections=connections) as store:
        ledger = Ledger(store, metrics)
        await ledger.ensure_fee_schedule(*fees)
        if witness:
            # The table service of a house where nothing has been seen yet.
            await ledger.check(None)
        rpc = RpcInterceptor(
            Verifier(dev_secret=SECRET), ACCESS, RpcMetrics(methods_of(SERVICES), registry), to_fault
        )
        server = grpc.aio.server(interceptors=[rpc])
        register(server, ledger)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        try:
            yield RunningWallet(f"127.0.0.1:{port}", ledger, Bookkeeping(ledger, metrics), registry)
        finally:
            await server.stop(5)
