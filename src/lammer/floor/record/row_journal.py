"""The journal of the house: line by line, what the tables that decide who may do what were changed to.

Accounts, passwords, second factors, links, keys, agreements, purses, training tests, kept rulebooks, stops,
programs and the list of tables change in place, so nothing in them shows what somebody else changed. Whatever
the house writes there puts a line into the journal, in the same transaction: which rows, and the SHA-256 of
each as it stands now, or that it is gone.
Lines are chained as events are, and the head of the journal is part of every checkpoint. `lammer verify`
folds the journal: each row must be what it says, none more and none less.

The writer's connection is told by triggers which rows it touched, so no code that writes rows has to think of
it, and a row changed by anybody else is not written down as a change of the house.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, LargeBinary, RowMapping, Table, insert, select, text

from lammer.floor.record.chain import SIZE
from lammer.floor.record.contract import Head, Record
from lammer.floor.record.findings import at_line
from lammer.floor.record.schema import full_metadata, journal
from lammer.rulebook.phrase import Phrase

HEAD: Final = "\tjournal"
"""What the journal is called among the heads of a checkpoint; no table can have that name."""
KEPT: Final = (
    "accounts",
    "account_changes",
    "sign_in_links",
    "sessions",
    "api_keys",
    "denials",
    "salts",
    "house_tables",
    "house_secrets",
    "proposals",
    "served",
    "purses",
    "authenticators",
    "passkeys",
    "recovery_codes",
    "half_sign_ins",
    "challenges",
    "training_tests",
    "kept_rulebooks",
    "stops",
    "programs",
)
"""The tables it is about; each has one column for its key."""
PASSING: Final = {"sessions": frozenset({"seen"})}
"""Columns that say nothing about who may do what, and change all the time."""
CHANGED: Final = "changed"
RESTORED: Final = "restored"
FORGOTTEN: Final = "forgotten"
PAGE: Final = 500
BEFORE_ALL: Final = sha256(b"lammer/journal/genesis/1\0").digest()
_LINE: Final = b"lammer/journal/1\0"
_ROW: Final = b"lammer/row/1\0"

_log = logging.getLogger("lammer.floor.record.row_journal")


class Body(msgspec.Struct, omit_defaults=True):
    """What a line says: rows (table, key, hash or None), and the columns each table had then."""

    rows: list[tuple[str, str, str | None]] = []
    columns: dict[str, list[str]] = {}
    without: list[str] = []
    heads: dict[str, int] = {}


def line_hash(previous: bytes, number: int, kind: str, body: bytes) -> bytes:
    """The hash of a line.

    >>> line_hash(BEFORE_ALL, 1, "changed", b"{}") == line_hash(BEFORE_ALL, 1, "change", b"d{}")
    False
    """
    name = kind.encode()
    sizes = number.to_bytes(8, "big") + len(name).to_bytes(4, "big") + len(body).to_bytes(8, "big")
    return sha256(_LINE + previous + sizes + name + body).digest()


def columns_of(table: Table) -> list[str]:
    """The columns of a table that a line covers."""
    passing = PASSING.get(str(table.name), frozenset())
    return [str(column.name) for column in table.columns if column.name not in passing]


def row_hash(table: str, row: RowMapping, columns: Iterable[str]) -> str:
    """The SHA-256 of a row, in hexadecimal; bytes and texts are told apart by their column."""
    values = [[name, row.get(name)] for name in columns]
    return sha256(_ROW + msgspec.json.encode([table, values])).hexdigest()


def _key(table: Table) -> Any:
    (column,) = table.primary_key.columns
    return column


def key_text(value: object) -> str:
    """A key as lines have it.

    >>> key_text(7), key_text(b"\\x01\\xff"), key_text("anna")
    ('7', '01ff', 'anna')
    """
    return value.hex() if isinstance(value, bytes) else str(value)


def _key_value(column: Any, key: str) -> Any:
    if isinstance(column.type, LargeBinary):
        return bytes.fromhex(key.removeprefix("\\x"))
    return int(key) if column.type.python_type is int else key


def listen_sqlite() -> Iterator[str]:
    """What a writer's connection to SQLite runs once: triggers of its own that note which rows it touches."""
    yield "PRAGMA temp_store = MEMORY"
    yield "CREATE TEMP TABLE IF NOT EXISTS lammer_touched (tab TEXT NOT NULL, key TEXT NOT NULL)"
    tables = full_metadata().tables
    for name in KEPT:
        key = _key(tables[name])
        row = f"{{}}.{key.name}"
        if isinstance(key.type, LargeBinary):
            row = f"lower(hex({row}))"
        for verb, what in (
            ("INSERT", ("new",)),
            (f"UPDATE OF {','.join(columns_of(tables[name]))}", ("old", "new")),
            ("DELETE", ("old",)),
        ):
            notes = "".join(
                f"INSERT INTO lammer_touched VALUES ('{name}', {row.format(which)});"  # noqa: S608 (our names)
                for which in what
            )
            yield (
                f"CREATE TEMP TRIGGER IF NOT EXISTS {name}_touched_{verb.split()[0].lower()}"
                f" AFTER {verb} ON main.{name} BEGIN {notes} END"
            )


