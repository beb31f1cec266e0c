"""Trees cut into tiles of 256 hashes, as C2SP tlog-tiles has them: what a log keeps, serves and grows by.

A tile of level L holds 256 hashes of subtrees of 256**L leaves each; the last tile of a level may be partial.
A tile that is full never changes, so it may be kept by whoever fetched it for ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lammer.transparency.tree import Subtree, whole_hash

WIDTH: Final = 256
_BITS: Final = 8
HASH_BYTES: Final = 32
_PATH: Final = re.compile(r"(\d|[1-5]\d|6[0-3])/((?:x\d{3}/)*\d{3})(?:\.p/([1-9]\d{0,2}))?")


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """Which tile: its level, its number in the level, and how many hashes of it are meant.

    >>> Tile(0, 1234067, 256).path, Tile(1, 5, 7).path
    ('0/x001/x234/067', '1/005.p/7')
    """

    level: int
    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        digits = f"{self.number:03d}"
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        parts = [digits[place : place + 3] for place in range(0, len(digits), 3)]
        named = "/".join([f"x{part}" for part in parts[:-1]] + parts[-1:])
        return f"{self.level}/{named}" + ("" if self.width == WIDTH else f".p/{self.width}")

    @classmethod
    def from_path(cls, path: str) -> Tile | None:
        """The tile of a path; None for what is the path of none.

        >>> Tile.from_path("0/x001/x234/067") == Tile(0, 1234067)
        True
        >>> Tile.from_path("0/1"), Tile.from_path("0/000.p/256")
        (None, None)
        """
        matched = _PATH.fullmatch(path)
        if matched is None:
            return None
        width = int(matched[3] or WIDTH)
        tile = cls(int(matched[1]), int(matched[2].replace("x", "").replace("/", "")), width)
        # A number has one path: no leading zeroes, and no width that is not partial.
        return tile if tile.path == path else None


ReadTile = Callable[[Tile], bytes]
"""The hashes of a tile, one after the other. It may give more of them than were asked for."""


def width_of(level: int, number: int, size: int) -> int:
    """How many hashes a tile has in a tree of so many leaves.

    >>> width_of(0, 0, 700), width_of(0, 2, 700), width_of(1, 0, 700), width_of(0, 3, 700)
    (256, 188, 2, 0)
    """
    return max(0, min(WIDTH, (size >> _BITS * level) - number * WIDTH))


def subtrees_from(read: ReadTile, size: int) -> Subtree:
    """Every subtree of a tree of `size` leaves, out of its tiles; each is read once."""
    known: dict[tuple[int, int], bytes] = {}

    def subtree(level: int, index: int) -> bytes:
        tile_level, within = divmod(level, _BITS)
        number, place = divmod(index << within, WIDTH)
        hashes = known.get((tile_level, number))
        if hashes is None:
            width = width_of(tile_level, number, size)
            hashes = known[tile_level, number] = read(Tile(tile_level, number, width))
        wanted = hashes[place * HASH_BYTES : (place + (1 << within)) * HASH_BYTES]
        assert len(wanted) == HASH_BYTES << within, f"tile {tile_level}/{number} lacks hashes"
        return whole_hash([wanted[at : at + HASH_BYTES] for at in range(0, len(wanted), HASH_BYTES)])

    return subtree


def grown(size: int, edge: Mapping[int, bytes], leaves: Sequence[bytes]) -> dict[Tile, bytes]:
    """The tiles that change when leaves (as hashes) are added to a tree of `size`, as they are afterwards.

    `edge` has for every level the hashes of its last tile, where that one is partial.

    >>> first = grown(0, {}, [bytes([number % 256]) * 32 for number in range(300)])
    >>> [(tile.path, len(hashes) // 32) for tile, hashes in first.items()]
    [('0/000', 256), ('0/001.p/44', 44), ('1/000.p/1', 1)]
    >>> last = {0: first[Tile(0, 1, 44)], 1: first[Tile(1, 0, 1)]}
    >>> list(grown(300, last, [bytes(32)])) == [Tile(0, 1, 45)]
    True
    """
    changed: dict[Tile, bytes] = {}
    level, added = 0, list(leaves)
    while added:
        before = size >> _BITS * level
        number, partial = divmod(before, WIDTH)
        row = edge.get(level, b"") if partial else b""
        assert len(row) == partial * HASH_BYTES, f"the edge of level {level} is not that of a tree of {size}"
        above = []
        joined = row + b"".join(added)
        for start in range(0, len(joined), WIDTH * HASH_BYTES):
            hashes = joined[start : start + WIDTH * HASH_BYTES]
            changed[Tile(level, number, len(hashes) // HASH_BYTES)] = hashes
            if len(hashes) == WIDTH * HASH_BYTES:
                above.append(
                    whole_hash([hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)])
                )
            number += 1
        level, added = level + 1, above
    return changed
