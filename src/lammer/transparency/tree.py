"""The tree of RFC 6962: its root, and proofs that it holds a leaf or is the beginning of a larger one.

Whoever keeps a tree answers for the hashes of its whole subtrees (`Subtree`); everything here is worked out
of those, so it does not matter whether they come from a list, from tiles or from a database. Whoever checks
needs no tree at all: only the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

Subtree = Callable[[int, int], bytes]
"""The hash over the leaves `index * 2**level` up to the next multiple, all of which are there."""


def leaf_hash(leaf: bytes) -> bytes:
    """What stands for an entry in the tree.

    >>> leaf_hash(b"").hex()[:16]
    '6e340b9cffb37a98'
    """
    return sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """What stands for two subtrees side by side."""
    return sha256(b"\x01" + left + right).digest()


def whole_hash(hashes: Sequence[bytes]) -> bytes:
    """The hash over two, four, eight … subtrees of one size.

    >>> whole_hash([b"a" * 32, b"b" * 32]) == node_hash(b"a" * 32, b"b" * 32)
    True
    """
    row = list(hashes)
    assert len(row).bit_count() == 1, "a whole subtree has a power of two"
    while len(row) > 1:
        row = [
            sha256(b"\x01" + left + right).digest() for left, right in zip(row[::2], row[1::2], strict=True)
        ]
    return row[0]


def subtrees_of(leaves: Sequence[bytes]) -> Subtree:
    """A tree kept as the list of its entries, for small ones and for trying things out."""

    def subtree(level: int, index: int) -> bytes:
        return whole_hash([leaf_hash(leaf) for leaf in leaves[index << level : (index + 1) << level]])

    return subtree


def range_hash(low: int, high: int, subtree: Subtree) -> bytes:
    """The hash over the leaves from `low` up to `high`, where splits of RFC 6962 fall."""
    width = high - low
    level = width.bit_length() - 1
    if width == 1 << level and not low % width:
        return subtree(level, low >> level)
    middle = low + _split(width)
    return node_hash(range_hash(low, middle, subtree), range_hash(middle, high, subtree))


def root_hash(size: int, subtree: Subtree) -> bytes:
    """The root over the first `size` leaves.

    >>> root_hash(0, subtrees_of([])).hex()[:16], root_hash(3, subtrees_of([b"a", b"b", b"c"])).hex()[:16]
    ('e3b0c44298fc1c14', '36642e73c2540ab1')
    """
    return range_hash(0, size, subtree) if size else sha256().digest()


def inclusion_path(index: int, size: int, subtree: Subtree) -> list[bytes]:
    """The hashes from a leaf up to the root, nearest first.

    >>> leaves = [b"a", b"b", b"c"]
    >>> tree = subtrees_of(leaves)
    >>> includes(root_hash(3, tree), 3, 2, leaf_hash(b"c"), inclusion_path(2, 3, tree))
    True
    """
    assert 0 <= index < size, f"no leaf {index} among {size}"
    path = []
    low, high = 0, size
    while high - low > 1:
        middle = low + _split(high - low)
        if index < middle:
            path.append(range_hash(middle, high, subtree))
            high = middle
        else:
            path.append(range_hash(low, middle, subtree))
            low = middle
    return path[::-1]


def includes(root: bytes, size: int, index: int, leaf: bytes, path: Sequence[bytes]) -> bool:
    """Whether the path shows that a leaf with this hash stands in this place of the tree with this root."""
    if not 0 <= index < size:
        return False
    turns = []
    low, high = 0, size
    while high - low > 1:
        middle = low + _split(high - low)
        turns.append(index >= middle)
        low, high = (middle, high) if index >= middle else (low, middle)
    if len(path) != len(turns):
        return False
    for step, right in zip(path, reversed(turns), strict=True):
        leaf = node_hash(step, leaf) if right else node_hash(leaf, step)
    return leaf == root


def opening(indexes: Sequence[int], size: int, subtree: Subtree) -> list[bytes]:
    """The hashes that several leaves together need to give the root, as `opened_root` asks for them.

    >>> leaves = [bytes([number]) for number in range(9)]
    >>> tree = subtrees_of(leaves)
    >>> beside = opening([4, 5], 9, tree)
    >>> opened = {4: leaf_hash(leaves[4]), 5: leaf_hash(leaves[5])}
    >>> len(beside), opened_root(opened, 9, beside) == root_hash(9, tree)
    (3, True)
    """
    wanted = sorted(set(indexes))
    assert all(0 <= index < size for index in wanted), "the leaves are in the tree"

    def walk(low: int, high: int, among: Sequence[int]) -> Iterator[bytes]:
        if not among:
            yield range_hash(low, high, subtree)
        elif high - low > 1:
            middle = low + _split(high - low)
            yield from walk(low, middle, [index for index in among if index < middle])
            yield from walk(middle, high, [index for index in among if index >= middle])

    return list(walk(0, size, wanted))


def opened_root(leaves: Mapping[int, bytes], size: int, beside: Sequence[bytes]) -> bytes | None:
    """The root of these leaves (hashes by place) and the hashes beside them; None if they do not fit."""
    if not leaves or min(leaves) < 0 or max(leaves) >= size:
        return None
    left = iter(beside)

    def walk(low: int, high: int, among: Sequence[int]) -> bytes:
        if not among:
            return next(left)
        if high - low == 1:
            return leaves[low]
        middle = low + _split(high - low)
        first = walk(low, middle, [index for index in among if index < middle])
        return node_hash(first, walk(middle, high, [index for index in among if index >= middle]))

    try:
        root = walk(0, size, sorted(leaves))
    except StopIteration:
        return None
    return root if next(left, None) is None else None


def consistency_path(old: int, size: int, subtree: Subtree) -> list[bytes]:
    """The hashes that show a tree of `old` leaves to be the beginning of one of `size`.

    >>> tree = subtrees_of([b"a", b"b", b"c", b"d", b"e"])
    >>> path = consistency_path(3, 5, tree)
    >>> extends(3, root_hash(3, tree), 5, root_hash(5, tree), path)
    True
    """
    assert 0 <= old <= size, f"a tree of {old} does not become one of {size}"
    if old in (0, size):
        return []
    path = []
    low, high = 0, size
    while high != old:
        middle = low + _split(high - low)
        if old <= middle:
            path.append(range_hash(middle, high, subtree))
            high = middle
        else:
            path.append(range_hash(low, middle, subtree))
            low = middle
    if low:
        path.append(range_hash(low, high, subtree))
    return path[::-1]


def extends(old: int, old_root: bytes, size: int, root: bytes, path: Sequence[bytes]) -> bool:
    """Whether the path shows that the tree of `old` leaves was only added to.

    >>> tree = subtrees_of([b"a", b"b", b"c"])
    >>> other = subtrees_of([b"a", b"x", b"c"])
    >>> extends(2, root_hash(2, other), 3, root_hash(3, tree), consistency_path(2, 3, tree))
    False
    """
    if not 0 <= old <= size:
        return False
    if old == 0:
        return not path and old_root == sha256().digest()
    if old == size:
        return not path and old_root == root
    turns = []
    low, high = 0, size
    while high != old:
        middle = low + _split(high - low)
        turns.append(old > middle)
        low, high = (middle, high) if old > middle else (low, middle)
    steps = iter(path)
    try:
        before = after = next(steps) if low else old_root
        for right in reversed(turns):
            step = next(steps)
            before = node_hash(step, before) if right else before
            after = node_hash(step, after) if right else node_hash(after, step)
    except StopIteration:
        return False
    return next(steps, None) is None and before == old_root and after == root


def _split(size: int) -> int:
    """The largest power of two below the size."""
    return 1 << (size - 1).bit_length() - 1


class Growing:
    """A tree that only grows, kept as little more than its root: what whoever goes through a log once needs.

    >>> growing = Growing()
    >>> growing.add([leaf_hash(leaf) for leaf in (b"a", b"b", b"c")])
    >>> growing.root == root_hash(3, subtrees_of([b"a", b"b", b"c"]))
    True
    """

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[bytes] = []

    def add(self, leaves: Iterable[bytes]) -> None:
        """Further leaves, as hashes."""
        peaks, size = self._peaks, self.size
        for leaf in leaves:
            node, beneath = leaf, size
            while beneath & 1:
                node = sha256(b"\x01" + peaks.pop() + node).digest()
                beneath >>= 1
            peaks.append(node)
            size += 1
        self.size = size

    def add_whole(self, level: int, node: bytes) -> None:
        """As many further leaves as make a whole subtree, by its hash; they begin where one of that size may.

        >>> leaves = [bytes([number]) for number in range(12)]
        >>> growing = Growing()
        >>> growing.add(map(leaf_hash, leaves[:8]))
        >>> growing.add_whole(2, subtrees_of(leaves)(2, 2))
        >>> growing.root == root_hash(12, subtrees_of(leaves))
        True
        """
        assert not self.size & (1 << level) - 1, "a subtree begins at a multiple of its size"
        beneath = self.size >> level
        while beneath & 1:
            node = sha256(b"\x01" + self._peaks.pop() + node).digest()
            beneath >>= 1
        self._peaks.append(node)
        self.size += 1 << level

    @property
    def root(self) -> bytes:
        if not self._peaks:
            return sha256().digest()
        root = self._peaks[-1]
        for peak in reversed(self._peaks[:-1]):
            root = node_hash(peak, root)
        return root