LISTEN_POSTGRES: Final = (
    "CREATE TEMP TABLE IF NOT EXISTS lammer_touched (tab text NOT NULL, key text NOT NULL)"
    " ON COMMIT DELETE ROWS",
    "SET lammer.journal = 'on'",
)


def note(connection: Connection) -> None:
    """Write a line about every row this transaction has touched; the last thing in it."""
    touched = connection.execute(text("SELECT DISTINCT tab, key FROM lammer_touched")).all()
    if not touched:
        return
    connection.execute(text("DELETE FROM lammer_touched"))
    by_table: dict[str, list[str]] = {}
    for name, key in touched:
        by_table.setdefault(name, []).append(key)
    body = Body()
    for name in sorted(by_table):
        table = full_metadata().tables[name]
        body.columns[name] = columns_of(table)
        keys = sorted(by_table[name])
        if isinstance(_key(table).type, LargeBinary):
            keys = [key.removeprefix("\\x") for key in keys]
        for start in range(0, len(keys), PAGE):
            _rows(connection, table, keys[start : start + PAGE], body)
    append(connection, CHANGED, body)


def _rows(connection: Connection, table: Table, keys: list[str], body: Body) -> None:
    column = _key(table)
    wanted = select(table).where(column.in_([_key_value(column, key) for key in keys]))
    there = {key_text(row[column.name]): row for row in connection.execute(wanted).mappings()}
    name = str(table.name)
    for key in keys:
        row = there.get(key)
        body.rows.append((name, key, None if row is None else row_hash(name, row, body.columns[name])))


def append(connection: Connection, kind: str, body: Body) -> None:
    """Write a line. Until the commit, no other process can write to the journal."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("LOCK TABLE journal IN SHARE ROW EXCLUSIVE MODE"))
    head = head_of(connection)
    number, encoded = head.number + 1, msgspec.json.encode(body)
    line = {
        "number": number,
        "kind": kind,
        "body": encoded,
        "hash": line_hash(head.hash, number, kind, encoded),
    }
    connection.execute(insert(journal).values(line))


def head_of(connection: Connection) -> Head:
    """Where the journal stands."""
    last = select(journal.c.number, journal.c.hash).order_by(journal.c.number.desc()).limit(1)
    row = connection.execute(last).first()
    return Head(0, BEFORE_ALL) if row is None else Head(row.number, row.hash)


def number_for(connection: Connection, table: Table) -> int:
    """A number for a new row of a table that is only added to: no row had it before.

    It is at most that of the line that will tell of the row. So a row that somebody removes past the
    house is never covered up by another of the same number.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"LOCK TABLE {table.name} IN SHARE ROW EXCLUSIVE MODE"))
    return head_of(connection).number + 1


