"""A client that asks for streams and takes nothing off: HTTP/2 by hand, as no library lets one be so rude."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

_DATA, _HEADERS, _SETTINGS = 0, 1, 4
_ACK, _END_STREAM, _END_HEADERS = 1, 1, 4
_INITIAL_WINDOW_SIZE: Final = 4
_EMPTY_MESSAGE: Final = bytes(5)


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _headers(fields: Sequence[tuple[str, str]]) -> bytes:
    """The fields as HPACK literals without indexing (RFC 7541, 6.2.2), lengths below 127."""
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


@asynccontextmanager
async def deaf_streams(
    address: str, method: str, *, count: int = 1, metadata: Sequence[tuple[str, str]] = ()
) -> AsyncIterator[asyncio.StreamReader]:
    """Open `count` streams on one connection with a window of 0 bytes, each with an empty request.

    Yields the connection's reader: the server's frames, of which none can be DATA.
    """
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        no_window = struct.pack(">HI", _INITIAL_WINDOW_SIZE, 0)
        writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _frame(_SETTINGS, 0, 0, no_window))
        await reader.readexactly(9)
        writer.write(_frame(_SETTINGS, _ACK, 0, b""))
        fields = _headers(
            [
                (":method", "POST"),
                (":scheme", "http"),
                (":path", method),
                (":authority", address),
                ("content-type", "application/grpc"),
                ("te", "trailers"),
                *metadata,
            ]
        )
        for stream in range(1, 2 * count, 2):
            writer.write(_frame(_HEADERS, _END_HEADERS, stream, fields))
            writer.write(_frame(_DATA, _END_STREAM, stream, _EMPTY_MESSAGE))
        await writer.drain()
        yield reader
    finally:
        writer.close()
