"""A peer that speaks HTTP/2 by hand, as no library lets one be so rude."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
_ACK, _END_STREAM, _END_HEADERS = 1, 1, 4
MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE = 3, 4
_CANCEL: Final = 8
_FRAME_BYTES: Final = 16_384


@dataclass(frozen=True, slots=True)
class Frame:
    """What the server sent; `ends` says whether it was the last frame of its stream."""

    kind: int
    stream: int
    payload: bytes
    ends: bool


class RawConnection:
    """One connection. Nothing is read unless `frame` is called, and no window is ever given back."""

    def __init__(self, address: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._address = address
        self._reader = reader
        self._writer = writer
        self._next = 1
        self.settings: dict[int, int] = {}

    def open(
        self, method: str, metadata: Sequence[tuple[str, str]] = (), *, body: bytes | None = None
    ) -> int:
        """Begin a call and return its stream; without a body it stays half open."""
        stream, self._next = self._next, self._next + 2
        fields = [
            (":method", "POST"),
            (":scheme", "http"),
            (":path", method),
            (":authority", self._address),
            ("content-type", "application/grpc"),
            ("te", "trailers"),
            *metadata,
        ]
        self._writer.write(_frame(HEADERS, _END_HEADERS, stream, _headers(fields)))
        if body is not None:
            self.send(stream, message(body), last=True)
        return stream

    def send(self, stream: int, payload: bytes, *, last: bool = False) -> None:
        """Send bytes of a body as DATA frames, whatever the peer's window."""
        for at in range(0, len(payload) or 1, _FRAME_BYTES):
            part, rest = payload[at : at + _FRAME_BYTES], len(payload) - at - _FRAME_BYTES
            self._writer.write(_frame(DATA, _END_STREAM if last and rest <= 0 else 0, stream, part))

    def reset(self, stream: int) -> None:
        """Cancel a call."""
        self._writer.write(_frame(RST_STREAM, 0, stream, struct.pack(">I", _CANCEL)))

    def grant(self, stream: int, size: int) -> None:
        """Let the server send so many bytes more."""
        for each in (0, stream):
            self._writer.write(_frame(WINDOW_UPDATE, 0, each, struct.pack(">I", size)))

    async def flush(self) -> None:
        """Wait until the socket takes more."""
        await self._writer.drain()

    async def frame(self) -> Frame:
        """Return the next frame of a call; settings and pings are answered.

        IncompleteReadError at the end.
        """
        while True:
            head = await self._reader.readexactly(9)
            length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
            payload = await self._reader.readexactly(length)
            stream = int.from_bytes(head[5:], "big") & 0x7FFFFFFF
            if kind == SETTINGS and not flags & _ACK:
                self.settings |= dict(struct.iter_unpack(">HI", payload))
                self._writer.write(_frame(SETTINGS, _ACK, 0, b""))
            elif kind == PING and not flags & _ACK:
                self._writer.write(_frame(PING, _ACK, 0, payload))
            elif kind in {DATA, HEADERS, RST_STREAM, GOAWAY}:
                return Frame(kind, stream, payload, bool(kind == RST_STREAM or flags & _END_STREAM))

    async def ended(self, streams: Sequence[int]) -> list[int]:
        """Return these streams in the order in which the server ended them."""
        open_ones, order = set(streams), []
        while open_ones:
            frame = await self.frame()
            if frame.ends and frame.stream in open_ones:
                open_ones.discard(frame.stream)
                order.append(frame.stream)
        return order


@asynccontextmanager
async def raw_connection(address: str, *, window: int = 65_535) -> AsyncIterator[RawConnection]:
    """Connect, with the server's settings read; each stream may be sent `window` bytes, the whole 65,535."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        settings = struct.pack(">HI", INITIAL_WINDOW_SIZE, window)
        writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _frame(SETTINGS, 0, 0, settings))
        head = await reader.readexactly(9)
        connection = RawConnection(address, reader, writer)
        payload = await reader.readexactly(int.from_bytes(head[:3], "big"))
        connection.settings |= dict(struct.iter_unpack(">HI", payload))
        writer.write(_frame(SETTINGS, _ACK, 0, b""))
        yield connection
    finally:
        writer.close()


@asynccontextmanager
async def deaf_streams(
    address: str, method: str, *, count: int = 1, metadata: Sequence[tuple[str, str]] = ()
) -> AsyncIterator[RawConnection]:
    """Open `count` streams on one connection with a window of 0 bytes, each with an empty request.

    Of the server's frames none can be DATA.
    """
    async with raw_connection(address, window=0) as connection:
        for _ in range(count):
            connection.open(method, metadata, body=b"")
        await connection.flush()
        yield connection


def message(body: bytes, *, compressed: bool = False) -> bytes:
    """Return the body behind gRPC's prefix of five bytes."""
    return struct.pack(">BI", compressed, len(body)) + body


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _headers(fields: Sequence[tuple[str, str]]) -> bytes:
    """The fields as HPACK literals without indexing (RFC 7541, 6.2.2), names below 127 bytes."""
    texts = [(name.encode(), value.encode()) for name, value in fields]
    return b"".join(
        b"\x00"
        + bytes([len(name)])
        + name
        + (bytes([len(value)]) if len(value) < 127 else _long(len(value)))
        + value
        for name, value in texts
    )


def _long(length: int) -> bytes:
    """A length from 127 on (RFC 7541, 5.1, with a prefix of 7 bits)."""
    rest, encoded = length - 127, [127]
    while rest >= 128:
        encoded.append(rest % 128 + 128)
        rest //= 128
    return bytes([*encoded, rest])