def adopt(connection: Connection) -> None:
    """A record from before there was a journal: its rows are taken as they stand."""
    if head_of(connection).number:
        return
    body = Body()
    for name in KEPT:
        table = full_metadata().tables[name]
        body.columns[name] = columns_of(table)
        for row in connection.execute(select(table).order_by(_key(table))).mappings():
            body.rows.append((name, key_text(row[_key(table).name]), row_hash(name, row, body.columns[name])))
    if body.rows:
        append(connection, CHANGED, body)
        _log.warning(
            "this record had no journal of changed rows: it begins with %s rows as they are", len(body.rows)
        )


def note_restored(connection: Connection) -> None:
    """After a copy was put back: what it does not carry is not there, and what it does is known already."""
    if head_of(connection).number:
        connection.execute(text("DELETE FROM lammer_touched"))
        tables = full_metadata().tables
        left = [name for name in KEPT if not tables[name].info.get("carried", True)]
        append(connection, RESTORED, Body(without=left))


def head(record: Record) -> Head:
    """Where the journal of a record stands."""
    with record.reading() as connection:
        return head_of(connection)


def hash_at(record: Record, number: int) -> bytes | None:
    """The hash of one line, if it is there."""
    with record.reading() as connection:
        return connection.scalar(select(journal.c.hash).where(journal.c.number == number))


@dataclass(slots=True)
class FoldedJournal:
    """What the journal says there is: the hash of every row by table and key, over which columns; and up to
    which event of each table answers may have been forgotten. `wrong` is what does not hold of the journal.
    """

    rows: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = field(default_factory=dict)
    forgotten: dict[str, int] = field(default_factory=dict)
    wrong: list[Phrase] = field(default_factory=list)


def fold(connection: Connection) -> FoldedJournal:
    """Follow the journal from its first line."""
    folded = FoldedJournal({name: {} for name in KEPT})
    last = Head(0, BEFORE_ALL)
    lines = select(journal).where(journal.c.number > 0).order_by(journal.c.number)
    for line in connection.execute(lines.execution_options(yield_per=PAGE)):
        number = last.number + 1
        if (line.number, line.hash) != (number, line_hash(last.hash, number, line.kind, line.body)):
            folded.wrong.append(at_line(number, Phrase("it does not follow from what is before it")))
        last = Head(line.number, line.hash)
        try:
            _take(folded, msgspec.json.decode(line.body, type=Body))
        except (msgspec.MsgspecError, KeyError, UnicodeDecodeError):
            folded.wrong.append(at_line(number, Phrase("it cannot be read")))
    return folded


def _take(folded: FoldedJournal, body: Body) -> None:
    columns = {name: tuple(names) for name, names in body.columns.items()}
    for name, key, hashed in body.rows:
        if hashed is None:
            folded.rows[name].pop(key, None)
        else:
            folded.rows[name][key] = hashed, columns[name]
    for name in body.without:
        folded.rows[name].clear()
    for table, number in body.heads.items():
        folded.forgotten[table] = max(number, folded.forgotten.get(table, 0))


def check_rows(
    connection: Connection, folded: FoldedJournal, names: Iterable[str] = KEPT
) -> Iterator[Phrase]:
    """Every row of these tables against what the journal says of it; and what it says against the rows."""
    for name in names:
        table, expected = full_metadata().tables[name], dict(folded.rows[name])
        column = _key(table).name
        for row in connection.execute(select(table).execution_options(yield_per=PAGE)).mappings():
            key = key_text(row[column])
            stated = expected.pop(key, None)
            if stated is None:
                yield Phrase("{row}: the house never wrote it", row=_named(name, key))
            elif row_hash(name, row, stated[1]) != stated[0]:
                yield Phrase("{row}: it is not as the house wrote it", row=_named(name, key))
        for key in expected:
            yield Phrase("{row}: it is gone", row=_named(name, key))


def _named(table: str, key: str) -> str:
    """A row by its table and its key; of a digest only the beginning."""
    return f"{table} {key if len(key) != 2 * SIZE else f'{key[:8]}…'}"


def check_journal(record: Record) -> tuple[list[Phrase], dict[str, int]]:
    """What does not hold of the journal and the tables it is about; up to where answers were forgotten."""
    with record.reading() as connection:
        folded = fold(connection)
        return [*folded.wrong, *check_rows(connection, folded)], folded.forgotten
