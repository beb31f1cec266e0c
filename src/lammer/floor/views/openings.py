"""When the betting and the Insurance of the round at a table opened."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from lammer.floor.record.contract import Record
from lammer.floor.record.past import backwards
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.views.durable_view import DurableView
from lammer.table import events as e
from lammer.table.journal import Entry, decode

_OPENING: Final = b'"event":"BettingOpened"'
_WINDOW: Final = b'"event":"WindowOpened"'


@dataclass(slots=True)
class OpenedAt:
    """The event that opened the betting of the round, when it was, and when the last window opened."""

    number: int
    betting: datetime
    window: datetime | None = None


class Openings:
    """The openings of every table that is looked at, kept current by the events the house publishes."""

    def __init__(self) -> None:
        self.known: dict[str, OpenedAt] = {}

    def follow(self, view: DurableView, events: tuple[RevealedEvent, ...]) -> None:
        """Take in what was written."""
        for event in events:
            self._take(view.id, event.entry)

    def _take(self, table: str, entry: Entry) -> None:
        if isinstance(entry.event, e.BettingOpened):
            self.known[table] = OpenedAt(entry.number, entry.at)
        elif isinstance(entry.event, e.WindowOpened) and table in self.known:
            self.known[table].window = entry.at

    async def of(self, view: DurableView) -> OpenedAt | None:
        """The openings of the round at a table; None where it has had no round yet."""
        if view.id not in self.known and view.table.round is not None:
            entries = await asyncio.to_thread(_openings, view.store, view.id, view.number)
            if view.id not in self.known:
                for entry in entries:
                    self._take(view.id, entry)
        return self.known.get(view.id)


def _openings(store: Record, table: str, number: int) -> list[Entry]:
    """The opening of the round under way at that event, and of its windows, in order."""
    entries = []
    for stored in backwards(store, table, number):
        if _WINDOW in stored.body or _OPENING in stored.body:
            entries.append(decode(stored.body))
        if _OPENING in stored.body:
            break
    return entries[::-1]
