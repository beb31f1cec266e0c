"""Live streams: what happens at a table, told to everyone who watches, in order and from where they left off.

A stream that cannot keep up is ended; its reader comes back with the number of the last event it saw and
misses nothing. What each reader may see is `viewing`'s business.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import msgspec

from lammer.floor.hosted import PAGE, Hosted
from lammer.floor.viewing import Viewer, event_seen
from lammer.table.journal import Entry, decode

BEHIND = 1_000
"""Events a reader may be behind before it is sent away."""
HEARTBEAT = 15.0


@dataclass(slots=True, eq=False)
class Reader:
    """One stream: what waits to be sent, and whether it fell behind."""

    viewer: Viewer
    waiting: deque[Entry] = field(default_factory=deque)
    more: asyncio.Event = field(default_factory=asyncio.Event)
    fallen: bool = False


class Live:
    """Everyone who watches the tables of this process."""

    def __init__(self) -> None:
        self.readers: dict[str, set[Reader]] = {}
        self.closed = False
        self.listeners: list[Callable[[Hosted, tuple[Entry, ...]], None]] = []

    def publish(self, hosted: Hosted, made: tuple[Entry, ...]) -> None:
        """Tell every reader of the table, and whoever else in this process listens."""
        for listener in self.listeners:
            listener(hosted, made)
        for reader in self.readers.get(hosted.id, ()):
            if len(reader.waiting) > BEHIND:
                reader.fallen = True
            else:
                reader.waiting.extend(made)
            reader.more.set()

    def count(self) -> int:
        return sum(map(len, self.readers.values()))

    def close(self) -> None:
        """End every stream; the readers come back to another process, or later."""
        self.closed = True
        for readers in self.readers.values():
            for reader in readers:
                reader.more.set()

    async def stream(self, hosted: Hosted, viewer: Viewer, after: int) -> AsyncIterator[bytes]:
        """Server-Sent Events from the event after `after` on; a comment now and then keeps the line open."""
        reader = Reader(viewer)
        self.readers.setdefault(hosted.id, set()).add(reader)
        try:
            yield b"retry: 1000\n\n"
            last = after
            until = hosted.durable
            while last < until:
                found = await asyncio.to_thread(hosted.store.read, hosted.id, last, PAGE)
                if not found:
                    break
                yield b"".join(_sent(hosted, decode(each.body), viewer) for each in found)
                last = found[-1].number
            while not (reader.fallen or self.closed):
                sent = []
                while reader.waiting:
                    entry = reader.waiting.popleft()
                    if entry.number > last:
                        sent.append(_sent(hosted, entry, viewer))
                        last = entry.number
                if sent:
                    yield b"".join(sent)
                reader.more.clear()
                if not reader.waiting:
                    try:
                        async with asyncio.timeout(HEARTBEAT):
                            await reader.more.wait()
                    except TimeoutError:
                        yield b": still here\n\n"
        finally:
            readers = self.readers[hosted.id]
            readers.discard(reader)
            if not readers:
                del self.readers[hosted.id]


def _sent(hosted: Hosted, entry: Entry, viewer: Viewer) -> bytes:
    seen = event_seen(hosted.table, entry, viewer)
    if seen is None:
        return b"id: %d\n\n" % entry.number
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (
        entry.number,
        seen["event"].encode(),
        msgspec.json.encode(seen),
    )
