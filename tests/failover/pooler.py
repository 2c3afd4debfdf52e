"""A minimal pooler in transaction mode: a transaction gets any of the sessions."""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator

Wire = tuple[asyncio.StreamReader, asyncio.StreamWriter]

SSL_REQUEST, GSS_REQUEST = 80877103, 80877104


class Pooler:
    """Clients log in through a session of the server each; from then on the sessions are everybody's.

    `oldest`: a transaction takes the session that has been idle for longest, not the last one let go.
    `per_client`: session mode: a client keeps the one it logged in with.
    """

    def __init__(self, socket: str, *, oldest: bool = False, per_client: bool = False) -> None:
        self._socket = socket
        self._oldest = oldest
        self._per_client = per_client
        self._idle: list[Wire] = []
        self._free = asyncio.Condition()
        self._clients: set[asyncio.Task[None]] = set()
        self._servers: list[Wire] = []
        self.port = 0

    @contextlib.asynccontextmanager
    async def serve(self) -> AsyncIterator[Pooler]:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for task in list(self._clients):
                task.cancel()
            await asyncio.gather(*self._clients, return_exceptions=True)
            for _, writer in self._servers:
                writer.close()

    async def _accept(self, *client: *tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._clients.add(task)
        try:
            with contextlib.suppress(asyncio.IncompleteReadError, OSError, asyncio.CancelledError):
                await self._serve_client(client)
        finally:
            client[1].close()
            self._clients.discard(task)

    async def _serve_client(self, client: Wire) -> None:
        own = await self._log_in(client)
        if not self._per_client:
            await self._let_go(own)
        while True:
            kind, message = await read(client[0])
            if kind == b"X":
                return
            server = own if self._per_client else await self._take()
            await self._transact(client, server, message)
            if not self._per_client:
                await self._let_go(server)

    async def _log_in(self, client: Wire) -> Wire:
        while True:
            head = await client[0].readexactly(4)
            rest = await client[0].readexactly(struct.unpack("!I", head)[0] - 4)
            if struct.unpack("!I", rest[:4])[0] not in {SSL_REQUEST, GSS_REQUEST}:
                break
            client[1].write(b"N")
        server = await asyncio.open_unix_connection(self._socket)
        self._servers.append(server)
        server[1].write(head + rest)
        while True:
            kind, message = await read(server[0])
            client[1].write(message)
            if kind == b"Z":
                return server
            # Requests for a password, and that of SCRAM to go on.
            if kind == b"R" and struct.unpack("!I", message[5:9])[0] in {3, 5, 10, 11}:
                server[1].write((await read(client[0]))[1])

    async def _transact(self, client: Wire, server: Wire, message: bytes) -> None:
        """Pass on until the server is outside of a transaction."""
        server[1].write(message)
        answers = asyncio.create_task(read(server[0]))
        questions = asyncio.create_task(read(client[0]))
        try:
            while True:
                await asyncio.wait((answers, questions), return_when=asyncio.FIRST_COMPLETED)
                if questions.done():
                    server[1].write((await questions)[1])
                    questions = asyncio.create_task(read(client[0]))
                if answers.done():
                    kind, message = await answers
                    if kind == b"Z" and message[5:6] == b"I":
                        break
                    client[1].write(message)
                    answers = asyncio.create_task(read(server[0]))
        finally:
            for task in (answers, questions):
                task.cancel()
            await asyncio.gather(answers, questions, return_exceptions=True)
        # Only now: it answers with the next question, which is not this transaction's any more.
        client[1].write(message)

    async def _take(self) -> Wire:
        async with self._free:
            await self._free.wait_for(lambda: self._idle)
            return self._idle.pop(0 if self._oldest else -1)

    async def _let_go(self, server: Wire) -> None:
        async with self._free:
            self._idle.append(server)
            self._free.notify()


async def read(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """A message's type, and all of it."""
    head = await reader.readexactly(5)
    return head[:1], head + await reader.readexactly(struct.unpack("!I", head[1:])[0] - 4)
