"""Proofs of one round in a log of ten million entries: how long one takes, and how large it is.

    .venv/bin/python benchmarks/house_log.py [ENTRIES]

A round of seven players and 25 bets is recorded and logged among entries of other tables, in runs as a house
makes them: some events of the table, then other tables' for some seconds. The other entries are random, as
blinded ones look; the tree over them is whole, and made as the house makes it. Bars: 50 ms and 20 KiB, for
all that is in the file besides the events themselves.
"""

from __future__ import annotations

import os
import sys
import tempfile
import zlib
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection, insert

import lammer
from lammer.floor.record.contract import Append, Store
from lammer.floor.record.log.evidence import collect, write
from lammer.floor.record.log.log_secrets import log_secrets
from lammer.floor.record.log.log_tables import leaf_hashes, log_checkpoints, log_entries, log_runs, log_tiles
from lammer.floor.record.sealing import Seals, new_key
from lammer.floor.record.store.opening import FILE, open_store
from lammer.table import commands as c
from lammer.table.journal import encode, entries
from lammer.table.setup import SetUp
from lammer.table.state import Table
from lammer.transparency.blinding import commitment, entry_key
from lammer.transparency.notes import LOG, Note, PublicKey, cosigned, signed
from lammer.transparency.tiles import HASH_BYTES, WIDTH, Tile, grown, subtrees_from
from lammer.transparency.tree import root_hash
from lammer.transparency.tree_heads import TreeHead
from table_rounds import BOOK, call
from verify_house import steps

ENTRIES = 10_000_000
RUNS = 12
"""Checkpoints made while the round was played: a minute, at one every five seconds."""
BETWEEN = 300
"""Entries of other tables in the log between two of those runs."""
BARS = (0.050, 20 << 10)
NAME, KEY = "example.com/house", Ed25519PrivateKey.from_private_bytes(bytes(32))
WITNESSES = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2, 3)]


def bodies() -> list[bytes]:
    """The events of a shoe with one round: what bound the shoe, the round, what revealed the shoe."""
    seals = Seals([new_key()])
    table = Table({BOOK: lammer.rulebook(BOOK)})
    made: list[bytes] = []
    for step in islice(steps(), 7 + 1 + 38):
        made += [encode(entry) for entry in entries(table, step, len(made) + 1)]
    virtual = Table({BOOK: lammer.rulebook(BOOK)})
    asked = (
        call("m", "pit_manager", c.SetTable(SetUp(BOOK, "A", decks=8, shoe="virtual"))),
        call("d", "dealer", c.PrepareShoe(os.urandom(2_000).hex())),
        call("s", "pit_supervisor", c.EndShoe("the end of a shoe")),
    )
    shoe: list[bytes] = []
    for step in asked:
        shoe += [seals.seal("t1", entry) for entry in entries(virtual, step, len(shoe) + 1)]
    return [shoe[1], *made[8:], shoe[-1]]


