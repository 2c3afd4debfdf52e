"""The wallet refuses matchmaking's own token: whoever wants to play hears of the wallet, not of a token."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest
from prometheus_client import CollectorRegistry

from jasshaus.api.wallet.v1 import wallet_pb2_grpc
from jasshaus.platform.access import ACCESS
from jasshaus.platform.auth import Verifier
from jasshaus.platform.channel import TokenRefusedError
from jasshaus.platform.interceptor import RpcInterceptor
from jasshaus.platform.metrics import RpcMetrics
from matchmaking.harness import Harness, refused


@pytest.fixture
async def distrustful_wallet() -> AsyncIterator[str]:
    """Its keys are others."""
    verifier = Verifier(dev_secret="another secret of 32 bytes or more")
    server = grpc.aio.server(
        interceptors=[RpcInterceptor(verifier, ACCESS, RpcMetrics((), CollectorRegistry()))]
    )
    wallet_pb2_grpc.add_PotServiceServicer_to_server(_Pots(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield f"127.0.0.1:{port}"
    await server.stop(0)


class _Pots(wallet_pb2_grpc.PotServiceServicer):  # type: ignore[misc]
    """Is never reached."""


async def test_a_refused_service_token_is_nothing_to_a_player_and_a_reason_not_to_be_ready(
    place: Harness, distrustful_wallet: str
):
    async with place.front(wallet_address=distrustful_wallet) as front:
        with refused("WALLET_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE):
            await front.player("anna").open(100)
        with pytest.raises(TokenRefusedError, match="wallet refuses the service token: TOKEN_INVALID"):
            await front.edge.tokens["wallet_token"]()
        await front.edge.tokens["table_token"]()
