"""Live streams: what happens at a table, told to everyone who watches, in order and from where they left off.

A stream that cannot keep up is ended; its reader comes back with the number of the last event it saw and
misses nothing. So is one whose session or key is no longer good. What each reader may see is `viewing`'s
business.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from lammer.floor.record.past import reveal_stored
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import Viewer, event_sent

log = logging.getLogger("lammer.floor")

BEHIND: Final = 1_000
"""Events a reader may be behind before it is sent away."""
HEARTBEAT_SECONDS: Final = 15.0
"""Seconds of silence after which a stream says that it is still there."""
PAGE: Final = 500
"""Events of the past read and sent at a time."""


class Silence:
    """Calls back whenever so many seconds went by in silence.

    Streams break it thousands of times a second, so that only looks at the clock; the timer goes by itself.
    """

    __slots__ = ("_callback", "_last", "_loop", "_seconds", "_timer")

    def __init__(self, seconds: float, callback: Callable[[], object]) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds, self._callback = seconds, callback
        self._last = self._loop.time()
        self._timer = self._loop.call_at(self._last + seconds, self._look)

    def broken(self) -> None:
        """Something was said just now."""
        self._last = self._loop.time()

    def end(self) -> None:
        """Call back no more."""
        self._timer.cancel()

    def _look(self) -> None:
        now = self._loop.time()
        if now >= self._last + self._seconds:
            self._last = now
            self._callback()
        self._timer = self._loop.call_at(self._last + self._seconds, self._look)


@dataclass(slots=True, eq=False)
class Reader:
    """One stream: who reads, by which session or key, what waits to be sent, and whether it is over."""

    viewer: Viewer
    by: str = ""
    waiting: deque[RevealedEvent] = field(default_factory=deque)
    more: asyncio.Event = field(default_factory=asyncio.Event)
    over: bool = False

    def end(self) -> None:
        """Send nothing more."""
        self.over = True
        self.waiting.clear()
        self.more.set()


class LiveStreams:
    """Everyone who watches the tables of this process."""

    def __init__(self, heartbeat: float = HEARTBEAT_SECONDS) -> None:
        self.heartbeat = heartbeat
        self.readers: dict[str, dict[Reader, None]] = {}
        """Whoever looks at each table, in the order they came."""
        self.closed = False
        self.listeners: list[Callable[[DurableView, tuple[RevealedEvent, ...]], None]] = []

    def publish(self, view: DurableView, revealed_events: tuple[RevealedEvent, ...]) -> None:
        """Tell every reader of the table, and whoever else in this process listens."""
        for listener in self.listeners:
            try:
                listener(view, revealed_events)
            except Exception:
                log.exception(
                    "table %s: a listener in this process failed; streams still get the events", view.id
                )
        for reader in self.readers.get(view.id, ()):
            if reader.over:
                continue
            if len(reader.waiting) + len(revealed_events) > BEHIND and reader.waiting:
                reader.end()
            else:
                reader.waiting.extend(revealed_events)
                reader.more.set()

    def count(self) -> int:
        return sum(map(len, self.readers.values()))

    def watched_by(self) -> set[str]:
        """The sessions and keys streams are read by; what the house itself listens to has neither."""
        return {reader.by for readers in self.readers.values() for reader in readers if reader.by}

    def end(self, gone: Collection[str] = (), *, account: str = "") -> None:
        """End the streams of these sessions and keys, and of this account: they are no longer good."""
        for readers in self.readers.values():
            for reader in readers:
                if reader.by in gone or (account and reader.viewer.name == account):
                    reader.end()

    def close(self) -> None:
        """End every stream; the readers come back to another process, or later."""
        self.closed = True
        for readers in self.readers.values():
            for reader in readers:
                reader.end()

    async def stream(
        self, view: DurableView, viewer: Viewer, after: int, *, by: str = ""
    ) -> AsyncIterator[bytes]:
        """Server-Sent Events from the event after `after` on; a comment now and then keeps the line open."""
        reader = Reader(viewer, by)
        # First listen, then read what is past: nothing falls between the two, and numbers tell what is new.
        self.readers.setdefault(view.id, {})[reader] = None
        silence = Silence(self.heartbeat, reader.more.set)
        try:
            yield b"retry: 1000\n\n"
            last, until = after, view.number
            while last < until and not (reader.over or self.closed):
                sent, last = await asyncio.to_thread(_past_page, view, last, viewer)
                if not sent:
                    break
                yield sent
            while not (reader.over or self.closed):
                fresh = [revealed for revealed in reader.waiting if revealed.number > last]
                reader.waiting.clear()
                reader.more.clear()
                if fresh:
                    last = fresh[-1].number
                    silence.broken()
                    yield b"".join([event_sent(revealed, viewer) for revealed in fresh])
                if not reader.waiting:
                    await reader.more.wait()
                    if not (reader.waiting or reader.over):
                        yield b": still here\n\n"
        finally:
            silence.end()
            readers = self.readers[view.id]
            readers.pop(reader, None)
            if not readers:
                del self.readers[view.id]


def _past_page(view: DurableView, after: int, viewer: Viewer) -> tuple[bytes, int]:
    """A page of what is past as it is sent, and the number of its last event."""
    revealed_events = reveal_stored(view.store, view.id, view.store.read(view.id, after, PAGE))
    sent = b"".join(event_sent(revealed, viewer) for revealed in revealed_events)
    return sent, revealed_events[-1].number if revealed_events else after
