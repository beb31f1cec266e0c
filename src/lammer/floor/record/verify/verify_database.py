"""The database itself: whether its file is whole, and whether the guards it was made with are there still.

SQLite is asked for its own full check; what a page says that no check of SQLite's can know is found by the
hashes. The guards are compared with those a new database has. PostgreSQL checks its pages by itself where
`data_checksums` is on; here its guards are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import StaticPool

from lammer.floor.record.contract import Record
from lammer.floor.record.row_journal import KEPT
from lammer.floor.record.store.upgrade import bring_up_to_date
from lammer.rulebook.phrase import Phrase

BOOKS: Final = ("events", "checkpoints", "journal", "account_changes", "denials")
"""What the database itself refuses to change or remove."""
MOST: Final = 5
"""So many of SQLite's complaints are told."""
_SCHEMA: Final = "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'"
_GUARDS: Final = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')"


def check_database(record: Record) -> Iterator[Phrase]:
    """Everything that does not hold of the database."""
    with record.reading() as connection:
        if connection.dialect.name == "sqlite":
            yield from _integrity_problems(connection)
            there = {name: sql for name, sql in connection.execute(text(_SCHEMA))}  # noqa: C416 (rows, not pairs)
            fresh = _fresh_schema()
            for name in sorted(fresh.keys() | there.keys()):
                if fresh.get(name) != there.get(name):
                    yield Phrase("the database: {name} is not as it was made", name=repr(name))
        else:
            guards = set(connection.scalars(text(_GUARDS)))
            expected = {f"{book}_stay" for book in BOOKS} | {f"{name}_touched" for name in KEPT}
            for name in sorted(expected - guards):
                yield Phrase("the database: {name} is not as it was made", name=repr(name))


def _integrity_problems(connection: Connection) -> Iterator[Phrase]:
    """What SQLite finds when it goes through its own file."""
    try:
        complaints = list(connection.scalars(text(f"PRAGMA integrity_check({MOST})")))
    except DatabaseError as error:
        complaints = [str(error.orig)]
    for complaint in complaints:
        if complaint != "ok":
            yield Phrase("the database: {complaint}", complaint=complaint)


@cache
def _fresh_schema() -> dict[str, str]:
    """What a new database has, by name."""
    import pysqlite3  # noqa: PLC0415

    engine = create_engine("sqlite://", module=pysqlite3, poolclass=StaticPool)
    try:
        with engine.begin() as connection:
            bring_up_to_date(connection)
            return {name: sql for name, sql in connection.execute(text(_SCHEMA))}  # noqa: C416 (rows, not pairs)
    finally:
        engine.dispose()