class SyntheticLog:
    """A log that grows a bundle at a time, written as the house writes it."""

    def __init__(self, store: Store, size: int, folder: Path) -> None:
        self.store, self.size, self.secrets = store, size, log_secrets(folder)
        self.tiles: dict[tuple[int, int], bytes] = {}

    def write(self, round_: list[bytes]) -> None:
        """All entries, the round's in runs near the middle; the tiles above them; a cosigned checkpoint."""
        own, runs, first = self._own_entries(round_)
        self.store.write(lambda connection: _insert(connection, runs)).result()
        edge: dict[int, bytes] = {}
        for start in range(0, self.size, WIDTH * WIDTH):
            count = min(WIDTH * WIDTH, self.size - start)
            blinded = bytearray(os.urandom(count * HASH_BYTES))
            for place, entry in own.items():
                if start <= place < start + count:
                    blinded[(place - start) * HASH_BYTES : (place - start + 1) * HASH_BYTES] = entry
            hashes = leaf_hashes(bytes(blinded))
            leaves = [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]
            changed = grown(start, edge, leaves)
            edge |= {tile.level: hashes for tile, hashes in changed.items()}
            above = {tile: hashes for tile, hashes in changed.items() if tile.level}
            self.tiles |= {(tile.level, tile.number): hashes for tile, hashes in above.items()}
            self.store.write(partial(_keep, start // WIDTH, bytes(blinded))).result()
        self.store.write(self._finish).result()
        print(
            f"  {self.size:,} entries; {len(round_)} events of the round in {len(runs)} runs from {first:,}"
        )

    def _own_entries(self, round_: list[bytes]) -> tuple[dict[int, bytes], list[dict[str, object]], int]:
        at = start = self.size // 2
        share = -(-len(round_) // RUNS)
        own, runs = {}, []
        for number in range(1, len(round_) + 1, share):
            part = round_[number - 1 : number - 1 + share]
            runs.append(
                {
                    "start": at,
                    "source": "t1",
                    "first": number,
                    "entries": len(part),
                    "secret_name": self.secrets.name,
                }
            )
            for place, body in enumerate(part):
                key = entry_key(self.secrets.current, "t1", number + place)
                own[at + place] = commitment(key, "t1", number + place, body)
            at += len(part) + BETWEEN
        return own, runs, start

    def _finish(self, connection: Connection) -> None:
        rows = [
            {"level": level, "number": number, "hashes": hashes}
            for (level, number), hashes in self.tiles.items()
        ]
        connection.execute(insert(log_tiles), rows)

        def read(tile: Tile) -> bytes:
            if tile.level:
                return self.tiles[tile.level, tile.number]
            query = log_entries.select().where(log_entries.c.number == tile.number)
            return leaf_hashes(connection.execute(query).one().entries)

        text = TreeHead(NAME, self.size, root_hash(self.size, subtrees_from(read, self.size))).text
        at = int(datetime.now(UTC).timestamp())
        lines = [cosigned(text, f"witness.example/w{place}", key, at) for place, key in enumerate(WITNESSES)]
        note = Note(text, (signed(text, NAME, KEY), *lines))
        connection.execute(insert(log_checkpoints).values(size=self.size, note=note.written.encode()))


def _insert(connection: Connection, runs: list[dict[str, object]]) -> None:
    connection.execute(insert(log_runs), runs)


def _keep(first: int, entries: bytes, connection: Connection) -> None:
    width = WIDTH * HASH_BYTES
    rows = [
        {"number": first + place, "entries": entries[at : at + width]}
        for place, at in enumerate(range(0, len(entries), width))
    ]
    connection.execute(insert(log_entries), rows)


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES
    with tempfile.TemporaryDirectory() as name, closing(open_store(Path(name) / FILE)) as store:
        folder, round_ = Path(name), bodies()
        store.append(Append("t1", 0, tuple(round_))).result()
        SyntheticLog(store, size, folder).write(round_)
        secrets, public = log_secrets(folder), [KEY.public_key().public_bytes_raw()]
        keys = [PublicKey(NAME, LOG, public[0])]
        times = []
        for _ in range(20):
            begun = process_time()
            made = write(collect(store, secrets, "t1", 1, range(1, len(round_) + 1), public, keys))
            times.append(process_time() - begun)
    events = sum(len(msgspec.json.encode(body.decode())) for body in round_)
    took, proof = median(times), len(made) - events
    met = "met" if took < BARS[0] and proof < BARS[1] else "MISSED"
    print(
        f"  its proofs: {took * 1000:.1f} ms of processor time (the first {times[0] * 1000:.1f}),"
        f" {proof / 1024:.1f} KiB (bars 50 ms and 20 KiB: {met})"
    )
    print(
        f"  the whole file, with {events / 1024:.1f} KiB of events: {len(made) / 1024:.1f} KiB,"
        f" {len(zlib.compress(made)) / 1024:.1f} KiB packed"
    )


if __name__ == "__main__":
    main()
