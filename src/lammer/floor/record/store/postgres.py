"""The record in PostgreSQL, shared by as many processes as like; each table's turn-holder writes to it.

A group of appends is one statement and so one transaction: it locks the turns it was decided under, files
events and replies if all of them still hold, and tells whoever listens. A lost connection is tried again
with growing pauses; meanwhile everything asked is refused at once instead of hanging.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from threading import Event, Thread
from time import monotonic, time_ns
from typing import Any, Final, TypeVar

import psycopg
from psycopg import errors
from sqlalchemy import Connection, Engine, PoolProxiedConnection, create_engine, event, text
from sqlalchemy.engine import URL, make_url

from lammer.floor.record.chain import genesis
from lammer.floor.record.contract import Appended, Head, Key, StoreUnavailable
from lammer.floor.record.row_journal import LISTEN_POSTGRES, adopt, note
from lammer.floor.record.store.group import KeptReply, Row
from lammer.floor.record.store.reading import SqlRecord, as_unavailable, in_short, opening
from lammer.floor.record.store.storing import Callback, SqlStore
from lammer.floor.record.store.upgrade import bring_up_to_date, must_be_up_to_date
from lammer.floor.record.store.writer import Clash, Deliver, at_once
from lammer.rulebook.refusal import Refused

T = TypeVar("T")

UPGRADING: Final = 0x6C616D6D6572
"""The number of the advisory lock held while the database is brought up to date ("lammer")."""
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 2.0

_FILE: Final = """
WITH held AS MATERIALIZED (
  SELECT table_id, epoch FROM leases WHERE table_id = ANY(%(fenced)b::text[]) ORDER BY table_id FOR SHARE
), lost AS MATERIALIZED (
  SELECT count(*) AS turns FROM unnest(%(fenced)b::text[], %(epochs)b::bigint[]) AS f(table_id, epoch)
  WHERE NOT EXISTS (SELECT 1 FROM held WHERE held.table_id = f.table_id AND held.epoch = f.epoch)
), filed AS (
  INSERT INTO events (table_id, number, body, hash, written_at, answer)
  SELECT e.table_id, e.number, e.body, e.hash, %(now)b::bigint, e.answer
  FROM unnest(%(tables)b::text[], %(numbers)b::bigint[], %(bodies)b::bytea[], %(hashes)b::bytea[],
    %(answers)b::bytea[]) AS e(table_id, number, body, hash, answer), lost WHERE lost.turns = 0
), answered AS (
  INSERT INTO replies (client, key, digest, table_id, first, last, hash, reply, written_at)
  SELECT r.*, %(now)b::bigint
  FROM unnest(%(clients)b::text[], %(keys)b::text[], %(digests)b::bytea[], %(for)b::text[],
    %(firsts)b::bigint[], %(lasts)b::bigint[], %(ends)b::bytea[], %(replies)b::bytea[]) AS r, lost
  WHERE lost.turns = 0
)
SELECT lost.turns, (
  SELECT count(pg_notify('lammer_events', m.number || ' ' || m.table_id))
  FROM unnest(%(moved)b::text[], %(to)b::bigint[]) AS m(table_id, number) WHERE lost.turns = 0
) FROM lost
"""

_log = logging.getLogger("lammer.floor.record")


def open_postgres(url: str | URL, *, deliver: Deliver = at_once) -> SqlStore:
    """Bring the database up to date and open it."""
    return PostgresStore(_psycopg_url(url), deliver)


def read_postgres(url: str | URL) -> SqlRecord:
    """Only read."""
    readers = _engine(_psycopg_url(url), reads=True)
    with opening(readers) as connection:
        must_be_up_to_date(connection)
    return SqlRecord(readers)


class PostgresStore(SqlStore):
    def __init__(self, url: URL, deliver: Deliver) -> None:
        writers = _engine(url, reads=False)
        with opening(writers) as connection, connection.begin():
            _must_be_durable(connection)
            _say_if_unchecked(connection)
            connection.execute(text("SET LOCAL lock_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": UPGRADING})
            bring_up_to_date(connection)
            adopt(connection)
        self._followed: list[Callable[[], None]] = []
        super().__init__(_engine(url, reads=True), PostgresBackend(writers), deliver)

    def follow(self, callback: Callback) -> Callable[[], None]:
        """As `SqlStore.follow`, with what every other process writes as well."""
        over = Event()
        thread = Thread(target=self._listen, args=(callback, over), name="lammer-follower", daemon=True)
        thread.start()

        def stop() -> None:
            over.set()
            thread.join()

        self._followed.append(stop)
        return stop

    def close(self) -> None:
        for stop in self._followed:
            stop()
        super().close()

    def _listen(self, callback: Callback, over: Event) -> None:
        pause = FIRST_PAUSE
        while not over.is_set():
            try:
                with as_unavailable(), self._readers.connect() as connection:
                    driver: Any = connection.connection.driver_connection
                    connection.detach()
                    driver.autocommit = True
                    driver.execute("LISTEN lammer_events")
                    for table, head in self.heads().items():
                        callback(table, head.number)
                    pause = FIRST_PAUSE
                    while not over.is_set():
                        for notice in driver.notifies(timeout=0.2):
                            number, _, table = notice.payload.partition(" ")
                            callback(table, int(number))
            except (StoreUnavailable, psycopg.Error) as error:
                _log.warning("listening for events of other processes was interrupted: %s", in_short(error))
                over.wait(pause)
                pause = min(pause * 2, LONGEST_PAUSE)
            except Exception:
                _log.exception("a listener for events of other processes failed")
                over.wait(pause)


class PostgresBackend:
    """The writer's side of the database: one connection for the groups, one more for other work."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._held: PoolProxiedConnection | None = None
        self._pause = 0.0
        self._not_before = 0.0

    def file(self, rows: Sequence[Row], beside: Callable[[Connection], None] | None = None) -> None:
        if beside is None:
            _file(self._driver(), rows)
            return

        def work(connection: Connection) -> None:
            # The same statement locks the turns, until the transaction ends.
            _file(connection.connection.driver_connection, rows)
            beside(connection)

        self.work(work)

    def heads(self, tables: Sequence[str]) -> dict[str, Head]:
        rows = self._all(
            "SELECT t, e.number, e.hash FROM unnest(%s::text[]) AS t CROSS JOIN LATERAL"
            " (SELECT number, hash FROM events WHERE table_id = t ORDER BY number DESC LIMIT 1) AS e",
            list(tables),
        )
        return {table: Head(0, genesis(table)) for table in tables} | {
            table: Head(number, hash_) for table, number, hash_ in rows
        }

    def known(self, keys: Sequence[Key]) -> dict[tuple[str, str], KeptReply]:
        rows = self._all(
            "SELECT r.client, r.key, r.digest, r.table_id, r.first, r.last, r.hash, r.reply"
            " FROM replies AS r JOIN unnest(%s::text[], %s::text[]) AS k(client, key) USING (client, key)",
            [key.client for key in keys],
            [key.key for key in keys],
        )
        return {(row[0], row[1]): KeptReply(row[2], Appended(*row[3:])) for row in rows}

    def epochs(self, tables: Sequence[str]) -> dict[str, int]:
        return dict(
            self._all("SELECT table_id, epoch FROM leases WHERE table_id = ANY(%s::text[])", list(tables))
        )

    def work(self, work: Callable[[Connection], T]) -> T:
        self._driver()
        with as_unavailable(), self._engine.begin() as connection:
            result = work(connection)
            note(connection)
            return result

    def give_up(self) -> None:
        if self._held is not None:
            held, self._held = self._held, None
            held.invalidate()
        self._engine.dispose()

    def close(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None
        self._engine.dispose()

    def _driver(self) -> Any:
        """The connection; where there is none, another try, but not before its time."""
        if self._held is None:
            if monotonic() < self._not_before:
                raise StoreUnavailable("the database does not answer")
            try:
                self._held = self._engine.raw_connection()
            except psycopg.Error as error:
                self._pause = min(self._pause * 2 or FIRST_PAUSE, LONGEST_PAUSE)
                self._not_before = monotonic() + self._pause
                raise StoreUnavailable(in_short(error)) from error
            self._pause = 0.0
            driver: Any = self._held.driver_connection
            driver.autocommit = True
        return self._held.driver_connection

    def _all(self, query: str, *values: list[str]) -> Any:
        try:
            return self._driver().execute(query, values, binary=True).fetchall()
        except psycopg.Error as error:
            raise StoreUnavailable(in_short(error)) from error


def _file(driver: Any, rows: Sequence[Row]) -> None:
    """File a group by one statement, in the transaction that is open or in one of its own."""
    try:
        row = driver.execute(_FILE, _columns(rows)).fetchone()
    except (errors.IntegrityError, errors.DeadlockDetected, errors.SerializationFailure) as error:
        raise Clash(str(error)) from error
    except (psycopg.OperationalError, psycopg.InterfaceError, psycopg.InternalError) as error:
        raise StoreUnavailable(in_short(error)) from error
    if row[0]:
        raise Clash("a turn is over")


def _columns(rows: Sequence[Row]) -> dict[str, object]:
    """A group as columns, the way the statement takes it."""
    filed = [row for row in rows if row.body is not None]
    answered = [(row, row.key) for row in rows if row.key is not None]
    fenced = sorted({(row.table, row.epoch) for row in rows if row.epoch is not None})
    moved = {row.table: row.number for row in filed}
    return {
        "now": time_ns() // 1000,
        "fenced": [table for table, _ in fenced],
        "epochs": [epoch for _, epoch in fenced],
        "tables": [row.table for row in filed],
        "numbers": [row.number for row in filed],
        "bodies": [row.body for row in filed],
        "hashes": [row.hash for row in filed],
        "answers": [row.answer for row in filed],
        "clients": [key.client for _, key in answered],
        "keys": [key.key for _, key in answered],
        "digests": [key.digest for _, key in answered],
        "for": [row.table for row, _ in answered],
        "firsts": [row.first for row, _ in answered],
        "lasts": [row.number for row, _ in answered],
        "ends": [row.hash for row, _ in answered],
        "replies": [row.reply for row, _ in answered],
        "moved": list(moved),
        "to": list(moved.values()),
    }


def _must_be_durable(connection: Connection) -> None:
    for setting in ("fsync", "full_page_writes"):
        if connection.scalar(text(f"SHOW {setting}")) != "on":
            raise Refused(
                "server_not_durable",
                "This PostgreSQL runs with {setting} off; what it acknowledges may be lost.",
                next_step="Set {setting} = on in postgresql.conf and restart the server.",
                setting=setting,
            )


def _say_if_unchecked(connection: Connection) -> None:
    if connection.scalar(text("SHOW data_checksums")) != "on":
        _log.warning(
            "this PostgreSQL keeps no checksums of its pages (data_checksums is off): what a disk changes is"
            " found by lammer verify, not by the server"
        )


def _psycopg_url(url: str | URL) -> URL:
    return make_url(url).set(drivername="postgresql+psycopg")


def _engine(url: URL, *, reads: bool) -> Engine:
    engine = create_engine(
        url,
        isolation_level="REPEATABLE READ" if reads else "READ COMMITTED",
        pool_pre_ping=True,
        pool_size=8 if reads else 2,
        connect_args={
            "connect_timeout": 3,
            "application_name": "lammer",
            "keepalives_idle": 5,
            "keepalives_interval": 2,
            "keepalives_count": 3,
            "tcp_user_timeout": 10_000,
        },
    )

    @event.listens_for(engine, "connect")
    def connect(driver: Any, _: object) -> None:
        driver.autocommit = True
        driver.execute("SET synchronous_commit = on")
        driver.execute("SET lock_timeout = '10s'")
        for statement in () if reads else LISTEN_POSTGRES:
            driver.execute(statement)
        driver.autocommit = False
        driver.read_only = reads

    return engine
