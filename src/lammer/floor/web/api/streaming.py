"""A live stream as an HTTP answer that never ends by itself.

Sent by one task, which waits for whoever reads; another notices that they are gone. A reader who takes
nothing for so long is hung up on: they come back and go on where they were.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Final

from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from lammer.floor.tables.streams import Silence

STALLED_SECONDS: Final = 20.0
"""Seconds a reader may take nothing."""


class LiveResponse(ASGIResponse):
    """Server-Sent Events."""

    _should_set_content_length = False

    def __init__(self, events: AsyncIterator[bytes], leave: Callable[[], None] = lambda: None) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(media_type="text/event-stream", headers=headers)
        self.events, self.leave = events, leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Whatever becomes of it, the stream's place is given back."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.leave()

    async def send_body(self, send: Send, receive: Receive) -> None:
        """Send until the stream ends, or nobody reads."""
        sending = asyncio.ensure_future(self._send(send))
        disconnecting = asyncio.ensure_future(_wait_for_disconnect(receive))
        try:
            await asyncio.wait((sending, disconnecting), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, disconnecting):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await self.events.aclose()  # type: ignore[attr-defined]

    async def _send(self, send: Send) -> None:
        sending, task = False, asyncio.current_task()

        def hang_up() -> None:
            if sending and task is not None:
                task.cancel()

        silence = Silence(STALLED_SECONDS, hang_up)
        try:
            async for part in self.events:
                silence.broken()
                sending = True
                await send({"type": "http.response.body", "body": part, "more_body": True})
                sending = False
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            silence.end()


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
