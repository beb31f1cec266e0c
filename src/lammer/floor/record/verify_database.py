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
from lammer.floor.record.journal import KEPT
from lammer.floor.record.upgrade import bring_up_to_date

BOOKS: Final = ("events", "checkpoints", "journal", "account_changes", "denials")
"""What the database itself refuses to change or remove."""
MOST: Final = 5
"""So many of SQLite's complaints are told."""
_MADE: Final = "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'"
_GUARDS: Final = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')"


def check_database(record: Record) -> Iterator[str]:
    """Everything that does not hold of the database."""
    with record.reading() as connection:
        if connection.dialect.name == "sqlite":
            yield from _whole(connection)
            there = {name: sql for name, sql in connection.execute(text(_MADE))}  # noqa: C416 (rows, not pairs)
            made = _as_made()
            for name in sorted(made.keys() | there.keys()):
                if made.get(name) != there.get(name):
                    yield f"the database: {name!r} is not as it was made"
        else:
            guards = set(connection.scalars(text(_GUARDS)))
            expected = {f"{book}_stay" for book in BOOKS} | {f"{name}_touched" for name in KEPT}
            for name in sorted(expected - guards):
                yield f"the database: {name!r} is not as it was made"


def _whole(connection: Connection) -> Iterator[str]:
    """What SQLite finds when it goes through its own file."""
    try:
        found = list(connection.scalars(text(f"PRAGMA integrity_check({MOST})")))
    except DatabaseError as error:
        found = [str(error.orig)]
    for told in found:
        if told != "ok":
            yield f"the database: {told}"


@cache
def _as_made() -> dict[str, str]:
    """What a new database has, by name."""
    import pysqlite3  # noqa: PLC0415

    engine = create_engine("sqlite://", module=pysqlite3, poolclass=StaticPool)
    try:
        with engine.begin() as connection:
            bring_up_to_date(connection)
            return {name: sql for name, sql in connection.execute(text(_MADE))}  # noqa: C416 (rows, not pairs)
    finally:
        engine.dispose()
