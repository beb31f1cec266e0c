"""A record as somebody else may read it: counted as it is read, or without what is still secret.

Verifying and exporting read a record from end to end and know nothing of who waits for them or who will read
what comes out. These stand between: one counts what has been read, so that a page can show how far it is;
the other takes out the order of a shoe in use and the cards of a round under way.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, Final

import msgspec
from sqlalchemy import Connection

from lammer.floor.record.contract import Head, Lease, Record, StoredEvent
from lammer.floor.record.past import opening_of, reveal_stored
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.record.sealing import Seals, Snapshot
from lammer.floor.views.hashes import secret_from as hashes_from
from lammer.floor.views.viewing import Viewer, event_seen
from lammer.table.state import OVER, Table

PREPARED: Final = b'"event":"ShoePrepared"', b'"event":"ShuffleBegun"'
"""What holds the secrets of a shoe."""


class PassedOnRecord:
    """A record that hands everything on."""

    def __init__(self, record: Record) -> None:
        self.record = record

    def read(self, table: str, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        return self.record.read(table, after, limit)

    @property
    def seals(self) -> Seals:
        return self.record.seals

    def as_it_lies(self) -> Record:
        return self

    def head(self, table: str) -> Head:
        return self.record.head(table)

    def heads(self) -> dict[str, Head]:
        return self.record.heads()

    def tables(self) -> list[str]:
        return self.record.tables()

    def latest_snapshot(self, table: str) -> Snapshot | None:
        return self.record.latest_snapshot(table)

    def checkpoints(self, after: int = 0, limit: int = 1000) -> list[bytes]:
        return self.record.checkpoints(after, limit)

    def latest_checkpoint(self) -> bytes | None:
        return self.record.latest_checkpoint()

    def leases(self) -> dict[str, Lease]:
        return self.record.leases()

    def reading(self) -> AbstractContextManager[Connection]:
        return self.record.reading()

    def close(self) -> None:
        """Whoever opened it closes it."""


class CountedRecord(PassedOnRecord):
    """Tells how many events have been read so far, after each page."""

    def __init__(self, record: Record, report: Callable[[int], None]) -> None:
        super().__init__(record.as_it_lies())
        self.report, self.count = report, 0

    def read(self, table: str, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        page = self.record.read(table, after, limit)
        self.count += len(page)
        self.report(self.count)
        return page


class ShownRecord(PassedOnRecord):
    """A table's record without the order of the shoe in use and what still lies face down.

    An event that is shown otherwise than it was written says what is `withheld`; hashes by which a card could
    be found are left empty.
    """

    def __init__(self, record: Record, name: str, state: Table, viewer: Viewer) -> None:
        super().__init__(record)
        self.viewer = viewer
        self.shoes = {each.number for each in (state.shoe,) if each is not None}
        self.shoes |= {each.shoe for each in (state.shuffle,) if each is not None}
        self.secret = _secret_from(record, name, state)
        self.first_secret_hash = hashes_from(record, name, state, record.head(name).number)

    def read(self, table: str, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        page = self.record.read(table, after, limit)
        secret = [stored for stored in page if stored.number >= self.secret or _is_of_shoe(stored)]
        revealed_events = reveal_stored(self.record, table, secret) if secret else []
        by_number = {revealed.number: revealed for revealed in revealed_events}
        trimmed = (
            self._trim(stored, by_number[stored.number]) if stored.number in by_number else stored
            for stored in page
        )
        return [
            replace(stored, hash=b"") if stored.number >= self.first_secret_hash else stored
            for stored in trimmed
        ]

    def _trim(self, stored: StoredEvent, revealed: RevealedEvent) -> StoredEvent:
        event = revealed.entry.event
        if stored.number < self.secret and getattr(event, "shoe", None) not in self.shoes:
            return stored
        shown = event_seen(revealed, self.viewer) or {}
        written: dict[str, Any] = msgspec.json.decode(stored.body)
        kept = {name: shown.get(name, value) for name, value in written.items()}
        if msgspec.json.encode(kept) == stored.body:
            return stored
        return replace(stored, body=msgspec.json.encode(kept | {"withheld": "what is still secret"}))


def _is_of_shoe(stored: StoredEvent) -> bool:
    return any(kind in stored.body for kind in PREPARED)


def _secret_from(record: Record, name: str, state: Table) -> int:
    """The first event of the round that may still hide a card; beyond the last where nothing does."""
    this_round, last = state.round, record.head(name).number
    if this_round is None or (this_round.phase in OVER and not state.carried):
        return last + 1
    # A round opened so lately that its opening is not yet written begins after everything that is.
    return opening_of(record, name, last, this_round.number) or last + 1
