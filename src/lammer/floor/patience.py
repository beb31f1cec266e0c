"""How long the house waits for a request to arrive, and how much of a head it reads.

A request comes whole or nearly so; whoever sends it byte by byte, or never ends it, is hung up on before such
connections add up. When the house closes nobody waits for half a request: nothing of it was acknowledged.
"""

from __future__ import annotations

import asyncio
from typing import Final

from lammer.floor.one_write import OneWrite

ARRIVING: Final = 20.0
"""Seconds a request may take to arrive, and a new connection to send its first."""
LARGEST_HEAD: Final = 32 << 10
"""Bytes of request line and headers; browsers and proxies send no more than half of that."""

READ: Final = -1
"""In place of the length of a head that is read."""


class Patient(OneWrite):
    """The server's protocol, for requests that arrive in time."""

    arriving: asyncio.TimerHandle | None = None
    whole = False
    head = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.arriving = self.loop.call_later(ARRIVING, self.hang_up)

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Nearly every request is one piece, and then no clock is ever started for it."""
        super().data_received(data)
        if self.whole or self.transport.is_closing():
            return
        if self.head != READ:
            self.head += len(data)
        if self.head > LARGEST_HEAD:
            self.logger.warning("A request's head was too long.")
            self.send_400_response("The head of the request is too long.")
        elif self.arriving is None:
            self.arriving = self.loop.call_later(ARRIVING, self.hang_up)

    def on_message_begin(self) -> None:
        self.whole, self.head = False, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
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
