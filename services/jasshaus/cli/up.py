"""`jasshaus up`: runs the development stack until Ctrl-C and prints what a developer needs to connect."""

from __future__ import annotations

import asyncio
import os
import shlex
import socket
import sys
from pathlib import Path
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from rich.console import Console

from jasshaus.cli import words
from jasshaus.client import Refused
from jasshaus.devstack.development import DATA, OPERATOR, PLAYERS, PURSE, chf, connect, offering
from jasshaus.devstack.stack import Stack
from jasshaus.platform.auth import Role

PORTS: Final = {"matchmaking": 7001, "table-0": 7002, "wallet": 7003}
_EXAMPLE: Final = Path(__file__).parents[3] / "examples" / "play.py"


async def up(data: Path, seed: int | None, console: Console) -> int:
    """Run until a signal cancels us; the data persists in the directory."""
    console.print(f"Starting the stack in {data} ...", highlight=False, soft_wrap=True)
    stack = Stack(
        data,
        ports={name: port for name, port in PORTS.items() if _is_free(port)},
        environment={"matchmaking": offering(0)},
        arguments={} if seed is None else {"table": ["--seed", str(seed)]},
        supervise=True,
        report=lambda text: print(f"jasshaus: {text}", file=sys.stderr),
    )
    async with stack:
        await _fill_purses(stack)
        for line in _introduction(stack, data):
            console.print(line, highlight=False, soft_wrap=True, markup=False)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            console.print("Stopping ...")
    console.print(f"Stopped. The data stays in {data}.", highlight=False, soft_wrap=True)
    return 0


async def _fill_purses(stack: Stack) -> None:
    """Credit each player once per data directory: a repeated request id is the same deposit."""
    async with connect(stack, OPERATOR, Role.OPERATOR) as operator:
        for player in PLAYERS:
            request_id = str(uuid5(NAMESPACE_URL, f"jasshaus:starting-balance:{player}"))
            try:
                await operator.wallet.deposit(
                    player, chf(PURSE), reference=f"starting balance of {player}", request_id=request_id
                )
            except Refused as refusal:
                # A directory of an earlier version: already credited, under one reference for all.
                if refusal.reason != "REQUEST_ID_REUSED":
                    raise


def _introduction(stack: Stack, data: Path) -> list[str]:
    ports = stack.metrics_ports
    endpoints = {
        "matchmaking": (stack.endpoints.matchmaking, "matchmaking"),
        "table": (stack.endpoints.table, "table-0"),
        "wallet": (stack.endpoints.wallet, "wallet"),
    }
    taken = sorted(port for name, port in PORTS.items() if not _address(stack, name).endswith(f":{port}"))
    lines = ["", "gRPC (plaintext, server reflection on), metrics:"]
    lines += [
        f"  {service:12} {address:16} http://127.0.0.1:{ports[name]}/metrics"
        for service, (address, name) in endpoints.items()
    ]
    if taken:
        lines.append(f"  ({', '.join(map(str, taken))} already in use, hence other ports)")
    lines += ["", f"Tokens, valid for a day; each player started with {words.money(chf(PURSE))}:"]
    lines += [f"  {player:9} {stack.token(player)}" for player in PLAYERS]
    lines += [f"  {OPERATOR:9} {stack.token(OPERATOR, [Role.OPERATOR])}"]
    # Wheels do not include the examples.
    if _EXAMPLE.exists():
        lines += ["", "Four players who play a match, in another terminal, from this directory:"]
        lines += [f"  {_one_line(stack, data)}"]
    lines += ["", "Press Ctrl-C to stop."]
    return lines


def _one_line(stack: Stack, data: Path) -> str:
    """Return a shell command for the current directory that has all four players play a match."""
    python = Path(sys.executable)
    script = python.with_name("jasshaus")
    jasshaus = _shown(script) if script.exists() else f"{_shown(python)} -m jasshaus.cli"
    # The example defaults to the usual ports, the command to the usual directory.
    where = "".join(
        f"JASSHAUS_{name.partition('-')[0].upper()}={_address(stack, name)} "
        for name, port in PORTS.items()
        if not _address(stack, name).endswith(f":{port}")
    )
    folder = "" if data == DATA else f" --data {_shown(data)}"
    token = f"JASSHAUS_TOKEN=$({jasshaus} token $p{folder})"
    # The first player opens a game; the pause makes it visible to the others.
    play = f"{where}{token} {_shown(python)} {_shown(_EXAMPLE)} & sleep 2"
    return f"for p in {' '.join(PLAYERS)}; do {play}; done; wait"


def _shown(path: Path) -> str:
    """Return the shortest shell form of a path: relative if it is below the current directory."""
    absolute, here = path.absolute(), Path.cwd()
    if not absolute.is_relative_to(here):
        return shlex.quote(str(absolute))
    relative = shlex.quote(str(absolute.relative_to(here)))
    # Without a slash, a program name is looked up in PATH.
    return relative if os.sep in relative else f".{os.sep}{relative}"


def _address(stack: Stack, name: str) -> str:
    return stack.processes[name].address


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # Bind like the services: a port in TIME_WAIT after a stop is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
