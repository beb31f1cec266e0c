"""An answer leaves in one piece: its head waits for its body, so that one write and one packet carry both."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_HEAD: Final = b"HTTP/1.1 "
_INTERIM: Final = b"HTTP/1.1 1"


class OneWriteProtocol(HttpToolsProtocol):
    """uvicorn's own protocol on a transport that joins head and body."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(HeadJoiningTransport(transport, self.loop))  # type: ignore[arg-type]


class HeadJoiningTransport:
    """A transport that keeps the head of an answer back until the next write, or the loop's next turn."""

    __slots__ = ("_head", "_loop", "_transport")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop, self._head = transport, loop, b""

    def write(self, data: bytes) -> None:
        if self._head:
            data, self._head = self._head + data, b""
        elif data.startswith(_HEAD) and not data.startswith(_INTERIM):
            self._head = data
            self._loop.call_soon(self._let_go)
            return
        self._transport.write(data)

    def is_closing(self) -> bool:
        # Asked with every request: defined here it is found faster than through `__getattr__`.
        return self._transport.is_closing()

    def close(self) -> None:
        self._let_go()
        self._transport.close()

    def _let_go(self) -> None:
        if self._head:
            head, self._head = self._head, b""
            self._transport.write(head)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
