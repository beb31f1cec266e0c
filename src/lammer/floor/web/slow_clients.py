"""How long the house waits for a request to arrive, and how much of a head it reads.

A request comes whole or nearly so; whoever sends it byte by byte, or never ends it, is hung up on before such
connections add up. When the house closes nobody waits for half a request: nothing of it was acknowledged.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection
from http import HTTPStatus
from typing import ClassVar, Final

from lammer.floor.web.one_write import OneWriteProtocol

ARRIVING_SECONDS: Final = 20.0
"""Seconds a request may take to arrive, and a new connection to send its first."""
LARGEST_HEAD_BYTES: Final = 32 << 10
"""Bytes of request line and headers; browsers and proxies send no more than half of that."""

TOO_LONG: Final = (
    b'{"type":"/problems/too_large","title":"Request Header Fields Too Large","status":431,'
    b'"detail":"The head of the request is too long.","code":"too_large","citation":null,"next":""}'
)
UNREADABLE: Final = (
    b'{"type":"/problems/malformed_input","title":"Bad Request","status":400,'
    b'"detail":"This is no request that can be read.","code":"malformed_input","citation":null,"next":""}'
)

READ: Final = -1
"""In place of the length of a head that is read."""


class PatientProtocol(OneWriteProtocol):
    """The server's protocol, for requests that arrive in time, from addresses that leave room for others."""

    most: ClassVar[int] = 0
    unlimited: ClassVar[frozenset[str]] = frozenset()
    connected: ClassVar[Counter[str]] = Counter()
    address = ""
    arriving: asyncio.TimerHandle | None = None
    whole = False
    head = 0
    too_long = False
    long_piece = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if self.most and address and address not in self.unlimited:
            self.address = address
            self.connected[address] += 1
            if self.connected[address] > self.most:
                self.transport.close()
                return
        self.arriving = self.loop.call_later(ARRIVING_SECONDS, self.hang_up)

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        if self.address:
            self.connected[self.address] -= 1
            if not self.connected[self.address]:
                del self.connected[self.address]
            self.address = ""
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Nearly every request is one piece, and then no clock is ever started for it."""
        self.long_piece = len(data) > LARGEST_HEAD_BYTES
        super().data_received(data)
        if self.whole or self.transport.is_closing():
            return
        if self.head != READ:
            self.head += len(data)
        if self.head > LARGEST_HEAD_BYTES:
            self.too_long = True
            self.send_400_response("")
        elif self.arriving is None:
            self.arriving = self.loop.call_later(ARRIVING_SECONDS, self.hang_up)

    def on_message_begin(self) -> None:
        self.whole, self.head = False, 0
        super().on_message_begin()

    def send_400_response(self, msg: str) -> None:
        """A request that cannot be read is answered with a problem, as everything else is, and hung up on."""
        if self.transport.is_closing():
            return
        status, problem = (431, TOO_LONG) if self.too_long else (400, UNREADABLE)
        if self.too_long:
            self.logger.warning("A request's head was too long.")
        head = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/problem+json\r\n"
            f"content-length: {len(problem)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + problem)
        self.transport.close()

    def on_headers_complete(self) -> None:
        """A head that comes in one piece may be too long too. What is raised here ends the parsing."""
        if self.long_piece:
            length = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
            if length > LARGEST_HEAD_BYTES:
                self.too_long = True
                raise ValueError("a head too long")
        self.head = READ
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.whole = True
        self._arrived()
        super().on_message_complete()

    def shutdown(self) -> None:
        """The house closes: answers are finished, half requests are not waited for."""
        if self.whole:
            super().shutdown()
        else:
            self.hang_up()

    def hang_up(self) -> None:
        """Wait no longer."""
        self._arrived()
        if not self.transport.is_closing():
            self.transport.close()

    def _arrived(self) -> None:
        if self.arriving is not None:
            self.arriving.cancel()
            self.arriving = None


def limited_protocol(most: int, unlimited: Collection[str]) -> type[PatientProtocol]:
    """The protocol for one server: so many connections from an address, but for its own proxies."""

    class Limited(PatientProtocol):
        connected: ClassVar[Counter[str]] = Counter()

    Limited.most, Limited.unlimited = most, frozenset(unlimited)
    return Limited
