"""The record in one SQLite file: write-ahead log, synced at every commit, owned by one process at a time.

The writer's connection is used as the driver gives it: a group of appends is one statement in a
transaction of its own (see the view `filing`), so that the thread gives up the interpreter's lock once and
not once a row. Other processes may read the file while it is owned.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import time_ns
from typing import Any, Final, TypeVar

import pysqlite3
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.pool import QueuePool

from lammer.floor.record.chain import genesis
from lammer.floor.record.contract import Appended, Head, Key, StoreUnavailable
from lammer.floor.record.row_journal import adopt, listen_sqlite, note
from lammer.floor.record.signing_key import sync_folder
from lammer.floor.record.store.group import KeptReply, Row
from lammer.floor.record.store.reading import SqlRecord, as_unavailable, in_short, opening
from lammer.floor.record.store.storing import SqlStore
from lammer.floor.record.store.upgrade import bring_up_to_date, must_be_up_to_date
from lammer.floor.record.store.writer import Clash, Deliver, at_once
from lammer.rulebook.refusal import Refused

T = TypeVar("T")

OLDEST: Final = (3, 51, 3)
MOST_ROWS: Final = 256
MOST_EXACT: Final = 64
"""Rows up to which there is a statement for each number of them."""
_ROW: Final = "(?,?,?,?,?,?,?,?,?,?,?,?)"
_NO_ROW: Final = (None,) * 12


@dataclass(frozen=True, slots=True)
class Pragmas:
    """How the file is written. The defaults are what the promise of durability rests on."""

    synchronous: str = "FULL"
    checkpoint_pages: int = 1000
    busy_seconds: float = 10.0


def must_be_sound() -> None:
    """Refuse a SQLite that can damage a write-ahead log used by several connections."""
    if pysqlite3.sqlite_version_info < OLDEST:
        raise Refused(
            "sqlite_too_old",
            "SQLite {version} can damage its log when several connections use it;"
            " {oldest} or later is needed.",
            next_step="Install a newer pysqlite3 (it brings its own SQLite).",
            version=pysqlite3.sqlite_version,
            oldest=".".join(map(str, OLDEST)),
        )


def open_sqlite(path: Path, *, deliver: Deliver = at_once, pragmas: Pragmas | None = None) -> SqlStore:
    """Open or make the file, bring it up to date and own it until closed."""
    must_be_sound()
    return SqliteStore(path, deliver, pragmas or Pragmas())


def read_sqlite(path: Path) -> SqlRecord:
    """Only read the file, whoever owns it."""
    must_be_sound()
    if not path.is_file():
        raise Refused(
            "database_missing", "There is no database {path}.", next_step="Name one that is there.", path=path
        )
    readers = _engine(_real(path), Pragmas(), reads=True)
    with opening(readers) as connection:
        must_be_up_to_date(connection)
    return SqlRecord(readers)


def beside_sqlite(path: Path) -> SqliteBeside:
    """Write a few rows into the file, whoever owns it; the file must be there and up to date."""
    read_sqlite(path).close()
    return SqliteBeside(_real(path), Pragmas())


class SqliteBeside(SqlRecord):
    """A second writer of the file, for rows that no process keeps in memory: who may come in, and no event.

    What is written is a short transaction of its own, synced as the owner's are. SQLite lets one write at a
    time; the owner waits for it as it waits for the disk.
    """

    def __init__(self, path: Path, pragmas: Pragmas) -> None:
        super().__init__(_engine(path, pragmas, reads=True))
        self._writers = _engine(path, pragmas, reads=False)

    def write(self, work: Callable[[Connection], T]) -> Future[T]:
        """Done when it returns."""
        written: Future[T] = Future()
        with as_unavailable(), self._writers.connect() as connection:
            _listen(connection)
            with connection.begin():
                must_be_up_to_date(connection)
                result = work(connection)
                note(connection)
        written.set_result(result)
        return written

    def close(self) -> None:
        self._writers.dispose()
        super().close()


class SqliteStore(SqlStore):
    def __init__(self, called: Path, deliver: Deliver, pragmas: Pragmas) -> None:
        path = _real(called)
        self._held: tuple[int, ...] = _own(path, called)
        writers = _engine(path, pragmas, reads=False)
        try:
            with opening(writers) as connection, connection.begin():
                bring_up_to_date(connection)
                adopt(connection)
        except BaseException:
            _let_go(self._held)
            raise
        super().__init__(_engine(path, pragmas, reads=True), SqliteBackend(writers), deliver)

    def close(self) -> None:
        super().close()
        _let_go(self._held)
        self._held = ()


class SqliteBackend:
    """The writer's side of the file. One connection, used by one thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None

    def file(self, rows: Sequence[Row], beside: Callable[[Connection], None] | None = None) -> None:
        if beside is None:
            _file(self._driver(), rows, alone=len(rows) > MOST_ROWS)
            return

        def work(connection: Connection) -> None:
            _file(connection.connection.driver_connection, rows)
            beside(connection)

        self.work(work)

    def heads(self, tables: Sequence[str]) -> dict[str, Head]:
        query = "SELECT number, hash FROM events WHERE table_id = ? ORDER BY number DESC LIMIT 1"
        rows = {table: self._first(query, table) for table in tables}
        return {table: Head(0, genesis(table)) if row is None else Head(*row) for table, row in rows.items()}

    def known(self, keys: Sequence[Key]) -> dict[tuple[str, str], KeptReply]:
        query = "SELECT digest, table_id, first, last, hash, reply FROM replies WHERE client = ? AND key = ?"
        rows = {(key.client, key.key): self._first(query, key.client, key.key) for key in keys}
        return {key: KeptReply(row[0], Appended(*row[1:])) for key, row in rows.items() if row is not None}

    def epochs(self, tables: Sequence[str]) -> dict[str, int]:
        rows = {
            table: self._first("SELECT epoch FROM leases WHERE table_id = ?", table) for table in set(tables)
        }
        return {table: row[0] for table, row in rows.items() if row is not None}

    def work(self, work: Callable[[Connection], T]) -> T:
        with as_unavailable():
            self._driver()
            assert self._connection is not None
            with self._connection.begin():
                result = work(self._connection)
                note(self._connection)
                return result

    def give_up(self) -> None:
        """Undo what is half done. The connection stays if it can: a new one reads the log anew and might
        find in it a commit that was reported as failed because it could not be synced.
        """
        if self._connection is not None:
            try:
                self._connection.connection.rollback()
            except Exception:
                self._hang_up()
                raise

    def close(self) -> None:
        self._hang_up()
        self._engine.dispose()

    def _hang_up(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.invalidate()
            connection.close()

    def _driver(self) -> Any:
        if self._connection is None:
            with as_unavailable():
                connection = self._engine.connect()
                _listen(connection)
                self._connection = connection
        return self._connection.connection.driver_connection

    def _first(self, query: str, *values: str) -> Any:
        try:
            return self._driver().execute(query, values).fetchone()
        except pysqlite3.DatabaseError as error:
            raise StoreUnavailable(in_short(error)) from error


def _file(driver: Any, rows: Sequence[Row], *, alone: bool = False) -> None:
    """File rows: in the transaction that is open, in that of their one statement, or `alone` in their own.

    Rows the database would not take are a `Clash`; a database that cannot be written is unavailable.
    """
    now = time_ns() // 1000
    try:
        if alone:
            driver.execute("BEGIN IMMEDIATE")
        for start in range(0, len(rows), MOST_ROWS):
            driver.execute(*_filing(rows[start : start + MOST_ROWS], now))
        if alone:
            driver.execute("COMMIT")
    except pysqlite3.IntegrityError as error:
        driver.rollback()
        raise Clash(str(error)) from error
    except pysqlite3.DatabaseError as error:
        unusable = isinstance(error, pysqlite3.OperationalError | pysqlite3.InternalError)
        if unusable or type(error) is pysqlite3.DatabaseError:  # "disk image is malformed" and its like
            raise StoreUnavailable(in_short(error)) from error
        raise


def _listen(connection: Connection) -> None:
    """Have the connection note which rows it touches."""
    driver: Any = connection.connection.driver_connection
    for statement in listen_sqlite():
        driver.execute(statement)


def _filing(rows: Sequence[Row], now: int) -> tuple[str, list[object]]:
    """One statement for all rows; a long one is filled up with rows that file nothing, so that the few the
    driver remembers are enough.
    """
    values: list[object] = []
    for row in rows:
        key = row.key
        values += (row.table, row.number, row.body, row.hash, now, row.epoch)
        values += (None,) * 5 if key is None else (key.client, key.key, key.digest, row.first, row.reply)
        values.append(row.answer)
    if len(rows) <= MOST_EXACT:
        return _statement(len(rows)), values
    size = 1 << (len(rows) - 1).bit_length()
    values += _NO_ROW * (size - len(rows))
    return _statement(size), values


@cache
def _statement(size: int) -> str:
    return "INSERT OR ROLLBACK INTO filing VALUES " + ",".join([_ROW] * size)  # noqa: S608 (only question marks)


def _real(path: Path) -> Path:
    """The file itself, whatever links lead to it: under two names, two processes could own it."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # A ring of links; opening the file fails then.
        return path


def _own(path: Path, called: Path) -> tuple[int, int]:
    """Take the file for this process; the locks go with the process, however it ends.

    The file itself is locked, whatever name it goes by, and another beside it that says by whom. SQLite's own
    locks are of another kind and know nothing of these.
    """
    held: list[int] = []
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for name in (path, f"{path}.lock"):
            held.append(os.open(name, os.O_RDWR | os.O_CREAT, 0o600))  # noqa: PERF401 (one may fail)
    except OSError as error:
        _let_go(held)
        raise Refused(
            "cannot_write",
            "The database {called} cannot be opened: {why}.",
            next_step="Name a file in a folder that may be written to.",
            called=called,
            why=error.strerror,
        ) from None
    database, lock = held
    try:
        for handle in (lock, database):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.read(lock, 20).decode(errors="replace").strip()
        _let_go(held)
        raise Refused(
            "database_in_use",
            "The database {called} is used by another process ({holder}); one at a time may.",
            next_step="Stop that process first; several processes need PostgreSQL.",
            called=called,
            holder=holder or "unknown",
        ) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)
    return database, lock


def _let_go(held: Iterable[int]) -> None:
    for handle in held:
        os.close(handle)


def _sync_log(path: Path) -> None:
    """Before a log left by a crash is read: what stands in it must be on disk and not only in memory, or a
    retry would be told that its first try is safe when it is not.
    """
    try:
        log = os.open(f"{path}-wal", os.O_RDONLY)
    except FileNotFoundError:
        return
    try:
        os.fsync(log)
        sync_folder(path.parent)
    except OSError as error:
        raise StoreUnavailable(in_short(error)) from error
    finally:
        os.close(log)


def _engine(path: Path, pragmas: Pragmas, *, reads: bool) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        module=pysqlite3,
        poolclass=QueuePool,
        pool_size=1 if not reads else 8,
        connect_args={
            "isolation_level": None,
            "check_same_thread": False,
            "timeout": pragmas.busy_seconds,
        },
    )

    @event.listens_for(engine, "do_connect")
    def before(*_: object) -> None:
        if not reads:
            _sync_log(path)

    @event.listens_for(engine, "connect")
    def connect(driver: Any, _: object) -> None:
        driver.execute("PRAGMA cell_size_check = ON")
        if reads:
            driver.execute("PRAGMA query_only = ON")
            return
        driver.execute("PRAGMA auto_vacuum = NONE")
        driver.execute("PRAGMA journal_mode = WAL")
        driver.execute(f"PRAGMA synchronous = {pragmas.synchronous}")
        driver.execute(f"PRAGMA wal_autocheckpoint = {pragmas.checkpoint_pages}")
        driver.execute("PRAGMA journal_size_limit = 67108864")
        driver.execute("PRAGMA foreign_keys = ON")
        driver.execute("PRAGMA cache_size = -32768")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # The driver begins nothing by itself; so tables too are made inside a transaction.
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine
