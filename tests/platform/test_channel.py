"""From one service to another: who calls, and for which request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue

from jasshaus.platform import channel as channels
from jasshaus.platform.auth import current_principal, mint_token
from jasshaus.platform.channel import ServiceToken, service_channel
from jasshaus.platform.config import PlatformConfig, read_config
from jasshaus.platform.errors import Fault
from jasshaus.platform.interceptor import current_request_id, current_trace

from .conftest import SECRET, SERVICE, EchoServer, player


def config(**environ: str) -> PlatformConfig:
    return read_config(
        PlatformConfig, {"JASSHAUS_MODE": "development", "JASSHAUS_DEV_SECRET": SECRET, **environ}
    )


async def test_shows_its_token_and_passes_request_and_trace_on(echo_server: EchoServer) -> None:
    seen: list[tuple[str, str | None, str | None]] = []
    trace = "00-" + "a" * 32 + "-" + "b" * 16 + "-01"
    # A player's role, since the test server lets in nobody else.
    token = mint_token(SECRET, "matchmaking", ["player"])
    outgoing = service_channel(echo_server.address, config(JASSHAUS_SERVICE_TOKEN=token))

    async def echo(request: StringValue, _context: Any) -> StringValue:
        seen.append((current_principal().subject, current_request_id(), current_trace()))
        if request.value == "outer":
            inner: Any = outgoing.unary_unary(
                f"/{SERVICE}/Echo",
                request_serializer=StringValue.SerializeToString,
                response_deserializer=StringValue.FromString,
            )
            await inner(StringValue(value="inner"))
        return request

    echo_server.echo = echo
    await echo_server.call("outer", metadata=(*player(), ("x-request-id", "r-7"), ("traceparent", trace)))
    await outgoing.close()
    assert seen == [("anna", "r-7", trace), ("matchmaking", "r-7", trace)]


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
