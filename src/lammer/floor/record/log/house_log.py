"""The one log of the house: every event of every table, the journal and the checkpoints, in one order.

Whatever process or store wrote it: the log follows the heads, a little after they moved, and never stands in
the way of a bet. Two processes that extend it at once begin at the same place, and the later finds that
taken.

What an entry is of stays unknown to whoever reads the log: it is blinded (`lammer.transparency.blinding`)
with a key that can only be had when the shoe has ended. The size of the log grows with the number of events,
which says nothing of what lies face down.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from lammer.floor.record import row_journal
from lammer.floor.record.contract import Conflict, Damaged, Record, Store
from lammer.floor.record.log.log_secrets import LogSecrets
from lammer.floor.record.log.log_tables import (
    Run,
    SignedHead,
    edge_of,
    latest_head,
    leaf_hashes,
    log_checkpoints,
    log_entries,
    log_runs,
    log_tiles,
    logged,
    read_tile,
)
from lammer.floor.record.schema import checkpoints, events, insert_into, journal
from lammer.transparency.blinding import Blinder
from lammer.transparency.notes import Note, signed
from lammer.transparency.tiles import HASH_BYTES, WIDTH, Tile, grown, subtrees_from
from lammer.transparency.tree import root_hash
from lammer.transparency.tree_heads import TreeHead

JOURNAL: Final = row_journal.HEAD
CHECKPOINTS: Final = "\tcheckpoints"
"""What the checkpoints over the heads of tables are called in the log; no table can have that name."""
BATCH: Final = 2_000
"""Entries that are added in one transaction."""


def bodies(connection: Connection, source: str, after: int, limit: int) -> Iterator[tuple[int, bytes]]:
    """What is logged of a source, by number: an event's body, a journal line's hash, a checkpoint's line."""
    table: Any
    if source == JOURNAL:
        table, body = journal, journal.c.hash
    elif source == CHECKPOINTS:
        table, body = checkpoints, checkpoints.c.line
    else:
        table, body = events, events.c.body
    query = select(table.c.number, body).where(table.c.number > after)
    if table is events:
        query = query.where(events.c.table_id == source)
    for number, written in connection.execute(query.order_by(table.c.number).limit(limit)).all():
        yield number, bytes(written)


def heads_of(record: Record) -> dict[str, int]:
    """How far everything that is logged has come."""
    heads = {table: head.number for table, head in sorted(record.heads().items())}
    with record.reading() as connection:
        heads[JOURNAL] = row_journal.head_of(connection).number
        last = select(checkpoints.c.number).order_by(checkpoints.c.number.desc()).limit(1)
        heads[CHECKPOINTS] = connection.scalar(last) or 0
    return heads


