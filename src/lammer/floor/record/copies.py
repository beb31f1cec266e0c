"""Copies of the record: backups made while the house runs, which go back into either kind of database.

A backup is one file of gzipped JSON lines: what it is, every row of every table as it stood at one moment,
and a last line with counts and a digest, without which it is not whole. Restoring recomputes every chain
and keeps all of it or nothing. What can be made again (snapshots, turns) is not carried.
"""

from __future__ import annotations

import gzip
import os
import zlib
from hashlib import sha256
from pathlib import Path
from time import time_ns
from typing import IO, Any, Final
from uuid import uuid4

import msgspec
from sqlalchemy import Connection, Table, insert, select
from sqlalchemy.exc import IntegrityError

from lammer.floor.record.chain import genesis, link
from lammer.floor.record.contract import Head, Record, Store
from lammer.floor.record.row_journal import BEFORE_ALL, line_hash, note_restored
from lammer.floor.record.schema import full_metadata
from lammer.floor.record.signing_key import sync_folder
from lammer.floor.record.store.upgrade import history
from lammer.rulebook.refusal import Refused

FORMAT: Final = 1
PAGE: Final = 1000


class _First(msgspec.Struct, forbid_unknown_fields=True):
    lammer_backup: int
    revision: str
    made_at: int


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    table: str
    columns: list[str]


class _Last(msgspec.Struct, forbid_unknown_fields=True):
    rows: dict[str, int]
    sha256: str


def carried_tables() -> list[Table]:
    """The tables a backup holds, those others refer to first."""
    return [table for table in full_metadata().sorted_tables if table.info.get("carried", True)]


