"""A house for a test: where its record lies, and stores opened on it that are closed at the end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from lammer.floor.record.chain import first_break
from lammer.floor.record.contract import Append, Appended, Key, KeyReused, Record, Store
from lammer.floor.record.store.opening import open_record, open_store
from support.awaited import GUARD


class House:
    def __init__(self, kind: str, where: str) -> None:
        self.kind = kind
        self.where = where
        self._opened: list[Record] = []

    def open(self, **options: Any) -> Store:
        store = open_store(self.where, **options)
        self._opened.append(store)
        return store

    def look(self) -> Record:
        record = open_record(self.where)
        self._opened.append(record)
        return record

    def close(self) -> None:
        for record in self._opened:
            record.close()
        self._opened.clear()


def key(name: str, asked: str = "", client: str = "p1") -> Key:
    return Key(client, name, sha256((asked or name).encode()).digest())


def recall(store: Store, asked: Key) -> Appended | None:
    """What the request of a key was told before; a different request is `KeyReused`."""
    outcome = store.recall([asked]).get(asked)
    if isinstance(outcome, KeyReused):
        raise outcome
    return outcome


def put(store: Store, table: str, *bodies: bytes, after: int | None = None, **given: Any) -> Append:
    """An append to where the table stands, unless it says otherwise."""
    return Append(table, store.head(table).number if after is None else after, bodies, **given)


def intact(record: Record) -> dict[str, list[bytes]]:
    """The bodies of every table, having followed every chain."""
    found = {}
    for table in record.tables():
        events = record.read(table, limit=1_000_000)
        assert first_break(table, (e.stated for e in events)) is None
        head = record.head(table)
        assert (head.number, head.hash) == (events[-1].number, events[-1].hash)
        found[table] = [event.body for event in events]
    return found


@contextmanager
def held_back(store: Store) -> Iterator[None]:
    """What is handed in meanwhile waits, and then goes as one group."""
    busy, go_on = threading.Event(), threading.Event()

    def wait(_: Connection) -> None:
        busy.set()
        assert go_on.wait(GUARD)

    waited = store.write(wait)
    assert busy.wait(GUARD)
    try:
        yield
    finally:
        go_on.set()
    waited.result(GUARD)
