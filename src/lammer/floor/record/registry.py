"""The house's list of tables: what each is called, and whether and how it deals itself.

What is played at a table is in its events; this is only what the house has to know to put it up.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, Table as SqlTable, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from lammer.floor.record.contract import Store, must_be_name
from lammer.floor.record.schema import binaries, metadata, numbers, texts
from lammer.rulebook.refusal import Refused

house_tables: Final = SqlTable(
    "house_tables",
    metadata,
    *texts("table_id", key=True),
    *texts("title", "pace"),
    *numbers("made_at"),
)

house_secrets: Final = SqlTable(
    "house_secrets",
    metadata,
    *texts("name", key=True),
    *binaries("secret"),
    info={"carried": False},
)


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast an auto-dealt table goes, in seconds."""

    betting: float = 12.0
    card: float = 0.8
    window: float = 6.0
    between: float = 4.0


USUAL_PACE: Final = Pace()


@dataclass(frozen=True, slots=True)
class Listed:
    """A table of the house; `pace` is None where people deal."""

    id: str
    title: str
    pace: Pace | None = None


class Registry:
    """The list, kept in the record."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def all(self) -> list[Listed]:
        """Every table, in the order they were made."""
        with self.store.reading() as connection:
            rows = connection.execute(
                select(house_tables).order_by(house_tables.c.made_at, house_tables.c.table_id)
            )
            return [_listed(row) for row in rows]

    def get(self, name: str) -> Listed | None:
        """The table of that name, if it is on the list."""
        with self.store.reading() as connection:
            row = connection.execute(select(house_tables).where(house_tables.c.table_id == name)).first()
        return None if row is None else _listed(row)

    def add(self, listed: Listed, at: int) -> None:
        """Put a table on the list; one of that name must not be there."""
        must_be_name("A table", listed.id)
        must_be_name("A title", listed.title)

        def work(connection: Connection) -> bool:
            there = connection.execute(
                select(house_tables.c.table_id).where(house_tables.c.table_id == listed.id)
            ).first()
            if there is None:
                connection.execute(insert(house_tables).values(_row(listed) | {"made_at": at}))
            return there is None

        if not self.store.write(work).result():
            raise Refused(
                "table_exists",
                "There is a table {listed} already.",
                next_step="Choose another name.",
                listed=listed.id,
            )

    def change(self, listed: Listed) -> None:
        """Change a table's title or pace."""
        values = _row(listed)
        statement = update(house_tables).where(house_tables.c.table_id == listed.id).values(values)
        self.store.write(lambda connection: connection.execute(statement).rowcount).result()

    def remove(self, name: str) -> None:
        """Take a table off the list; its events stay in the record."""
        statement = delete(house_tables).where(house_tables.c.table_id == name)
        self.store.write(lambda connection: connection.execute(statement).rowcount).result()


def house_secret(store: Store) -> bytes:
    """What the processes of one house know each other by; made by whichever asks first."""

    def work(connection: Connection) -> bytes:
        known = connection.scalar(select(house_secrets.c.secret).where(house_secrets.c.name == "peers"))
        if known is not None:
            return bytes(known)
        secret = secrets.token_bytes(32)
        connection.execute(insert(house_secrets).values(name="peers", secret=secret))
        return secret

    try:
        return store.write(work).result()
    except IntegrityError:
        return store.write(work).result()


def _row(listed: Listed) -> dict[str, object]:
    pace = msgspec.json.encode(listed.pace).decode()
    return {"table_id": listed.id, "title": listed.title, "pace": pace}


def _listed(row: Row[Any]) -> Listed:
    return Listed(row.table_id, row.title, msgspec.json.decode(row.pace, type=Pace | None))