def back_up(record: Record, file: Path) -> dict[str, int]:
    """Write everything as it stands now, while the house goes on; the file appears when it is whole.

    Gives how many rows of each table were carried.
    """
    draft = file.with_name(f".{file.name}.{uuid4().hex}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as raw:
            rows = _write_rows(record, raw)
            raw.flush()
            os.fsync(raw.fileno())
        draft.replace(file)
        sync_folder(file.parent)
    except OSError as error:
        raise Refused(
            "cannot_write",
            "The backup {file} cannot be written: {why}.",
            next_step="Make room, or name another place; whatever was there before is there still.",
            file=file,
            why=error.strerror or error,
        ) from error
    finally:
        draft.unlink(missing_ok=True)
    return rows


def _write_rows(record: Record, raw: IO[bytes]) -> dict[str, int]:
    rows: dict[str, int] = {}
    with gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=3, mtime=0) as out:
        digest = sha256()

        def write(line: object) -> None:
            encoded = msgspec.json.encode(line) + b"\n"
            digest.update(encoded)
            out.write(encoded)

        write(_First(FORMAT, history().get_current_head() or "", time_ns() // 1000))
        with record.reading() as connection:
            for table in carried_tables():
                write(_Table(str(table.name), [str(column.name) for column in table.columns]))
                rows[str(table.name)] = 0
                query = select(table).order_by(*table.primary_key.columns)
                for row in connection.execute(query.execution_options(yield_per=PAGE)):
                    write(tuple(row))
                    rows[table.name] += 1
        out.write(msgspec.json.encode(_Last(rows, digest.hexdigest())) + b"\n")
    return rows


def restore(store: Store, file: Path) -> dict[str, int]:
    """Put a backup into an empty database, of either kind: all of it, every chain recomputed, or nothing."""

    def work(connection: Connection) -> dict[str, int]:
        for table in carried_tables():
            if connection.execute(select(table).limit(1)).first() is not None:
                raise Refused(
                    "database_not_empty",
                    "This database has rows in {table} already; a backup is not mixed with them.",
                    next_step="Restore into a new file or an empty database.",
                    table=repr(table.name),
                )
        restoring = _Restoring(connection)
        with gzip.open(file, "rb") as lines:
            restoring.begin(lines.readline())
            for line in lines:
                if restoring.take(line):
                    note_restored(connection)
                    return restoring.rows
        raise ValueError("its last line is missing")

    try:
        return store.write(work).result()
    except (
        OSError,
        EOFError,
        zlib.error,
        msgspec.MsgspecError,
        KeyError,
        ValueError,
        IntegrityError,
    ) as error:
        raise Refused(
            "backup_damaged",
            "The backup {file} cannot be restored: {why}.",
            next_step="Nothing was kept; take another copy.",
            file=file,
            why=str(error) or type(error).__name__,
        ) from error


class _Restoring:
    """A backup on its way back, line by line; `rows` are those taken so far."""

    def __init__(self, connection: Connection) -> None:
        self.rows: dict[str, int] = {}
        self._connection = connection
        self._tables = {table.name: table for table in carried_tables()}
        self._digest = sha256()
        self._into: Table | None = None
        self._decoder: msgspec.json.Decoder[tuple[Any, ...]] = msgspec.json.Decoder(tuple[Any, ...])
        self._columns: list[str] = []
        self._page: list[dict[str, Any]] = []
        self._table, self._number, self._hash = "", 0, b""
        self._line = Head(0, BEFORE_ALL)

    def begin(self, line: bytes) -> None:
        first = msgspec.json.decode(line, type=_First)
        known = {revision.revision for revision in history().walk_revisions()}
        if first.lammer_backup != FORMAT or first.revision not in known:
            raise Refused(
                "database_too_new",
                "This backup is of version {found}, which a later Lammer made.",
                next_step="Restore it with that Lammer.",
                found=first.revision,
            )
        self._digest.update(line)

    def take(self, line: bytes) -> bool:
        """One line; True after the last, when all that came before agrees with it."""
        if line.startswith(b"["):
            self._row(self._decoder.decode(line))
        elif line.startswith(b'{"table"'):
            self._flush()
            heading = msgspec.json.decode(line, type=_Table)
            self._into, self._columns = self._tables[heading.table], heading.columns
            self._decoder = msgspec.json.Decoder(_row_type(self._into, heading.columns))
            self.rows[heading.table] = 0
        else:
            self._flush()
            last = msgspec.json.decode(line, type=_Last)
            if last.rows != self.rows or last.sha256 != self._digest.hexdigest():
                raise ValueError("its last line does not agree with the rest")
            return True
        self._digest.update(line)
        return False

    def _row(self, values: tuple[Any, ...]) -> None:
        if self._into is None:
            raise ValueError("it has rows of no table")
        row = dict(zip(self._columns, values, strict=True))
        if self._into.name == "events":
            self._follow(**row)
        elif self._into.name == "journal":
            self._follow_journal(**row)
        self._page.append(row)
        self.rows[self._into.name] += 1
        if len(self._page) >= PAGE:
            self._flush()

    def _flush(self) -> None:
        if self._page and self._into is not None:
            self._connection.execute(insert(self._into), self._page)
            self._page = []

    def _follow(
        self,
        table_id: str,
        number: int,
        body: bytes,
        hash: bytes,  # noqa: A002 (the column)
        answer: bytes | None = None,
        **_: object,
    ) -> None:
        """Recompute the chain; events come table by table."""
        if table_id != self._table:
            self._table, self._number, self._hash = table_id, 0, genesis(table_id)
        self._number += 1
        self._hash = link(self._hash, table_id, self._number, body, answer)
        if (number, hash) != (self._number, self._hash):
            raise ValueError(f"event {number} of table {table_id} does not follow from what is before it")

    def _follow_journal(self, number: int, kind: str, body: bytes, hash: bytes) -> None:  # noqa: A002
        """Recompute the journal's chain as well."""
        last = self._line
        self._line = Head(last.number + 1, line_hash(last.hash, last.number + 1, kind, body))
        if (number, hash) != (self._line.number, self._line.hash):
            raise ValueError(f"line {number} of the journal does not follow from what is before it")


def _row_type(table: Table, columns: list[str]) -> Any:
    kinds: list[Any] = []
    for name in columns:
        column = table.columns[name]
        kind = column.type.python_type
        kinds.append(Any if kind in {dict, list} else (kind | None if column.nullable else kind))
    return tuple[tuple(kinds)]  # type: ignore[misc]
