"""Opening the record by what the user calls it: a file, a folder, or a database's URL."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from lammer.floor.record.contract import Record, Rows, Store
from lammer.floor.record.sealing import NO_SEALS, Seals
from lammer.floor.record.store.postgres import open_postgres, read_postgres
from lammer.floor.record.store.sqlite import beside_sqlite, open_sqlite, read_sqlite
from lammer.floor.record.store.writer import Deliver, at_once
from lammer.rulebook.refusal import Refused

FILE: Final = "house.sqlite"


def open_store(where: str | Path, *, deliver: Deliver = at_once, seals: Seals = NO_SEALS) -> Store:
    """Open, or make, the record and bring it up to date; whoever opens it closes it.

    `deliver` is handed a function after each commit and runs it in the thread where the futures are to
    resolve: an event loop's `call_soon_threadsafe` gives one wake-up a group, not one a request.
    """
    location = place(where)
    store = (
        open_sqlite(location, deliver=deliver)
        if isinstance(location, Path)
        else open_postgres(location, deliver=deliver)
    )
    store.seals = seals
    return store


def open_record(where: str | Path) -> Record:
    """Open the record for reading alone, beside the server that owns it."""
    location = place(where)
    return read_sqlite(location) if isinstance(location, Path) else read_postgres(location)


def open_beside(where: str | Path) -> Rows:
    """Open what is kept of people for writing, beside whatever server owns the record."""
    location = place(where)
    if isinstance(location, Path):
        return beside_sqlite(location)
    read_postgres(location).close()
    return open_postgres(location)


def place(where: str | Path) -> Path | URL:
    """A file for SQLite, a URL for PostgreSQL.

    >>> place("data/house.sqlite"), place("sqlite:///data/house.sqlite")
    (PosixPath('data/house.sqlite'), PosixPath('data/house.sqlite'))
    >>> place("postgresql://lammer@db/house").host
    'db'
    >>> place("mysql://db/house")
    Traceback (most recent call last):
    lammer.rulebook.refusal.Refused: Refused unknown_database: ...
    """
    if isinstance(where, str) and "://" in where:
        try:
            url = make_url(where)
        except ArgumentError:
            raise _unknown("A URL that cannot be read") from None
        kind = url.get_backend_name()
        if kind == "sqlite" and url.database and url.database != ":memory:":
            return Path(url.database)
        if kind in {"postgresql", "postgres"}:
            return url
        raise _unknown(f"A database of the kind {kind!r}")
    path = Path(where)
    return path / FILE if path.is_dir() else path


def _unknown(what: str) -> Refused:
    return Refused(
        "unknown_database",
        "{what} is none Lammer can keep its record in.",
        next_step="Name a file, or a URL like postgresql://user@host/name.",
        what=what,
    )
