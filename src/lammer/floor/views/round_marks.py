"""Rounds of a table something happened to: void, corrected, irregular; and where each was corrected later.

Rare rounds are found without reading all others again: a table is gone through once, by the names of its
events alone, and from then on only what is new. Where a table says that no round was ever corrected, nobody
looks for corrections at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from lammer.floor.record.contract import Record, StoredEvent
from lammer.floor.record.past import PAGE
from lammer.table import events as e
from lammer.table.journal import Entry, decode

_EVENT: Final = b'"event":"'
_MARKING: Final = frozenset(
    (b"BettingOpened", b"RoundVoided", b"RoundCorrected", b"SettlementReopened", b"IrregularityNoted")
)
ANY: Final = "*"
"""Any irregularity at all."""

CorrectedRounds = Callable[[str], Mapping[int, int] | None]
"""How often rounds of a table were corrected after they were over; None where nobody knows."""


def _nobody_knows(table: str) -> None:
    """What is asked of a table where only its record can be asked."""


@dataclass(slots=True)
class TableMarks:
    """The marks of one table up to an event.

    `openings` are the events that opened rounds, `corrections` those that corrected one after it was over.
    """

    until: int = 0
    under_way: int = 0
    openings: dict[int, int] = field(default_factory=dict)
    void: set[int] = field(default_factory=set)
    corrected: set[int] = field(default_factory=set)
    irregular: dict[str, set[int]] = field(default_factory=dict)
    corrections: dict[int, list[int]] = field(default_factory=dict)

    def take(self, stored: StoredEvent) -> None:
        """Mark the round of one more event, if the event is of a kind that marks."""
        begins = stored.body.find(_EVENT) + len(_EVENT)
        if stored.body[begins : stored.body.index(b'"', begins)] in _MARKING:
            self._mark(decode(stored.body))
        self.until = stored.number

    def _mark(self, entry: Entry) -> None:
        match entry.event:
            case e.BettingOpened(round=number):
                self.under_way = number
                self.openings[number] = entry.number
            case e.RoundVoided(round=number, cause=cause):
                self.void.add(number)
                self._note(cause, number)
            case e.SettlementReopened(round=number):
                self.corrected.add(number)
            case e.IrregularityNoted(name=name):
                self._note(name, self.under_way)
            case e.RoundCorrected(round=number, void=void, because=because):
                self.corrected.add(number)
                self.corrections.setdefault(number, []).append(entry.number)
                self._note(because, number)
                if void:
                    self.void.add(number)

    def rounds(self, void: bool, corrected: bool, irregularity: str) -> set[int]:
        """The rounds that bear all the marks asked for."""
        wanted = [self.void] if void else []
        wanted += [self.corrected] if corrected else []
        wanted += [self.irregular.get(irregularity, set())] if irregularity else []
        return set.intersection(*wanted) & self.openings.keys() if wanted else set(self.openings)

    def span(self, number: int) -> tuple[int, int]:
        """The first and the last event of a round, up to the opening of the next."""
        return self.openings[number], self.openings.get(number + 1, self.until + 1) - 1

    def _note(self, irregularity: str, number: int) -> None:
        for name in (irregularity, ANY):
            self.irregular.setdefault(name, set()).add(number)


@dataclass(slots=True)
class RoundMarks:
    """The marks of every table somebody asked about, read once and then kept up. Blocks on the record."""

    corrected_rounds: CorrectedRounds = _nobody_knows
    known: dict[str, TableMarks] = field(default_factory=dict)
    locks: dict[str, Lock] = field(default_factory=dict)

    @contextmanager
    def current(self, record: Record, table: str) -> Iterator[TableMarks]:
        """The marks of a table as its record stands; nobody changes them meanwhile."""
        with self.locks.setdefault(table, Lock()):
            marks = self.known.setdefault(table, TableMarks())
            while page := record.read(table, marks.until, PAGE):
                for stored in page:
                    marks.take(stored)
            yield marks

    def count(self, record: Record, table: str, number: int) -> int:
        """How often a round was corrected; the record is only asked where the table is not known."""
        corrected = self.corrected_rounds(table)
        if corrected is not None:
            return corrected.get(number, 0)
        return len(self.corrections(record, table, number, 0))

    def corrections(self, record: Record, table: str, number: int, after: int) -> list[Entry]:
        """The corrections of a round that came after an event, in order."""
        corrected = self.corrected_rounds(table)
        if corrected is not None and number not in corrected:
            return []
        with self.current(record, table) as marks:
            events = [event for event in marks.corrections.get(number, ()) if event > after]
        return [decode(record.read(table, event - 1, 1)[0].body) for event in events]
