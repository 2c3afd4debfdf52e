"""Connects operator commands to the services: addresses, token, output, errors."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import typer
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from rich.console import Console

from jasshaus.api.matchmaking.v1 import matchmaking_pb2_grpc
from jasshaus.api.table.v1 import table_pb2_grpc
from jasshaus.api.wallet.v1 import wallet_pb2_grpc
from jasshaus.cli.running import FAILED
from jasshaus.client.connection import Connection, Patience
from jasshaus.client.errors import JassError
from jasshaus.devstack.development import OPERATOR
from jasshaus.devstack.folder import DataFolder
from jasshaus.platform.auth import Role, mint_token

WHERE: Final = {
    "JASSHAUS_MATCHMAKING": "127.0.0.1:7001",
    "JASSHAUS_TABLE": "127.0.0.1:7002",
    "JASSHAUS_WALLET": "127.0.0.1:7003",
}
"""Variables with the services' addresses, and the defaults of a development stack."""
_TOKEN_SECONDS: Final = 600
_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86_400


@dataclass(frozen=True, slots=True)
class Output:
    """How a command prints: for people, or (`as_json`) one JSON value for programs."""

    console: Console
    as_json: bool

    def line(self, text: str = "") -> None:
        """Print a line for people."""
        if not self.as_json:
            self.console.print(text, highlight=False, soft_wrap=True, markup=False)

    def value(self, value: object) -> None:
        """Print a JSON value for programs."""
        if self.as_json:
            print(json.dumps(value, indent=2, ensure_ascii=False))


class Office:
    """The three services, called as an operator. Calls raise JassError."""

    def __init__(self, token: str) -> None:
        addresses = {name: os.environ.get(name) or address for name, address in WHERE.items()}
        patience = Patience(call=15.0)
        self._connections = {name: Connection(at, token, patience, None) for name, at in addresses.items()}
        self.matchmaking, self.table, self.wallet = self._connections.values()
        self.operator = matchmaking_pb2_grpc.OperatorServiceStub(self.matchmaking.channel)
        self.lobby = matchmaking_pb2_grpc.LobbyServiceStub(self.matchmaking.channel)
        self.tables = table_pb2_grpc.TableServiceStub(self.table.channel)
        self.pots = wallet_pb2_grpc.PotServiceStub(self.wallet.channel)
        self.cashier = wallet_pb2_grpc.CashierServiceStub(self.wallet.channel)
        self.recovery = wallet_pb2_grpc.RecoveryServiceStub(self.wallet.channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for connection in self._connections.values():
            await connection.close()


def operator_token(data: Path) -> str:
    """Return JASSHAUS_TOKEN, or mint a token of a development stack as `jasshaus token` does."""
    if token := os.environ.get("JASSHAUS_TOKEN", ""):
        return token
    secret = os.environ.get("JASSHAUS_DEV_SECRET", "")
    if not secret:
        if not (data / "secrets.json").exists():
            raise typer.BadParameter(
                f"JASSHAUS_TOKEN is not set (an operator's token), and no stack was started in {data}"
            )
        secret = DataFolder(data).secret("tokens")
    return mint_token(secret, OPERATOR, [Role.OPERATOR], ttl=_TOKEN_SECONDS)


async def in_office(token: str, work: Callable[[Office], Awaitable[int]]) -> int:
    """Run an operator's work; print a refusal in one line and return FAILED."""
    try:
        async with Office(token) as office:
            return await work(office)
    except JassError as error:
        print(f"jasshaus: {error}", file=sys.stderr)
        for field, problem in error.violations:
            print(f"jasshaus: {field}: {problem}", file=sys.stderr)
        return FAILED


def plain(message: Message) -> dict[str, object]:
    """Return a message as JSON, with the contract's field names."""
    found: dict[str, object] = MessageToDict(message, preserving_proto_field_name=True)
    return found


def moment(stamp: Timestamp) -> str:
    """Format a time in local time."""
    return f"{stamp.ToDatetime(UTC).astimezone():%Y-%m-%d %H:%M:%S}"


def ago(stamp: Timestamp) -> str:
    """Format how long ago a time was: "40 s", "12 min", "5 h", "3 d"."""
    return span((datetime.now(UTC) - stamp.ToDatetime(UTC)).total_seconds())


def until(stamp: Timestamp) -> str:
    """Format how far in the future a time is; past times are due."""
    seconds = (stamp.ToDatetime(UTC) - datetime.now(UTC)).total_seconds()
    return f"in {span(seconds)}" if seconds > 0 else "now"


def span(seconds: float) -> str:
    """Format a duration in the largest unit that fits."""
    for unit, name in ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= 2 * unit:
            return f"{int(seconds // unit)} {name}"
    return f"{max(0, int(seconds))} s"
