"""One table as a process holds it: the state, where the record stands, and who is told.

A call is decided at once on the state that includes everything decided before it, and answered when its
events are on disk. If the record does not take them, what was decided on top of them is gone with them: the
table is read back from the record, and only then decides again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime

from lammer.floor.store.contract import Append, Appended, Key, Snapshot, Store
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.table.commands import Call
from lammer.table.fold import evolve
from lammer.table.journal import Entry, come_back, decode, encode, entries
from lammer.table.snapshot import Kept, Unreadable, freeze, thaw
from lammer.table.state import Table

log = logging.getLogger("lammer.floor")

SNAPSHOT_EVERY = 1_000
"""Events between snapshots: what a start has to read again, at most about that many."""
PAGE = 2_000

Published = Callable[["Hosted", tuple[Entry, ...]], None]


@dataclass(slots=True)
class Hosted:
    """A table, decided up to `number`, on disk up to `durable`."""

    id: str
    table: Table
    store: Store
    books: Mapping[str, Rulebook]
    published: Published
    number: int = 0
    durable: int = 0
    frozen: int = 0
    epoch: int | None = None
    keys: set[tuple[str, str]] = field(default_factory=set)
    broken: Refused | None = None
    at: datetime | None = None
    kept: Kept = field(default_factory=dict)
    following: asyncio.Task[None] | None = None
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def moment(self, now: datetime) -> datetime:
        """The time of a call: now, but never before the call before it, whatever the clock does."""
        self.at = now if self.at is None or now > self.at else self.at
        return self.at

    def decided(
        self, call: Call, key: Key | None = None, reply: Callable[[tuple[Entry, ...]], bytes] | None = None
    ) -> tuple[tuple[Entry, ...], Future[Appended] | None]:
        """Decide a call and hand its events to the record; the future resolves when they are on disk.

        A refusal changes nothing. Anything else that goes wrong is ours: the table stops and is read back.
        """
        if self.broken is not None:
            raise self.broken
        try:
            made = entries(self.table, call, self.number + 1)
        except Refused:
            raise
        except Exception:
            log.exception("table %s: a rule of ours was broken by %s", self.id, type(call.command).__name__)
            self.broken = Refused(
                "table_stopped",
                f"Table {self.id} stopped because something of ours is wrong; nothing was written.",
                next_step="Look at the table again; the pit has been told.",
            )
            raise self.broken from None
        if not made and key is None:
            return made, None
        told = reply(made) if reply is not None else b""
        append = Append(self.id, self.number, [encode(entry) for entry in made], key, told, self.epoch)
        self.number += len(made)
        if key is not None:
            self.keys.add((key.client, key.key))
        future = self.store.append(append)
        future.add_done_callback(lambda done: self._written(done, made))
        return made, future

    def _written(self, done: Future[Appended], made: tuple[Entry, ...]) -> None:
        error = done.exception()
        if error is not None:
            if self.broken is None:
                self.broken = error if isinstance(error, Refused) else _unknown(error)
            return
        if done.result().repeat:
            # Somebody else's process, or one long gone, answered this key: what we decided never was.
            self.broken = Refused("table_moved_on", f"Table {self.id} was asked this before.")
            return
        self.durable += len(made)
        self.published(self, made)
        if self.durable - self.frozen >= SNAPSHOT_EVERY and self.durable == self.number:
            self._freeze(done.result().hash)

    def _freeze(self, head: bytes) -> None:
        self.frozen = self.durable
        snapshot = Snapshot(self.id, self.durable, head, freeze(self.table, self.kept))
        asyncio.get_running_loop().run_in_executor(None, self._save, snapshot)

    def _save(self, snapshot: Snapshot) -> None:
        try:
            self.store.save_snapshot(snapshot)
        except Refused as refused:
            log.warning("table %s: no snapshot at %s: %s", self.id, snapshot.number, refused.sentence)

    async def mend(self) -> None:
        """Read the table back from the record after something went wrong; refused while that fails."""
        async with self.reading:
            if self.broken is None:
                return
            table, number, self.at = await asyncio.to_thread(read_back, self.store, self.books, self.id)
            since = await asyncio.to_thread(self.store.read, self.id, self.durable, PAGE)
            self.table, self.number, self.durable, self.broken = table, number, number, None
            self.kept = {}
            if since:
                # What reached the disk although we were not told: everybody is told now.
                self.published(self, tuple(decode(each.body) for each in since))

    async def catch_up(self) -> None:
        """Take in what another process wrote."""
        async with self.reading:
            while found := await asyncio.to_thread(self.store.read, self.id, self.durable, PAGE):
                made = tuple(decode(each.body) for each in found)
                for entry in made:
                    evolve(self.table, entry.event)
                self.number = self.durable = made[-1].number
                self.published(self, made)


def _unknown(error: BaseException) -> Refused:
    return Refused("store_unavailable", f"The house's record failed ({type(error).__name__}).")


def read_back(store: Store, books: Mapping[str, Rulebook], name: str) -> tuple[Table, int, datetime | None]:
    """A table from its latest snapshot that can be read, and every event since; and when the last one was."""
    table, number, at = Table(books), 0, None
    snapshot = store.latest_snapshot(name)
    if snapshot is not None:
        try:
            table, number = thaw(books, snapshot.body), snapshot.number
        except Unreadable as why:
            log.warning("table %s: its snapshot cannot be read (%s); reading every event", name, why)
    while found := store.read(name, number, PAGE):
        for stored in found:
            entry = decode(stored.body)
            evolve(table, entry.event)
            at = entry.at
        number = found[-1].number
    if at is None and number:
        at = decode(store.read(name, number - 1, 1)[0].body).at
    return table, number, at


def returned(hosted: Hosted, now: datetime) -> tuple[Entry, ...]:
    """The entries that say a round came back interrupted, already handed to the record."""
    made = come_back(hosted.table, hosted.moment(now), hosted.number + 1)
    if made:
        append = Append(hosted.id, hosted.number, [encode(entry) for entry in made], None, None, hosted.epoch)
        hosted.number += len(made)
        hosted.store.append(append).add_done_callback(lambda done: hosted._written(done, made))
    return made
