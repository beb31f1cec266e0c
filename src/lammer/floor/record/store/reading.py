"""The reading half of the record, the same on both databases: plain queries, each in its own snapshot."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, Engine, bindparam, exc, select, text

from lammer.floor.record.chain import genesis
from lammer.floor.record.contract import Head, Lease, StoredEvent, StoreUnavailable
from lammer.floor.record.schema import checkpoints, events, leases, snapshots
from lammer.floor.record.sealing import NO_SEALS, Seals, Snapshot

_log = logging.getLogger("lammer.floor.record")

GONE: Final = (exc.OperationalError, exc.InterfaceError, exc.InternalError)

# One step down the index per table: counting events would read them all.
TABLES: Final = """
WITH RECURSIVE named(table_id) AS (
  SELECT min(table_id) FROM events
  UNION ALL
  SELECT (SELECT min(table_id) FROM events WHERE events.table_id > named.table_id)
  FROM named WHERE named.table_id IS NOT NULL
)
SELECT table_id, (SELECT max(number) FROM events WHERE events.table_id = named.table_id) AS number
FROM named WHERE table_id IS NOT NULL
"""

# Made once: to put a query together costs several times what the database needs to answer it.
_EVENTS: Final = (
    select(events.c.number, events.c.body, events.c.hash, events.c.written_at, events.c.answer)
    .where(events.c.table_id == bindparam("table"), events.c.number > bindparam("after"))
    .order_by(events.c.number)
    .limit(bindparam("most"))
)
_HEAD: Final = (
    select(events.c.number, events.c.hash)
    .where(events.c.table_id == bindparam("table"))
    .order_by(events.c.number.desc())
    .limit(1)
)


@contextmanager
def as_unavailable() -> Iterator[None]:
    """A database gone, full or broken, in the house's words; mistakes of ours stay what they are."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise StoreUnavailable("what it says of itself cannot be read") from error
    except exc.TimeoutError as error:
        raise StoreUnavailable("all its connections are busy") from error
    except exc.DBAPIError as error:
        if error.connection_invalidated or isinstance(error, GONE) or type(error) is exc.DatabaseError:
            raise StoreUnavailable(in_short(error.orig)) from error
        raise


@contextmanager
def opening(engine: Engine) -> Iterator[Connection]:
    """The first connection to a database; where that fails, or what is done with it, all are let go of."""
    try:
        with as_unavailable(), engine.connect() as connection:
            yield connection
    except BaseException:
        engine.dispose()
        raise


def in_short(error: BaseException | None) -> str:
    """A driver's complaint on one line; where the database is, players need not hear."""
    complaint = " ".join(str(error).split())[:200] or type(error).__name__
    if getattr(error, "sqlstate", "") is None:
        # PostgreSQL was not reached, and its driver says where it was sought.
        _log.warning("the database does not answer: %s", complaint)
        return "the database does not answer"
    return complaint


class SqlRecord:
    """Reads through a pool of connections of its own; see `contract.Record` for what each call gives."""

    seals: Seals = NO_SEALS

    def __init__(self, readers: Engine) -> None:
        self._readers = readers

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of everything, and changes nothing."""
        with as_unavailable(), self._readers.connect() as connection, connection.begin():
            yield connection

    def read(self, table: str, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        asked = {"table": table, "after": after, "most": limit}
        with self.reading() as connection:
            return [StoredEvent(*row) for row in connection.execute(_EVENTS, asked).all()]

    def as_it_lies(self) -> SqlRecord:
        return self

    def head(self, table: str) -> Head:
        with self.reading() as connection:
            return head_of(connection, table)

    def heads(self) -> dict[str, Head]:
        named = text(TABLES).columns(events.c.table_id, events.c.number).subquery("heads")
        query = select(events.c.table_id, events.c.number, events.c.hash).join(
            named, (events.c.table_id == named.c.table_id) & (events.c.number == named.c.number)
        )
        with self.reading() as connection:
            return {table: Head(number, hash_) for table, number, hash_ in connection.execute(query)}

    def tables(self) -> list[str]:
        with self.reading() as connection:
            return sorted(table for table, _ in connection.execute(text(TABLES)))

    def latest_snapshot(self, table: str) -> Snapshot | None:
        query = (
            select(snapshots)
            .where(snapshots.c.table_id == table)
            .order_by(snapshots.c.number.desc())
            .limit(1)
        )
        with self.reading() as connection:
            row = connection.execute(query).first()
        return None if row is None else Snapshot(*row)

    def checkpoints(self, after: int = 0, limit: int = 1000) -> list[bytes]:
        query = select(checkpoints.c.line).where(checkpoints.c.number > after)
        with self.reading() as connection:
            return list(connection.scalars(query.order_by(checkpoints.c.number).limit(limit)))

    def latest_checkpoint(self) -> bytes | None:
        query = select(checkpoints.c.line).order_by(checkpoints.c.number.desc()).limit(1)
        with self.reading() as connection:
            return connection.scalar(query)

    def leases(self) -> dict[str, Lease]:
        with self.reading() as connection:
            return {row.table_id: Lease(*row) for row in connection.execute(select(leases))}

    def close(self) -> None:
        self._readers.dispose()


def head_of(connection: Connection, table: str) -> Head:
    row = connection.execute(_HEAD, {"table": table}).first()
    return Head(0, genesis(table)) if row is None else Head(*row)
