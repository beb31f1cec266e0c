"""The writing half of the record, the same on both databases: all that changes goes through one writer."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from threading import Lock
from typing import Final, TypeVar

from sqlalchemy import Connection, Engine, bindparam, delete, func, insert, select, text, tuple_
from sqlalchemy.exc import IntegrityError

from lammer.floor.record.chain import answer, first_break
from lammer.floor.record.contract import (
    Append,
    Appended,
    Conflict,
    Damaged,
    Head,
    Key,
    KeyReused,
    OnAppended,
    StoredEvent,
    WriterFigures,
    must_be_name,
)
from lammer.floor.record.schema import checkpoints, events, replies, snapshots
from lammer.floor.record.sealing import Snapshot
from lammer.floor.record.store import leases
from lammer.floor.record.store.group import KeptReply, repeat
from lammer.floor.record.store.reading import SqlRecord, head_of
from lammer.floor.record.store.writer import Deliver, Writer, WriterBackend

T = TypeVar("T")
Callback = Callable[[str, int], None]

SNAPSHOTS_KEPT = 2

_log = logging.getLogger("lammer.floor.record")


_TRY: Final = (
    "INSERT INTO tried (name, times) VALUES ('ready', 1)"
    " ON CONFLICT (name) DO UPDATE SET times = tried.times + 1"
)
_ANSWERS: Final = select(replies).where(
    tuple_(replies.c.client, replies.c.key).in_(bindparam("named", expanding=True))
)


def try_to_write(connection: Connection) -> None:
    """Change something that matters to nobody, so that the commit has to reach the disk."""
    connection.execute(text(_TRY))


def _resolve(future: Future[Appended], outcome: Appended | Exception) -> None:
    if isinstance(outcome, Appended):
        future.set_result(outcome)
    else:
        future.set_exception(outcome)


class SqlStore(SqlRecord):
    """See `contract.Store` for what each call does."""

    def __init__(self, readers: Engine, backend: WriterBackend, deliver: Deliver) -> None:
        super().__init__(readers)
        self._followers: list[Callback] = []
        self._following = Lock()
        self._writer = self._make_writer(backend, deliver)

    def _make_writer(self, backend: WriterBackend, deliver: Deliver) -> Writer:
        return Writer(backend, deliver, self._tell_followers)

    def read(self, table: str, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        """Events as they were written, held against their hashes; anything else is `Damaged`."""
        before: bytes | None = None
        if after <= 0:
            page = super().read(table, after, limit)
        else:
            # The event before the page is read with it: the page's first hash stands on it.
            page = super().read(table, after - 1, limit + 1)
            if page and page[0].number == after:
                before = page.pop(0).hash
            elif page:
                raise Damaged(f"Table {table}, event {after}")
        events = (stored.stated for stored in page)
        broken = first_break(table, events, after=max(after, 0), head=before)
        if broken is not None:
            raise Damaged(f"Table {table}, event {broken}")
        return page

    def recall(self, keys: Sequence[Key]) -> dict[Key, Appended | KeyReused]:
        """What the requests of these keys were told before, held against what was chained with the event.

        A different request under a key is `KeyReused`; keys nobody used are left out.
        """
        asked = {"named": [(key.client, key.key) for key in keys]}
        with self.reading() as connection:
            rows = connection.execute(_ANSWERS, asked).all()
        kept = {(row.client, row.key): row for row in rows}
        outcomes: dict[Key, Appended | KeyReused] = {}
        for key in keys:
            row = kept.get((key.client, key.key))
            if row is not None:
                appended = Appended(row.table_id, row.first, row.last, row.hash, row.reply)
                outcomes[key] = known = repeat(key, row.table_id, KeptReply(row.digest, appended))
                if isinstance(known, Appended) and known.first <= known.last:
                    self._must_be_as_chained(key, known)
        return outcomes

    def _must_be_as_chained(self, key: Key, known: Appended) -> None:
        there = SqlRecord.read(self, known.table, known.last - 1, 1)
        answered = answer(key.client, key.key, key.digest, known.first, known.reply)
        if not there or there[0].hash != known.hash or there[0].answer not in (None, answered):
            raise Damaged(f"Table {known.table}, the answer given with event {known.last}")

    def as_it_lies(self) -> SqlRecord:
        record = SqlRecord(self._readers)
        record.seals = self.seals
        return record

    def append(self, append: Append) -> Future[Appended]:
        """Hand in events. The future resolves when they are on disk; see `Append` for what can go wrong."""
        future: Future[Appended] = Future()
        future.set_running_or_notify_cancel()
        self.hand_in(append, partial(_resolve, future))
        return future

    def hand_in(self, append: Append, callback: OnAppended) -> None:
        """The same for whoever is told instead of waiting: in the order in which it was handed in."""
        self._writer.append(append, callback)

    def write(self, work: Callable[[Connection], T]) -> Future[T]:
        """Run other work in a transaction of its own, between the appends. It must not touch `events`."""
        return self._writer.work(work)

    def written(self) -> WriterFigures:
        """What the writer has done so far, for whoever watches the machines."""
        return self._writer.written()

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a table's state after an event of it; older ones go, but for one."""

        def work(connection: Connection) -> None:
            of_this = snapshots.c.table_id == snapshot.table
            hash_there = select(events.c.hash).where(
                events.c.table_id == snapshot.table, events.c.number == snapshot.number
            )
            if connection.scalar(hash_there) != snapshot.hash:
                head = head_of(connection, snapshot.table)
                raise Conflict(snapshot.table, snapshot.number, head.number)
            connection.execute(delete(snapshots).where(of_this, snapshots.c.number >= snapshot.number))
            connection.execute(
                insert(snapshots).values(
                    table_id=snapshot.table, number=snapshot.number, hash=snapshot.hash, body=snapshot.body
                )
            )
            kept = select(snapshots.c.number).where(of_this).order_by(snapshots.c.number.desc())
            connection.execute(
                delete(snapshots).where(of_this, snapshots.c.number.not_in(kept.limit(SNAPSHOTS_KEPT)))
            )

        self.write(work).result()

    def append_checkpoint(self, number: int, line: bytes) -> None:
        """Keep a sealed checkpoint; numbers follow each other, or it is a `Conflict`."""

        def work(connection: Connection) -> None:
            last = connection.scalar(select(func.coalesce(func.max(checkpoints.c.number), 0))) or 0
            if last != number - 1:
                raise Conflict("of checkpoints", number - 1, last)
            try:
                connection.execute(insert(checkpoints).values(number=number, line=line))
            except IntegrityError:
                raise Conflict("of checkpoints", number - 1, number) from None

        self.write(work).result()

    def take(self, table: str, owner: str, seconds: float) -> int | None:
        """A turn at the table, by its number; None while another's lasts."""
        must_be_name("A table", table)
        must_be_name("An owner", owner)
        return self.write(lambda connection: leases.take(connection, table, owner, seconds)).result()

    def renew(self, owner: str, seconds: float) -> dict[str, int]:
        """Every table the owner holds, with the number of the turn, held for longer now."""
        return self.write(lambda connection: leases.renew(connection, owner, seconds)).result()

    def release(self, table: str, owner: str, epoch: int) -> None:
        self.write(lambda connection: leases.release(connection, table, owner, epoch)).result()

    def follow(self, callback: Callback) -> Callable[[], None]:
        """Be told where every table stands, and then whenever one moves; what comes back ends it.

        Numbers may be told twice or be passed over, never go missing at the end: read up to them.
        The callback runs in a thread of the store's, or where futures resolve, and must be quick.
        """
        with self._following:
            self._followers.append(callback)
        for table, head in self.heads().items():
            callback(table, head.number)

        def stop() -> None:
            with self._following:
                if callback in self._followers:
                    self._followers.remove(callback)

        return stop

    def _tell_followers(self, heads: Mapping[str, Head]) -> None:
        if not self._followers:
            return
        with self._following:
            followers = tuple(self._followers)
        for callback in followers:
            for table, head in heads.items():
                try:
                    callback(table, head.number)
                except Exception:
                    _log.exception("a listener for events of other processes failed")

    def close(self) -> None:
        """Finish what was handed in, then let go of the database."""
        self._writer.close()
        super().close()
