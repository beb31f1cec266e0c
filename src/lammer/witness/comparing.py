"""Two witnesses compare notes: did one log tell both the same story?

Each says what it saw last. Of one size the roots have to be the same; of two sizes the log itself has to
show, by its tiles, that the larger has the smaller as its beginning. A log that cannot has shown somebody
another story.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lammer.transparency.notes import DASH, Unreadable
from lammer.transparency.tiles import HASH_BYTES, Tile, subtrees_from, width_of
from lammer.transparency.tree import consistency_path, extends
from lammer.transparency.tree_heads import TreeHead

ReadTileOf = Callable[[str], bytes]
"""The bytes at a path such as `tile/0/000` of the log."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What each saw of a log, and whether it was one story; None where that takes the log's tiles."""

    origin: str
    one: TreeHead
    other: TreeHead
    agree: bool | None


def heads_in(text: str) -> dict[str, TreeHead]:
    """The checkpoints in what a witness has seen, or in a file of notes, by the name of the log.

    >>> note = "example.com/log\\n1\\n" + "A" * 43 + "=\\n\\n\u2014 a bbbb\\n"
    >>> [head.size for head in heads_in(note).values()]
    [1]
    """
    heads: dict[str, TreeHead] = {}
    written = [line for line in text.split("\n") if line and not line.startswith(DASH)]
    for place in range(0, len(written), 3):
        head = TreeHead.read("\n".join(written[place : place + 3]) + "\n")
        heads[head.origin] = head
    return heads


def compare(one: TreeHead, other: TreeHead, read: ReadTileOf | None = None) -> Compared:
    """Whether two checkpoints of one log fit each other.

    >>> first = TreeHead("example.com/log", 1, bytes(32))
    >>> compare(first, TreeHead("example.com/log", 1, b"x" * 32)).agree
    False
    """
    if one.size == other.size:
        return Compared(one.origin, one, other, one.root == other.root)
    if read is None:
        return Compared(one.origin, one, other, None)
    smaller, larger = sorted((one, other), key=lambda head: head.size)
    return Compared(one.origin, one, other, _only_grew(smaller, larger, read))


def _only_grew(smaller: TreeHead, larger: TreeHead, read: ReadTileOf) -> bool:
    def tile(wanted: Tile) -> bytes:
        width = width_of(wanted.level, wanted.number, larger.size)
        hashes = read(f"tile/{Tile(wanted.level, wanted.number, width).path}")
        if len(hashes) < width * HASH_BYTES:
            raise Unreadable("a tile of the log is not whole")
        return hashes

    path = consistency_path(smaller.size, larger.size, subtrees_from(tile, larger.size))
    return smaller.size == 0 or extends(smaller.size, smaller.root, larger.size, larger.root, path)
