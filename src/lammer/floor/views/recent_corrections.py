"""The rounds of a table that were corrected lately: for a few rounds its people are told."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from lammer.floor.record.past import backwards
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.finding import AUDITING, round_entries
from lammer.floor.views.round_marks import RoundMarks
from lammer.floor.views.round_truth import Change, RoundTruth, read_round
from lammer.table import events as e
from lammer.table.journal import Entry, decode

ROUNDS_SHOWN: Final = 5
"""A correction is shown while this many rounds are opened after it; a history keeps it."""
EVENTS_LOOKED_AT: Final = 5_000
"""Events looked back at where nobody has looked at a table before."""


@dataclass(slots=True)
class TableCorrections:
    """The rounds of a table that were corrected lately, each with the last event about it."""

    until: int = 0
    openings: deque[int] = field(default_factory=lambda: deque(maxlen=ROUNDS_SHOWN))
    changed: dict[int, int] = field(default_factory=dict)
    truths: dict[tuple[int, int], RoundTruth] = field(default_factory=dict)

    def take(self, entry: Entry) -> None:
        """One more event of the table; one that was taken before counts once."""
        if entry.number <= self.until:
            return
        self.until = entry.number
        match entry.event:
            case e.BettingOpened():
                self.openings.append(entry.number)
                if len(self.openings) == ROUNDS_SHOWN:
                    self._forget(self.openings[0])
            case e.RoundCorrected(round=number) | e.SettlementReopened(round=number):
                self.changed[number] = entry.number
            case e.RoundSettled(round=number) | e.RoundVoided(round=number) if number in self.changed:
                self.changed[number] = entry.number
            case _:
                pass

    def _forget(self, before: int) -> None:
        self.changed = {number: event for number, event in self.changed.items() if event > before}
        self.truths = {key: truth for key, truth in self.truths.items() if key[1] > before}

    @property
    def since(self) -> int:
        """The event from which on corrections are shown."""
        return self.openings[0] if len(self.openings) == ROUNDS_SHOWN else 0


class RecentCorrections:
    """The latest corrections of every table that is looked at, kept current by what the house publishes."""

    def __init__(self) -> None:
        self.known: dict[str, TableCorrections] = {}

    def follow(self, view: DurableView, events: tuple[RevealedEvent, ...]) -> None:
        """Take in what was written."""
        if view.id in self.known:
            self._take_all(view.id, (event.entry for event in events))

    def _take_all(self, table: str, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self.known[table].take(entry)

    def latest(self, table: str) -> int:
        """The last event about a correction lately made at a table; 0 where there is none."""
        known = self.known.get(table)
        return max(known.changed.values(), default=0) if known is not None else 0

    async def changes(self, view: DurableView, marks: RoundMarks) -> list[tuple[int, Change]]:
        """The corrections lately made at a table, each with its round, the newest first."""
        while view.id not in self.known:
            number = view.number
            entries = await asyncio.to_thread(_latest, view, number)
            if view.number == number and view.id not in self.known:
                self.known[view.id] = TableCorrections()
                self._take_all(view.id, entries)
        recent = self.known[view.id]
        changes: list[tuple[int, Change]] = []
        for number, event in sorted(recent.changed.items(), reverse=True):
            truth = recent.truths.get((number, event))
            if truth is None:
                entries = await asyncio.to_thread(round_entries, view.store, view.id, number, marks)
                truth = recent.truths[number, event] = read_round(entries, AUDITING)
            changes += [
                (number, change)
                for change in reversed(truth.changes)
                if change.corrects and change.event > recent.since
            ]
        return changes


def _latest(view: DurableView, number: int) -> list[Entry]:
    """The events of the last rounds up to this one, in order."""
    entries: list[Entry] = []
    openings = 0
    for gone, stored in enumerate(backwards(view.store, view.id, number), 1):
        entry = decode(stored.body)
        entries.append(entry)
        openings += isinstance(entry.event, e.BettingOpened)
        if openings == ROUNDS_SHOWN or gone == EVENTS_LOOKED_AT:
            break
    return entries[::-1]
