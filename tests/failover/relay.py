"""A proxy that moves from one server to another and leaves existing connections as they are."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

Target = str | int
"""The path of a unix socket, or a port of loopback."""


class Relay:
    """Passes bytes on between its port and wherever it leads just now."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.port = 0
        self._running: set[asyncio.Task[None]] = set()
        self._open: set[asyncio.StreamWriter] = set()

    @contextlib.asynccontextmanager
    async def serve(self) -> AsyncIterator[Relay]:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self.cut()
            await asyncio.gather(*self._running, return_exceptions=True)

    def cut(self) -> None:
        """End all connections."""
        for writer in list(self._open):
            writer.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if isinstance(self.target, str):
                there = await asyncio.open_unix_connection(self.target)
            else:
                there = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        for source, sink in ((reader, there[1]), (there[0], writer)):
            self._open.add(sink)
            task = asyncio.create_task(self._pass_on(source, sink))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _pass_on(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while got := await source.read(65_536):
                sink.write(got)
                await sink.drain()
        sink.close()
        self._open.discard(sink)
        with contextlib.suppress(OSError):
            await sink.wait_closed()
