"""The rulebooks a house keeps, in the record: written out whole, so that backups and `verify` have them too.

What a text says is not asked here. One that is kept is never changed.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, Table, insert, inspect, select

from lammer.floor.record.contract import Record, Store
from lammer.floor.record.schema import metadata, numbers, texts

kept_rulebooks: Final = Table(
    "kept_rulebooks", metadata, *texts("id", key=True), *texts("whole", "sha256"), *numbers("kept_at")
)


def kept_texts(record: Record) -> dict[str, str]:
    """Every rulebook that is kept, by its id; nothing in a record from before they were."""
    with record.reading() as connection:
        if not inspect(connection).has_table("kept_rulebooks"):
            return {}
        rows = connection.execute(select(kept_rulebooks).order_by(kept_rulebooks.c.id))
        return {row.id: row.whole for row in rows}


def keep_text(store: Store, name: str, whole: str, sha256: str, at: int) -> str:
    """Keep a rulebook unless one of that id is kept; the SHA-256 of the one that is kept now."""

    def work(connection: Connection) -> str:
        there = select(kept_rulebooks.c.sha256).where(kept_rulebooks.c.id == name)
        known = connection.scalar(there)
        if known is None:
            values = {"id": name, "whole": whole, "sha256": sha256, "kept_at": at}
            connection.execute(insert(kept_rulebooks).values(values))
        return sha256 if known is None else str(known)

    return store.write(work).result()
