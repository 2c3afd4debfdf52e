"""From one service to another: who calls, and for which request."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from jasshaus.platform import channel as channels
from jasshaus.platform.auth import current_principal, mint_token
from jasshaus.platform.channel import Peer, ServiceToken, TokenRefusedError
from jasshaus.platform.config import PlatformConfig, read_config
from jasshaus.platform.errors import Fault
from jasshaus.platform.interceptor import current_request_id, current_trace
from jasshaus.platform.metrics import CallerMetrics

from .conftest import SECRET, SERVICE, EchoServer, player


def config(**environ: str) -> PlatformConfig:
    return read_config(
        PlatformConfig, {"JASSHAUS_MODE": "development", "JASSHAUS_DEV_SECRET": SECRET, **environ}
    )


async def test_shows_its_token_and_passes_request_and_trace_on(echo_server: EchoServer) -> None:
    seen: list[tuple[str, str | None, str | None]] = []
    trace = "00-" + "a" * 32 + "-" + "b" * 16 + "-01"
    # A player's role, since the test server lets in nobody else.
    token = mint_token(SECRET, "mm", ["player"])
    peer = Peer("wallet", echo_server.address, config(JASSHAUS_SERVICE_TOKEN=token))

    async def echo(request: StringValue, _context: Any) -> StringValue:
        seen.append((current_principal().subject, current_request_id(), current_trace()))
        if request.value == "outer":
            inner: Any = peer.channel.unary_unary(
                f"/{SERVICE}/Echo",
                request_serializer=StringValue.SerializeToString,
                response_deserializer=StringValue.FromString,
            )
            await inner(StringValue(value="inner"))
        return request

    echo_server.echo = echo
    await echo_server.call("outer", metadata=(*player(), ("x-request-id", "r-7"), ("traceparent", trace)))
    await peer.close()
    assert seen == [("anna", "r-7", trace), ("mm", "r-7", trace)]


async def test_a_token_file_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "token"
    token = ServiceToken(None, file)
    with pytest.raises(Fault) as caught:
        await token()
    assert caught.value.code is grpc.StatusCode.UNAVAILABLE
    file.write_text("first\n")
    assert await token() == "first"
    file.write_text("second\n")
    assert await token() == "first"
    monkeypatch.setattr(channels, "_TOKEN_FILE_SECONDS", 0)
    assert await token() == "second"
    file.unlink()
    assert await token() == "second", "better an old one than none"


async def test_none_configured() -> None:
    with pytest.raises(Fault):
        await ServiceToken(None, None)()


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The echo server stands for the wallet; each question is asked."""
    monkeypatch.setitem(channels._CHECKS, "wallet", f"/{SERVICE}/Echo")
    monkeypatch.setattr(channels, "_CHECK_SECONDS", 0)
    return


@pytest.mark.usefixtures("checked")
@pytest.mark.parametrize(
    ("token", "reason"),
    [
        (mint_token(SECRET, "matchmaking", ["service"]), "ROLE_NOT_ALLOWED"),
        (mint_token(SECRET, "mm", ["player"], ttl=-60), "TOKEN_EXPIRED"),
        (mint_token("another secret of 32 bytes or more", "mm", ["player"]), "TOKEN_INVALID"),
        ("nonsense", "TOKEN_INVALID"),
    ],
)
async def test_a_refused_token_is_told_and_a_new_one_ends_it(
    echo_server: EchoServer, tmp_path: Path, registry: CollectorRegistry, token: str, reason: str
) -> None:
    file = tmp_path / "token"
    file.write_text(token)
    settings = config(JASSHAUS_SERVICE_TOKEN_FILE=str(file))
    async with Peer("wallet", echo_server.address, settings, CallerMetrics(registry)) as peer:

        def metric(name: str, **labels: str) -> float | None:
            return registry.get_sample_value(f"jasshaus_service_{name}", labels)

        assert metric("calls_refused_total", peer="wallet", reason=reason) == 0
        with capture_logs() as lines:
            for _ in range(3):
                with pytest.raises(TokenRefusedError, match=f"wallet refuses the service token: {reason}"):
                    await peer.token_accepted()
        (line,) = [each for each in lines if each["event"] == "service_token_refused"]
        assert (line["log_level"], line["peer"], line["reason"]) == ("error", "wallet", reason)
        assert token not in repr(line)
        assert metric("calls_refused_total", peer="wallet", reason=reason) == 3
        assert metric("token_refused", peer="wallet") == 1

        # Nobody on whose behalf was called is told that a token is wrong: theirs is not.
        call: Any = peer.channel.unary_unary(f"/{SERVICE}/Echo")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(b"")
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE

        file.write_text(mint_token(SECRET, "mm", ["player"], ttl=60))
        await peer.token_accepted()
        assert metric("token_refused", peer="wallet") == 0
        expires = metric("token_expires_timestamp_seconds")
        assert expires is not None
        assert 50 < expires - time.time() <= 60


@pytest.mark.usefixtures("checked")
async def test_a_peer_that_does_not_answer_says_nothing_of_the_token(registry: CollectorRegistry) -> None:
    token = mint_token(SECRET, "mm", ["player"])
    settings = config(JASSHAUS_SERVICE_TOKEN=token)
    async with Peer("wallet", "127.0.0.1:1", settings, CallerMetrics(registry)) as peer:
        await peer.token_accepted()
    assert registry.get_sample_value("jasshaus_service_token_refused", {"peer": "wallet"}) == 0


async def test_calls_tell_and_an_idle_service_asks(
    echo_server: EchoServer, registry: CollectorRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(channels._CHECKS, "wallet", f"/{SERVICE}/Echo")
    seen: list[str] = []

    async def echo(request: StringValue, _context: Any) -> StringValue:
        seen.append(request.value)
        return request

    echo_server.echo = echo
    settings = config(JASSHAUS_SERVICE_TOKEN=mint_token(SECRET, "mm", ["player"]))
    async with Peer("wallet", echo_server.address, settings, CallerMetrics(registry)) as peer:
        await peer.token_accepted()
        await peer.token_accepted()
        assert seen == [""]
        monkeypatch.setattr(channels, "_CHECK_SECONDS", 0)
        await peer.token_accepted()
        assert seen == ["", ""]
