"""When the betting and the Insurance of a round opened, so that a page can say how long they stay open.

Known for tables that deal themselves: there the pace says when the virtual dealer goes on. Where a person
deals, nobody knows, and the page says so.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from weakref import WeakKeyDictionary

from lammer.floor.record.contract import Record
from lammer.floor.record.past import backwards
from lammer.floor.record.registry import Pace
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.tables.house import House
from lammer.floor.views.durable_view import DurableView
from lammer.floor.web.pages.frame import Say
from lammer.table import events as e
from lammer.table.insuring import is_awaited
from lammer.table.journal import Entry, decode
from lammer.table.state import Table

MINUTE: Final = 60
HOUR: Final = 3600
_OPENING: Final = b'"event":"BettingOpened"'
_WINDOW: Final = b'"event":"WindowOpened"'


def milliseconds(moment: datetime) -> int:
    """A moment as scripts count it.

    >>> milliseconds(datetime.fromisoformat("1970-01-01T00:01:00.5+00:00"))
    60500
    """
    return int(moment.timestamp() * 1000)


def house_moment(house: House) -> int:
    """The house's clock in milliseconds, which the pages count down by."""
    return milliseconds(house.clock.now())


@dataclass(slots=True)
class OpenedAt:
    """The event that opened the betting of the round, when it was, and when the last window opened."""

    number: int
    betting: datetime
    window: datetime | None = None


class Moments:
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


_KEPT: Final[WeakKeyDictionary[House, Moments]] = WeakKeyDictionary()


def moments_of(house: House) -> Moments:
    """The openings of a house; it is followed from the first time somebody asks."""
    kept = _KEPT.get(house)
    if kept is None:
        kept = _KEPT[house] = Moments()
        house.live.listeners.append(kept.follow)
    return kept


def closes(table: Table, opened: OpenedAt | None, pace: Pace | None) -> tuple[datetime, float] | None:
    """When what is open now closes, and how long it is open in all, in seconds; None where nobody knows."""
    this_round = table.round
    if this_round is None or opened is None or pace is None or this_round.interrupted:
        return None
    if this_round.options is not None or this_round.reported is not None:
        return None
    if this_round.phase == "betting":
        return opened.betting + timedelta(seconds=pace.betting), pace.betting
    # Where nobody can insure, or all have answered, the virtual dealer goes on at once.
    if is_awaited(table) and opened.window is not None:
        # The virtual dealer rests after the card before it gives Insurance its time.
        whole = pace.card + pace.window
        return opened.window + timedelta(seconds=whole), whole
    return None


def age(t: Say, span: timedelta) -> str:
    """How long something has lasted, as short as it can be said.

    >>> from functools import partial
    >>> from lammer.wording.catalogues import say
    >>> t = partial(say, "en")
    >>> age(t, timedelta(seconds=42)), age(t, timedelta(seconds=200)), age(t, timedelta(hours=2, minutes=5))
    ('42 s', '3 min', '2 h 5 min')
    """
    seconds = max(0, int(span.total_seconds()))
    if seconds < MINUTE:
        return t("{seconds} s", seconds=seconds)
    if seconds < HOUR:
        return t("{minutes} min", minutes=seconds // MINUTE)
    return t("{hours} h {minutes} min", hours=seconds // HOUR, minutes=seconds % HOUR // MINUTE)