class HouseLog:
    """Extends the log of a store and signs how far it has come."""

    def __init__(
        self,
        store: Store,
        key: Ed25519PrivateKey,
        blinding: LogSecrets,
        *,
        name: str = "",
    ) -> None:
        self._store, self._key, self._blinding = store, key, blinding
        self._name = name
        self._origin = ""
        self._size = 0
        self._logged: dict[str, int] | None = None
        self._edge: dict[int, bytes] = {}

    def extend(self) -> SignedHead | None:
        """Log whatever moved; the last checkpoint of the log as it stands then, None while it is empty."""
        if self._logged is None:
            self._look()
        try:
            while self._add_batch():
                pass
        except Conflict:
            self._logged = (
                None  # Another process extended it at the same moment; the next look goes on from there.
            )
        except BaseException:
            self._logged = None
            raise
        with self._store.reading() as connection:
            return latest_head(connection)

    def _look(self) -> None:
        """Find out how far the log has come, and that its tree is the one that was signed."""
        with self._store.reading() as connection:
            head = latest_head(connection)
            self._size = 0 if head is None else head.head.size
            self._origin = self._name or f"lammer.invalid/{secrets.token_hex(8)}"
            if head is not None:
                self._origin = head.head.origin
                subtree = subtrees_from(lambda tile: read_tile(connection, tile), self._size)
                if root_hash(self._size, subtree) != head.head.root:
                    raise Damaged("The log of the house")
            self._edge = edge_of(connection, self._size)
            self._logged = logged(connection)

    def _add_batch(self) -> bool:
        """Add so many entries at most; whether there were any."""
        assert self._logged is not None, "it was looked at before"
        runs: list[Run] = []
        entries: list[bytes] = []
        with self._store.reading() as connection:
            for source, number in heads_of(self._store).items():
                first = self._logged.get(source, 0) + 1
                if number < first or len(entries) >= BATCH:
                    continue
                start = self._size + len(entries)
                entries += self._blinded(
                    connection, source, first, min(number - first + 1, BATCH - len(entries))
                )
                count = self._size + len(entries) - start
                runs.append(Run(start, source, first, count, self._blinding.name))
        if not entries:
            return False
        self._write(runs, entries)
        for run in runs:
            self._logged[run.source] = run.first + run.entries - 1
        return True

    def _blinded(self, connection: Connection, source: str, first: int, count: int) -> Iterator[bytes]:
        blinder, expected = Blinder(self._blinding.current, source), first
        for number, body in bodies(connection, source, first - 1, count):
            if number != expected:
                raise Damaged(f"Event {expected} of {source.strip()}")
            yield blinder.commitment(number, body)
            expected += 1

    def _write(self, runs: list[Run], entries: list[bytes]) -> None:
        size = self._size + len(entries)
        # Level 0 is kept as entries; what is above it, as hashes.
        number, partial = divmod(self._size, WIDTH)
        before = self._edge.get(0, b"") if partial else b""
        joined = before + b"".join(entries)
        width = WIDTH * HASH_BYTES
        bundles = [joined[place : place + width] for place in range(0, len(joined), width)]
        edge = self._edge | {0: leaf_hashes(before)}
        added = leaf_hashes(b"".join(entries))
        leaves = [added[place : place + HASH_BYTES] for place in range(0, len(added), HASH_BYTES)]
        tiles = grown(self._size, edge, leaves)
        known = {(tile.level, tile.number): hashes for tile, hashes in tiles.items()}
        new_edge = self._edge | {tile.level: hashes for tile, hashes in tiles.items()}
        new_edge[0] = bundles[-1]

        def read(tile: Tile) -> bytes:
            """A tile as it is afterwards: new, or partial before, or full since long ago."""
            there = known.get((tile.level, tile.number))
            if there is None and tile.number == size >> 8 * (tile.level + 1):
                there = edge.get(tile.level)
            if there is None:
                with self._store.reading() as connection:
                    there = read_tile(connection, tile)
            return there

        head = TreeHead(self._origin, size, root_hash(size, subtrees_from(read, size)))
        note = Note(head.text, (signed(head.text, self._origin, self._key),))

        def work(connection: Connection) -> None:
            try:
                connection.execute(insert(log_runs), [_columns(run) for run in runs])
            except IntegrityError:
                raise Conflict("of the log", self._size, self._size + 1) from None
            into = insert_into(connection, log_entries)
            into = into.on_conflict_do_update(
                index_elements=["number"], set_={"entries": into.excluded.entries}
            )
            rows = [{"number": number + place, "entries": row} for place, row in enumerate(bundles)]
            connection.execute(into, rows)
            above = [
                {"level": tile.level, "number": tile.number, "hashes": hashes}
                for tile, hashes in tiles.items()
                if tile.level
            ]
            if above:
                into = insert_into(connection, log_tiles)
                changed = {"hashes": into.excluded.hashes}
                connection.execute(
                    into.on_conflict_do_update(index_elements=["level", "number"], set_=changed), above
                )
            row = {"size": size, "note": note.written.encode()}
            connection.execute(insert(log_checkpoints).values(row))

        self._store.write(work).result()
        self._size, self._edge = size, new_edge


def _columns(run: Run) -> dict[str, object]:
    return {
        "start": run.start,
        "source": run.source,
        "first": run.first,
        "entries": run.entries,
        "secret_name": run.secret_name,
    }
