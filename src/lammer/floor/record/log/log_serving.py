"""The log as it is served to everybody: its last checkpoint with all cosignatures, tiles, bundles of entries.

Paths are those of C2SP tlog-tiles. What is in them is public: entries are blinded.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lammer.floor.record.contract import Record
from lammer.floor.record.log.log_tables import bundle, cosignatures_of, latest_head, read_tile
from lammer.rulebook.refusal import Refused
from lammer.transparency.notes import LOG, Note, PublicKey
from lammer.transparency.tiles import HASH_BYTES, Tile, width_of

ENTRIES: Final = "entries/"


def served_checkpoint(record: Record) -> bytes:
    """The last checkpoint of the log."""
    with record.reading() as connection:
        head = latest_head(connection)
        if head is None:
            raise _nothing("checkpoint")
        cosigned = cosignatures_of(connection, head.head.size)
    return Note(head.note.text, (*head.note.signatures, *cosigned)).written.encode()


def served_keys(record: Record, trusted: Iterable[bytes]) -> bytes:
    """The keys the log is signed with, as witnesses and checkers take them; one a line."""
    with record.reading() as connection:
        head = latest_head(connection)
    if head is None:
        raise _nothing("key")
    return "".join(f"{PublicKey(head.head.origin, LOG, key).text}\n" for key in trusted).encode()


def served_tile(record: Record, path: str) -> bytes:
    """A tile, or a bundle of entries with two bytes of length before each."""
    entries = path.startswith(ENTRIES)
    tile = Tile.from_path(f"0/{path.removeprefix(ENTRIES)}" if entries else path)
    with record.reading() as connection:
        head = latest_head(connection)
        size = 0 if head is None else head.head.size
        if tile is None or tile.width > width_of(tile.level, tile.number, size):
            raise _nothing(path)
        hashes = bundle(connection, tile.number) if entries else read_tile(connection, tile)
    hashes = hashes[: tile.width * HASH_BYTES]
    if not entries:
        return hashes
    length = HASH_BYTES.to_bytes(2, "big")
    return b"".join(length + hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES))


def _nothing(path: str) -> Refused:
    return Refused(
        "not_in_log",
        "The log of the house has no {path}.",
        next_step="Ask for what its checkpoint covers.",
        path=repr(path[:60]),
    )
