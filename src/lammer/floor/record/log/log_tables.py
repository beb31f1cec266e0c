"""The tables of the house's log, and what is read of them: where an entry lies, tiles, what was signed.

Entries lie in bundles of 256. Level 0 of the tree is worked out of them when it is asked for; of the levels
above the tiles are kept. Which entry is of what, a run says: so many events of a table, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection, Index, Table, func, select

from lammer.floor.record.contract import Damaged
from lammer.floor.record.schema import binaries, metadata, numbers, texts
from lammer.transparency.notes import Note, Signature, Unreadable
from lammer.transparency.tiles import HASH_BYTES, WIDTH, Tile
from lammer.transparency.tree_heads import TreeHead

log_runs: Final = Table(
    "log_runs",
    metadata,
    *numbers("start", key=True),
    *texts("source"),
    *numbers("first", "entries"),
    *texts("secret_name"),
)
Index("ix_log_runs_source_first", log_runs.c.source, log_runs.c.first)

log_entries: Final = Table("log_entries", metadata, *numbers("number", key=True), *binaries("entries"))

log_tiles: Final = Table("log_tiles", metadata, *numbers("level", "number", key=True), *binaries("hashes"))

log_checkpoints: Final = Table("log_checkpoints", metadata, *numbers("size", key=True), *binaries("note"))

log_cosignatures: Final = Table(
    "log_cosignatures", metadata, *numbers("size", key=True), *texts("witness", key=True), *texts("line")
)

log_stamps: Final = Table("log_stamps", metadata, *numbers("size", key=True), *binaries("response"))
"""Answers of an authority for time stamps (RFC 3161), by the size of the log they are of."""


@dataclass(frozen=True, slots=True)
class Run:
    """Entries one after the other: those from `start` on are events `first` and following of a source."""

    start: int
    source: str
    first: int
    entries: int
    secret_name: str


@dataclass(frozen=True, slots=True)
class SignedHead:
    """A checkpoint of the log: what it says, and as it was signed."""

    head: TreeHead
    note: Note


def latest_head(connection: Connection) -> SignedHead | None:
    """The last checkpoint of the log; None before the first."""
    row = connection.execute(select(log_checkpoints).order_by(log_checkpoints.c.size.desc()).limit(1)).first()
    return None if row is None else read_head(row.note)


def read_head(note: bytes) -> SignedHead:
    """A checkpoint as it lies in the record; what is none was changed."""
    try:
        read = Note.read(note)
        return SignedHead(TreeHead.read(read.text), read)
    except Unreadable:
        raise Damaged("A checkpoint of the log") from None


def cosigned_head(connection: Connection, least: int = 0, *, stamped: bool = False) -> SignedHead | None:
    """The last checkpoint a witness cosigned, of that size at least; where none did, the last of all.

    As `stamped` only those an authority stamped count, and None is told where there is none.
    """
    size = select(log_cosignatures.c.size).where(log_cosignatures.c.size >= least)
    if stamped:
        size = select(log_stamps.c.size).where(log_stamps.c.size >= least)
        if connection.scalar(select(log_cosignatures.c.size).limit(1)) is not None:
            size = size.where(log_stamps.c.size.in_(select(log_cosignatures.c.size)))
    last = size.order_by(size.selected_columns[0].desc()).limit(1).scalar_subquery()
    note = connection.scalar(select(log_checkpoints.c.note).where(log_checkpoints.c.size == last))
    if note is None:
        return None if stamped else latest_head(connection)
    return read_head(note)


def stamp_of(connection: Connection, size: int) -> bytes:
    """The authority's answer for the checkpoint of that size; nothing where there is none."""
    return connection.scalar(select(log_stamps.c.response).where(log_stamps.c.size == size)) or b""


def cosignatures_of(connection: Connection, size: int) -> list[Signature]:
    """Who cosigned the checkpoint of that size."""
    query = select(log_cosignatures.c.line).where(log_cosignatures.c.size == size)
    lines = connection.scalars(query.order_by(log_cosignatures.c.witness))
    try:
        return [Signature.read(line) for line in lines]
    except Unreadable:
        raise Damaged("A cosignature") from None


def run_of(connection: Connection, source: str, number: int) -> Run | None:
    """The run that an event of a source lies in; None while it is not in the log."""
    query = select(log_runs).where(log_runs.c.source == source, log_runs.c.first <= number)
    row = connection.execute(query.order_by(log_runs.c.first.desc()).limit(1)).first()
    return None if row is None or number >= row.first + row.entries else Run(*row)


def logged(connection: Connection) -> dict[str, int]:
    """Up to which event each source is in the log."""
    last = func.max(log_runs.c.first + log_runs.c.entries - 1)
    rows = connection.execute(select(log_runs.c.source, last).group_by(log_runs.c.source))
    return {source: int(number) for source, number in rows}


def bundle(connection: Connection, number: int) -> bytes:
    """The entries of a bundle, one after the other; empty where there is none."""
    query = select(log_entries.c.entries).where(log_entries.c.number == number)
    return connection.scalar(query) or b""


def leaf_hashes(entries: bytes) -> bytes:
    """The hashes of entries in the tree, one after the other."""
    return b"".join(
        [
            sha256(b"\0" + entries[place : place + HASH_BYTES]).digest()
            for place in range(0, len(entries), HASH_BYTES)
        ]
    )


def read_tile(connection: Connection, tile: Tile) -> bytes:
    """The hashes of a tile, as many as there are."""
    if tile.level == 0:
        return leaf_hashes(bundle(connection, tile.number))
    query = select(log_tiles.c.hashes).where(
        log_tiles.c.level == tile.level, log_tiles.c.number == tile.number
    )
    return connection.scalar(query) or b""


def edge_of(connection: Connection, size: int) -> dict[int, bytes]:
    """The partial tiles at the end of each level of a tree of that size; that of level 0 has entries."""
    edge: dict[int, bytes] = {}
    level, hashes = 0, size
    while hashes:
        number, partial = divmod(hashes, WIDTH)
        if partial:
            tile = Tile(level, number, partial)
            row = bundle(connection, number) if level == 0 else read_tile(connection, tile)
            if len(row) != partial * HASH_BYTES:
                raise Damaged(f"The log, tile {tile.path}")
            edge[level] = row
        level, hashes = level + 1, number
    return edge
