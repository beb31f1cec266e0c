"""The programs a house was run with, kept in the record: each that was accepted, and each that was another.

Rows are only added. The last accepted one is what the program is compared with at every start.
Every call blocks on the database, so an event loop asks from a worker thread.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import Connection, Row, Table as SqlTable, insert, select

from lammer.floor.record.contract import Record, Rows
from lammer.floor.record.manifest import (
    MANIFEST_IN_DOUBT,
    Difference,
    Manifest,
    check_signature,
    compare,
    read_manifest,
)
from lammer.floor.record.monotonic_clock import microseconds, moment
from lammer.floor.record.row_journal import check_rows, fold, number_for
from lammer.floor.record.schema import binaries, metadata, numbers, texts
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused

Stands = Literal["accepted", "differs"]

programs: Final = SqlTable(
    "programs",
    metadata,
    *numbers("number", key=True),
    *numbers("at"),
    *texts("stands", "by", "sha256", "differences"),
    *binaries("manifest"),
)


@dataclass(frozen=True, slots=True)
class Program:
    """A program as the record has it; `contents` is its signed manifest, `differences` to the one before."""

    number: int
    at: datetime
    stands: Stands
    by: str
    sha256: str
    differences: tuple[Difference, ...]
    contents: bytes


def latest(record: Record | Rows, stands: Stands | None = None) -> Program | None:
    """The last program written down; of those that were accepted, or were not, where that is asked for."""
    query = select(programs).order_by(programs.c.number.desc()).limit(1)
    if stands is not None:
        query = query.where(programs.c.stands == stands)
    with record.reading() as connection:
        row = connection.execute(query).first()
    return None if row is None else _program(row)


def note_program(
    store: Rows,
    contents: bytes,
    stands: Stands,
    *,
    by: str,
    at: datetime,
    differences: Sequence[Difference] = (),
) -> Program:
    """Write a program down; the same one twice in a row is written once."""
    sha256 = read_manifest(contents).sha256

    def work(connection: Connection) -> Program:
        number = number_for(connection, programs)
        before = connection.execute(select(programs).order_by(programs.c.number.desc()).limit(1)).first()
        if before is not None and (before.sha256, before.stands) == (sha256, stands):
            return _program(before)
        values = {"stands": stands, "by": by, "sha256": sha256, "manifest": contents}
        listed = msgspec.json.encode(list(differences)).decode()
        values |= {"differences": listed}
        connection.execute(insert(programs).values(number=number, at=microseconds(at), **values))
        row = connection.execute(select(programs).where(programs.c.number == number)).one()
        return _program(row)

    return store.write(work).result()


def differences_to(program: Program, found: Manifest, trusted: Collection[bytes]) -> list[Difference]:
    """What is different from an accepted program; that the house did not sign it comes first."""
    try:
        manifest = read_manifest(program.contents)
    except Refused:
        return [MANIFEST_IN_DOUBT]
    doubtful = check_signature(program.contents, trusted) or manifest.sha256 != program.sha256
    return [MANIFEST_IN_DOUBT] * bool(doubtful) + compare(manifest, found)


def check_programs(record: Record) -> Iterator[Phrase]:
    """What does not hold of the rows of programs, by the journal of the house."""
    with record.as_it_lies().reading() as connection:
        folded = fold(connection)
        yield from folded.wrong
        yield from check_rows(connection, folded, (str(programs.name),))


def _program(row: Row[Any]) -> Program:
    differences = msgspec.json.decode(row.differences, type=tuple[Difference, ...])
    return Program(
        row.number, moment(row.at), row.stands, row.by, row.sha256, differences, bytes(row.manifest)
    )
